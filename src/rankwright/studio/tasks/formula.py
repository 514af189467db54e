"""The formula behind a rating, as ``reverse`` finds it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankwright.studio.blocks import Block, Chart, Drawing, Grid, Section, Tone, Words
from rankwright.studio.jobs import Moment, Progress, Tell
from rankwright.studio.tasks.grids import grid_of
from rankwright.studio.tasks.table import Product, TableRequest, products_of, read_rated

if TYPE_CHECKING:
    from rankwright.reverse import Investigation, Step

__all__ = [
    "FormulaFound",
    "FormulaRequest",
    "WhatIfAnswer",
    "WhatIfRequest",
    "find_formula",
    "what_if",
]

OFTEN = 0.1  # seconds between two moments that are told
SUSPECTS, MOST_GROUPS, MOST_ROWS, EXPLAINED = 15, 30, 60, 400
REASONS = 3


@dataclass(frozen=True)
class FormulaRequest:
    """What to reproduce, and for how long to search and prove."""

    table: TableRequest
    seconds: float = 60.0
    top: int = 10
    objective: str = "top_auc"
    checks: bool = True
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True)
class FormulaFound:
    """A formula: what a page shows, the files to take away, and the values for what-if."""

    sections: tuple[Section, ...]
    files: dict[str, bytes]
    products: tuple[Product, ...]
    factors: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    interrupted: bool


@dataclass(frozen=True)
class WhatIfRequest:
    """A group of products by a formula's factors, and the row that was moved."""

    model: str
    factors: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    row: int


@dataclass(frozen=True)
class WhatIfAnswer:
    """The score of the product that was moved, and its place in its group."""

    score: float
    position: float


def what_if(request: WhatIfRequest, tell: Tell) -> WhatIfAnswer:
    """Return the score and the place of a product whose factors were moved."""
    import pandas as pd

    import rankwright as rw
    from rankwright.base import rank_table

    X = pd.DataFrame(request.values, columns=list(request.factors))
    ranked = rank_table(rw.load(request.model), X)
    score, position = ranked[["score", "position"]].loc[request.row].to_numpy()
    return WhatIfAnswer(float(score), float(position))


def find_formula(request: FormulaRequest, tell: Tell) -> FormulaFound:
    """Find the formula behind a table; an interruption keeps the best formula so far."""
    from rankwright.kernels.compilation import when_compiling
    from rankwright.persistence.atomic import interrupts_deferred
    from rankwright.report.bundle import rating_bundle
    from rankwright.reverse import RatingFormula, investigate

    tell(Progress("Reading the table"))
    table = read_rated(request.table)
    assert request.table.roles is not None  # it was read by them
    told = 0.0

    def show_state(state: Any) -> None:
        nonlocal told
        if time.monotonic() - told >= OFTEN:
            told = time.monotonic()
            tell(Moment(state.seconds, state.objective, state.bound))

    def show_step(step: "Step") -> None:
        done = step.done / step.total if step.total else None
        tell(Progress(f"{step.words} (up to {step.seconds:.0f} s)", done))

    signs: Any = request.table.roles.signs()
    formula = RatingFormula(
        objective=request.objective,
        constraints=list(request.requirements),
        top=request.top,
        signs=signs,
        time_limit=request.seconds,
        random_state=0,
        callback=show_state,
    )
    compiling = Progress("Compiling for this machine, the first time only: up to a minute")
    with when_compiling(lambda: tell(compiling)):
        found = investigate(table, formula, checks=request.checks, step=show_step)
    with interrupts_deferred():  # what was found is shown, whoever presses Stop now
        found.formula.set_params(callback=None)  # a model file holds no functions
        tell(Progress("Writing the report"))
        bundle = rating_bundle(found)
        filled = table.X.fillna(dict(zip(table.X.columns, found.formula.medians_, strict=True)))
        return FormulaFound(
            tuple(_sections(found)),
            {"report.html": bundle.page, "result.json": bundle.result, "formula.rw": bundle.model}
            | _tables(found),
            products_of(table),
            tuple(map(str, table.X.columns)),
            tuple(map(tuple, filled.to_numpy(dtype=float).tolist())),
            found.interrupted,
        )


def _tables(found: "Investigation") -> dict[str, bytes]:
    from rankwright.report import csv_text
    from rankwright.report.rating import result_tables

    tables = result_tables(found)
    return {f"{name}.csv": csv_text(tables[name]).encode() for name in ("formula", "ranking")}


def _sections(found: "Investigation") -> Iterator[Section]:
    from rankwright.report import proof_words, words

    if found.formula.score_fit_ is not None:
        yield Section("How well", tuple(_by_scores(found)))
    else:
        yield Section("How well", tuple(_how_well(found)))
    yield Section("The formula", tuple(_formula(found)))
    sure = (*proof_words.proof_words(found), *words.trust_words(found))
    if found.formula.score_fit_ is None:
        yield Section("How sure", (Words(sure),))
        yield Section("Products that don't fit", tuple(_suspects(found)))
    yield from _rankings(found)
    if not words.is_meaningless(found):
        yield Section("One step of each factor", (_steps(found),), folded=True)
    technical = tuple(proof_words.certificate_words(found))
    yield Section("In technical words", (Words(technical),), folded=True)


