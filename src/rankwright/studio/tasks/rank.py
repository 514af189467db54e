"""Rankers: fit, compare, explain and score, as the commands of these names do."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankwright.studio.blocks import Block, Chart, Drawing, Grid, Section, Tone, Words
from rankwright.studio.jobs import Progress, Tell
from rankwright.studio.tasks.grids import grid_of
from rankwright.studio.tasks.table import File, TableRequest, named, open_sheet, read_rated

if TYPE_CHECKING:
    import pandas as pd

    from rankwright.comparison import Comparison

__all__ = [
    "CompareRequest",
    "ExplainRequest",
    "FitRequest",
    "RankFound",
    "RankersFound",
    "ScoreRequest",
    "compare_rankers",
    "explain_pair",
    "fit_ranker",
    "list_rankers",
    "score_file",
]

SHOWN, MOST_GROUPS = 40, 20


@dataclass(frozen=True)
class FitRequest:
    """A table, and the ranker to fit on it."""

    table: TableRequest
    ranker: str
    settings: tuple[str, ...] = ()  # "alpha=0.1"


@dataclass(frozen=True)
class CompareRequest:
    """A table, the rankers to compare on it, and the number of folds."""

    table: TableRequest
    rankers: tuple[str, ...]
    folds: int = 5
    metric: str = "kendall_tau"


@dataclass(frozen=True)
class ExplainRequest:
    """A model file and two items of a table, by their rows."""

    model: str
    table: TableRequest
    item: int
    other: int


@dataclass(frozen=True)
class ScoreRequest:
    """A model file, the table whose columns it knows, and another file to rank."""

    model: str
    table: TableRequest
    file: File


@dataclass(frozen=True)
class RankersFound:
    """The rankers, each with its parameters as they are by default, and the metrics."""

    rankers: dict[str, str]
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class RankFound:
    """What a page shows, the files to take away, and the table it rests on, if it does."""

    sections: tuple[Section, ...]
    files: dict[str, bytes]
    table: TableRequest | None = None


def list_rankers(request: None, tell: Tell) -> RankersFound:
    """Return the rankers there are, with their parameters, and the metrics to compare by."""
    from rankwright.comparison.catalogue import available, build, installed_foreign
    from rankwright.metrics.measure import METRICS

    rankers = {name: _parameters(build(name)) for name in available()}
    return RankersFound(rankers | dict.fromkeys(installed_foreign(), ""), tuple(METRICS))


def _parameters(ranker: Any) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in ranker.get_params(deep=False).items())


def fit_ranker(request: FitRequest, tell: Tell) -> RankFound:
    """Fit a ranker and rank the items it was fitted on."""
    from rankwright.base import rank_table
    from rankwright.comparison.catalogue import build, read_settings
    from rankwright.persistence.files import dump
    from rankwright.report import csv_text

    data = read_rated(request.table)
    model = build(request.ranker, read_settings(request.settings))
    tell(Progress(f"Fitting {request.ranker}"))
    model.fit(data.X, data.y, groups=data.groups)
    tau = model.score(data.X, data.y, groups=data.groups)
    ranking = rank_table(model, data.X, data.groups)
    said = (
        f"{request.ranker}, fitted on {len(data):,} items with {data.X.shape[1]} factors.",
        f"Kendall's tau-b on the same items: {tau:.4f}. To compare holds items out.",
    )
    return RankFound(
        (Section(f"Fitted: {request.ranker}", (Words(said),)), *_ranked(ranking)),
        {"model.rw": dump(model), "ranking.csv": csv_text(ranking).encode()},
        request.table,
    )


def compare_rankers(request: CompareRequest, tell: Tell) -> RankFound:
    """Compare rankers under grouped cross-validation."""
    import rankwright as rw
    from rankwright.comparison.catalogue import build
    from rankwright.report import csv_text
    from rankwright.report.comparison import told_apart, why_behind

    if not request.rankers:
        raise ValueError("no ranker is chosen; choose at least one")
    data = read_rated(request.table)
    result = rw.compare(
        {name: build(name) for name in request.rankers},
        data.X,
        data.y,
        data.groups,
        metric=request.metric,
        n_folds=request.folds,
        progress=lambda name, done, total: tell(Progress(f"Fitting {name}", done / total)),
    )
    failed = tuple(
        f"{one.name} could not be fitted: {one.failure}"
        for one in result.results
        if one.failure is not None
    )
    early = ("Stopped early: the means cover only the lists reached by then.",)
    warned = (*failed, *(early if result.interrupted else ()))
    said = tuple(filter(None, (told_apart(result), why_behind(result, data))))
    blocks: tuple[Block, ...] = (
        Chart(Drawing.INTERVALS, _compared(result)),
        *([Words(said)] if said else []),
        *([Words(warned, Tone.WARNING)] if warned else []),
    )
    return RankFound(
        (Section("Compared", blocks),),
        {"comparison.csv": csv_text(result.table()).encode()},
        request.table,
    )


def explain_pair(request: ExplainRequest, tell: Tell) -> RankFound:
    """Say factor by factor why a model puts one item above another."""
    import rankwright as rw
    from rankwright.report import csv_text

    data = read_rated(request.table)
    if request.item == request.other:
        raise ValueError("both items are the same; choose two")
    rows = (data.X.iloc[[row]] for row in (request.item, request.other))
    why = rw.why_above(rw.load(request.model), *rows)
    table = why.table().rename_axis("factor")
    grid = grid_of(
        f"{why.item} is {why.relation} {why.other}: {why.difference:+.4g} points",
        ("factor", why.item, why.other, "points"),
        (row[:4] for row in table.itertuples(name=None)),
    )
    said = "The points add up to the difference of the scores."
    if not why.is_exact:
        said = "The points are estimated from random orders."
    return RankFound(
        (Section("Why", (Chart(Drawing.POINTS, grid), Words((said,)))),),
        {"explanation.csv": csv_text(table).encode()},
    )


def score_file(request: ScoreRequest, tell: Tell) -> RankFound:
    """Rank the items of another file with a model."""
    import rankwright as rw
    from rankwright.base import rank_table
    from rankwright.data import guess_columns, read_items
    from rankwright.data.fitted_ranges import other_units
    from rankwright.data.rated_rows import items_alone
    from rankwright.report import csv_text

    model = rw.load(request.model)
    factors = [str(name) for name in model.feature_names_in_]
    tell(Progress(f"Reading {request.file.name}"))
    with named(request.file):
        sheet = open_sheet(request.file)
        there = [str(name) for name in sheet.frame.columns]
        known = _columns_known(request.table)
        found = [factor for factor in factors if factor in there]
        guess = guess_columns(
            sheet,
            item=known["item"] if known["item"] in there else None,
            group=known["group"] if known["group"] in there else None,
            factors=found,
        )
        if guess.item is None:
            raise ValueError(f"{request.file.name}: no column looks like item names")
        sheet = items_alone(sheet, guess.item, found, guess.target)
        items = read_items(sheet, item=guess.item, factors=factors, group=guess.group)
    ranking = rank_table(model, items.X, items.groups)
    notes = Section("The file", (Words((*guess.reasons, *items.notes)),), folded=True)
    units = other_units(items.X, getattr(model, "factor_ranges_", None))
    warned = Section("Ranges", (Words(tuple(units), Tone.WARNING),))
    return RankFound(
        (
            *([warned] if units else []),
            *_ranked(ranking),
            *([notes] if guess.reasons or items.notes else []),
        ),
        {"ranking.csv": csv_text(ranking).encode()},
    )


def _columns_known(table: TableRequest) -> dict[str, str | None]:
    assert table.roles is not None  # a model was fitted by them
    arguments = table.roles.arguments()
    return {"item": arguments["item"], "group": arguments["group"]}


def _ranked(ranking: "pd.DataFrame") -> tuple[Section, ...]:
    """Return a section for each group, the best items first."""
    sections = []
    for number, (label, listed) in enumerate(ranking.groupby("group", sort=False)):
        if number == MOST_GROUPS:
            break
        rows = listed.head(SHOWN)[["position", "score"]].itertuples(name=None)
        shown = f", the first {SHOWN} of {len(listed):,}" if len(listed) > SHOWN else ""
        title = "Ranking" if ranking["group"].nunique() == 1 else f"Ranking: {label}"
        chart = Chart(
            Drawing.SCORES, grid_of(f"{title}{shown}", ("item", "position", "score"), rows)
        )
        sections.append(Section(title, (chart,), folded=number > 0))
    return tuple(sections)


def _compared(result: "Comparison") -> Grid:
    columns = ("ranker", "mean", "standard error", "to the best", "its standard error", "p",
               "lists", "seconds per fit")  # fmt: skip
    title = f"{result.metric}, {len(result.lists)} lists held out"
    return grid_of(title, columns, result.table().itertuples(name=None))
