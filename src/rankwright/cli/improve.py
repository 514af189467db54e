"""The cheapest way up."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.render import table
from rankwright.cli.results import Result, check_out, write_results
from rankwright.cli.tables import Columns, check_groups, read_items_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from matplotlib.axes import Axes

    from rankwright.improve import Plan, Planner

__all__ = ["improve", "show_plans"]

GOAL = "Goal (give exactly one)"
FAR = 3.0  # times the range of a factor: more is likely another unit
GUARANTEE = (
    "'guaranteed' covers formulas that fit as well and have these signs; formulas in which a "
    "factor counts the other way are not considered"
)
UNPROVED = 1.0  # points of a weight between what is found and what is excluded


def improve(
    model_file: opt.Model,
    table_file: opt.Table,
    item: Annotated[str, typer.Option("--item", metavar="NAME", help="The item to improve.")],
    changes: Annotated[
        Path,
        typer.Option(
            "--changes",
            metavar="FILE",
            help="The possible changes: a CSV file with their names in the first column, a column "
            "named cost, and a column for each factor they move; or a TOML file.",
        ),
    ],
    conflicts: Annotated[
        Path | None,
        typer.Option(
            "--conflicts",
            metavar="FILE",
            help="Changes that rule each other out: a CSV file whose rows each give the name of a "
            "set and one change in it.",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="COST",
            help="Find the best score you can get for at most this cost.",
            rich_help_panel=GOAL,
        ),
    ] = None,
    position: Annotated[
        int | None,
        typer.Option(
            "--position",
            metavar="N",
            help="Find the cheapest plan that reaches this position.",
            rich_help_panel=GOAL,
        ),
    ] = None,
    gain: Annotated[
        float | None,
        typer.Option(
            "--gain",
            metavar="POINTS",
            help="Find the cheapest plan that gains at least this many points.",
            rich_help_panel=GOAL,
        ),
    ] = None,
    frontier: Annotated[
        bool,
        typer.Option(
            "--frontier", help="List every efficient plan, cheapest first.", rich_help_panel=GOAL
        ),
    ] = False,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust",
            help="Judge plans by the worst of all formulas with the same signs that fit equally "
            "well.",
        ),
    ] = False,
    item_column: opt.ItemColumn = None,
    group: opt.Group = None,
    factors: opt.ModelFactors = None,
    complete: opt.Complete = False,
    reading: opt.Source = opt.ITEMS_AS_FOUND,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Find the cheapest changes that reach a goal, or the best ones that a budget allows."""
    from rankwright.improve import Planner, UnreachableError

    output = Output(json, quiet)
    files = check_out(out, inputs=[model_file, table_file, changes, conflicts], force=force)
    goals = [budget is not None, position is not None, gain is not None, frontier]
    if sum(goals) != 1:
        raise typer.BadParameter("give exactly one of --budget, --position, --gain and --frontier")
    model = load_model(model_file)
    columns = Columns(item=item_column, group=group, factors=factors, reading=reading)
    items = read_items_for(model, output, table_file, columns, complete=complete)
    check_groups(model, output, items, needed=position is not None)
    formula = model.formula(list(items.X.columns))
    planner = Planner.from_files(formula, changes, conflicts)
    row = items.find(item)
    product, rivals = items.X.iloc[row], items.competitors(row)
    for note in _odd_effects(planner, items.X):
        output.note(note)
    if robust:
        _say_what_is_proved(output, formula)
    try:
        with output.progress("Planning"):
            plans = _plans(
                planner,
                product,
                rivals,
                budget=budget, position=position, gain=gain, robust=robust,
            )  # fmt: skip
    except UnreachableError as error:
        typer.echo(f"{item}: {error}", err=True)
        raise typer.Exit(Exit.UNREACHABLE) from None
    show_plans(output, item, plans, len(rivals) + 1)

    def picture() -> "Axes":
        from rankwright.plots import plot_frontier

        curve = plans if frontier else planner.frontier(product, robust=robust)
        return plot_frontier(curve, marked=() if frontier else plans, title=item)

    values = {"item": item, "plans": plans} | ({"guarantee": GUARANTEE} if robust else {})
    result = Result(values, {"plans": _plan_table(plans)}, picture)
    write_results(output, files, result, formulas=formulas)
    output.result(**values)


