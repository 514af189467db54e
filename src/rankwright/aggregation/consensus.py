"""The consensus of several rankings."""

import time
from collections.abc import Hashable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from rankwright.aggregation.budget import Budget, OutOfTimeError
from rankwright.aggregation.distances import DISTANCES, distances_to
from rankwright.aggregation.kemeny import Wanted
from rankwright.aggregation.methods import (
    AUTO_STEPS,
    IN_NO_TIME,
    METHODS,
    ONLY_KENDALL,
    Answer,
    Problem,
    choose,
)
from rankwright.aggregation.votes import Votes, read_votes
from rankwright.kernels.compilation import time_compiling
from rankwright.kernels.interruption import interruptible

__all__ = ["Consensus", "aggregate"]

FloatArray = NDArray[np.float64]
Order = list[Any]


@dataclass(frozen=True, eq=False)
class Consensus:
    """A ranking close to all votes, and how close the closest can be.

    Attributes
    ----------
    positions : (items,) array
        1 is best; tied items share the mean position.
    order : list
        The items, best first, tied ones as inner lists.
    cost : float
        The sum over voters of weight times distance, computed from the ranking itself.
    bound : float
        No ranking costs less; with ``ties=False``, none without ties. Where the pair costs have no
        common measure, "less" means by more than 1e-7 of the sum of them all.
    optimal : bool
        Whether the bound equals the cost, up to rounding.
    method : str
        The method used, named also when it was chosen by ``"auto"``.
    seconds : float
        Time taken.
    items : tuple
        Names of the items: the rows of a matrix, else the sorted names.
    disagreement : (voters,) array
        Distance of each voter to the consensus, without the voter's weight.
    optima : tuple of orders
        With ``all_optima`` every optimal ranking, else this one alone.
    unranked : tuple
        Items of a PrefLib file or of ``Rankings`` that no voter ranks: they have no place.

    Examples
    --------
    >>> import rankwright as rw
    >>> consensus = rw.aggregate([["ann", "bob"], ["ann", "bob"], ["bob", "ann"]])
    >>> consensus.positions, consensus.cost, consensus.bound
    (array([1., 2.]), 1.0, 1.0)
    """

    positions: FloatArray
    order: Order
    cost: float
    bound: float
    optimal: bool
    method: str
    seconds: float
    items: tuple[Hashable, ...]
    disagreement: FloatArray
    optima: tuple[Order, ...]
    unranked: tuple[Hashable, ...] = ()


