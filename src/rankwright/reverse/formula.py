"""The estimator: a rating formula from a published ranking, with a certificate."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from rankwright.base import as_rows
from rankwright.base.parameters import Rule
from rankwright.explanation import Explanation
from rankwright.reverse import questions, scores
from rankwright.reverse.certificate import Certificate, certify
from rankwright.reverse.clock import Clock
from rankwright.reverse.finding import FoundFormula, add_stable, find_formula
from rankwright.reverse.parameters import RULES
from rankwright.reverse.problem import Rating
from rankwright.reverse.problem.reading import (
    product_names,
    read_rating,
    usual_values,
    warn_of_ranks,
)
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.ranges import find_any_signs, find_ranges
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.soundness import check_formula
from rankwright.reverse.stable import stable_words
from rankwright.reverse.task import Task
from rankwright.reverse.terms import read_terms
from rankwright.reverse.values import suggest_forms
from rankwright.reverse.weighted_sum import WeightedSum, places_kept

__all__ = ["RatingFormula"]


class RatingFormula(WeightedSum):
    """Find the formula behind a published rating, and prove how well any other could fit.

    The score of a product is a weighted sum of its factors. The weights maximise the statistic of
    Chang et al. (2012): the pairs of products ordered as published, where a pair won by one of the
    ``top`` products counts ``1 + emphasis`` times. A branch and bound over the space of weights, in
    whole numbers, proves the result; only the published order counts, not the values of ``y``,
    unless ``selection`` asks for a stable formula beside it.

    Questions to a fitted formula have a ``time_limit``, by default that of the fit. Where it is too
    short, ranges are wider, and answers rest on fewer fits, with a warning.

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
        best formula, with as few turned round as that allows; what is proved holds for these, and
        for others as far as ``certificate()`` says. "free" proves all, for at most 12 factors.
    constraints : list of str
        What is known of the weights, such as ``"income <= 5%"``, ``"a + b = 60%"``, ``"a >= b"``,
        ``"a = 40% of (a + b)"``, ``"at most 3 factors"``. Percentages are of the sum of the sizes
        of all weights, on the factors' own scale; ``share(a)`` means weight times range instead.
        Search, proof and ranges speak of formulas that satisfy them all.
    value_functions : {"linear", "piecewise"} or mapping from factor to knots
        How much of a factor is worth how much: evenly; or in pieces, each with a weight of its own
        and all in the factor's direction, with knots at quantiles, as few as held-out pairs ask
        for; or with the knots given, or "levels" for a factor whose numbers are categories. What
        is proved holds for these knots. ``rating_`` has the names of the pieces.
    selection : {"accurate", "stable"} or float
        What ``predict`` applies: the formula that fits best; or one between it (0) and the mean of
        all that explain what is published, up to noise (1), as held-out products suggest or given.
    solver : {"auto", "search", "certified", "milp"}
        ``auto`` searches, then proves while time is left, and with nine or more factors searches
        longer. ``milp`` is their program (13) in HiGHS, an independent check.
    time_limit : float
        Seconds; a fit that it ends returns its best formula with a valid bound.
    gap : float
        Stop once the bound is within this of the objective: a difference, not a share.
    missing : {"refuse", "impute"}
        What to do about missing factors: name the products, or take the factor's median, and of
        levels the most frequent one.
    score_step : float, optional
        What published scores are rounded to, for ``objective="scores"``; by default the largest
        step that divides them all.
    random_state : int, RandomState or None
        Seed of the search.
    n_jobs : int or None
        Threads; the result doesn't depend on it unless the time limit ends the fit.
    verbose : bool
        Show a progress bar with objective, bound and gap.
    callback : callable, optional
        Called with each new ``State(seconds, objective, bound)``.

    Attributes
    ----------
    weights_ : (d,) array
        One for each factor, or piece of one as ``rating_`` names it, on the factors' own scale,
        with the fewest digits that keep the objective; weight times range sums to about 100.
    exact_weights_ : list of str
        The weights as decimals; as whole numbers or fractions where the objective rests on a tie
        that no decimals keep.
    shares_ : (d,) array
        Weight times the factor's range, in percent.
    directions_ : (d,) array
        1 where more is better, -1 where less is, 0 where the sign was free.
    objective_ : float
        The statistic of the accurate formula, or its position error, whatever is selected.
    bound_ : float
        What no formula with these directions exceeds, or falls below for position errors. It
        speaks of the accurate formula, too, like ``gap_``.
    gap_ : float
        The difference of the two: what a better formula with these directions could still gain.
    every_pair_ : float
        The objective of an order that wins every published pair. More than the sum of the category
        weights where products at the cut share a rank, since any of them may take the top's place.
    achievable_ : float
        What single pairs allow: twins are lost to any formula.
    n_twins_ : int
        Pairs of products with equal factors and different ranks.
    status_ : str
        Why the fit ended: "optimal", "gap reached", "time limit", "interrupted", "searched only",
        "work limit" or "by scores".
    proof_ : str
        What the bound rests on.
    history_ : list of State
        How objective and bound came there.
    value_functions_ : ValueFunctions or None
        The pieces of the factors, None where all count evenly.
    intercept_ : float
        What a product scores whose factors are all 0; 0 unless scores are published.
    score_fit_ : ScoreFit or None
        What published scores say: exact weight ranges, contradictions. None without them.
    score_places_ : int
        The decimal places that scores are rounded to, so that sums of decimals can tie.
    medians_ : (d,) array
        What stands for a missing factor, where ``missing="impute"``; the most frequent of levels.
    factor_ranges_ : (d, 2) array
        The least and the largest value of each factor in the fit.
    rating_ : Rating
        What was fitted; every question is answered from this and ``solution_``.
    solution_ : RatingSolution
        What was found: the accurate formula.
    stable_ : StableFormula or None
        The formula for new products: the weights are its own. Nothing is proved about it.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if ``X`` had column names.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> X = np.array([[5, 3, 2], [4, 5, 1], [3, 4, 4], [2, 2, 5], [1, 3, 3], [2, 1, 1.0]])
    >>> formula = rw.RatingFormula(top=3).fit(X, -np.array([1, 2, 3, 4, 5, 6]))
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
        *,
        emphasis: float = 9.0,
        category_weights: Mapping[Any, float] | None = None,
        signs: str | Mapping[Any, Any] = "auto",
        constraints: Sequence[str] = (),
        value_functions: str | Mapping[Any, Any] = "linear",
        selection: str | float = "accurate",
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
        self.selection = selection
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
            Factors of the products, read as the decimals they are printed as, of at most twelve
            digits. A frame's index names the products.
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
        return self._fit(X, y, groups, categories, self.time_limit)

    def _fit(self, X: Any, y: Any, groups: Any, categories: Any, seconds: float) -> Self:
        """Find the formula in so many seconds, of which ``time_limit`` may be more."""
        self._check_parameters()
        task = replace(Task.of(self), time_limit=seconds)
        with Clock(task.time_limit) as clock:
            rows = as_rows(self, X, y, groups, ensure_all_finite="allow-nan")
            rating = read_rating(rows, self._factor_names, product_names(X), categories, task)
            found = find_formula(read_terms(rating, task, clock), task, clock)
            self._keep(found)
            self._keep(add_stable(found, task, clock))
        if task.signs == "auto":
            warn_of_ranks(found.rating)
        if clock.is_interrupted or found.solution.status == FitStatus.INTERRUPTED:
            raise KeyboardInterrupt("the estimator keeps the best formula found so far")
        return self

    def certificate(self) -> Certificate:
        """Compute the objective again in rational arithmetic, and state what is proved.

        Returns
        -------
        Certificate
            Objective and bound as fractions, and which formulas the bound speaks of.
        """
        return certify(*self._fitted())

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
        answers = (self.held_out(), self.chance()) if checks else ()
        fitted = self._fitted()
        return "\n".join(
            [questions.summary(*fitted, *answers), *stable_words(*fitted, self.stable_)]
        )

    def accurate(self) -> Self:
        """Return the formula that fits best: this one, or a copy if another one is selected.

        Returns
        -------
        RatingFormula
        """
        fitted = self._fitted()
        if self.stable_ is None:
            return self
        formula = copy(self)
        formula.set_params(selection="accurate")
        formula._keep(FoundFormula(*fitted, self.value_functions_, self.score_fit_))
        return formula

    def to_excel_formula(self, columns: Mapping[str, str] | None = None, row: int = 2) -> str:
        """Return the formula for a spreadsheet, rounded where products of a group score the same.

        Parameters
        ----------
        columns : mapping from factor to column letters, optional
            B, C, ... by default: the first column names the products.
        row : int
            The row of the sheet that the formula is for.

        Returns
        -------
        str
        """
        rating, solution = self._fitted()
        written = self.stable_ or solution
        places = self.score_places_ if written.has_ties(rating.problem) else None
        fit, functions = self.score_fit_, self.value_functions_
        own = written.own_weights, Fraction(0) if fit is None else fit.own_intercept
        return questions.excel_formula(*own, self._factor_names, functions, columns, row, places)

    def weight_ranges(
        self, slack: float = 0.0, *, any_signs: bool = False, time_limit: float | None = None
    ) -> pd.DataFrame:
        """Return how far each share can go while the objective stays within ``slack`` of the best.

        Only formulas with the signs of this one are meant, unless ``any_signs`` asks for all: where
        ``signs="auto"`` let the data decide, formulas with another sign of a factor may be as good.

        Parameters
        ----------
        slack : float
            How much worse a formula may be that still counts as good: 0 for those as good as this
            one, and always with ``objective="scores"``.
        any_signs : bool
            Whether factors whose sign was free, or for the data to decide, may count either way.
            Shares then have signs: negative where a factor counts against a product. For at most 12
            such factors, without constraints and pieces.
        time_limit : float, optional
            Seconds; the fit's own by default. Where they are too few, ranges are wider.

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
        with self._clock(time_limit) as clock:
            if not any_signs:
                return self._ranges(slack, clock).weights()
            return find_any_signs(
                *self._fitted(), self.score_fit_, slack=slack, clock=clock, n_jobs=self._threads
            ).weights()

    def weight_polytope(
        self, slack: float = 0.0, *, time_limit: float | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the outer ranges as ``A`` and ``b``: each good formula has ``A @ weights <= b``.

        Good formulas are those of :meth:`weight_ranges`, scaled so that weight times range sums to
        the same as for this one. Robust plans are made against this polytope.

        Parameters
        ----------
        slack : float
            As in :meth:`weight_ranges`.
        time_limit : float, optional
            As in :meth:`weight_ranges`.

        Returns
        -------
        (2d + 2, d) array, (2d + 2,) array
            For ``objective="scores"``, whose formulas have a scale of their own, 2d rows.
        """
        with self._clock(time_limit) as clock:
            return self._ranges(slack, clock).polytope()

    def rank_ranges(
        self,
        X: Any,
        groups: ArrayLike | None = None,
        slack: float = 0.0,
        *,
        time_limit: float | None = None,
    ) -> pd.DataFrame:
        """Return the best and worst position of each product over all good formulas.

        Good formulas are those of :meth:`weight_ranges`, with the signs of this one.

        Parameters
        ----------
        X : (n, d) frame or array
        groups : (n,) array, optional
            Group id of each row; without it all rows are one group.
        slack : float
            As in :meth:`weight_ranges`.
        time_limit : float, optional
            As in :meth:`weight_ranges`.

        Returns
        -------
        DataFrame
            ``position`` by the formula, ``best`` and ``worst``: an outer estimate that holds for
            every good formula. Products that tie share the mean of their positions.
        """
        terms = self._terms(X)
        names = product_names(X) or [str(i) for i in range(len(terms))]
        with self._clock(time_limit) as clock:
            ranges = self._ranges(slack, clock)
            return ranges.positions(terms, groups, self.accurate().rank(X, groups), names)

    def contradictions(self) -> pd.DataFrame:
        """Return the products whose published scores the formula does not reproduce.

        Only with ``objective="scores"``. Without these products it reproduces all scores;
        ``score_fit_.is_fewest`` tells whether it is proved that no formula contradicts fewer.

        Returns
        -------
        DataFrame
            ``product``, ``published`` score, score ``by_formula``, and by how much it
            ``misses_by`` the interval that the published one stands for.
        """
        rating, _ = self._fitted()
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
            How many products to look at.
        time_limit : float, optional
            Seconds for all of it; by default the fit's own and those for proofs. The rises of
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

    def leave_one_out(self, *, time_limit: float | None = None) -> pd.DataFrame:
        """Return where each product would enter if it were new: its position without its own data.

        Parameters
        ----------
        time_limit : float, optional
            Seconds; the fit's own by default. Products that they don't suffice for are left out,
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
            How often products are drawn.
        level : float
            Share of the resamples inside the interval.
        time_limit : float, optional
            Seconds; the fit's own by default. If they don't suffice, there are fewer resamples, and
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
        n_folds : int
            Parts of the products, each left out once.
        n_repeats : int
            How often the products are divided anew.
        time_limit : float, optional
            Seconds; the fit's own by default. If they don't suffice, there are fewer folds, and a
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
            How often the ranks are shuffled.
        time_limit : float, optional
            Seconds; the fit's own by default. If they don't suffice, there are fewer shuffles, and
            a warning.

        Returns
        -------
        ChanceCheck
        """
        fitted = self._fitted()
        with self._clock(time_limit) as clock:
            return questions.against_chance(*fitted, clock=clock, n_permutations=n_permutations)

    def factor_values(self) -> pd.DataFrame:
        """Return what factors that count in pieces are worth at their knots, or at their levels.

        Returns
        -------
        DataFrame
            By ``factor``: a number it is ``at``, and what that is ``worth`` in points of score,
            more than where the factor is worth least; straight lines lie between knots. Without
            rows where all factors count evenly.
        """
        self._fitted()
        functions = self.value_functions_
        if functions is None:
            return pd.DataFrame(columns=["factor", "at", "worth"])
        return functions.worths(self.weights_, self._factor_names)

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

    def explain(
        self, item: Any, other: Any, *, n_orders: int = 100, random_state: int = 0
    ) -> Explanation:
        """Say factor by factor why one product is above another.

        Parameters
        ----------
        item, other
            Names in the index of the training frame, row numbers of it, or rows of factors.
        n_orders, random_state : int
            As for every ranker. The contributions of a formula are exact without them.

        Returns
        -------
        Explanation
            Contributions in points of score, the largest first.
        """
        rows = self._row(item), self._row(other)
        return super().explain(*rows, n_orders=n_orders, random_state=random_state)

    @property
    def factor_ranges_(self) -> NDArray[np.float64]:
        """The least and the largest value of each factor in the fit, in rows."""
        rating, _ = self._fitted()
        functions = self.value_functions_
        factors = rating.X if functions is None else functions.collapse(rating.X)
        return np.column_stack([factors.min(axis=0), factors.max(axis=0)])

    def _keep(self, found: FoundFormula) -> None:
        """Keep the rating and its solution, and what users read off them."""
        rating, solution, fit = found.rating, found.solution, found.scores
        problem, functions = rating.problem, found.functions
        self._forget_fit()
        self.rating_, self.solution_ = rating, solution
        self.value_functions_, self.score_fit_ = functions, fit
        self.intercept_ = 0.0 if fit is None else fit.intercept
        factors = rating.X if functions is None else functions.collapse(rating.X)
        none = np.zeros(factors.shape[1], dtype=np.bool_)
        has_levels = none if functions is None else functions.has_levels
        self.medians_ = usual_values(factors, has_levels)
        self.stable_, written = found.stable, found.stable or solution
        self.weights_, self.exact_weights_ = written.weights, written.exact_weights
        self.shares_, self.directions_ = written.shares(problem), rating.directions
        self.score_places_ = places_kept(rating.X, self.weights_)
        self.objective_ = problem.normalised(solution.value)
        self.bound_ = problem.normalised(solution.bound)
        self.gap_ = abs(self.bound_ - self.objective_)
        self.every_pair_ = problem.normalised(problem.largest_value)
        self.achievable_ = problem.normalised(solution.achievable)
        self.n_twins_, self.history_ = problem.n_twins, solution.history
        self.status_, self.proof_ = solution.status, solution.proof

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "weights_"):
            check_formula(self)

    def _fitted(self) -> tuple[Rating, RatingSolution]:
        check_is_fitted(self, "solution_")
        return self.rating_, self.solution_

    def _clock(self, time_limit: float | None) -> Clock:
        return Clock(self.time_limit if time_limit is None else time_limit)

    def _ranges(self, slack: float, clock: Clock) -> questions.OrderRanges | scores.ScoreRanges:
        fitted = *self._fitted(), self.score_fit_
        return find_ranges(*fitted, slack=slack, clock=clock, n_jobs=self._threads)

    @property
    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))

    def _row(self, product: Any) -> Any:
        """Return the factors of a product by name; a row of factors as it is."""
        rating, _ = self._fitted()
        row, functions = rating.row(product), self.value_functions_
        if functions is None or row is product:
            return row
        return functions.collapse_row(row, self._factor_names)
