"""The estimator: a rating formula from a published ranking, with a certificate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
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
from rankwright.base.parameters import Rule
from rankwright.data import Rows
from rankwright.explanation import Explanation, weighted_difference, why_above
from rankwright.metrics import mean_over_groups, somers_d
from rankwright.reverse import questions, scores
from rankwright.reverse.certificate import Certificate, certify
from rankwright.reverse.clock import Clock
from rankwright.reverse.parameters import RULES
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.reading import product_names, read_rating, warn_of_ranks
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.progress_bar import progress_bar
from rankwright.reverse.search.directions import UNDECIDED, read_signs
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.solve import FitOptions, Outcome, solve
from rankwright.reverse.soundness import check_formula
from rankwright.reverse.values import choose_functions, given_functions, suggest_forms

__all__ = ["RatingFormula"]

DECIDING = 0.2  # of the time, for directions that constraints and pieces need beforehand
SCORE_DIGITS = 12  # scores are sums of decimals: past this, digits are noise that would break ties


class RatingFormula(RankerMixin, BaseEstimator):
    """Find the formula behind a published rating, and prove that no other fits better.

    The score of a product is a weighted sum of its factors. The weights maximise the statistic of
    Chang et al. (2012): the pairs of products ordered as published, where a pair won by one of the
    ``top`` products counts ``1 + emphasis`` times. A branch and bound over the space of weights, in
    whole numbers, proves the result; only the published order counts, not the values of ``y``.

    Parameters
    ----------
    objective : {"top_auc", "positions", "scores"}
        The statistic, to maximise; or the summed position error of the ``top`` products among
        all, to minimise (then ties may be optimal); or published scores, to reproduce as rounded:
        then ``y`` are these, and ``objective_`` is the statistic of their order.
    top : int or mapping from group to int
        How many products of a group are its top.
    emphasis : float
        θ, the extra weight of pairs won by a product at the top.
    category_weights : mapping, optional
        C of each category; 1 for the first category given and 0 for the others by default.
    signs : {"auto", "positive", "free"} or mapping from factor to "+", "-" or "free"
        How each factor may count. "auto" searches with any signs and takes the directions of the
        best formula, as few turned round as that allows; what is proved holds for these, and for
        others as far as ``certificate()`` says. "free" proves all, for at most 12 factors.
    constraints : list of str
        What is known of the weights, such as ``"income <= 5%"``, ``"a + b = 60%"``, ``"a >= b"``,
        ``"a = 40% of (a + b)"``, ``"at most 3 factors"``. Percentages are of the sum of the sizes
        of all weights, on the factors' own scale; ``share(a)`` means weight times range instead.
        Search, proof and ranges speak of formulas that satisfy them all.
    value_functions : {"linear", "piecewise"} or mapping from factor to knots
        How much of a factor is worth how much: evenly; or in pieces, each with a weight of its own
        and all in the factor's direction, with knots at quantiles, as few as held-out pairs ask
        for; or with the knots given, or "levels" for a factor whose numbers are categories. What
        is proved holds for these knots. The names of pieces are those of ``rating_``.
    solver : {"auto", "search", "certified", "milp"}
        ``auto`` searches, then proves while time is left, and with nine or more factors searches
        longer. ``milp`` is their program (13) in HiGHS, an independent check.
    time_limit : float
        Seconds; a fit that it ends returns its best formula with a valid bound.
    gap : float
        Stop once the bound is within this of the objective: a difference, not a share.
    missing : {"refuse", "impute"}
        What to do about missing factors: name the products, or take the factor's median.
    score_step : float, optional
        What published scores are rounded to, for ``objective="scores"``; by default what their
        digits say, or the coarser step that all of them are multiples of.
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
        One for each factor, or piece of one, on the factors' own scale, with the fewest digits that
        keep the objective; weight times range sums to about 100. Where the objective rests on a tie
        that no decimals keep, ``exact_weights_`` has whole numbers or fractions.
    shares_ : (d,) array
        Weight times the factor's range, in percent.
    directions_ : (d,) array
        1 where more is better, -1 where less is, 0 where the sign was free.
    objective_, bound_, gap_ : float
        The gap is the difference of the other two: what a better formula with these directions
        could still gain.
    every_pair_ : float
        The objective of an order that wins every published pair. More than the sum of the category
        weights where products at the cut share a rank, since any of them may take the top's place.
    achievable_ : float
        What single pairs allow: twins (equal factors, different ranks) are lost to any formula.
    n_twins_ : int
        Pairs of products with equal factors and different ranks.
    status_ : str
        "optimal", "gap reached", "time limit", "interrupted", "searched only" or "work
        limit".
    history_ : list of State
    value_functions_ : ValueFunctions or None
        The pieces of the factors, None where all count evenly.
    intercept_ : float
        What a product scores whose factors are all 0; 0 unless scores are published.
    score_fit_ : ScoreFit or None
        What published scores say: exact weight ranges, contradictions.
    rating_, solution_ : Rating, RatingSolution
        What was fitted and what was found; every question is answered from these.
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
    _parameter_rules: ClassVar[dict[str, Rule]] = RULES

    def __init__(
        self,
        objective: str = "top_auc",
        top: int | Mapping[Any, int] = 10,
        emphasis: float = 9.0,
        category_weights: Mapping[Any, float] | None = None,
        signs: str | Mapping[Any, Any] = "auto",
        constraints: Sequence[str] = (),
        value_functions: str | Mapping[Any, Any] = "linear",
        solver: str = "auto",
        time_limit: float = 60.0,
        gap: float = 0.0,
        missing: str = "refuse",
        score_step: float | None = None,
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
        self.constraints = constraints
        self.value_functions = value_functions
        self.solver = solver
        self.time_limit = time_limit
        self.gap = gap
        self.missing = missing
        self.score_step = score_step
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

        Ctrl-C raises ``KeyboardInterrupt`` once the estimator keeps the best formula so far, with
        the status "interrupted".

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
        self._check_parameters()
        with Clock(self.time_limit) as clock:
            rows = as_rows(self, X, y, groups, ensure_all_finite="allow-nan")
            rating = self._read(rows, product_names(X), categories)
            signs = read_signs(self.signs, rating.factor_names)
            if rating.constraints and (signs == 0).any():
                raise ValueError(
                    "constraints speak of the sizes of weights, so directions must be known; give "
                    "signs='auto', 'positive' or a mapping without 'free'"
                )
            rating, signs = self._in_pieces(rating, signs, clock)
            if self.objective == "scores":
                scored = scores.solve_scores(rating, signs, self.score_step, clock)
                rating, solution = scored.rating, scored.solution
                self._keep(rating, solution, scored.scores)
            else:
                if rating.constraints:
                    signs = self._decided(rating, signs, clock)
                outcome = self._solve(rating.problem, signs, clock)
                rating = rating.directed_as(outcome.problem, signs)
                solution = RatingSolution.of(outcome)
                self._keep(rating, solution)
        if isinstance(self.signs, str) and self.signs == "auto":
            warn_of_ranks(rating)
        if solution.status == FitStatus.INTERRUPTED:
            raise KeyboardInterrupt("the estimator keeps the best formula found so far")
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
        with np.errstate(over="ignore", invalid="ignore"):
            sums = (self._factors(X) * self.weights_).sum(axis=1) + self.intercept_
            rounded = np.round(sums, self.score_places_)
        if not np.isfinite(sums).all():
            rows = np.flatnonzero(~np.isfinite(sums))
            raise ValueError(
                f"the scores of rows {rows[:5].tolist()} are beyond floating point; give X in the "
                "units that the formula was fitted to"
            )
        # Rounding multiplies first: very large scores have no such digits anyway.
        return np.asarray(np.where(np.isfinite(rounded), rounded, sums))

    def score(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return Somers' D between ``y`` and the scores of ``X``, the mean over groups.

        Of the pairs that ``y`` orders, the share ordered alike minus the share ordered otherwise:
        1 where every published order is reproduced, also when products share a rank or a band.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            Larger is better.
        groups : (n,) array, optional
        sample_weight : (n,) array, optional
            Weights of the products: a pair counts the product of its two weights.

        Returns
        -------
        float
            Between -1 and 1.
        """
        return mean_over_groups(somers_d, y, self.predict(X), groups, sample_weight=sample_weight)

    def certificate(self) -> Certificate:
        """Compute the objective again in rational arithmetic, and state what is proved."""
        return certify(*self._fitted())

    def summary(self, *, checks: bool = True) -> str:
        """Return in words: the formula, how good it is, what is proved, and whether to trust it.

        Parameters
        ----------
        checks : bool
            Also fit held-out folds and shuffled ranks: is the formula better than chance?
        """
        answers = (self.held_out(), self.chance()) if checks else ()
        return questions.summary(*self._fitted(), *answers)

    def to_excel_formula(self, columns: Mapping[str, str] | None = None, row: int = 2) -> str:
        """Return the formula for a spreadsheet, rounded where products of a group score the same.

        Parameters
        ----------
        columns : mapping from factor to column letters, optional
            B, C, ... by default: the first column names the products.
        row : int
        """
        rating, solution = self._fitted()
        weights, names = solution.own_weights, rating.factor_names
        places = self.score_places_ if solution.has_ties(rating.problem) else None
        fit, functions = self.score_fit_, self.value_functions_
        intercept = Fraction(0) if fit is None else Fraction(fit.exact_intercept)
        if functions is None:
            return questions.excel_formula(
                weights, names, columns, row, places, intercept=intercept
            )
        unnamed = [f"x{j}" for j in range(self.n_features_in_)]
        known = [str(name) for name in getattr(self, "feature_names_in_", unnamed)]
        return questions.excel_formula(
            weights,
            [known[j] for j in functions.factors],
            questions.column_letters(known) if columns is None else columns,
            row,
            places,
            intercept=intercept,
            write=functions.excel_term,
        )

    def weight_ranges(self, slack: float = 0.0, *, time_limit: float | None = None) -> pd.DataFrame:
        """Return how far each share can go while the objective stays within ``slack`` of the best.

        Only formulas with the signs of this one are meant: where ``signs="auto"`` let the data
        decide, formulas with another sign of a factor may be as good, and may go farther.

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
            good formulas come up to, and ``outer_low`` and ``outer_high``, which none exceeds. They
            agree when the search was exhaustive. ``intervals`` holds the share of every good
            formula: several where formulas between them are worse.
            For ``objective="scores"`` the outer ones hold for every formula that reproduces the
            scores, and the inner ones are this formula; ``score_fit_`` has the exact ranges of the
            weights.
        """
        if fit := self._scores_without(slack):
            return scores.share_ranges(self.rating_, fit, self.shares_)
        with self._clock(time_limit) as clock:
            return questions.weight_ranges(*self._fitted(), self._good(slack, clock))

    def weight_polytope(
        self, slack: float = 0.0, *, time_limit: float | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the outer ranges as ``A`` and ``b``: each good formula has ``A @ weights <= b``.

        Good formulas have the signs of this one, as in :meth:`weight_ranges`. They are scaled
        alike: weight times range sums to the same as for this one. Robust plans are made against
        this polytope.

        Parameters
        ----------
        slack, time_limit
            As in :meth:`weight_ranges`.

        Returns
        -------
        (2d + 2, d) array, (2d + 2,) array
            For ``objective="scores"``, whose formulas have a scale of their own, 2d rows.
        """
        if fit := self._scores_without(slack):
            return scores.weight_box(fit)
        with self._clock(time_limit) as clock:
            return questions.weight_polytope(*self._fitted(), self._good(slack, clock))

    def rank_ranges(
        self,
        X: Any,
        groups: ArrayLike | None = None,
        slack: float = 0.0,
        *,
        time_limit: float | None = None,
    ) -> pd.DataFrame:
        """Return the best and worst position of each product over all good formulas.

        Good formulas have the signs of this one, as in :meth:`weight_ranges`.

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
            every formula with these signs within the slack.
        """
        factors = self._factors(X)
        names = product_names(X) or [str(i) for i in range(len(factors))]
        if fit := self._scores_without(slack):
            position = self.rank(X, groups)
            return scores.position_ranges(fit, factors, groups, position, names)
        with self._clock(time_limit) as clock:
            good = self._good(slack, clock)
            return questions.rank_ranges(good, factors, groups, self.rank(X, groups), names)

    def contradictions(self) -> pd.DataFrame:
        """Return the products whose published scores the formula does not reproduce.

        Only with ``objective="scores"``. Without these products it reproduces all scores;
        ``score_fit_.is_fewest`` tells whether it is proved that no formula contradicts fewer.

        Returns
        -------
        DataFrame
            ``product``, ``published`` score, score ``by_formula``, and by how much it
            ``misses_by`` the interval that was rounded to the published one.
        """
        rating, _ = self._fitted()
        if self.score_fit_ is None:
            raise ValueError(
                f"objective={rating.objective!r} does not look at scores; fit objective='scores'"
            )
        by_formula = rating.X @ self.weights_ + self.intercept_
        return scores.contradictions(rating, self.score_fit_, by_formula)

    def audit(
        self, most: int = 20, *, time_limit: float | None = None, proof_seconds: float = 0.0
    ) -> pd.DataFrame:
        """Return the products that the formula misplaces most, and what their ranks cost it.

        Each of the ``most`` products that lose the heaviest pairs is left out in turn, then kept
        with its rank freed, and the formula improved. Directions left to the data are open again.

        Parameters
        ----------
        most : int
        time_limit : float, optional
            Seconds for all of it, the fit's own by default, and those for proofs. The rises of
            products that they don't suffice for are those of this formula, with a warning.
        proof_seconds : float
            Seconds to prove each new formula, or to find a better one. Without them rises are what
            a short search finds, and may be larger.

        Returns
        -------
        DataFrame
            Sorted by ``rise_without``, how much the optimum gains without the product, as a share
            of every pair (see ``every_pair_``) or in places of error; ``rise_freed``, how much when
            its pairs don't count but it takes its place among the others and, if it scores high,
            one at the top; whether both are ``proved``, and so is the formula; ``published`` and
            ``modelled`` positions, ``lost`` pairs and ``against``, the products it loses them to.
        """
        fitted = self._fitted()
        if time_limit is None:
            time_limit = self.time_limit + 2 * most * proof_seconds
        with Clock(time_limit) as clock:
            return questions.audit(*fitted, clock=clock, most=most, proof_seconds=proof_seconds)

    def explain(self, product: Any, other: Any) -> Explanation:
        """Say factor by factor why one product is above another.

        Parameters
        ----------
        product, other
            Names in the index of the training frame, row numbers of it, or rows of factors.

        Returns
        -------
        Explanation
            Contributions in points of score, the largest first.
        """
        return why_above(self, self._row(product), self._row(other))

    def suggest_values(self) -> pd.DataFrame:
        """Return forms of factors that would order clearly more held-out pairs as published.

        A suggestion, by least squares on published places: nothing is proved about it.

        Returns
        -------
        DataFrame
            ``factor``, ``form`` (its logarithm, or a threshold), and the share of held-out pairs
            ``as_is`` and ``with_form``. Without rows where no other form is clearly better.
        """
        rating, _ = self._fitted()
        return suggest_forms(rating, np.where(rating.directions < 0, -1, 1))

    def _row(self, product: Any) -> Any:
        """Return the factors of a product by name; a row of factors as it is."""
        rating, _ = self._fitted()
        row = rating.row(product)
        if self.value_functions_ is None or row is product:
            return row
        factors = self.value_functions_.collapse(row.to_numpy(dtype=np.float64)[None, :])[0]
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(len(factors))])
        return pd.Series(factors, index=[str(name) for name in names], name=row.name)

    def _contributions(self, rows: Any) -> NDArray[np.float64]:
        contributions = weighted_difference(self.weights_, self._factors(rows))
        functions = self.value_functions_
        return contributions if functions is None else functions.add_up(contributions)

    def leave_one_out(self, *, time_limit: float | None = None) -> pd.DataFrame:
        """Return where each product would enter if it were new: its position without its own data.

        Parameters
        ----------
        time_limit : float, optional
            Seconds, the fit's own by default. Products that they don't suffice for are left out,
            with a warning.

        Returns
        -------
        DataFrame
            ``published`` and ``predicted`` positions inside the group.
        """
        with self._clock(time_limit) as clock:
            return questions.leave_one_out(*self._fitted(), clock=clock)

    def bootstrap(
        self, n_resamples: int = 50, level: float = 0.9, *, time_limit: float | None = None
    ) -> pd.DataFrame:
        """Return intervals of the shares when products are drawn again with replacement.

        Parameters
        ----------
        n_resamples : int
        level : float
            Share of the resamples inside the interval.
        time_limit : float, optional
            Seconds, the fit's own by default. If they don't suffice, there are fewer resamples, and
            a warning.

        Returns
        -------
        DataFrame
            ``share``, ``low`` and ``high`` in percent; negative where the sign was for the data to
            decide and the factor counts the other way.
        """
        fitted = self._fitted()
        with self._clock(time_limit) as clock:
            return questions.bootstrap(*fitted, clock=clock, n_resamples=n_resamples, level=level)

    def held_out(
        self, n_folds: int = 5, n_repeats: int = 2, *, time_limit: float | None = None
    ) -> questions.HeldOut:
        """Return M1, M2 and M3 of products that the formula was not fitted to, over repeated folds.

        Directions left to the data are open again in each fold.

        Parameters
        ----------
        n_folds, n_repeats : int
        time_limit : float, optional
            Seconds, the fit's own by default. If they don't suffice, there are fewer folds, and a
            warning.

        Returns
        -------
        HeldOut
            The ``measures``, NaN where there is nothing to count, and what guessing gets.
        """
        rating, _ = self._fitted()
        with self._clock(time_limit) as clock:
            return questions.held_out(rating, clock=clock, n_folds=n_folds, n_repeats=n_repeats)

    def chance(
        self, n_permutations: int = 19, *, time_limit: float | None = None
    ) -> questions.ChanceCheck:
        """Return what a short search reaches on the published ranks, and on shuffled ones.

        Directions left to the data are open again for each shuffle. Where counting the orders that
        formulas can make gives a p-value that shuffles can't go below, nothing is shuffled.

        Parameters
        ----------
        n_permutations : int
        time_limit : float, optional
            Seconds, the fit's own by default. If they don't suffice, there are fewer shuffles, and
            a warning.
        """
        fitted = self._fitted()
        with self._clock(time_limit) as clock:
            return questions.against_chance(*fitted, clock=clock, n_permutations=n_permutations)

    def _read(self, rows: Rows, names: list[str] | None, categories: Any) -> Rating:
        """Return the rating that the parameters make of the training data."""
        unnamed = [f"x{j}" for j in range(self.n_features_in_)]
        return read_rating(
            rows,
            names=names,
            factor_names=[str(name) for name in getattr(self, "feature_names_in_", unnamed)],
            missing=self.missing,
            objective=self.objective,
            top=self.top,
            emphasis=self.emphasis,
            categories=categories,
            category_weights=self.category_weights,
            constraints=list(self.constraints),
        )

    def _in_pieces(
        self, rating: Rating, signs: NDArray[np.int64], clock: Clock
    ) -> tuple[Rating, NDArray[np.int64]]:
        """Return the rating with pieces for factors, each in the direction of its factor."""
        self.value_functions_ = None
        if isinstance(self.value_functions, str) and self.value_functions == "linear":
            return rating, signs
        directions = self._decided(rating, signs, clock)
        if isinstance(self.value_functions, Mapping):
            functions = given_functions(self.value_functions, rating.X, rating.factor_names)
        else:
            functions = choose_functions(rating, np.where(directions < 0, -1, 1))
        self.value_functions_ = functions
        ones = np.ones(len(functions.names), dtype=np.int64)
        pieces = replace(
            rating,
            X=functions.expand(rating.X),
            factor_names=functions.names,
            directions=ones,
            asked=ones,
        )
        return pieces, directions[functions.factors]

    def _decided(self, rating: Rating, signs: NDArray[np.int64], clock: Clock) -> NDArray[np.int64]:
        """Return directions where the data are to decide: of the best formula without constraints.

        Found by a search with a share of the time.
        """
        if not (signs == UNDECIDED).any():
            return signs
        with Clock(max(DECIDING * clock.left, 0.1)) as part:
            options = FitOptions("search", part, 0.0, 0, effective_n_jobs(self.n_jobs))
            found = solve(replace(rating, constraints=[]).problem, signs, options).problem
        return np.where(signs == UNDECIDED, found.directions, signs)

    def _solve(self, problem: RatingProblem, signs: NDArray[np.int64], clock: Clock) -> Outcome:
        seed = int(check_random_state(self.random_state).randint(2**31))
        n_jobs = effective_n_jobs(self.n_jobs)
        with progress_bar(self.verbose, self.callback, self.time_limit) as callback:
            options = FitOptions(self.solver, clock, self.gap, seed, n_jobs, callback)
            return solve(problem, signs, options)

    def _keep(
        self, rating: Rating, solution: RatingSolution, fit: scores.ScoreFit | None = None
    ) -> None:
        """Keep the rating and its solution, and what users read off them."""
        problem = rating.problem
        self.score_fit_ = fit
        self.intercept_ = 0.0 if fit is None else fit.intercept
        self.rating_, self.solution_ = rating, solution
        functions = self.value_functions_
        factors = rating.X if functions is None else functions.collapse(rating.X)
        self.medians_ = np.median(factors, axis=0)
        self.weights_, self.exact_weights_ = solution.weights, solution.exact_weights
        self.shares_ = solution.shares(problem)
        self.directions_ = rating.directions
        largest = float(np.abs(rating.X * self.weights_).sum(axis=1).max())
        self.score_places_ = SCORE_DIGITS - int(np.ceil(np.log10(max(largest, 1e-9))))
        self.objective_ = problem.normalised(solution.value)
        self.bound_ = problem.normalised(solution.bound)
        self.gap_ = abs(self.bound_ - self.objective_)
        self.every_pair_ = problem.normalised(problem.largest_value)
        self.achievable_ = problem.normalised(solution.achievable)
        self.n_twins_ = problem.n_twins
        self.status_, self.proof_ = solution.status, solution.proof
        self.history_ = solution.history

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "weights_"):
            check_formula(self)

    def _fitted(self) -> tuple[Rating, RatingSolution]:
        check_is_fitted(self, "solution_")
        return self.rating_, self.solution_

    def _scores_without(self, slack: float) -> scores.ScoreFit | None:
        """Return what published scores say; they leave no formulas that are worse by a slack."""
        self._fitted()
        if self.score_fit_ is not None and slack:
            raise ValueError(
                f"slack={slack!r}; with objective='scores' all formulas count that reproduce the "
                "scores, so leave it at 0"
            )
        return self.score_fit_

    def _clock(self, time_limit: float | None) -> Clock:
        """Return a clock for a question: for the seconds given, or the fit's own."""
        return Clock(self.time_limit if time_limit is None else time_limit)

    def _good(self, slack: float, clock: Clock) -> questions.GoodFormulas:
        """Return the formulas within a slack of the best."""
        n_jobs = effective_n_jobs(self.n_jobs)
        return questions.find_good_formulas(
            *self._fitted(), slack=slack, clock=clock, n_jobs=n_jobs
        )

    def _factors(self, X: Any) -> NDArray[np.float64]:
        """Return validated factors, with medians for missing ones if these may be imputed."""
        check_is_fitted(self)
        finite = True if self.missing == "refuse" else "allow-nan"
        X = validate_data(self, X, dtype=np.float64, reset=False, ensure_all_finite=finite)
        filled = np.where(np.isnan(X), self.medians_, X)
        return filled if self.value_functions_ is None else self.value_functions_.expand(filled)