def aggregate(
    rankings: Any,
    method: str = "auto",
    *,
    voter_weights: ArrayLike | None = None,
    item_weights: ArrayLike | None = None,
    penalty: float = 0.5,
    distance: str = "kendall",
    ties: bool = True,
    missing: str = "ignore",
    scores: bool = False,
    window: int | None = None,
    time_limit: float = 60.0,
    all_optima: bool = False,
    max_optima: int = 1000,
    random_state: int | np.random.Generator = 0,
) -> Consensus:
    """Find the ranking that is closest to all given rankings.

    Parameters
    ----------
    rankings : matrix, list of orders, Rankings, or VoterOrders
        An array or frame of positions (items in rows, voters in columns, 1 is best, NaN where a
        voter does not rank an item); or a list of orders, best first, ties as inner lists, each
        over its own items; or ``Rankings``; or what ``read_preflib`` returns, whose items that no
        voter ranks are left out with a warning.
    method : str
        ``"kemeny"`` is exact. ``"local_search"`` moves items and merges and splits ties.
        ``"borda"``, ``"copeland"``, ``"mean"`` and ``"median"`` sort by one number for each item,
        ``"kwiksort"`` around random pivots, ``"footrule"`` assigns items to places.
        ``"auto"`` tries the exact method within a budget of steps that is the same on every
        machine, about ten seconds, and is a local search where that is hopeless.
    voter_weights : (voters,) array, optional
        How much each voter counts.
    item_weights : (items,) array, optional
        A pair of items counts the product of their weights.
    penalty : float
        Kendall cost of a pair tied in one ranking alone, from 0 to 1.
    distance : {"kendall", "footrule", "squared"}
        What the cost sums: pairs ordered differently, differences of positions, or their squares.
    ties : bool
        Whether the consensus may have ties.
    missing : {"ignore", "last"}
        Items that a voter does not rank are left out of that voter's pairs, or tied last.
    scores : bool
        The matrix holds scores, larger is better, instead of positions.
    window : int, optional
        Local search in overlapping windows of so many items, which never builds the matrix of all
        pairs; without it, windows are used for more than 2000 items.
    time_limit : float
        Seconds for the whole call, those of compiling left out; after them the best ranking so far
        comes with its bound. Votes are read, and their distances to one ranking measured, however
        long that takes. Where ``method`` has come to no ranking in time, the items are sorted by
        Borda's shares, or by the median or mean for the other distances, and the result names that
        method.
    all_optima : bool
        Also list every optimal ranking.
    max_optima : int
        The most of them to list.
    random_state : int or Generator
        Fixes the choice among equally good rankings and the random starts.

    Returns
    -------
    Consensus

    Examples
    --------
    >>> import rankwright as rw
    >>> votes = [["ann", "bob", "cy"], ["ann", ["bob", "cy"]], ["bob", "ann"]]
    >>> consensus = rw.aggregate(votes)
    >>> consensus.order, consensus.cost, consensus.optimal
    (['ann', 'bob', 'cy'], 1.5, True)
    """
    started = time.perf_counter()
    _check_method(method, distance, all_optima)
    _check_numbers(penalty, window, max_optima, time_limit)
    _check_flags(ties=ties, scores=scores, all_optima=all_optima)
    with interruptible(), time_compiling() as compiling:
        steps = AUTO_STEPS if method == "auto" and not all_optima else np.inf
        budget = Budget(time_limit, steps, compiling)
        votes = read_votes(
            rankings,
            scores=scores,
            missing=missing,
            voter_weights=voter_weights,
            item_weights=item_weights,
        )
        item_order, voter_order = votes.canonical_order()
        problem = Problem(
            votes=votes.take(item_order, voter_order),
            distance=distance,
            penalty=float(penalty),
            ties=ties,
            window=window,
            wanted=Wanted(all_optima, max_optima),
            budget=budget,
            rng=_generator(random_state),
        )
        used, answer = _solve(problem, method)
        proved = max(answer.bound, problem.bound())
    listed = np.argsort(item_order)
    best, *others = (rankdata(bucket)[listed] for bucket in answer.rankings)
    disagreement = distances_to(best, votes, distance, problem.penalty)
    cost = float(votes.voter_weights @ disagreement)
    bound = min(proved, cost)
    return Consensus(
        positions=best,
        order=_order(best, votes),
        cost=cost,
        bound=bound,
        optimal=cost - bound <= 1e-9 * cost,
        method=used,
        seconds=time.perf_counter() - started,
        items=votes.items,
        disagreement=disagreement,
        optima=tuple(_order(ranking, votes) for ranking in [best, *others]),
        unranked=votes.unranked,
    )


def _solve(problem: Problem, method: str) -> tuple[str, Answer]:
    """Return the method that was used, and its answer."""
    try:
        used = choose(problem) if method == "auto" else method
        return used, METHODS[used](problem)
    except OutOfTimeError:
        used = IN_NO_TIME[problem.distance]
        return used, METHODS[used](problem)


def _check_numbers(penalty: float, window: int | None, max_optima: int, time_limit: float) -> None:
    if not isinstance(time_limit, Real) or not time_limit >= 0:
        raise ValueError(f"time_limit={time_limit!r}; choose a number of seconds, 0 or more")
    if not isinstance(penalty, Real) or not 0 <= penalty <= 1:
        raise ValueError(f"penalty={penalty!r}; choose a number from 0 to 1")
    if window is not None and not (isinstance(window, Integral) and window >= 2):
        raise ValueError(f"window={window!r}; choose at least 2 items")
    if not (isinstance(max_optima, Integral) and max_optima >= 1):
        raise ValueError(f"max_optima={max_optima!r}; choose at least 1")


def _check_flags(**flags: bool) -> None:
    for name, value in flags.items():
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{name}={value!r}; give True or False")


def _generator(random_state: int | np.random.Generator) -> np.random.Generator:
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"random_state={random_state!r}; give a whole number of at least 0, or a Generator"
        ) from error


def _check_method(method: str, distance: str, all_optima: bool) -> None:
    if method != "auto" and method not in METHODS:
        raise ValueError(f"method={method!r}; choose from {sorted([*METHODS, 'auto'])}")
    if distance not in DISTANCES:
        raise ValueError(f"distance={distance!r}; choose from {sorted(DISTANCES)}")
    if method in ONLY_KENDALL and distance != "kendall":
        raise ValueError(f"method={method!r} minimises distance='kendall', not {distance!r}")
    if all_optima and (method not in ("auto", "kemeny") or distance != "kendall"):
        raise ValueError("all_optima=True goes with method='kemeny' and distance='kendall'")


def _order(positions: FloatArray, votes: Votes) -> Order:
    best_first = np.argsort(positions, kind="stable")
    ends = np.flatnonzero(np.diff(positions[best_first])) + 1
    places = [[votes.items[i] for i in place] for place in np.split(best_first, ends)]
    return [place[0] if len(place) == 1 else place for place in places]
