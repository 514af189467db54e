"""How rankers learn from samples of one list and are judged by the order of others."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression

import rankwright as rw
from rankwright.studies.experiment import Row
from rankwright.studies.papers.hotels.lists import WORLD, Lists, cities, own_lists, years

__all__ = [
    "compare",
    "measure_cell",
    "measure_origin",
    "measure_own",
    "measure_trees",
    "measure_world",
    "measure_years",
]

SAMPLED = 1000  # items in all rankings of a sample together, on average

Ranker = Any


def compare(
    lists: Lists,
    rankers: Mapping[str, Ranker],
    rng: np.random.Generator,
    scenario: str,
    mean_length: int,
    spread: int = 0,
) -> list[Row]:
    """Fit all rankers to one sample of rankings; mean Kendall tau of the test lists."""
    orders = rw.datasets.sample_rankings(
        lists.y,
        SAMPLED // mean_length,
        mean_length,
        spread=spread,
        scenario=scenario,
        random_state=int(rng.integers(2**31)),
    )
    rows = np.concatenate(orders)
    sample = np.repeat(np.arange(len(orders)), [len(order) for order in orders])
    return [
        {
            "method": name,
            "tau": ranker.fit(lists.X[rows], lists.y[rows], sample).score(
                lists.X_test, lists.y_test, lists.groups_test
            ),
        }
        for name, ranker in rankers.items()
    ]


def both() -> dict[str, Ranker]:
    """Return the paper's two approaches."""
    return {"pairwise": rw.PairwiseRanker(), "pointwise": rw.ExpectedRankRegressor()}


def linear() -> dict[str, Ranker]:
    """Return the paper's approaches, and others with a linear score."""
    return {
        **both(),
        "adjacent pairs": rw.PairwiseRanker(pairs="adjacent"),
        "Plackett-Luce": rw.PlackettLuceRanker(),
    }


def measure_cell(rng: np.random.Generator, **sampling: Any) -> list[Row]:
    """Compare linear rankers in a cell of Table 1."""
    return compare(cities(WORLD), linear(), rng, **sampling)


def measure_trees(rng: np.random.Generator, **sampling: Any) -> list[Row]:
    """Compare the two approaches with boosted trees on the pointwise target."""
    trees = GradientBoostingRegressor(max_features="sqrt", random_state=int(rng.integers(2**31)))
    rankers = {**both(), "boosted trees": rw.ExpectedRankRegressor(trees)}
    return compare(cities(WORLD), rankers, rng, **sampling)


def measure_origin(rng: np.random.Generator, **sampling: Any) -> list[Row]:
    """Compare pointwise ranking with and without an intercept."""
    through_origin = rw.ExpectedRankRegressor(LinearRegression(fit_intercept=False))
    rankers = {**both(), "pointwise, no intercept": through_origin}
    return compare(cities(WORLD), rankers, rng, **sampling)


def measure_world(rng: np.random.Generator, world: int, **sampling: Any) -> list[Row]:
    """Compare the two approaches on other generated cities."""
    return compare(cities(world), both(), rng, **sampling)


def measure_years(rng: np.random.Generator, **sampling: Any) -> list[Row]:
    """Compare linear rankers on the human freedom index."""
    return compare(years(), linear(), rng, **sampling)


def measure_own(rng: np.random.Generator, rankings: Path, **sampling: Any) -> list[Row]:
    """Compare linear rankers on a user's complete rankings."""
    return compare(own_lists(rankings), linear(), rng, **sampling)
