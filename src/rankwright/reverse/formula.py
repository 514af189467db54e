"""The estimator: a rating formula from a published ranking, with a certificate."""

import re
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from rankwright.base import RankerMixin, as_rows, check_array, require
from rankwright.data import Rows, sort_rows
from rankwright.reverse.certificate import Certificate, certify
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.own_scale import from_own_scale, round_weights, to_own_scale
from rankwright.reverse.problem.reading import RatingData, fill_missing, read_rating
from rankwright.reverse.progress import State
from rankwright.reverse.questions.insights import FormulaInsights, Training, product_names
from rankwright.reverse.questions.summary import progress_bar
from rankwright.reverse.search.directions import decide_directions, read_signs
from rankwright.reverse.solve import SOLVERS, Outcome, Plan, solve

__all__ = ["RatingFormula"]

# A whole number or a fraction; with an exponent, a short text could stand for a huge number.
EXACT = re.compile(r"-?\d{1,400}(/\d{1,400})?")
SCORE_DIGITS = 12  # scores are sums of decimals: past this, digits are noise that would break ties


class RatingFormula(FormulaInsights, RankerMixin, BaseEstimator):
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
        directions; "free" searches all, for at most 12 factors.
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
        "optimal", "gap reached", "time limit", "interrupted", "searched only" or "work
        limit".
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
        names = product_names(X)
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
        scores = (self._factors(X) * self.weights_).sum(axis=1)
        return np.asarray(np.round(scores, self.score_places_))

    def certificate(self) -> Certificate:
        """Compute the objective again in rational arithmetic, and state what is proved.

        Returns
        -------
        Certificate
        """
        check_is_fitted(self)
        problem = self._problem()
        return certify(
            problem,
            self._own_weights(),
            self._data().factor_names,
            self._bound,
            self.status_,
            self.proof_,
        )

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if not hasattr(self, "weights_"):
            return
        n_features, training = self.n_features_in_, self.training_
        for name in ("medians_", "shares_", "weights_"):
            check_array(self, name, (n_features,))
        check_array(self, "directions_", (n_features,), np.int64)
        exact = self.exact_weights_
        is_text = all(isinstance(weight, str) and EXACT.fullmatch(weight) for weight in exact)
        require(len(exact) == n_features and is_text, self, "its exact weights are none")
        check_array(training, "X", (None, n_features))
        n_rows = len(training.X)
        check_array(training, "y", (n_rows,))
        for name in ("groups", "categories"):
            check_array(training, name, (n_rows,), None)
        is_named = all(isinstance(name, str) for name in training.names)
        require(len(training.names) == n_rows and is_named, self, "its products have no names")

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

    def _factors(self, X: Any) -> NDArray[np.float64]:
        """Check products and put the medians where factors are missing."""
        finite = True if self.missing == "refuse" else "allow-nan"
        X = validate_data(self, X, dtype=np.float64, reset=False, ensure_all_finite=finite)
        return np.where(np.isnan(X), self.medians_, X)

    def _factor_names(self, d: int) -> list[str]:
        return [
            str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(d)])
        ]

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
        with progress_bar(self.verbose, self.callback, self.time_limit) as callback:
            plan = Plan(
                self.solver,
                self.time_limit,
                self.gap,
                seed,
                effective_n_jobs(self.n_jobs),
                callback,
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
        self._bound = outcome.bound
        # Computed again: rounding keeps the objective or, where no optimum is proved, may raise it.
        self.objective_ = problem.normalised(problem.value(from_own_scale(problem, own)))
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

    def _warn_if_ranks(self, problem: RatingProblem) -> None:
        training = self.training_
        if not isinstance(self.signs, str) or self.signs != "auto":
            return
        looks_like_ranks = all(
            training.y[training.groups == g].min() == 1
            and set(training.y[training.groups == g])
            <= set(range(1, 1 + (training.groups == g).sum()))
            for g in set(training.groups.tolist())
        )
        if (
            looks_like_ranks
            and len(training.y) > 4
            and 2 * (problem.directions < 0).sum() > len(problem.directions)
        ):
            warnings.warn(
                "y looks like published ranks (1, 2, ...) and most factors came out negative: "
                "here larger is better; if 1 is the best rank, fit with -y",
                UserWarning,
                stacklevel=3,
            )
