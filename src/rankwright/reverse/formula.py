"""The estimator: a rating formula from a published ranking, with a certificate."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from rankwright.base import RankerMixin, as_rows
from rankwright.data import Rows, sort_rows
from rankwright.reverse import audit, chance, ranges, text
from rankwright.reverse.certificate import Certificate, certify
from rankwright.reverse.directions import decide_directions, read_signs
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.progress import State
from rankwright.reverse.rating_data import RatingData, fill_missing, read_rating
from rankwright.reverse.rounding import from_own_scale, round_weights, to_own_scale
from rankwright.reverse.solve import SOLVERS, Outcome, Plan, solve

__all__ = ["RatingFormula"]

SCORE_DIGITS = 12  # scores are sums of decimals: past this, digits are noise that would break ties


@dataclass(frozen=True)
class Training:
    """The products that a formula was fitted to, as the caller gave them."""

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    groups: NDArray[Any]
    categories: NDArray[Any]
    names: list[str]


class RatingFormula(RankerMixin, BaseEstimator):
    """Find the formula behind a published rating, and prove that no other fits better.

    The score of a product is a weighted sum of its factors. The weights maximise the paper's
    statistic: the pairs of products ordered as published, where a pair won by one of the ``top``
    products counts ``1 + emphasis`` times. A branch and bound over the space of weights, in whole
    numbers, proves the result; only the published order counts, not the values of ``y``.

    Parameters
    ----------
    objective : {"top_auc", "positions"}
        The statistic, to maximise; or the summed position error of the ``top`` products among
        all, to minimise (then ties may be optimal).
    top : int or mapping from group to int
        How many products of a group are its top.
    emphasis : float
        θ, the extra weight of pairs won by a product at the top.
    category_weights : mapping, optional
        C of each category; 1 for the first category given and 0 for the others by default.
    signs : {"auto", "positive", "free"} or mapping from factor to "+", "-" or "free"
        How each factor may count. "auto" decides first, and what is proved holds for these
        directions; "free" searches all.
    solver : {"auto", "search", "certified", "milp"}
        ``auto`` searches, then proves while time is left, and with nine or more factors searches
        longer. ``milp`` is the paper's program in HiGHS, an independent check.
    time_limit : float
        Seconds; a fit that it ends returns its best formula with a valid bound.
    gap : float
        Stop once the bound is within this of the objective.
    missing : {"refuse", "impute"}
        What to do about missing factors: name the products, or take the factor's median.
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; the result doesn't depend on it unless the time limit ends the fit.
    verbose : bool
        Show a progress bar with objective, bound and gap.
    callback : callable, optional
        Called with each new ``State(seconds, objective, bound)``.

    Attributes
    ----------
    weights_ : (d,) array
        On the factors' own scale, with the fewest digits that keep the objective; weight times
        range sums to about 100.
    shares_ : (d,) array
        Weight times the factor's range, in percent.
    directions_ : (d,) array
        1 where more is better, -1 where less is, 0 where the sign was free.
    objective_, bound_, gap_ : float
        The gap is how much a better formula could still gain.
    achievable_ : float
        What single pairs allow: twins (equal factors, different ranks) are lost to any formula.
    n_twins_ : int
        Pairs of products with equal factors and different ranks.
    status_ : str
        "optimal", "gap reached", "time limit", "interrupted" or "searched only".
    history_ : list of State
    n_features_in_, feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> X = np.array([[5, 3, 2], [4, 5, 1], [3, 4, 4], [2, 2, 5], [1, 3, 3], [2, 1, 1.0]])
    >>> published = [1, 2, 3, 4, 5, 6]
    >>> formula = rw.RatingFormula(top=3).fit(X, -np.array(published))
    >>> str(formula.status_), formula.objective_, formula.gap_
    ('optimal', 1.0, 0.0)
    >>> formula.rank(X)
    array([1., 2., 3., 4., 5., 6.])
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True, "categories": True}

    def __init__(
        self,
        objective: str = "top_auc",
        top: int | Mapping[Any, int] = 10,
        emphasis: float = 9.0,
        category_weights: Mapping[Any, float] | None = None,
        signs: str | Mapping[Any, Any] = "auto",
        solver: str = "auto",
        time_limit: float = 60.0,
        gap: float = 0.0,
        missing: str = "refuse",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool = False,
        callback: Callable[[State], None] | None = None,
    ) -> None:
        self.objective = objective
        self.top = top
        self.emphasis = emphasis
        self.category_weights = category_weights
        self.signs = signs
        self.solver = solver
        self.time_limit = time_limit
        self.gap = gap
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        categories: ArrayLike | None = None,
    ) -> Self:
        """Find the formula.

        Parameters
        ----------
        X : (n, d) frame or array, or Rankings
            Factors of the products, read as the decimal numbers they are printed as (past twelve
            digits they are rounded). A frame's index names the products.
        y : (n,) array
            Larger is better: scores, or published ranks times -1.
        groups : (n,) array, optional
            Subcategories: products of different ones are never compared.
        categories : (n,) array, optional
            Which subcategories share the normalisation; the first one given is of interest.

        Returns
        -------
        self
        """
        names = _product_names(X)
        rows = as_rows(self, X, y, groups, ensure_all_finite="allow-nan")
        self.training_ = self._remember(rows, names, categories)
        data = self._data()
        problem = decide_directions(data.problem, read_signs(self.signs, data.factor_names))
        outcome = self._solve(problem)
        own = to_own_scale(problem, outcome.weights)
        self._store(problem, outcome, round_weights(problem, own, outcome.value))
        self._warn_if_ranks(problem)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of products; larger is better.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        check_is_fitted(self)
        names = _product_names(X)
        X = validate_data(
            self, X, dtype=np.float64, reset=False, ensure_all_finite=self.missing == "refuse" or "allow-nan"
        )
        X = np.where(np.isnan(X), self.medians_, X) if names is not None else X
        return np.round((X * self.weights_).sum(axis=1), self.score_places_)

    def certificate(self) -> Certificate:
        """Compute the objective again in rational arithmetic, and state what is proved.

        Returns
        -------
        Certificate
        """
        check_is_fitted(self)
        problem = self._problem()
        return certify(problem, self._own_weights(), self._data().factor_names, self._outcome(problem))

    def summary(self, *, checks: bool = True) -> str:
        """Return in words: the formula, how good it is, what is proved, and whether to trust it.

        Parameters
        ----------
        checks : bool
            Also fit held-out folds and shuffled ranks: is the formula better than chance?

        Returns
        -------
        str
        """
        held_out, against_chance = (self.held_out(), self.chance()) if checks else (None, None)
        return text.summary(self, self._data(), held_out, against_chance)

    def to_excel_formula(self, columns: Mapping[str, str] | None = None, row: int = 2) -> str:
        """Return the formula for a spreadsheet.

        Parameters
        ----------
        columns : mapping from factor to column letters, optional
            B, C, ... by default: the first column names the products.
        row : int

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return text.excel_formula(self._own_weights(), self._data().factor_names, columns, row)

    def weight_ranges(self, slack: float = 0.0, *, time_limit: float | None = None) -> pd.DataFrame:
        """Return how far each share can go while the objective stays within ``slack`` of the best.

        Parameters
        ----------
        slack : float
            0 for the formulas as good as this one.
        time_limit : float, optional
            Seconds; the fit's own by default.

        Returns
        -------
        DataFrame
            For each factor its ``share`` and, in percent, ``inner_low`` and ``inner_high``, which
            some good formula reaches, and ``outer_low`` and ``outer_high``, which none exceeds.
            They agree when the search was exhaustive.
        """
        found = self._good_formulas(slack, time_limit)
        inner, outer = found.inner_shares(), found.outer_shares()
        columns = {
            "share": self.shares_,
            "inner_low": inner[0],
            "inner_high": inner[1],
            "outer_low": outer[0],
            "outer_high": outer[1],
        }
        return pd.DataFrame(columns, index=pd.Index(self._data().factor_names, name="factor"))

    def rank_ranges(
        self,
        X: Any,
        groups: ArrayLike | None = None,
        slack: float = 0.0,
        *,
        time_limit: float | None = None,
    ) -> pd.DataFrame:
        """Return the best and worst position of each product over all good formulas.

        Parameters
        ----------
        X : (n, d) frame or array
        groups : (n,) array, optional
        slack, time_limit
            As in :meth:`weight_ranges`.

        Returns
        -------
        DataFrame
            ``position`` by the formula, ``best`` and ``worst``: an outer estimate that holds for
            every formula within the slack.
        """
        check_is_fitted(self)
        names = _product_names(X)
        position = self.rank(X, groups)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        best, worst = self._good_formulas(slack, time_limit).position_ranges(X, groups)
        index = pd.Index(names or [str(i) for i in range(len(X))], name="product")
        return pd.DataFrame({"position": position, "best": best, "worst": worst}, index=index)

    def audit(self, most: int = 20) -> pd.DataFrame:
        """Return the products whose published rank no good formula explains.

        Each of the ``most`` products that lose the heaviest pairs is left out in turn and the
        formula searched again.

        Parameters
        ----------
        most : int

        Returns
        -------
        DataFrame
            Sorted by ``rise``, how much the optimum gains without the product; ``published`` and
            ``modelled`` positions, ``lost`` pairs and ``against``, the products it loses them to.
        """
        check_is_fitted(self)
        return audit.audit(self._data(), self._problem(), self._whole_weights(), most)

    def explain(self, product: Any, other: Any) -> pd.DataFrame:
        """Return factor by factor why one product is above another.

        Parameters
        ----------
        product, other
            Names in the index of the training frame, or row numbers.

        Returns
        -------
        DataFrame
            Values, weight and ``points``: what the factor adds to the difference of scores. The
            largest contribution comes first.
        """
        check_is_fitted(self)
        one, two = (text.find_product(self.training_.names, name) for name in (product, other))
        X, names = self.training_.X, self.training_.names
        frame = pd.DataFrame(
            {
                names[one]: X[one],
                names[two]: X[two],
                "weight": self.weights_,
                "points": self.weights_ * (X[one] - X[two]),
            },
            index=pd.Index(self._data().factor_names, name="factor"),
        )
        return frame.sort_values("points", key=np.abs, ascending=False, kind="stable")

    def leave_one_out(self) -> pd.DataFrame:
        """Return where each product would enter if it were new: its position without its own data.

        Returns
        -------
        DataFrame
            ``published`` and ``predicted`` positions inside the group.
        """
        check_is_fitted(self)
        return chance.leave_one_out(self._data(), self._problem(), self._whole_weights())

    def bootstrap(self, samples: int = 50, level: float = 0.9) -> pd.DataFrame:
        """Return intervals of the shares when products are drawn again with replacement.

        Parameters
        ----------
        samples : int
        level : float
            Share of the samples inside the interval.

        Returns
        -------
        DataFrame
            ``share``, ``low`` and ``high`` in percent.
        """
        check_is_fitted(self)
        shares = chance.bootstrap_shares(self._problem(), self._whole_weights(), samples)
        tail = (1 - level) / 2
        low, high = np.quantile(shares, [tail, 1 - tail], axis=0)
        columns = {"share": self.shares_, "low": low, "high": high}
        return pd.DataFrame(columns, index=pd.Index(self._data().factor_names, name="factor"))

    def held_out(self, folds: int = 5, repeats: int = 2) -> float:
        """Return M1 of products that the formula was not fitted to, over repeated folds.

        Parameters
        ----------
        folds, repeats : int

        Returns
        -------
        float
            Share of the pairs at the top that are ordered correctly; NaN if there are none.
        """
        check_is_fitted(self)
        return chance.held_out(self._data(), self._problem(), folds, repeats)

    def chance(self, permutations: int = 19) -> chance.ChanceCheck:
        """Return what the same search reaches when the published ranks are shuffled.

        Parameters
        ----------
        permutations : int

        Returns
        -------
        ChanceCheck
        """
        check_is_fitted(self)
        return chance.against_chance(self._problem(), self._whole_weights(), permutations)

    def _remember(self, rows: Rows, names: list[str] | None, categories: Any) -> Training:
        n = len(rows.y)
        back = np.arange(n) if rows.order is None else np.argsort(rows.order)
        names = [str(i) for i in range(n)] if names is None or len(names) != n else names
        factor_names = self._factor_names(rows.X.shape[1])
        X = fill_missing(rows.X[back], names, factor_names, self.missing)
        self.medians_ = np.median(X, axis=0)
        groups = np.repeat(rows.labels, np.diff(rows.offsets))[back]
        given = np.zeros(n, dtype=np.int64) if categories is None else np.asarray(categories)
        return Training(X, rows.y[back], groups, given, names)

    def _factor_names(self, d: int) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(d)])]

    def _data(self) -> RatingData:
        check_is_fitted(self, "training_")
        training = self.training_
        return read_rating(
            sort_rows(training.X, training.y, training.groups),
            names=training.names,
            factor_names=self._factor_names(training.X.shape[1]),
            objective=self.objective,
            top=self.top,
            emphasis=self.emphasis,
            categories=training.categories,
            category_weights=self.category_weights,
        )

    def _problem(self) -> RatingProblem:
        check_is_fitted(self, "directions_")
        signs = np.where(self.directions_ == 0, 0, self.directions_)
        return decide_directions(self._data().problem, signs)

    def _solve(self, problem: RatingProblem) -> Outcome:
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r}; choose from {sorted(SOLVERS)}")
        if not self.time_limit > 0:
            raise ValueError(f"time_limit={self.time_limit!r}; give a positive number of seconds")
        seed = int(check_random_state(self.random_state).randint(2**31))
        with text.progress_bar(self.verbose, self.callback, self.time_limit) as callback:
            plan = Plan(
                self.solver, self.time_limit, self.gap, seed, effective_n_jobs(self.n_jobs), callback
            )
            return solve(problem, plan)

    def _store(self, problem: RatingProblem, outcome: Outcome, own: list[Fraction]) -> None:
        self.weights_ = np.array([float(w) for w in own])
        self.exact_weights_ = [str(w) for w in own]
        spans = [abs(w) * r for w, r in zip(own, problem.factors.ranges, strict=True)]
        total = sum(spans) or Fraction(1)
        self.shares_ = np.array([float(100 * span / total) for span in spans])
        self.directions_ = np.where(problem.free, 0, problem.directions)
        largest = float(np.abs(self.training_.X * self.weights_).sum(axis=1).max())
        self.score_places_ = SCORE_DIGITS - int(np.ceil(np.log10(max(largest, 1e-9))))
        self._value, self._bound = outcome.value, outcome.bound
        self.objective_ = problem.normalised(outcome.value)
        self.bound_ = problem.normalised(outcome.bound)
        self.gap_ = abs(self.bound_ - self.objective_)
        self.achievable_ = problem.normalised(outcome.achievable)
        self.n_twins_ = len(problem.twins)
        self.status_ = outcome.status
        self.proof_ = outcome.proof
        self.history_ = outcome.history

    def _own_weights(self) -> list[Fraction]:
        check_is_fitted(self, "exact_weights_")
        return [Fraction(w) for w in self.exact_weights_]

    def _whole_weights(self) -> NDArray[np.object_]:
        return from_own_scale(self._problem(), self._own_weights())

    def _outcome(self, problem: RatingProblem) -> Outcome:
        return Outcome(
            weights=np.empty(0, dtype=np.int64),
            value=self._value,
            bound=self._bound,
            achievable=self._bound,
            status=self.status_,
            proof=self.proof_,
            history=self.history_,
        )

    def _good_formulas(self, slack: float, time_limit: float | None) -> ranges.GoodFormulas:
        check_is_fitted(self)
        if slack < 0:
            raise ValueError(f"slack={slack!r}; choose 0 or more")
        limit = self.time_limit if time_limit is None else time_limit
        return ranges.find_good_formulas(
            self._problem(), self._whole_weights(), slack, limit, effective_n_jobs(self.n_jobs)
        )

    def _warn_if_ranks(self, problem: RatingProblem) -> None:
        training = self.training_
        if not isinstance(self.signs, str) or self.signs != "auto":
            return
        looks_like_ranks = all(
            training.y[training.groups == g].min() == 1
            and set(training.y[training.groups == g]) <= set(range(1, 1 + (training.groups == g).sum()))
            for g in set(training.groups.tolist())
        )
        if looks_like_ranks and len(training.y) > 4 and 2 * (problem.directions < 0).sum() > len(problem.directions):
            warnings.warn(
                "y looks like published ranks (1, 2, ...) and most factors came out negative: "
                "here larger is better; if 1 is the best rank, fit with -y",
                UserWarning,
                stacklevel=3,
            )


def _product_names(X: Any) -> list[str] | None:
    index = getattr(X, "index", None)
    return None if index is None or callable(index) else [str(name) for name in index]