def _plan_table(plans: "list[Plan]") -> "pd.DataFrame":
    """Return plans as rows, with a column for what each factor changes by."""
    import pandas as pd

    rows = [
        {
            "cost": plan.cost,
            "gain": plan.gain,
            "score": plan.score,
            "position": plan.position,
            "guaranteed gain": plan.guaranteed_gain,
            "guaranteed position": plan.guaranteed_position,
            "proved optimal": plan.optimal,
            **{f"change of {factor}": effect for factor, effect in plan.effects.items()},
        }
        for plan in plans
    ]
    changes = pd.Index(["; ".join(plan.changes) for plan in plans], name="changes")
    return pd.DataFrame(rows, index=changes).dropna(axis=1, how="all")


def _odd_effects(planner: "Planner", X: "pd.DataFrame") -> "Iterator[str]":
    """Say which effects are far larger than the table's values: points given for percentages."""
    for change, factor, effect in planner.effects:
        values = X[factor].dropna()
        span = float(values.max() - values.min())
        if span > 0 and abs(effect) > FAR * span:
            percents = (
                f" Percentages are read as fractions of 1: write {effect:g}% for {effect:g} points."
                if values.between(-1, 1).all()
                else ""
            )
            yield (
                f"Note: {change!r} changes {factor!r} by {effect:g}, but the table's values range "
                f"from {values.min():g} to {values.max():g}.{percents}"
            )


def _say_what_is_proved(output: Output, formula: Any) -> None:
    """Say before any plan how much of the ranges that robust plans rest on is proved."""
    if not hasattr(formula, "weight_ranges"):
        return
    output.note(f"Note: {GUARANTEE}.")
    with output.progress("Finding the ranges of the weights", compiling=25):
        ranges = formula.weight_ranges()
    wide = (ranges["outer_high"] - ranges["outer_low"]) - (
        ranges["inner_high"] - ranges["inner_low"]
    )
    if (wide > UNPROVED).any():
        factors = ", ".join(str(name) for name in ranges.index[wide > UNPROVED])
        output.note(
            f"Note: the fit had too little time to prove how far the weights can go ({factors}). "
            "Robust plans allow for every formula that is not ruled out, even if it would not fit "
            "as well, so a guaranteed position may be worse than the current one. Run reverse with "
            "a longer --time, or plan without --robust."
        )


def _plans(
    planner: "Planner",
    product: Any,
    rivals: Any,
    *,
    budget: float | None,
    position: int | None,
    gain: float | None,
    robust: bool,
) -> "list[Plan]":
    options: dict[str, Any] = {"competitors": rivals if len(rivals) else None, "robust": robust}
    if budget is not None:
        return [planner.maximize_score(product, budget, **options)]
    if position is not None or gain is not None:
        return [planner.minimize_cost(product, position=position, gain=gain, **options)]
    return planner.frontier(product, **options)


def show_plans(output: Output, item: str, plans: "list[Plan]", size: int) -> None:
    """Print plans with what they cost and bring."""
    robust = any(plan.guaranteed_gain is not None for plan in plans)
    columns = ["cost", "gain", "score", "position", *(["guaranteed"] if robust else []), "changes"]
    rows = [
        (
            plan.cost,
            plan.gain,
            plan.score,
            plan.position,
            *([plan.guaranteed_gain] if robust else []),
            ", ".join(plan.changes) or "no change",
        )
        for plan in plans
    ]
    output.show(table(f"{item}, one of {size} in its group", columns, rows))
    if not all(plan.optimal for plan in plans):
        output.show("The time limit ended the search, so a better plan may exist.")
