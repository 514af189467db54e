"""The cheapest way up, as ``improve`` finds it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rankwright.studio.blocks import Cell, Chart, Drawing, Grid
from rankwright.studio.jobs import Note, Progress, Tell
from rankwright.studio.tasks.table import File, TableRequest, named, read_rated

if TYPE_CHECKING:
    from rankwright.improve import Plan, Planner

__all__ = [
    "ChangeRow",
    "ChangeTable",
    "Goal",
    "PlanFound",
    "PlanRequest",
    "PlansFound",
    "example_changes",
    "find_plans",
    "read_change_file",
]


@dataclass(frozen=True)
class ChangeRow:
    """A change as typed: effects by factor, and the changes it excludes and needs."""

    name: str
    cost: str
    effects: tuple[str, ...]
    excludes: str = ""
    needs: str = ""


@dataclass(frozen=True)
class ChangeTable:
    """The changes that can be made, with a column of effects for each factor."""

    factors: tuple[str, ...]
    rows: tuple[ChangeRow, ...]


class Goal(StrEnum):
    """What a plan has to reach at the least cost."""

    NONE = "see every plan"
    POSITION = "reach a place"
    GAIN = "gain points"


@dataclass(frozen=True)
class PlanRequest:
    """A formula's model file, the table, a product by its row, what can be changed, and a goal."""

    model: str
    table: TableRequest
    row: int
    changes: ChangeTable
    robust: bool = False
    goal: Goal = Goal.NONE
    wanted: float = 0.0


@dataclass(frozen=True)
class PlanFound:
    """An efficient plan."""

    cost: float
    gain: float
    score: float
    position: float | None
    changes: tuple[str, ...]
    guaranteed_gain: float | None = None
    guaranteed_position: float | None = None
    optimal: bool = True


@dataclass(frozen=True)
class PlansFound:
    """Every efficient plan of a product, by rising cost, and the robust ones beside them.

    ``reached`` is the cheapest plan for a goal, and ``goal`` says so, or that there is none.
    """

    product: str
    size: int
    plans: tuple[PlanFound, ...]
    robust: tuple[PlanFound, ...]
    goal: str
    reached: PlanFound | None
    notes: tuple[str, ...]
    files: dict[str, bytes]

    def within(self, budget: float) -> PlanFound:
        """Return the best plan that costs at most so much: the frontier holds it."""
        affordable = [plan for plan in self.plans if plan.cost <= budget]
        return affordable[-1] if affordable else self.plans[0]

    def chart(self, chosen: PlanFound) -> Chart:
        """Return the frontier with the chosen plan, the robust one beside it."""
        rows = [
            *(("plan", *_row(one, one.gain, one.position)) for one in self.plans),
            *(
                ("guaranteed", *_row(one, one.guaranteed_gain, one.guaranteed_position))
                for one in self.robust
            ),
            ("chosen", *_row(chosen, chosen.gain, chosen.position)),
        ]
        columns = ("kind", "cost", "gain in score", "place", "changes")
        title = f"What each cost buys at most: {self.product}"
        return Chart(Drawing.FRONTIER, Grid(title, columns, tuple(rows)))


def _row(plan: PlanFound, gain: float | None, place: float | None) -> tuple[Cell, ...]:
    return plan.cost, gain, place, ", ".join(plan.changes) or "no change"


def read_change_file(request: tuple[File, File | None], tell: Tell) -> ChangeTable:
    """Read changes, and conditions on them, from the files that ``improve`` takes."""
    from rankwright.improve import read_changes, read_conflicts
    from rankwright.improve.files import read_conditions

    changes_file, conflicts_file = request
    with named(*(file for file in request if file is not None)):
        changes = read_changes(changes_file.path)
        conditions = read_conditions(changes_file.path)
        conflicts = conditions.get("conflicts", ())
        if conflicts_file is not None:
            conflicts = read_conflicts(conflicts_file.path)
    if conditions.get("bounds"):
        tell(Note("The bounds of the file are not used here; the command line takes them."))
    factors = tuple(dict.fromkeys(factor for change in changes for factor in change.effects))
    rows = tuple(
        ChangeRow(
            change.name,
            _number(change.cost),
            tuple(_number(change.effects.get(factor, "")) for factor in factors),
            _others(change.name, conflicts),
            "; ".join(
                needed for name, needed in conditions.get("requires", ()) if name == change.name
            ),
        )
        for change in changes
    )
    return ChangeTable(factors, rows)


def example_changes(request: None, tell: Tell) -> ChangeTable:
    """Return the changes of the bundled cameras."""
    import rankwright as rw

    example = rw.datasets.load_cameras()
    factors = tuple(str(name) for name in example.changes.columns if name != "cost")
    rows = tuple(
        ChangeRow(
            str(name),
            _number(row["cost"]),
            tuple(_number(row[factor] or "") for factor in factors),
            _others(str(name), example.conflicts),
        )
        for name, row in example.changes.iterrows()
    )
    return ChangeTable(factors, rows)


