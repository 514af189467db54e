"""The pairwise ranker that chooses its penalty by cross-validation."""

import warnings
from collections.abc import Iterator
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import BaseCrossValidator, GroupKFold, KFold, check_cv

from rankwright.base import as_rows
from rankwright.base.parameters import NONE, THREADS, Rule, number, whole_number
from rankwright.data import Rows, sort_rows
from rankwright.linear.existence import warn_if_arbitrary
from rankwright.linear.linear_ranker import SOLVER_RULES
from rankwright.linear.origins import near_zero
from rankwright.linear.pairs import block_pairs
from rankwright.linear.pairwise import PAIR_LOSS_RULES, PairwiseRanker
from rankwright.linear.parts import Part

__all__ = ["PairwiseRankerCV"]

Ints = NDArray[np.int64]

PENALTIES = Rule(
    "give one or more numbers of at least 0",
    lambda value: (
        np.ndim(value) <= 1
        and np.size(value) > 0
        and all(map(number(least=0).accepts, np.atleast_1d(value)))
    ),
)


def _are_folds(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return len(value) > 0 and all(hasattr(f, "__len__") and len(f) == 2 for f in value)
    return hasattr(value, "get_n_splits") or isinstance(value, Iterator)


FOLDS = (
    whole_number(2)
    | Rule("a splitter, or a list of pairs of training and test rows", _are_folds)
    | NONE
)


class PairwiseRankerCV(PairwiseRanker):
    """A ``PairwiseRanker`` that picks ``alpha`` along a warm-started path.

    In every fold the pairs are organised once, and the penalties are tried from the largest to the
    smallest, each from the coefficients of the one before. The mean Kendall tau of the held-out
    rows decides; then all rows are fitted with the best ``alpha``.

    Parameters
    ----------
    alphas : (n_alphas,) array
        Penalties to try.
    cv : int, splitter or None
        Number of folds or a scikit-learn splitter. Whole groups are held out, or rows when there
        is a single group; five folds (or as many as there are groups) by default. A splitter that
        tears groups is a warning. Folds without a pair to learn from or to test on are left out.
    loss, pairs, pair_weighting, nonnegative, tol, gap_share, max_iter, verbose, gap
        As in :class:`PairwiseRanker`.
    n_jobs : int or None
        Folds that run side by side, as threads.

    Attributes
    ----------
    alpha_ : float
        The best penalty.
    alphas_ : (n_alphas,) float64
        Largest first.
    scores_ : (n_alphas, n_folds) float64
        Mean Kendall tau of the held-out rows.
    coef_, n_pairs_, objective_, gap_, n_iter_, n_features_in_, feature_names_in_
        As in :class:`PairwiseRanker`.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> rng = np.random.default_rng(0)
    >>> X, groups = rng.normal(size=(200, 3)), np.repeat(np.arange(20), 10)
    >>> y = X @ [1.0, -1.0, 0.0] + rng.normal(size=200)
    >>> ranker = rw.PairwiseRankerCV(alphas=[1e-4, 1e-2, 1.0]).fit(X, y, groups)
    >>> ranker.scores_.shape
    (3, 5)
    >>> ranker.alpha_ in ranker.alphas_
    True
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "alphas": PENALTIES,
        "cv": FOLDS,
        **PAIR_LOSS_RULES,
        **SOLVER_RULES,
        "n_jobs": THREADS,
    }

    def __init__(
        self,
        alphas: ArrayLike = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0),
        cv: int | BaseCrossValidator | None = None,
        loss: str = "logistic",
        pairs: str = "all",
        *,
        pair_weighting: str = "pair",
        nonnegative: bool = False,
        tol: float = 1e-6,
        gap_share: float = 1e-3,
        max_iter: int = 1000,
        verbose: int = 0,
        n_jobs: int | None = None,
        gap: float | str = "deprecated",
    ) -> None:
        self.alphas = alphas
        self.cv = cv
        self.loss = loss
        self.pairs = pairs
        self.pair_weighting = pair_weighting
        self.nonnegative = nonnegative
        self.tol = tol
        self.gap_share = gap_share
        self.max_iter = max_iter
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.gap = gap

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Choose ``alpha`` and learn from rows with grades or from rankings.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
        y : (n,) array
            Larger is better; only the order inside a group matters.
        groups : (n,) array, optional
            Group id of each row.
        sample_weight : (n,) array, optional
            Weights of the items: a pair counts the product of its two weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = as_rows(self, X, y, groups, sample_weight=sample_weight, accept_sparse="csr")
        # A splitter of the caller's may name rows by number, so it sees those without weight, too.
        split = rows if self._draws_folds() else as_rows(self, X, y, groups, accept_sparse="csr")
        alphas = np.sort(np.asarray(self.alphas, dtype=np.float64).ravel())[::-1]
        group = rows.group_of_row
        folds = [
            (train, test)
            for train, test in self._folds(rows, split)
            if _any_pair(rows.y[train], group[train]) and _any_pair(rows.y[test], group[test])
        ]
        if not folds:
            raise ValueError(
                "no fold has a pair to learn from and a pair to test on, with "
                f"n_samples={rows.y.size}; use fewer folds"
            )
        scores = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._path)(rows, group, train, test, alphas) for train, test in folds
        )
        self._forget_fit()
        self.alphas_, self.scores_ = alphas, np.array(scores).T
        self.alpha_ = float(alphas[np.argmax(self.scores_.mean(axis=1))])
        best = self._at_penalty().set_params(verbose=self.verbose)
        pairs = block_pairs(rows, self.pairs, self.pair_weighting)
        near = near_zero(rows.X, rows.offsets)
        best._solve(Part.of_pairs(near, pairs))
        self.n_pairs_ = pairs.total
        learnt = ("coef_", "n_iter_", "objective_", "gap_")
        self.__dict__.update(
            {name: best.__dict__[name] for name in learnt if name in best.__dict__}
        )
        if self.alpha_ == 0:
            warn_if_arbitrary(near, pairs, self.coef_, bounded=self.loss != "logistic")
        return self

    def _draws_folds(self) -> bool:
        return self.cv is None or isinstance(self.cv, Integral)

    def _folds(self, rows: Rows, split: Rows) -> Iterator[tuple[Ints, Ints]]:
        """Yield the rows, sorted by group, of each fold that the splitter makes of the caller's."""
        known = np.full(rows.n_given, -1)
        known[rows.given] = np.arange(rows.y.size)
        as_given = np.argsort(split.given)
        place = known[split.given[as_given]]
        # Numbered by their labels: folds do not depend on which group comes first.
        group = np.argsort(np.argsort(split.labels, kind="stable"))[split.group_of_row][as_given]
        groups = group if split.offsets.size > 2 else None
        X = split.X if split.order is None else split.X[as_given]
        torn = 0
        for train, test in self._splitter(split).split(X, split.y[as_given], groups):
            torn += groups is not None and bool(np.isin(group[train], group[test]).any())
            train, test = (np.sort(part[part >= 0]) for part in (place[train], place[test]))
            yield train, test
        if torn:
            warnings.warn(
                f"cv, a {type(self.cv).__name__}, tears groups in {torn} folds: held-out rows are "
                "scored by rankers that saw others of the same group; give a number, or a splitter "
                "of whole groups such as GroupKFold()",
                stacklevel=4,
            )

    def _splitter(self, rows: Rows) -> Any:
        n_groups = rows.offsets.size - 1
        if not self._draws_folds():
            return check_cv(self.cv)
        if n_groups == 1:
            return KFold(self.cv or 5, shuffle=True, random_state=0)
        return GroupKFold(min(self.cv or 5, n_groups))

    def _ranker(self) -> PairwiseRanker:
        shared = PairwiseRanker().get_params().keys() & self.get_params().keys()
        return PairwiseRanker(**{name: getattr(self, name) for name in shared})

    def _at_penalty(self) -> PairwiseRanker:
        ranker: PairwiseRanker = self._ranker().set_params(alpha=self.alpha_)
        return ranker

    def _path(self, rows: Rows, group: Ints, train: Ints, test: Ints, alphas: Any) -> list[float]:
        """Return the score on the test rows for each alpha."""
        ranker = self._ranker().set_params(warm_start=True, verbose=0)
        weights = None if rows.weights is None else rows.weights[train]
        seen = sort_rows(rows.X[train], rows.y[train], group[train], weights)
        pairs = block_pairs(seen, self.pairs, self.pair_weighting)
        training = Part.of_pairs(near_zero(seen.X, seen.offsets), pairs)
        ranker.n_features_in_ = rows.X.shape[1]
        scores = []
        for alpha in alphas:
            ranker.set_params(alpha=alpha)._solve(training)
            scores.append(ranker.score(rows.X[test], rows.y[test], group[test]))
        return scores


def _any_pair(y: NDArray[np.float64], group: Ints) -> bool:
    """Say whether some group has two different y; the rows are sorted by group."""
    return bool(np.any((y[1:] != y[:-1]) & (group[1:] == group[:-1])))
