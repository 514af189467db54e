"""The votes: every accepted form of rankings becomes one matrix of positions."""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from rankwright.data import Grouping, Rankings, VoterOrders, group_of_row, mean_places
from rankwright.data.vectors import as_array, as_numbers, weight_of_each

__all__ = ["MISSING", "Votes", "read_votes"]

MISSING = ("ignore", "last")
ORDERS = (Rankings, VoterOrders, list, tuple)

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Votes:
    """Rankings of the same items by several voters.

    Attributes
    ----------
    items : tuple
        Names of the items.
    positions : (voters, items) array
        1 is best, ties share the mean position, NaN where a voter does not rank an item.
    voter_weights, item_weights : arrays
    unranked : tuple
        Names of items that were left out because no voter ranks them.
    """

    items: tuple[Hashable, ...]
    positions: FloatArray
    voter_weights: FloatArray
    item_weights: FloatArray
    unranked: tuple[Hashable, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Return whether every voter ranks every item."""
        return not np.isnan(self.positions).any()

    def take(self, items: NDArray[np.intp], voters: NDArray[np.intp] | None = None) -> "Votes":
        """Return the votes on some items, by some voters; positions stay as they are."""
        kept = np.arange(len(self.positions)) if voters is None else voters
        return Votes(
            items=tuple(self.items[i] for i in items),
            positions=np.ascontiguousarray(self.positions[np.ix_(kept, items)]),
            voter_weights=self.voter_weights[kept],
            item_weights=self.item_weights[items],
        )

    def canonical_order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return orders of items and of voters that do not depend on how they were listed.

        Items are sorted by the positions they got, voters by their rankings of the items so
        sorted: methods that break ties by number then break them alike for every listing.
        """
        weights = np.broadcast_to(self.voter_weights[:, None], self.positions.shape)
        by_position = np.lexsort((weights, self.positions), axis=0)
        got = np.take_along_axis(self.positions, by_position, axis=0)
        from_whom = np.take_along_axis(weights, by_position, axis=0)
        items = np.lexsort((self.item_weights, *from_whom[::-1], *got[::-1]))
        voters = np.lexsort((self.voter_weights, *self.positions[:, items].T[::-1]))
        return items, voters


def read_votes(
    rankings: Any,
    *,
    scores: bool = False,
    missing: str = "ignore",
    voter_weights: ArrayLike | None = None,
    item_weights: ArrayLike | None = None,
) -> Votes:
    """Turn a matrix, a list of orders, ``Rankings`` or ``VoterOrders`` into votes; check them."""
    if missing not in MISSING:
        raise ValueError(f"missing={missing!r}; choose from {sorted(MISSING)}")
    items, ranks = _read(rankings)
    if scores and isinstance(rankings, ORDERS):
        raise ValueError("scores=True goes with a matrix of scores; orders have positions")
    n_voters, n_items = ranks.shape
    _check_size(n_voters, n_items)
    ranks = -ranks if scores else ranks
    if missing == "last":
        ranks = np.where(np.isnan(ranks), np.inf, ranks)
    counts = rankings.counts if isinstance(rankings, VoterOrders) else 1.0
    votes = Votes(
        items=items,
        positions=_positions(ranks),
        voter_weights=counts * _read_weights(voter_weights, n_voters, "voter_weights"),
        item_weights=_read_weights(item_weights, n_items, "item_weights"),
    )
    _check_scale(votes)
    return _ranked_alone(votes, may_drop=isinstance(rankings, ORDERS))


def _positions(ranks: FloatArray) -> FloatArray:
    """Rank each voter's items among those that the voter ranks."""
    ranked = ~np.isnan(ranks)
    if ranked.all():
        return np.ascontiguousarray(rankdata(ranks, axis=1))
    offsets = np.r_[0, np.cumsum(ranked.sum(axis=1))]
    voters = Grouping(offsets, None, np.arange(len(ranks)))
    positions = np.full(ranks.shape, np.nan)
    positions[ranked] = mean_places(-ranks[ranked], voters, np.ones(int(offsets[-1])))
    return positions


def _ranked_alone(votes: Votes, *, may_drop: bool) -> Votes:
    """Leave out the items that no voter ranks, and say so; rows of a matrix keep their place."""
    unranked = np.asarray(np.isnan(votes.positions).all(axis=0))
    if not unranked.any():
        return votes
    names = tuple(votes.items[i] for i in np.flatnonzero(unranked))
    if unranked.all():
        raise ValueError("no voter ranks any item; give at least one position")
    if not may_drop:
        raise ValueError(f"no voter ranks item {names[0]!r}; leave it out or use missing='last'")
    shown = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")
    warnings.warn(
        f"{len(names)} of {len(votes.items)} items are ranked by no voter and have no place in the "
        f"consensus: {shown}; missing='last' ties them last",
        stacklevel=4,
    )
    return replace(votes.take(np.flatnonzero(~unranked)), unranked=names)


def _check_scale(votes: Votes) -> None:
    """Refuse weights whose products would vanish or be infinite."""
    items, voters = votes.item_weights, votes.voter_weights
    with np.errstate(over="ignore"):
        heaviest = items.sum() ** 2 * voters.sum()
    lightest = items[items > 0].min() ** 2 * voters[voters > 0].min()
    if not (np.isfinite(heaviest) and lightest > 1e-290):
        raise ValueError(
            f"item_weights from {items[items > 0].min():g} to {items.max():g} and voter_weights "
            f"from {voters[voters > 0].min():g} to {voters.max():g} have products beyond what "
            "numbers hold; divide them by their largest"
        )


def _check_size(n_voters: int, n_items: int) -> None:
    if n_voters == 0:
        raise ValueError("there are no rankings; give at least two")
    if n_voters == 1:
        raise ValueError("one ranking is its own consensus; give at least two")
    if n_items == 0:
        raise ValueError("there are no items; give at least one")


def _read(rankings: Any) -> tuple[tuple[Hashable, ...], FloatArray]:
    """Return the items' names and the ranks that voters (in rows) gave them, smaller is better."""
    if isinstance(rankings, Rankings):
        return _row_names(rankings.items, len(rankings.items)), _read_table(rankings)
    if isinstance(rankings, VoterOrders):
        no_features = np.empty((len(rankings.items), 0))
        return rankings.items, _read_table(Rankings(no_features, rankings.orders))
    return _read_orders(rankings) if isinstance(rankings, list | tuple) else _read_matrix(rankings)


def _read_matrix(rankings: Any) -> tuple[tuple[Hashable, ...], FloatArray]:
    given = as_array("rankings", rankings)
    if given.dtype == object and hasattr(rankings, "iloc"):
        # pandas alone knows the gaps of its nullable columns.
        given = rankings.to_numpy(dtype=object, na_value=np.nan)
    matrix = as_numbers("rankings", given, "give a matrix of positions, or a list of orders")
    if matrix.ndim != 2:
        raise ValueError(f"rankings have shape {matrix.shape}; give items in rows by voters")
    if np.isinf(matrix).any():
        raise ValueError("rankings hold an infinite value; use NaN for items not ranked")
    return _row_names(rankings, len(matrix)), matrix.T


def _row_names(table: Any, n: int) -> tuple[Hashable, ...]:
    index = getattr(table, "index", None)
    if index is None:
        return tuple(range(n))
    if not index.is_unique:
        twice = index[index.duplicated()][0]
        raise ValueError(
            f"the index names item {twice!r} twice; keep one of its rows, or rename it"
        )
    return tuple(np.asarray(index).tolist())


def _read_table(rankings: Rankings) -> FloatArray:
    ranks = np.full((len(rankings), len(rankings.items)), np.nan)
    ranks[group_of_row(rankings.offsets), rankings.rows] = -rankings.grades
    return ranks


def _read_orders(orders: Sequence[Any]) -> tuple[tuple[Hashable, ...], FloatArray]:
    places = [_places(order, voter) for voter, order in enumerate(orders)]
    names = _sorted_names(places)
    column = {name: number for number, name in enumerate(names)}
    ranks = np.full((len(places), len(names)), np.nan)
    for row, place in zip(ranks, places, strict=True):
        row[[column[name] for name in place]] = list(place.values())
    return names, ranks


def _places(order: Sequence[Any], voter: int) -> dict[Hashable, int]:
    """Return each item's place in the order; tied items, in inner lists, share one."""
    if isinstance(order, str) or not isinstance(order, Sequence | np.ndarray):
        raise ValueError(f"ranking {voter} is {order!r}; give a list of items, best first")
    places: dict[Hashable, int] = {}
    for place, entry in enumerate(order):
        for item in entry if isinstance(entry, list | tuple | set | frozenset) else [entry]:
            if not isinstance(item, Hashable) or item != item:
                raise ValueError(f"ranking {voter} lists {item!r}; name items by text or numbers")
            if item in places:
                raise ValueError(f"ranking {voter} lists item {item!r} twice; keep one of them")
            places[item] = place
    if not places:
        raise ValueError(f"ranking {voter} is empty; leave it out")
    return places


def _sorted_names(places: list[dict[Hashable, int]]) -> tuple[Hashable, ...]:
    names = dict.fromkeys(name for place in places for name in place)
    try:
        return tuple(sorted(names))  # type: ignore[type-var]
    except TypeError:  # names of several kinds have no order of their own
        return tuple(names)


def _read_weights(weights: ArrayLike | None, n: int, name: str) -> FloatArray:
    if weights is None:
        return np.ones(n)
    values = weight_of_each(name, weights, n, name.removesuffix("_weights"))
    if not values.any():
        raise ValueError(f"{name} are all zero; give one of them a weight")
    return values
