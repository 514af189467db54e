"""Find a formula and prove it: the order in which the methods are tried."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.bound import find_contradictions, prove, whole_space
from rankwright.reverse.bound.milp import check_milp, solve_milp
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.progress import FitStatus, Progress, State
from rankwright.reverse.search import search
from rankwright.reverse.search.baselines import baseline_starts
from rankwright.reverse.search.directions import (
    MOST_FREE,
    UNDECIDED,
    direct,
    fewer_turned,
    leave_open,
    separating_directed,
    suggested_starts,
)
from rankwright.reverse.search.margin import central_weights
from rankwright.reverse.whole_numbers import Weights, as_whole

__all__ = ["FitOptions", "Outcome", "PERFECT", "SOLVERS", "TWINS", "solve"]

SOLVERS = ("auto", "certified", "milp", "search")
MANY_FACTORS = 9  # from here on, time spent on searching pays more than time spent on proving
# Rounds of a search, and how many of them may bring nothing; a proof that is quick finds the
# optimum by itself, a slow one gains more from a good start.
ROUNDS = {"short": (1, 1), "medium": (20, 4), "long": (10_000, 20)}
EFFORT = {7: "medium", 8: "medium"}
SHARE = 0.25  # of the time left, for each step that comes before the search
# When time is up, the formula may still be moved to the middle of its equals: for so many seconds,
# and only where the rows of that linear program are found in a moment.
FINISH = 0.2
FEW_ENTRIES = 2**20
# Other directions are looked at for so many times the rounds that the proof of these took, and so
# many more; with orders to prove, each orthant is a root of its own.
WIDER, FEW_ROUNDS = 4, 64
MOST_OPEN = {False: MOST_FREE, True: 6}
# Sets of pairs that no formula wins together: one tells that none is perfect; more are looked for
# where a proof by cells takes long, for this part of the time.
SLOW_PROOF, MOST_SETS, SETS_SHARE = 7, 300, 0.05
PERFECT = "a formula that reproduces every published order"
TWINS = "products with equal factors, which no formula tells apart"
PAIRS = "pairs that no formula can win"
SETS = "sets of published pairs that no formula wins together, in whole numbers"
PROOFS = {
    False: "branch and bound over cells of weights, in whole numbers",
    True: "branch and bound over cells of weights and orders of the top, in whole numbers",
}


@dataclass(frozen=True)
class FitOptions:
    """How much work to put into a fit."""

    solver: str
    clock: Clock
    gap: float
    seed: int
    n_jobs: int
    callback: Any = None


@dataclass(frozen=True)
class Outcome:
    """The best formula, what is proved about it, and how.

    Attributes
    ----------
    problem : RatingProblem
        With the directions that were decided.
    weights : (d,) array of int
        On the whole factors, oriented by these directions; central among its equals.
    value, bound, achievable : int
        Objective, what no formula with these directions can exceed, and what single pairs allow.
    bound_any_signs : int
        What no formula can exceed, whatever the signs that the data were to decide.
    pairs_lost : int
        So many published pairs every formula loses, whatever its signs.
    status : FitStatus
    proof : str
        What the bound rests on.
    history : list of State
    """

    problem: RatingProblem
    weights: Weights
    value: int
    bound: int
    achievable: int
    bound_any_signs: int
    pairs_lost: int
    status: FitStatus
    proof: str
    history: list[State]


def solve(problem: RatingProblem, asked: NDArray[np.int64], options: FitOptions) -> Outcome:
    """Search for the best formula and prove it as far as the options allow."""
    fit = _Fit(leave_open(problem, asked), asked, options)
    if options.solver == "milp":
        check_milp(fit.opened.with_free(asked == 0))
    status = FitStatus.INTERRUPTED
    try:
        with threads(options.n_jobs, options.clock) as pool:
            fit.run(pool)
            fit.settle()
        if not options.clock.is_interrupted:
            status = _status(fit.progress, options, fit.proof)
        if status is FitStatus.OPTIMAL and fit.proof == TWINS and not fit.opened.n_twins:
            fit.proof = PERFECT
    except KeyboardInterrupt:
        fit.progress.callback = None  # it may be what interrupted
        fit.settle()
    return Outcome(
        problem=fit.progress.problem,
        weights=_central(fit.progress),
        value=fit.progress.value,
        bound=fit.progress.bound,
        achievable=fit.achievable,
        bound_any_signs=fit.bound_any_signs if fit.undecided.any() else fit.progress.bound,
        pairs_lost=fit.pairs_lost,
        status=status,
        proof=fit.proof,
        history=fit.progress.history,
    )


class _Fit:
    """A fit under way: first with the signs open that the data are to decide, then directed.

    ``progress`` tells what is known about formulas of any signs until the directions are settled,
    and from then on about those of these directions.
    """

    def __init__(
        self, opened: RatingProblem, asked: NDArray[np.int64], options: FitOptions
    ) -> None:
        self.opened, self.asked, self.options = opened, asked, options
        self.undecided = asked == UNDECIDED
        self.is_settled = not self.undecided.any()
        self.progress = Progress(opened, options.clock, options.callback)
        self.progress.limit(bound_without_pairs(opened))
        self.achievable = self.bound_any_signs = self.progress.bound
        self.pairs_lost, self.proof = opened.n_twins, TWINS

    def run(self, pool: Executor) -> None:
        """Look for a perfect formula, then search and prove, while there is time."""
        if self.is_settled:
            self._limit_by_pairs()
        if self._reproduces_everything():
            self.proof = PERFECT
            return
        self._limit_by_contradictions()
        self._search(pool)
        self.settle()
        while self._prove(pool) or self._straighten(pool):
            pass

    def settle(self) -> None:
        """Decide the directions by the best formula, of equals by one with few factors turned."""
        progress = self.progress
        if progress.weights is None:
            # Each way of a free factor is a generator, and their sum would be no formula.
            directed = progress.problem.with_free(np.zeros_like(self.undecided))
            progress.offer(as_whole(directed.generators[0].sum(axis=0)))
        assert progress.weights is not None
        if self.is_settled:
            return
        weights = progress.weights
        if not progress.is_proved:
            weights = fewer_turned(self.opened, self.asked, weights, progress.clock)
        self._direct(weights)

    def _direct(self, weights: Weights) -> None:
        """Go on with the directions of a formula of the open problem."""
        directed, weights = direct(self.opened, self.asked, weights)
        self.opened, self.is_settled = directed.with_free(self.opened.free), True
        self.progress = replace(self.progress, problem=directed, weights=None, value=NOTHING)
        self.progress.bound = self.bound_any_signs
        self.progress.offer(weights)
        if not self.progress.is_proved:
            self._limit_by_pairs()

    def _limit_by_contradictions(self) -> None:
        """Count published pairs that every formula loses, whatever its signs."""
        most = MOST_SETS if len(self.asked) >= SLOW_PROOF else 1
        with Clock(max(SETS_SHARE * self.progress.clock.left, 1e-3)) as part:
            found = find_contradictions(self.opened, most, part)
        if found.pairs:
            self.pairs_lost += found.pairs
            self._limit(bound_without_pairs(self.opened) - found.worth, SETS)
            self.bound_any_signs = self.progress.bound

    def _limit_by_pairs(self) -> None:
        problem, clock = self.progress.problem, self.progress.clock
        if self._has_time_for_planes and problem.is_convex:
            self._limit(whole_space(problem, clock), PAIRS)
        elif self._has_time_for_planes:  # there may be more faces than there is time for
            with Clock(max(SHARE * clock.left, 1e-3)) as part:
                self._limit(whole_space(problem, part), PAIRS)
        self.achievable = self.progress.bound

    def _limit(self, bound: int, proof: str) -> None:
        if bound < self.progress.bound or self.proof == TWINS:
            self.proof = proof
        self.progress.limit(bound)

    @property
    def _has_time_for_planes(self) -> bool:
        problem = self.opened
        return problem.has_planes and problem.plane_seconds <= SHARE * self.progress.clock.left

    def _reproduces_everything(self) -> bool:
        weights = separating_directed(self.opened, self.asked, self.progress.clock)
        if weights is not None:
            self.progress.offer(as_whole(weights))
        return self.progress.is_proved

    def _search(self, pool: Executor) -> None:
        progress, options, d = self.progress, self.options, len(self.asked)
        is_all = options.solver == "search" or d >= MANY_FACTORS or not self._has_time_for_planes
        # The proof of some directions doesn't find what others would reach.
        effort = EFFORT.get(d, "short") if self.is_settled else "medium"
        rounds, patience = ROUNDS["long" if is_all else effort]
        starts = baseline_starts(self.opened, progress.clock)
        if not self.is_settled:
            starts += suggested_starts(self.opened, self.asked, progress.clock)
        search(
            progress,
            starts,
            rounds=rounds,
            patience=patience,
            rng=np.random.default_rng(options.seed),
            pool=pool,
        )

    def _prove(self, pool: Executor) -> bool:
        """Prove the formula as far as time allows; tell whether other directions are better."""
        progress, options, rounds = self.progress, self.options, 0
        if options.solver == "search" or not self._has_time_for_planes:
            return False
        if options.solver == "milp" and not progress.is_proved:
            self.proof = solve_milp(progress, options.gap)
        elif not progress.is_proved:
            problem = progress.problem
            rounds = prove(progress, gap=problem.whole_gap(options.gap), pool=pool)
            self.proof = PROOFS[problem.objective.by_position]
        return progress.is_proved and self._prove_any_signs(WIDER * rounds + FEW_ROUNDS, pool)

    def _prove_any_signs(self, rounds: int, pool: Executor) -> bool:
        """Look in the other directions, for so many rounds; tell whether a formula is better."""
        is_known = not self.undecided.any() or self.bound_any_signs == self.progress.bound
        if is_known or self.opened.free.sum() > MOST_OPEN[self.opened.objective.by_position]:
            return False
        elsewhere = replace(self.progress, problem=self.opened, callback=None, history=[])
        elsewhere.bound = self.bound_any_signs
        prove(elsewhere, gap=0, pool=pool, rounds=rounds, proved=self.undecided)
        self.bound_any_signs = elsewhere.bound
        if elsewhere.value == self.progress.value:
            return False
        assert elsewhere.weights is not None
        self._direct(fewer_turned(self.opened, self.asked, elsewhere.weights, elsewhere.clock))
        return True

    def _straighten(self, pool: Executor) -> bool:
        """Look for a formula as good with all undecided factors positive; tell whether there is."""
        progress, turned = self.progress, self.undecided & (self.opened.directions < 0)
        if not (turned.any() and progress.is_proved and self._has_time_for_planes):
            return False
        directions = np.where(turned, 1, self.opened.directions)
        positive = self.opened.turned(directions).with_free(progress.problem.free)
        # Whoever reaches the value has what is looked for, so that it serves as the bound.
        as_good = Progress(positive, progress.clock, value=progress.value - 1, bound=progress.value)
        prove(as_good, gap=0, pool=pool, rounds=FEW_ROUNDS)
        if as_good.weights is None:
            return False
        self.opened = positive.with_free(self.opened.free)
        self._direct(as_good.weights)
        return True


def _status(progress: Progress, options: FitOptions, proof: str) -> FitStatus:
    if progress.is_proved:
        return FitStatus.OPTIMAL
    if options.solver == "search" or not progress.problem.has_planes:
        return FitStatus.SEARCHED
    if progress.bound - progress.value <= progress.problem.whole_gap(options.gap):
        return FitStatus.GAP
    # Without time for planes, no proof begins.
    is_over = progress.clock.is_late or proof in (TWINS, PAIRS, SETS)
    return FitStatus.TIME_LIMIT if is_over else FitStatus.WORK_LIMIT


def _central(progress: Progress) -> Weights:
    """Return the formula that is farthest from losing anything, if there is time to find it."""
    problem, clock, weights = progress.problem, progress.clock, progress.weights
    assert weights is not None
    if not problem.has_planes or (clock.is_late and problem.plane_entries > FEW_ENTRIES):
        return weights
    central = central_weights(problem, weights, max(clock.left, FINISH))
    allowed = None if central is None else problem.admit(as_whole(central))
    if allowed is not None and problem.value(allowed) >= progress.value:
        return allowed
    return weights