def _by_scores(found: "Investigation") -> Iterator[Block]:
    from rankwright.report.score_words import score_words

    assert found.formula.score_fit_ is not None  # asked for by its caller
    yield Words(tuple(score_words(found.formula.score_fit_)))
    contradicted = found.contradictions
    if contradicted is not None and not contradicted.empty:
        shown = contradicted.head(SUSPECTS)[["product", "published", "by_formula", "misses_by"]]
        columns = ("product", "published", "by the formula", "misses by")
        rows = shown.itertuples(index=False)
        yield grid_of("Scores that contradict the rest", columns, rows)


def _how_well(found: "Investigation") -> Iterator[Block]:
    from rankwright.report import words

    said = (*words.verdict_words(found), *words.formula_words(found))
    yield Words(said, Tone.WARNING if words.is_meaningless(found) else Tone.GOOD)
    rows = tuple(tuple(map(str, row)) for row in words.how_well_rows(found))
    yield Grid("How well other methods do", tuple(words.HOW_WELL), rows)
    if left := tuple(words.left_out_words(found)):
        yield Words(left, Tone.WARNING)


def _formula(found: "Investigation") -> Iterator[Block]:
    from rankwright.report.rating import weight_picture

    drawn = weight_picture(found)
    ranges = drawn.get("outer") or drawn.get("inner") or {}
    kind = "at most" if "outer" in drawn else "found"
    order = sorted(drawn["shares"], key=lambda factor: -abs(drawn["shares"][factor]))
    used = found.weights["weight"].to_dict()
    rows = (
        (
            factor,
            100 * drawn["shares"][factor],
            *(100 * end for end in ranges.get(factor, ())),
            used[factor],
        )
        for factor in order
    )
    ends = (f"lowest {kind}, %", f"highest {kind}, %") if ranges else ()
    title = f"The formula: {drawn['measure']}, in percent of the sum"
    columns = ("factor", "percent", *ends, "weight as used")
    yield Chart(Drawing.WEIGHTS, grid_of(title, columns, rows))
    yield Words(
        (
            "Bars to the left of zero count against a product."
            + (
                " Lines show how far weights go among formulas with these signs that fit as well."
                if ranges
                else ""
            ),
            f"For a spreadsheet whose columns B, C, ... hold {', '.join(map(str, found.table.X))}: "
            f"{found.formula.to_excel_formula()}",
        )
    )


def _suspects(found: "Investigation") -> Iterator[Block]:
    from rankwright.report import words
    from rankwright.report.rating.suspects import list_suspects

    yield Words((words.moved_words(found),))
    if words.is_meaningless(found):
        yield Words((words.MEANINGLESS,), Tone.WARNING)
    elif found.suspects is not None and not found.suspects.empty:
        rows = (
            (one.product, one.group, one.printed, one.modelled, one.lost,
             f"{one.rise_without:.4f}{'' if one.is_proved else ' found'}", one.reason)
            for one in list_suspects(found, SUSPECTS)
        )  # fmt: skip
        columns = ("product", "subcategory", "published", "by the formula", "pairs lost",
                   "better without", "what is odd")  # fmt: skip
        yield grid_of("Products that look mis-rated", columns, rows)


def _rankings(found: "Investigation") -> Iterator[Section]:
    why = _reasons(found)
    columns = ("product", "published", "by the formula", "moved up", "printed as", "why")
    shown_columns = ["published", "reproduced", "moved", "printed"]
    for number, (label, listed) in enumerate(found.ranking.groupby("group", sort=False)):
        if number == MOST_GROUPS:
            return
        rows = (
            (name, *values, why.get((str(name), str(label)), ""))
            for name, *values in listed.head(MOST_ROWS)[shown_columns].itertuples(name=None)
        )
        shown = f", the first {MOST_ROWS}" if len(listed) > MOST_ROWS else ""
        title = "Published and reproduced ranks" + (
            f": {label}" if found.table.groups is not None else ""
        )
        chart = Chart(Drawing.SLOPE, grid_of(f"{title}{shown}", columns, rows))
        yield Section(title, (chart,), folded=number > 0)


def _reasons(found: "Investigation") -> dict[tuple[str, str], str]:
    """Say of each product what sets it apart from the mean of its group, by the formula."""
    import numpy as np

    import rankwright as rw

    table = found.table
    if len(table) > EXPLAINED or table.X.isna().to_numpy().any():
        return {}
    labels = np.repeat("all", len(table)) if table.groups is None else table.groups
    means = table.X.groupby(labels).mean()
    reasons = {}
    for row, (name, label) in enumerate(zip(table.items, labels, strict=True)):
        mean = means.loc[[label]].set_axis(["the mean"])
        why = rw.why_above(found.formula, table.X.iloc[[row]], mean)
        parts = zip(why.features[:REASONS], why.contributions[:REASONS], strict=True)
        said = ", ".join(f"{feature} {points:+.3g}" for feature, points in parts)
        reasons[str(name), str(label)] = f"points against the mean of its list: {said}"
    return reasons


def _steps(found: "Investigation") -> Block:
    columns = ("factor", "one step", "points", "places gained on average", "share that gains")
    rows = found.what_if[["step", "points", "places", "gain"]].itertuples(name=None)
    return grid_of("What one step of each factor would do", columns, rows)
