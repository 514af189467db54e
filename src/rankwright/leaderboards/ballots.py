"""Rankings of items by voters, with ties and gaps, compressed to distinct rankings."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.stats import rankdata

from rankwright.aggregation.votes import Votes
from rankwright.data import Rankings, VoterOrders
from rankwright.data.float_range import check_weight_sizes
from rankwright.data.observations import count
from rankwright.leaderboards.outcomes import FloatArray, IntArray, Weights, cluster_outcomes, tally

__all__ = ["Ballots", "LARGEST_TIE", "Stages", "read_ballots"]

LARGEST_TIE = 4  # items that may share a place, except the last one
Place = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Stages:
    """Rankings as choices: from the items that are left, the next place's are chosen.

    Attributes
    ----------
    ranking : (stages,) array
        The distinct ranking that a stage belongs to.
    offsets : (stages + 1,) array
        Stage s offers entries ``offsets[s]`` to ``offsets[s + 1]``.
    item : (entries,) array
    chosen : (entries,) bool array
    """

    ranking: IntArray
    offsets: IntArray
    item: IntArray
    chosen: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ballots:
    """Distinct rankings and how much they count.

    Attributes
    ----------
    items : list
    rankings : list of tuples
        Places, best first, each a tuple of numbers of items.
    weights : Weights
        Of the distinct rankings.
    notes : list of str
    """

    items: list[Hashable]
    rankings: list[tuple[Place, ...]]
    weights: Weights
    notes: list[str]

    @property
    def n_comparisons(self) -> float:
        """The number of rankings."""
        return self.weights.count

    @property
    def n_distinct(self) -> int:
        """The number of distinct rankings."""
        return len(self.rankings)

    def appearances(self) -> FloatArray:
        """Return the sum of the weights of the rankings that each item is in."""
        return np.asarray(self.weights.total @ self.took_part())

    def took_part(self) -> csr_array:
        """Return which items each distinct ranking is about, in rows."""
        listed = [[item for place in places for item in place] for places in self.rankings]
        ends = np.cumsum([0, *map(len, listed)])
        items = np.array([item for row in listed for item in row], dtype=np.int64)
        shape = (len(listed), len(self.items))
        return csr_array((np.ones(len(items)), items, ends), shape=shape)

    def take(self, kept: NDArray[np.bool_]) -> "Ballots":
        """Return the rankings of the items that are marked."""
        number = np.cumsum(kept) - 1
        cut = [
            tuple(
                tuple(int(number[item]) for item in place if kept[item])
                for place in places
                if kept[list(place)].any()
            )
            for places in self.rankings
        ]
        told = [k for k, places in enumerate(cut) if sum(map(len, places)) > 1]
        return replace(
            self,
            items=[item for item, stays in zip(self.items, kept, strict=True) if stays],
            rankings=[cut[k] for k in told],
            weights=self.weights.take(np.array(told, dtype=np.int64)),
        )

    @cached_property
    def stages(self) -> Stages:
        """The choices that the rankings are made of; a choice among one is none."""
        ranking, sizes, items, chosen = [], [], [], []
        for number, places in enumerate(self.rankings):
            listed = [item for place in places for item in place]
            begin = 0
            for place in places:
                left = listed[begin:]
                if len(left) > 1 and len(place) <= LARGEST_TIE:
                    ranking.append(number)
                    sizes.append(len(left))
                    items.extend(left)
                    chosen.extend([True] * len(place) + [False] * (len(left) - len(place)))
                begin += len(place)
        return Stages(
            np.array(ranking, dtype=np.int64),
            np.cumsum([0, *sizes], dtype=np.int64),
            np.array(items, dtype=np.int64),
            np.array(chosen, dtype=bool),
        )


def read_ballots(
    results: Any, cluster: ArrayLike | None = None, weights: ArrayLike | None = None
) -> Ballots:
    """Read ``Rankings``, ``VoterOrders``, ``Votes`` or a list of orders, best first."""
    items, rankings, counts, counted = _read(results)
    if len(items) < 2:
        raise ValueError(f"there is one item, {items[0]!r}; a leaderboard needs at least two")
    if weights is not None:
        counts, counted = counts * _given_weights(weights, len(rankings)), False
    kept = [number for number, places in enumerate(rankings) if sum(map(len, places)) > 1]
    notes = []
    if not kept:
        raise ValueError("no ranking compares two items; give rankings of at least two")
    if len(kept) < len(rankings):
        single = count(len(rankings) - len(kept), "ranking")
        notes.append(f"Left out: {single} of a single item.")
    notes += _check_ties([rankings[number] for number in kept], items)
    number_of: dict[tuple[Place, ...], int] = {}
    outcome = np.array([number_of.setdefault(rankings[k], len(number_of)) for k in kept])
    each = counts[kept]
    labels = None
    if cluster is not None:
        if len(given := pd.Series(np.asarray(cluster))) != len(rankings):
            raise ValueError(f"cluster has {len(given)} entries; give one for each ranking")
        codes, names = pd.factorize(given)
        labels = cluster_outcomes(
            codes[kept], pd.Index(names).tolist(), outcome, each, len(number_of)
        )
    squared = each if counted else each**2
    total = Weights(
        tally(outcome, each, len(number_of)), tally(outcome, squared, len(number_of)),
        float(each.sum() if counted else len(kept)), counted, labels,
    )  # fmt: skip
    return Ballots(items, list(number_of), total, notes)


def _read(results: Any) -> tuple[list[Hashable], list[tuple[Place, ...]], FloatArray, bool]:
    """Return names, rankings, their weights, and whether these are counts."""
    if isinstance(results, Votes):
        rankings = [_places_of(row) for row in results.positions]
        counted = bool(np.all(results.voter_weights == np.round(results.voter_weights)))
        return list(results.items), rankings, results.voter_weights, counted
    if isinstance(results, VoterOrders):
        rankings = [tuple(map(_as_place, order)) for order in results.orders]
        return list(results.items), rankings, np.asarray(results.counts, dtype=np.float64), True
    if isinstance(results, Rankings):
        names = np.asarray(getattr(results.items, "index", range(len(results.items)))).tolist()
        bounds = zip(results.offsets[:-1], results.offsets[1:], strict=True)
        rankings = [_places_of(-results.grades[a:b], results.rows[a:b]) for a, b in bounds]
        return names, rankings, np.ones(len(rankings)), True
    names, rankings = _numbered(results)
    return names, rankings, np.ones(len(rankings)), True


def _places_of(positions: ArrayLike, items: IntArray | None = None) -> tuple[Place, ...]:
    """Return the tied items of each place, best first; NaN is a gap."""
    values = np.asarray(positions, dtype=np.float64)
    numbers = np.arange(len(values)) if items is None else items
    ranked = ~np.isnan(values)
    dense = rankdata(values[ranked], method="dense").astype(int)
    places: list[list[int]] = [[] for _ in range(dense.max(initial=0))]
    for place, item in zip(dense, numbers[ranked].tolist(), strict=True):
        places[place - 1].append(item)
    return tuple(tuple(sorted(place)) for place in places)


def _as_place(entry: Any) -> Place:
    return tuple(sorted(entry)) if isinstance(entry, tuple) else (entry,)


def _numbered(orders: Sequence[Any]) -> tuple[list[Hashable], list[tuple[Place, ...]]]:
    named = [_named_places(order, voter) for voter, order in enumerate(orders)]
    if not named:
        raise ValueError("there are no rankings; give at least one")
    names = list(dict.fromkeys(item for places in named for place in places for item in place))
    try:
        names = sorted(names)  # type: ignore[type-var]
    except TypeError:  # names of several kinds have no order of their own
        names = list(names)
    number = {name: code for code, name in enumerate(names)}
    rankings = [
        tuple(tuple(sorted(number[item] for item in place)) for place in places) for places in named
    ]
    return names, rankings


def _named_places(order: Any, voter: int) -> list[list[Hashable]]:
    if isinstance(order, str) or not isinstance(order, Sequence | np.ndarray):
        raise ValueError(f"ranking {voter} is {order!r}; give a list of items, best first")
    tied = (list, tuple, set, frozenset)
    places = [list(entry) if isinstance(entry, tied) else [entry] for entry in order]
    listed = [item for place in places for item in place]
    if len(set(listed)) < len(listed):
        twice = next(item for item in listed if listed.count(item) > 1)
        raise ValueError(f"ranking {voter} lists item {twice!r} twice; keep one of them")
    return places


def _check_ties(rankings: list[tuple[Place, ...]], items: list[Hashable]) -> list[str]:
    """Refuse large ties above the last place; those at the end only lack an order."""
    at_end = 0
    for number, places in enumerate(rankings):
        for place in places[:-1]:
            if len(place) > LARGEST_TIE:
                raise ValueError(
                    f"ranking {number} ties {len(place)} items at one place, {items[place[0]]!r} "
                    f"among them; ties of up to {LARGEST_TIE} are modelled (more only in last "
                    "place, where they just lack an order); break it or leave the ranking out"
                )
        at_end += len(places[-1]) > LARGEST_TIE
    if not at_end:
        return []
    return [
        f"More than {LARGEST_TIE} items are tied at the end of {count(at_end, 'ranking')}: they "
        "are below the others, and nothing is learned about their order."
    ]


def _given_weights(weights: ArrayLike, n: int) -> FloatArray:
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (n,):
        raise ValueError(f"weights have shape {values.shape}; give one for each of {n} rankings")
    if not (np.isfinite(values) & (values >= 0)).all() or not values.any():
        raise ValueError("weights must be finite, not negative and not all zero")
    check_weight_sizes("weights", values, "ranking")
    return values
