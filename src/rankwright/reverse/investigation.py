"""Everything there is to know about a published rating, in one call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import NDArray

from rankwright.data import ItemTable
from rankwright.programs import NoAnswerError
from rankwright.reverse import questions as ask
from rankwright.reverse.budget import Budget
from rankwright.reverse.certificate import Certificate
from rankwright.reverse.clock import Clock
from rankwright.reverse.formula import RatingFormula
from rankwright.reverse.group_formulas import group_formulas
from rankwright.reverse.questions.agreement import HowWell, how_well
from rankwright.reverse.questions.places import places_moved
from rankwright.reverse.ranges import find_ranges
from rankwright.reverse.refusal import QuestionRefusedError
from rankwright.reverse.scores import count_reproduced
from rankwright.reverse.search.directions import MOST_FREE, SIGNED

__all__ = ["Investigation", "Step", "investigate"]

INTERRUPTED = "the run was interrupted"
TOO_SHORT = "there was not enough time for it"
WORDS = {
    "fit": "Searching for the formula",
    "alternatives": "Trying other methods on products left out",
    "weight_ranges": "Finding the ranges of the weights",
    "any_sign_ranges": "Finding their ranges with any signs",
    "drawn_again": "Fitting products drawn again",
    "suspects": "Looking for products that don't fit",
    "contradictions": "Finding scores that contradict the rest",
    "held_out": "Fitting without some of the products",
    "chance": "Fitting shuffled ranks",
    "shared": "Comparing groups",
    "each_group": "Fitting each group alone",
}
CHECKS = ("alternatives", "drawn_again", "held_out", "chance")
# Answers from fewer parts than these would say too much.
FEWEST = {"drawn_again": 10}
# Seconds for each value of a table below which a question is not begun: its smallest answer, which
# no clock ends, takes twice as long.
SLOW = {"alternatives": 1.5e-6}
MOST_VALUES = 5_000  # of a table whose factors are tried in other forms: within a second or two


@dataclass(frozen=True)
class Step:
    """What an investigation is doing: the step in words, its seconds, and how far it has come."""

    words: str
    seconds: float
    done: int = 0
    total: int = 0


@dataclass(frozen=True, eq=False)
class Investigation:
    """What was found out about a rating; what was left out is None.

    Attributes
    ----------
    table : ItemTable
        The rating as published.
    formula : RatingFormula
        Fitted: the accurate one, of which everything but ``stable`` tells.
    certificate : Certificate
        The formula's objective, computed again exactly, and its bound.
    ranking : DataFrame
        By product: ``group``, the rank as ``printed``, the first and last place of its tie or band
        (``published``, ``published_last``), its place by the formula (``reproduced``), how many
        places it ``moved`` up out of its tie (negative: down), and its ``score``.
    what_if : DataFrame
        What one step of each factor does.
    how_well : HowWell
        The published pairs that the formula and a plain regression order as published.
    weights : DataFrame
        The formula's ``weight`` of each factor, or piece of one, and in percent that sum to 100
        without their signs: the weights as they are (``percent``), times standard deviations
        (``deviation``), and times ranges (``share``).
    unit : str
        Which of these columns to show first: "percent" if the factors share a scale, else "share".
    alike : list of AlikeFactors
        Factors whose weights can't be told apart.
    stable : RatingFormula or None
        The same fit with its formula for new products, where ``selection`` asked for one.
    stable_weights : DataFrame or None
        The weights of that one, as ``weights``.
    alternatives : Alternatives or None
        How other methods order products that were held out.
    suspects : DataFrame or None
        The products that the formula misplaces most.
    weight_ranges : DataFrame or None
        How far each factor's share, in that unit, can go among equally good formulas with the
        signs of this one.
    any_sign_ranges : DataFrame or None
        The same among formulas of any signs, with signed shares, where signs were open; None for
        more than twelve of these, and with constraints or pieces.
    drawn_again : DataFrame or None
        Where nine in ten weights, in that unit, lie when the products are drawn again; None, too,
        where the formula reproduces every published order.
    contradictions : DataFrame or None
        With ``objective="scores"``, the products whose scores the formula does not reproduce.
    held_out : HeldOut or None
        How the formula orders products that it was not fitted to.
    chance : ChanceCheck or None
        What a short search reaches on shuffled ranks.
    shared : SharedFormula or None
        Whether the groups share one formula.
    each_group : DataFrame or None
        A formula for each group, beside the one for all.
    forms : DataFrame or None
        Logarithms or thresholds of factors that order clearly more held-out pairs as published, as
        ``RatingFormula.suggest_values`` returns them; of small tables only.
    interrupted : bool
        Whether it was stopped before everything was done.
    left_out : dict of str to str
        By its name, why a question that was asked has no answer.
    shortened : dict of str to str
        By its name, how far a question came for which time was too short: "3 of 20 products".

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"name": list("ABCD"), "zoom": [9, 7, 4, 2], "rank": [1, 2, 3, 4]})
    >>> table = rw.read_table(frame, item="name", target="rank")
    >>> found = rw.investigate(table, rw.RatingFormula(top=2), checks=False)
    >>> found.ranking["moved"].tolist(), found.how_well.formula.share, found.interrupted
    ([0, 0, 0, 0], 1.0, False)
    """

    table: ItemTable
    formula: RatingFormula
    certificate: Certificate
    ranking: pd.DataFrame
    what_if: pd.DataFrame
    how_well: HowWell
    weights: pd.DataFrame
    unit: str
    alike: list[ask.AlikeFactors]
    stable: RatingFormula | None = None
    stable_weights: pd.DataFrame | None = None
    alternatives: ask.Alternatives | None = None
    suspects: pd.DataFrame | None = None
    weight_ranges: pd.DataFrame | None = None
    any_sign_ranges: pd.DataFrame | None = None
    drawn_again: pd.DataFrame | None = None
    contradictions: pd.DataFrame | None = None
    held_out: ask.HeldOut | None = None
    chance: ask.ChanceCheck | None = None
    shared: ask.SharedFormula | None = None
    each_group: pd.DataFrame | None = None
    forms: pd.DataFrame | None = None
    interrupted: bool = False
    left_out: dict[str, str] = field(default_factory=dict)
    shortened: dict[str, str] = field(default_factory=dict)

    @property
    def model(self) -> RatingFormula:
        """Return the formula to keep for new products: the stable one where there is one."""
        return self.formula if self.stable is None else self.stable

    def judge(self, weights: Mapping[Any, float]) -> ask.GivenWeights:
        """Return how given weights do beside the formula: pairs, ranges, and scores if published.

        Parameters
        ----------
        weights : mapping
            A weight for each factor, on its own scale or in percent.

        Returns
        -------
        GivenWeights
        """
        rating, fit = self.formula.rating_, self.formula.score_fit_
        judged = ask.judge_weights(rating, self.formula.solution_, weights, self.weight_ranges)
        if fit is None:
            return judged
        own = judged.table["weight"].to_numpy()
        return replace(judged, scores=(count_reproduced(rating, own, fit), fit.n_reproduced))


def investigate(
    table: ItemTable,
    formula: RatingFormula | None = None,
    *,
    checks: bool = True,
    each_group: bool = False,
    step: Callable[[Step], None] | None = None,
) -> Investigation:
    """Find the formula behind a rating, and what can be said about it.

    The formula's time limit holds for everything together. ``reverse.budget.PLAN`` divides it: the
    search and the proof get half, and what a step does not need goes to those after it. Stopped by
    the keyboard it returns what was found so far, once there is a formula. A question that this
    rating does not allow to answer is left out, and its reason kept.

    Parameters
    ----------
    table : ItemTable
        As ``read_table`` returns it.
    formula : RatingFormula, optional
        With its parameters; it is fitted here.
    checks : bool, default=True
        Also fit held-out folds, by other methods too, and shuffled ranks: is the formula better
        than chance, and is a weighted sum the right kind?
    each_group : bool, default=False
        Also fit each group alone, and test whether the groups share one formula.
    step : callable, optional
        Called with a ``Step`` when one begins, and as it goes on.

    Returns
    -------
    Investigation

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"name": list("ABC"), "stars": [5, 4, 4], "zoom": [3, 8, 1]})
    >>> frame["rank"] = [1, 2, 3]
    >>> table = rw.read_table(frame, item="name", target="rank")
    >>> found = rw.investigate(table, rw.RatingFormula(top=2), checks=False)
    >>> found.certificate.is_optimal, found.ranking["reproduced"].tolist()
    (True, [1, 2, 3])
    """
    formula = RatingFormula() if formula is None else formula
    if each_group and table.groups is None:
        raise ValueError("each_group=True needs a table with groups; read it with group=COLUMN")
    inquiry = _Inquiry(table, formula, step or (lambda what: None))
    by_scores = formula.objective == "scores"
    inquiry.run(_asked(checks=checks, each_group=each_group, by_scores=by_scores))
    filled = table.X.fillna(dict(zip(table.X.columns, formula.medians_, strict=True)))
    rating, accurate, is_stable = formula.rating_, formula.accurate(), formula.stable_
    functions, names = formula.value_functions_, rating.factor_names
    terms = filled.to_numpy() if functions is None else functions.expand(filled.to_numpy())
    return Investigation(
        table=table,
        formula=accurate,
        certificate=formula.certificate(),
        ranking=_ranking(table, accurate),
        what_if=ask.what_if(filled, accurate.weights_, table.groups, functions),
        how_well=how_well(rating, formula.solution_),
        weights=ask.weight_table(terms, accurate.weights_, names),
        stable=formula if is_stable else None,
        stable_weights=ask.weight_table(terms, formula.weights_, names) if is_stable else None,
        unit=ask.shown_unit(rating),
        alike=_alike(formula, terms, table.groups),
        forms=accurate.suggest_values() if checks and _may_be_curved(accurate, table) else None,
        interrupted=inquiry.interrupted,
        left_out=inquiry.left_out,
        shortened=inquiry.shortened,
        **inquiry.found,
    )


def _alike(
    formula: RatingFormula, terms: NDArray[np.float64], groups: Any
) -> list[ask.AlikeFactors]:
    """Return terms that can't be told apart, but for the levels of one factor, which never can."""
    functions, found = formula.value_functions_, ask.alike_factors(terms, groups)
    if functions is None:
        return found
    is_level = functions.low == functions.high
    return [
        one
        for one in found
        if not is_level[[*one.factors]].all() or len({*functions.factors[[*one.factors]]}) > 1
    ]


