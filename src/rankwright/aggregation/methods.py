"""The methods of aggregation, each a function from a problem to an answer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation import positional
from rankwright.aggregation.budget import Budget, OutOfTimeError
from rankwright.aggregation.components import components
from rankwright.aggregation.footrule import footrule_order, pointwise_bound
from rankwright.aggregation.kemeny import Wanted, kemeny
from rankwright.aggregation.kwiksort import kwiksort
from rankwright.aggregation.local_search import dense, local_search, windowed_search
from rankwright.aggregation.pair_costs import PairCosts, pair_costs
from rankwright.aggregation.votes import Votes

__all__ = ["AUTO_STEPS", "Answer", "IN_NO_TIME", "METHODS", "ONLY_KENDALL", "Problem", "choose"]

Buckets = NDArray[np.int64]

LARGEST_WHOLE = 2000  # items up to which all pairs are priced at once
WINDOW = 400
# "auto" tries the exact method within a budget of about ten seconds, unless that is hopeless. Where
# local search ends a share g above the cost of every pair placed as it likes best, n items of one
# component were proved within the budget up to about g n = 2.5, and never far above it.
AUTO_STEPS = 70_000
ALWAYS_TRIED, LARGEST_TRIED, HOPELESS = 50, 300, 2.5


@dataclass(frozen=True, eq=False)
class Problem:
    """Votes, and what is wanted of their consensus."""

    votes: Votes
    distance: str
    penalty: float
    ties: bool
    window: int | None
    wanted: Wanted
    budget: Budget
    rng: np.random.Generator

    @property
    def is_whole(self) -> bool:
        """Return whether all pairs are priced at once."""
        return self.window is None and len(self.votes.items) <= LARGEST_WHOLE

    @cached_property
    def costs(self) -> PairCosts:
        """Return the costs of all pairs, computed once."""
        return pair_costs(self.votes, self.penalty, self.ties, self.budget)

    @cached_property
    def good(self) -> Buckets:
        """Return a local optimum over all pairs, computed once."""
        return local_search(self.votes, self.costs, self.penalty, self.ties, self.budget, self.rng)

    def bound(self) -> float:
        """Return a cost that no ranking is below, as far as it is known without a search."""
        if self.distance == "kendall":
            try:
                return self.costs.bound() if self.is_whole else 0.0
            except OutOfTimeError:
                return 0.0
        if not self.votes.is_complete:
            return 0.0
        if self.distance == "footrule":
            return pointwise_bound(self.votes, positional.median(self.votes), 1)
        return pointwise_bound(self.votes, positional.mean(self.votes), 2)


@dataclass(frozen=True, eq=False)
class Answer:
    """The rankings that a method found, as bucket numbers, and what it proved of their cost."""

    rankings: list[Buckets]
    bound: float = 0.0


def choose(problem: Problem) -> str:
    """Return the method that "auto" stands for."""
    if problem.distance != "kendall":
        return {"footrule": "footrule", "squared": "mean"}[problem.distance]
    if problem.wanted.every:
        return "kemeny"
    if not problem.is_whole:
        return "local_search"
    if problem.budget.is_late:
        return "local_search"
    largest = max(map(len, components(problem.costs, strict=False)))
    if largest <= ALWAYS_TRIED:
        return "kemeny"
    bound = problem.costs.bound()
    hopeless = largest * (problem.costs.cost_of(problem.good) - bound) > HOPELESS * bound
    return "local_search" if largest > LARGEST_TRIED or hopeless else "kemeny"


def _by_score(score: Callable[[Problem], NDArray[np.float64]]) -> Callable[[Problem], Answer]:
    def method(problem: Problem) -> Answer:
        scores = np.round(score(problem), 12)
        if problem.ties:
            return Answer([dense(scores)])
        order = np.lexsort((problem.rng.permutation(len(scores)), scores))
        return Answer([np.argsort(order).astype(np.int64)])

    return method


def _kwiksort(problem: Problem) -> Answer:
    votes, budget = problem.votes, problem.budget
    return Answer([kwiksort(votes, problem.penalty, problem.ties, problem.rng, budget)])


def _footrule(problem: Problem) -> Answer:
    place, bound = footrule_order(problem.votes, problem.budget)
    proved = problem.distance == "footrule" and problem.votes.is_complete and not problem.ties
    return Answer([place], bound if proved else 0.0)


def _local_search(problem: Problem) -> Answer:
    if problem.is_whole:
        return Answer([problem.good])
    window = problem.window or WINDOW
    ranking = windowed_search(
        problem.votes, problem.penalty, problem.ties, window, problem.budget, problem.rng
    )
    return Answer([ranking])


def _kemeny(problem: Problem) -> Answer:
    exact = kemeny(problem.costs, problem.good, problem.wanted, problem.budget, problem.rng)
    return Answer(exact.rankings, exact.bound)


METHODS: dict[str, Callable[[Problem], Answer]] = {
    "borda": _by_score(lambda problem: positional.borda(problem.votes)),
    "copeland": _by_score(
        lambda problem: positional.copeland(problem.costs, problem.votes.item_weights)
    ),
    "footrule": _footrule,
    "kemeny": _kemeny,
    "kwiksort": _kwiksort,
    "local_search": _local_search,
    "mean": _by_score(lambda problem: positional.mean(problem.votes)),
    "median": _by_score(lambda problem: positional.median(problem.votes)),
}
# Sorting by one number is what there is always time for: it stands in for a method that came to no
# ranking in time.
IN_NO_TIME = {"footrule": "median", "kendall": "borda", "squared": "mean"}
ONLY_KENDALL = {"kemeny", "local_search"}
