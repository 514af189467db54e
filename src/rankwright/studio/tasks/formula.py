"""The formula behind a rating, as ``reverse`` finds it."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankwright.studio.blocks import Section
from rankwright.studio.jobs import Moment, Progress, Tell
from rankwright.studio.tasks.formula_sections import formula_sections
from rankwright.studio.tasks.table import (
    File,
    Product,
    TableRequest,
    named,
    products_of,
    read_rated,
)

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
MOST_MOVED = 50_000  # products up to which one can be moved among the others


@dataclass(frozen=True)
class FormulaRequest:
    """What to reproduce, what is known of it, and the seconds for all of it."""

    table: TableRequest
    seconds: float = 60.0
    top: int = 10
    objective: str = "top_auc"
    checks: bool = True
    requirements: tuple[str, ...] = ()
    signs: str = "auto"  # of factors whose role does not say
    selection: str | float = "accurate"
    emphasis: float = 9.0
    value_functions: tuple[str, ...] = ()  # "price: 60, 100"
    each_group: bool = False
    test_weights: File | None = None


@dataclass(frozen=True)
class FormulaFound:
    """A formula: what a page shows, the files to take away, and the values for what-if.

    There are no values of more products than a page should hold.
    """

    table: TableRequest
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
    from rankwright.persistence.atomic import interrupts_deferred
    from rankwright.report.time_left import seconds_left
    from rankwright.reverse import investigate
    from rankwright.reverse.values.typed import read_value_functions

    begun = time.monotonic()
    tell(Progress("Reading the table"))
    table = read_rated(request.table)
    given = _given_weights(request.test_weights)

    def show_step(step: "Step") -> None:
        done = step.done / step.total if step.total else None
        tell(Progress(f"{step.words} (up to {step.seconds:.0f} s)", done))

    formula = _formula(request, tell).set_params(
        value_functions=read_value_functions(request.value_functions, [*map(str, table.X)]),
        time_limit=seconds_left(request.seconds, time.monotonic() - begun, len(table)),
    )
    found = investigate(
        table, formula, checks=request.checks, each_group=request.each_group, step=show_step
    )
    with interrupts_deferred():  # what was found is shown, whoever presses Stop now
        for one in (found.formula, found.model):
            one.set_params(callback=None)  # a model file holds no functions
        tell(Progress("Writing the report"))
        judged = None if given is None else found.judge(given)
        return _found(request.table, found, tuple(formula_sections(found, judged)))


def _formula(request: FormulaRequest, tell: Tell) -> Any:
    """Return what will be fitted, as far as the request says it."""
    from rankwright.reverse import RatingFormula

    told = 0.0

    def show_state(state: Any) -> None:
        nonlocal told
        if time.monotonic() - told >= OFTEN:
            told = time.monotonic()
            tell(Moment(state.seconds, state.objective, state.bound))

    assert request.table.roles is not None  # the table was read by them
    return RatingFormula(
        objective=request.objective,
        constraints=list(request.requirements),
        top=request.top,
        emphasis=request.emphasis,
        selection=request.selection,
        signs=request.table.roles.signs(request.signs),
        random_state=0,
        callback=show_state,
    )


def _given_weights(file: File | None) -> dict[str, float] | None:
    from rankwright.reverse.questions import read_weights

    if file is None:
        return None
    with named(file):
        return read_weights(file.path)


def _found(
    request: TableRequest, found: "Investigation", sections: tuple[Section, ...]
) -> FormulaFound:
    from rankwright.report.bundle import rating_bundle

    bundle, table = rating_bundle(found), found.table
    is_movable = len(table) <= MOST_MOVED
    filled = table.X.fillna(dict(zip(table.X.columns, found.formula.medians_, strict=True)))
    return FormulaFound(
        request,
        sections,
        {"report.html": bundle.page, "result.json": bundle.result, "formula.rw": bundle.model}
        | _tables(found),
        products_of(table, MOST_MOVED),
        tuple(map(str, table.X.columns)),
        tuple(map(tuple, filled.to_numpy(dtype=float).tolist())) if is_movable else (),
        found.interrupted,
    )


def _tables(found: "Investigation") -> dict[str, bytes]:
    from rankwright.report import csv_text
    from rankwright.report.rating import result_tables

    tables = result_tables(found)
    return {f"{name}.csv": csv_text(tables[name]).encode() for name in ("formula", "ranking")}