def _may_be_curved(formula: RatingFormula, table: ItemTable) -> bool:
    """Tell whether to look for other forms of a few factors: if something is left to explain."""
    is_short = table.X.size <= MOST_VALUES
    explained = formula.gap_ == 0 and formula.objective_ == formula.every_pair_
    return (
        is_short and not explained and formula.value_functions_ is None and not formula.score_fit_
    )


def _asked(*, checks: bool, each_group: bool, by_scores: bool) -> list[str]:
    if by_scores:  # scores say themselves who contradicts, and leave chance nothing to do
        return ["weight_ranges", "contradictions"]
    left = ("fit", *CHECKS, "contradictions", "shared", "each_group")
    asked = [name for name in WORDS if name not in left]
    return asked + [*CHECKS] * checks + ["shared", "each_group"] * each_group


class _Inquiry:
    """A run through the questions, and what it has found so far."""

    def __init__(
        self, table: ItemTable, formula: RatingFormula, say: Callable[[Step], None]
    ) -> None:
        self.table, self.formula, self.say = table, formula, say
        self.found: dict[str, Any] = {}
        self.left_out: dict[str, str] = {}
        self.shortened: dict[str, str] = {}
        self.interrupted = False

    def run(self, asked: list[str]) -> None:
        """Fit the formula and ask what was asked, within its time limit."""
        earlier = getattr(self.formula, "solution_", None)
        try:
            with Clock(self.formula.time_limit) as clock:
                budget = Budget(clock, ["fit", *asked])
                self._fit(budget)
                for name in (name for name in WORDS if name in asked):
                    self._ask(name, budget)
        except KeyboardInterrupt:
            if getattr(self.formula, "solution_", None) is earlier:  # nothing was found yet
                raise
            self.interrupted = True
            answered = self.found.keys() | self.left_out.keys()
            self.left_out |= {name: INTERRUPTED for name in asked if name not in answered}

    def _fit(self, budget: Budget) -> None:
        formula, table = self.formula, self.table
        seconds = budget.seconds_for("fit")
        self.say(Step(WORDS["fit"], seconds))
        formula._fit(table.X, table.y, table.groups, table.categories, seconds)

    def _ask(self, name: str, budget: Budget) -> None:
        seconds = budget.seconds_for(name)
        self.say(Step(WORDS[name], seconds))
        if seconds < SLOW.get(name, 0.0) * self.table.X.size:
            self.left_out[name] = TOO_SHORT
            return

        last = Step(WORDS[name], seconds)

        def tell(done: int, total: int, what: str) -> None:
            nonlocal last
            last = Step(WORDS[name], seconds, done, total)
            self.say(last)
            self.shortened[name] = f"{done:,} of {total:,} {what}"

        try:
            with Clock(seconds, tell=tell) as clock:
                self.found[name] = QUESTIONS[name](self.table, self.formula.accurate(), clock)
        except TimeoutError:
            self.left_out[name] = TOO_SHORT
        except (QuestionRefusedError, NoAnswerError) as error:  # there is a formula without it
            self.left_out[name] = str(error)
        if last.done == last.total:
            self.shortened.pop(name, None)
        elif last.done < FEWEST.get(name, 0):
            self.found.pop(name, None)


