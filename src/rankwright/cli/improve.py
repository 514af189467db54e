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
    from matplotlib.axes import Axes

    from rankwright.improve import Plan, Planner

__all__ = ["improve", "show_plans"]

GOAL = "Goal (give exactly one)"


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
    from rankwright.improve.cautions import GUARANTEE, odd_effects, unproved_words
    from rankwright.improve.plan import plan_table

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
    for note in odd_effects(planner, items.X):
        output.note(f"Note: {note}")
    if robust and hasattr(formula, "weight_ranges"):
        output.note(f"Note: {GUARANTEE}.")
        with output.progress("Finding the ranges of the weights", compiling=25):
            unproved = unproved_words(formula)
        for note in unproved:
            output.note(f"Note: {note} Run reverse with a longer --time, or plan without --robust.")
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
    result = Result(values, {"plans": plan_table(plans)}, picture)
    write_results(output, files, result, formulas=formulas)
    output.result(**values)


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
