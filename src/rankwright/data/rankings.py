"""Rankings of items: orders of varying length, with ties, over one table of items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data.features import as_frame
from rankwright.data.names import row_numbers
from rankwright.data.rows import group_of_row, group_rows, take_rows
from rankwright.data.targets import check_target

__all__ = ["Rankings"]

Order = Sequence[Any]


@dataclass(frozen=True, eq=False)
class Rankings:
    """Orders over a table of items, given to ``fit(rankings)``.

    Parameters
    ----------
    items : (n_items, d) frame or array
        Features of every item.
    orders : list of orders
        Each order lists items best first, tied items as an inner list. Items are row numbers of
        ``items``, or names in the index of a pandas ``items``. Orders may differ in length.

    Attributes
    ----------
    rows : (n_entries,) int64
        Row number of each entry, orders one after another.
    grades : (n_entries,) int64
        Grade of each entry in its order: 0 is the worst place, larger is better, ties are equal.
    offsets : (n_orders + 1,) int64
        Order g is entries ``offsets[g]`` to ``offsets[g + 1]``.

    Examples
    --------
    Three hotels by stars and price; one guest ranked all of them with a tie, another only two:

    >>> import pandas as pd
    >>> import rankwright as rw
    >>> hotels = pd.DataFrame(
    ...     {"stars": [3, 4, 5], "price": [80, 95, 240]}, index=["Elm", "Oak", "Ash"]
    ... )
    >>> rankings = rw.Rankings(hotels, [["Oak", ["Elm", "Ash"]], ["Ash", "Elm"]])
    >>> X, y, groups = rankings.to_rows()
    >>> X.assign(y=y, group=groups)
         stars  price  y  group
    Oak      4     95  1      0
    Elm      3     80  0      0
    Ash      5    240  0      0
    Ash      5    240  1      1
    Elm      3     80  0      1
    """

    items: Any
    orders: tuple[Order, ...]
    rows: NDArray[np.int64] = field(repr=False)
    grades: NDArray[np.int64] = field(repr=False)
    offsets: NDArray[np.int64] = field(repr=False)

    def __init__(self, items: Any, orders: Iterable[Order]) -> None:
        items = as_frame(items)
        if not hasattr(items, "shape"):
            items = np.asarray(items)
        if len(items.shape) != 2:
            raise ValueError(f"items has shape {items.shape}; give one row of features per item")
        if isinstance(orders, str) or not isinstance(orders, Iterable):
            raise ValueError(f"orders is {orders!r}; give a list of orders, each best first")
        orders = tuple(orders)
        if not orders:
            raise ValueError("there are no orders; give at least one")
        tied_runs = [_tied_runs(order, number) for number, order in enumerate(orders)]
        for number, runs in enumerate(tied_runs):
            _check_order(runs, number)
        entries = [item for runs in tied_runs for run in runs for item in run]
        grades = [g for runs in tied_runs for g, run in _graded(runs) for _ in run]
        lengths = [sum(map(len, runs)) for runs in tied_runs]
        object.__setattr__(self, "items", items)
        object.__setattr__(self, "orders", orders)
        object.__setattr__(self, "rows", row_numbers(items, entries, "orders"))
        object.__setattr__(self, "grades", np.asarray(grades, dtype=np.int64))
        object.__setattr__(self, "offsets", np.cumsum([0, *lengths], dtype=np.int64))

    @classmethod
    def from_rows(cls, X: Any, y: ArrayLike, groups: ArrayLike | None = None) -> "Rankings":
        """Build rankings from rows with a value each: one order per group, equal values tied.

        Parameters
        ----------
        X : (n, d) frame or array
            The items.
        y : (n,) array
            Larger is better.
        groups : (n,) array, optional
            Group id of each row; without it all rows are one order.

        Examples
        --------
        >>> import rankwright as rw
        >>> rw.Rankings.from_rows([[1.0], [2.0], [3.0]], y=[5, 7, 5]).orders
        ([1, [0, 2]],)
        """
        matrix = X if hasattr(X, "shape") else np.asarray(X)
        if len(matrix.shape) != 2:
            raise ValueError(f"X has shape {matrix.shape}; give one row of features per item")
        target = check_target(y, matrix.shape[0])
        grouping = group_rows(groups, len(target))
        sorted_rows = grouping.sort(np.arange(len(target)))
        bounds = zip(grouping.offsets[:-1], grouping.offsets[1:], strict=True)
        return cls(matrix, [_order_of(sorted_rows[a:b], target) for a, b in bounds])

    def __len__(self) -> int:
        return len(self.orders)

    def to_rows(self) -> tuple[Any, NDArray[np.int64], NDArray[np.int64]]:
        """Return ``X, y, groups``: one row for each entry of each order, larger ``y`` is better."""
        return take_rows(self.items, self.rows), self.grades, group_of_row(self.offsets)


def _tied_runs(order: Any, number: int) -> list[list[Any]]:
    if isinstance(order, str) or not isinstance(order, Iterable):
        raise ValueError(f"order {number} is {order!r}; give a list of items, best first")
    return [_as_run(place) for place in order]


def _as_run(place: Any) -> list[Any]:
    return list(place) if isinstance(place, list | tuple | set | np.ndarray) else [place]


def _graded(runs: list[list[Any]]) -> Iterable[tuple[int, list[Any]]]:
    return zip(range(len(runs) - 1, -1, -1), runs, strict=True)


def _check_order(runs: list[list[Any]], number: int) -> None:
    items = [item for run in runs for item in run]
    if not items:
        raise ValueError(f"order {number} is empty; leave it out or name its items")
    try:
        distinct = len(set(items))
    except TypeError as error:
        raise ValueError(
            f"order {number} holds {_unhashable(items)!r}; name items by row numbers or by the "
            "index of the items, tied ones as one inner list"
        ) from error
    if distinct < len(items):
        twice = next(item for item in items if items.count(item) > 1)
        raise ValueError(f"order {number} lists item {twice!r} twice; an item has one place")


def _unhashable(items: list[Any]) -> Any:
    return next(item for item in items if _fails_to_hash(item))


def _fails_to_hash(item: Any) -> bool:
    try:
        hash(item)
    except TypeError:  # a tuple that holds a list
        return True
    return False


def _order_of(rows: NDArray[np.int64], target: NDArray[np.float64]) -> list[Any]:
    best_first = rows[np.argsort(-target[rows], kind="stable")]
    changes = np.flatnonzero(np.diff(target[best_first])) + 1
    runs = [run.tolist() for run in np.split(best_first, changes)]
    return [run[0] if len(run) == 1 else run for run in runs]
