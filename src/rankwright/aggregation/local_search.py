"""Local search: insertions, merges and splits from several starts, whole or window by window."""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.budget import Budget, OutOfTimeError
from rankwright.aggregation.kwiksort import kwiksort
from rankwright.aggregation.pair_costs import PairCosts, pair_costs
from rankwright.aggregation.positional import borda, median
from rankwright.aggregation.votes import Votes

__all__ = ["dense", "local_search", "shake", "windowed_search"]

Buckets = NDArray[np.int64]
Items = NDArray[np.intp]

MOST_STARTS = 24
STARTS_BUDGET = 20_000_000  # pairs priced in one sweep of all starts: more items, fewer starts
PASSES = 3
SHAKEN = 10  # items


def dense(ranks: NDArray[Any]) -> Buckets:
    """Return bucket numbers 0, 1, ... for ranks of any kind, smaller the better."""
    return np.unique(ranks, return_inverse=True)[1].astype(np.int64)


def local_search(
    votes: Votes,
    costs: PairCosts,
    penalty: float,
    ties: bool,
    budget: Budget,
    rng: np.random.Generator,
) -> Buckets:
    """Return the best local optimum found from Borda, the median, KwikSort and the voters."""
    found: list[tuple[float, Buckets]] = []
    with suppress(OutOfTimeError):  # the first start comes before the first look at the clock
        for start in _starts(votes, penalty, ties, budget, rng):
            bucket = dense(start)
            costs.improve(bucket, budget)
            found.append((costs.cost_of(bucket), bucket))
            budget.check()
    return min(found, key=lambda pair: pair[0])[1]


def _starts(
    votes: Votes, penalty: float, ties: bool, budget: Budget, rng: np.random.Generator
) -> Iterator[NDArray[Any]]:
    n_voters, n_items = votes.positions.shape
    shares = borda(votes)
    yield shares
    yield median(votes)
    yield kwiksort(votes, penalty, ties, rng, budget)
    n_starts = min(n_voters, MOST_STARTS, STARTS_BUDGET // n_items**2)
    for voter in rng.permutation(n_voters)[:n_starts]:
        own = votes.positions[voter]
        ranked = ~np.isnan(own)
        # Items that the voter leaves out go where their Borda share puts them.
        yield np.where(ranked, (own - 0.5) / ranked.sum(), shares)


def shake(
    costs: PairCosts, bucket: Buckets, rng: np.random.Generator, rounds: int, budget: Budget
) -> Buckets:
    """Throw a few items about and improve again, round after round; return the best ranking."""
    best, least = bucket, costs.cost_of(bucket)
    n = len(bucket)
    for _ in range(rounds):
        if budget.is_over():
            break
        thrown = rng.choice(n, min(n, SHAKEN), replace=False)
        places = best.astype(np.float64)
        places[thrown] += rng.normal(0, n / 10, len(thrown))
        found = dense(places)
        costs.improve(found, budget)
        cost = costs.cost_of(found)
        if cost <= least:
            best, least = found, cost
    return best


def windowed_search(
    votes: Votes,
    penalty: float,
    ties: bool,
    window: int,
    budget: Budget,
    rng: np.random.Generator,
) -> Buckets:
    """Return the Borda order improved in overlapping windows; only pairs inside one are priced."""
    order = np.lexsort((rng.permutation(len(votes.items)), borda(votes)))
    buckets = [order[[i]] for i in range(len(order))]
    for _ in range(PASSES):
        improved = _slide(buckets, votes, penalty, ties, window, budget)
        if [set(b) for b in improved] == [set(b) for b in buckets]:
            break
        buckets = improved
    result = np.empty(len(order), dtype=np.int64)
    for number, items in enumerate(buckets):
        result[items] = number
    return result


def _slide(
    buckets: list[Items], votes: Votes, penalty: float, ties: bool, window: int, budget: Budget
) -> list[Items]:
    pending, inside, done = deque(buckets), deque[Items](), list[Items]()
    while pending and not budget.is_over():
        while pending and sum(map(len, inside)) < window:
            inside.append(pending.popleft())
        inside = deque(_improve_window(list(inside), votes, penalty, ties, budget))
        leaving = 0
        while inside and leaving < window // 2:
            leaving += len(inside[0])
            done.append(inside.popleft())
    return [*done, *inside, *pending]


def _improve_window(
    buckets: list[Items], votes: Votes, penalty: float, ties: bool, budget: Budget
) -> list[Items]:
    items = np.concatenate(buckets)
    try:
        costs = pair_costs(votes.take(items), penalty, ties, budget)
    except OutOfTimeError:
        return buckets
    bucket = np.repeat(np.arange(len(buckets)), [len(b) for b in buckets]).astype(np.int64)
    costs.improve(bucket, budget)
    order = np.argsort(bucket, kind="stable")
    return np.split(items[order], np.flatnonzero(np.diff(bucket[order])) + 1)