def _weight_ranges(table: ItemTable, formula: RatingFormula, clock: Clock) -> pd.DataFrame | None:
    if formula.rating_.problem.free.any():
        return None  # no signs to keep to: those with any signs are the answer
    fitted = formula.rating_, formula.solution_, formula.score_fit_
    n_jobs = effective_n_jobs(formula.n_jobs)
    found = find_ranges(*fitted, slack=0.0, clock=clock, n_jobs=n_jobs)
    ranges = found.weights(ask.shown_sizes(formula.rating_))
    excluded, seen = (
        (ranges[f"{kind}_high"] - ranges[f"{kind}_low"]).round(6) for kind in ("outer", "inner")
    )
    if clock.is_late and (excluded == 100).all() and (seen == 0).all():
        raise TimeoutError("nothing is excluded, and no other formula was seen")
    return ranges


def _any_sign_ranges(table: ItemTable, formula: RatingFormula, clock: Clock) -> pd.DataFrame | None:
    rating = formula.rating_
    n_open = int((~np.isin(rating.asked, SIGNED)).sum())
    if rating.is_limited or not 0 < n_open <= MOST_FREE:
        return None
    n_jobs, sizes = effective_n_jobs(formula.n_jobs), ask.shown_sizes(rating)
    fitted = rating, formula.solution_
    return ask.find_any_signs(*fitted, slack=0.0, clock=clock, n_jobs=n_jobs, sizes=sizes).weights()