def find_plans(request: PlanRequest, tell: Tell) -> PlansFound:
    """Find every efficient plan of a product, and those that are robust if asked."""
    import rankwright as rw
    from rankwright.improve.cautions import GUARANTEE, odd_effects, unproved_words
    from rankwright.improve.plan import plan_table
    from rankwright.report import csv_text

    tell(Progress("Reading the table"))
    table, formula = read_rated(request.table), rw.load(request.model)
    planner = _planner(formula, request.changes)
    notes = [*odd_effects(planner, table.X)]
    product, rivals = table.X.iloc[request.row], _rivals(table, request.row)
    tell(Progress("Planning"))
    plans = planner.frontier(product, competitors=rivals)
    robust: list[Plan] = []
    if request.robust:
        tell(Progress("Finding the ranges of the weights"))
        notes += [f"{GUARANTEE}.", *unproved_words(formula)]
        tell(Progress("Planning for every formula that fits as well"))
        robust = planner.frontier(product, competitors=rivals, robust=True)
    return PlansFound(
        str(table.items[request.row]),
        1 if rivals is None else len(rivals) + 1,
        tuple(map(_plan, plans)),
        tuple(map(_plan, robust)),
        *_reached(request, planner, product, rivals),
        tuple(f"{note[0].upper()}{note[1:]}" for note in notes),
        {"plans.csv": csv_text(plan_table([*plans, *robust])).encode()},
    )


def _reached(
    request: PlanRequest, planner: "Planner", product: Any, rivals: Any
) -> tuple[str, PlanFound | None]:
    """Return what was to be reached, in words, and the cheapest plan that reaches it."""
    from rankwright.improve import UnreachableError

    if request.goal is Goal.NONE:
        return "", None
    is_place = request.goal is Goal.POSITION
    aim: dict[str, Any] = (
        {"position": int(request.wanted)} if is_place else {"gain": request.wanted}
    )
    said = f"place {request.wanted:.0f}" if is_place else f"{request.wanted:g} points more"
    surely = " by every formula that fits as well" if request.robust else ""
    try:
        plan = planner.minimize_cost(product, competitors=rivals, robust=request.robust, **aim)
    except UnreachableError as error:
        words = str(error)
        return f"{words[0].upper()}{words[1:]}.", None
    return f"The cheapest plan that reaches {said}{surely} costs {plan.cost:,.10g}.", _plan(plan)


def _planner(formula: Any, changes: ChangeTable) -> "Planner":
    from rankwright.improve import Planner
    from rankwright.improve.change import changes_of_table

    if not changes.rows:
        raise ValueError("there are no changes; add a row, or take a file of changes")
    numbers = _numbers(changes)
    listed = changes_of_table(numbers)
    names = {row.name for row in changes.rows}
    pairs = [
        (row.name, other, kind)
        for row in changes.rows
        for kind, others in (("excludes", row.excludes), ("needs", row.needs))
        for other in filter(None, (part.strip() for part in others.split(";")))
    ]
    for name, other, kind in pairs:
        if other not in names:
            raise ValueError(
                f"{name!r} {kind} {other!r}, which is no change; put a semicolon between names"
            )
    return Planner(
        formula,
        listed,
        conflicts=[(name, other) for name, other, kind in pairs if kind == "excludes"],
        requires=[(name, other) for name, other, kind in pairs if kind == "needs"],
    )


def _numbers(changes: ChangeTable) -> Any:
    """Read what was typed as a file of changes is read: decimal commas and percents, too."""
    import pandas as pd

    from rankwright.improve.files import change_table

    frame = pd.DataFrame(
        [(row.name, row.cost, *row.effects) for row in changes.rows],
        index=range(1, len(changes.rows) + 1),
        columns=["change", "cost", *changes.factors],
    )
    used = [name for name in changes.factors if frame[name].str.strip().any()]
    with named():
        return change_table(frame[["change", "cost", *used]])


def _rivals(table: Any, row: int) -> Any:
    import numpy as np

    others = np.arange(len(table)) != row
    if table.groups is not None:
        others &= table.groups == table.groups[row]
    return table.X[others] if others.any() else None


def _plan(plan: "Plan") -> PlanFound:
    return PlanFound(
        plan.cost,
        plan.gain,
        plan.score,
        plan.position,
        plan.changes,
        plan.guaranteed_gain,
        plan.guaranteed_position,
        plan.optimal,
    )


def _number(value: Any) -> str:
    """Write a number with all its digits, as it could be typed."""
    return value if isinstance(value, str) else repr(float(value)).removesuffix(".0")


def _others(name: str, sets: Any) -> str:
    """Return the changes that exclude one, each once."""
    others = (other for members in sets if name in members for other in members if other != name)
    return "; ".join(dict.fromkeys(others))