def _drawn_again(table: ItemTable, formula: RatingFormula, clock: Clock) -> pd.DataFrame | None:
    rating, solution = formula.rating_, formula.solution_
    if solution.value == solution.achievable and not rating.problem.n_twins:
        return None  # an order without errors leaves chance nothing to do
    return ask.bootstrap(rating, solution, clock=clock, sizes=ask.shown_sizes(rating))


QUESTIONS: Mapping[str, Callable[[ItemTable, RatingFormula, Clock], Any]] = {
    "alternatives": lambda table, formula, clock: ask.alternatives(
        formula.rating_, formula.solution_, clock=clock
    ),
    "weight_ranges": _weight_ranges,
    "any_sign_ranges": _any_sign_ranges,
    "suspects": lambda table, formula, clock: ask.audit(
        formula.rating_, formula.solution_, clock=clock
    ),
    "drawn_again": _drawn_again,
    "contradictions": lambda table, formula, clock: formula.contradictions(),
    "held_out": lambda table, formula, clock: ask.held_out(formula.rating_, clock=clock),
    "chance": lambda table, formula, clock: ask.against_chance(
        formula.rating_, formula.solution_, clock=clock
    ),
    "shared": lambda table, formula, clock: ask.shared_formula(formula.rating_, clock=clock),
    "each_group": group_formulas,
}


def _ranking(table: ItemTable, formula: RatingFormula) -> pd.DataFrame:
    """Return published and reproduced places, group by group, in the published order."""
    scores = formula.predict(table.X)
    moved = places_moved(table.y, scores, table.groups)
    ranking = pd.DataFrame(
        {
            "group": "all" if table.groups is None else table.groups,
            "printed": _printed(table),
            **moved,
            "score": scores,
        }
    ).set_index(table.items.rename("product"))
    return ranking.sort_values(["group", "published", "reproduced"], kind="stable")


def _printed(table: ItemTable) -> list[str]:
    """Return what was published, as text."""
    if table.printed is not None:
        return [str(text) for text in table.printed]
    values = -table.y if table.target_is == "rank" else table.y
    return [f"{value:.10g}" for value in np.asarray(values).tolist()]
