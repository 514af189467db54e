"""The cheapest way up."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.files import check_free
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.render import table
from rankwright.cli.tables import Columns, check_groups, read_items_for

if TYPE_CHECKING:
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
            help="What can be changed: a CSV file with the changes' names in the first column, a "
            "column named cost, and a column for each factor they move; or a TOML file.",
        ),
    ],
    conflicts: Annotated[
        Path | None,
        typer.Option(
            "--conflicts",
            metavar="FILE",
            help="Changes that exclude each other: a CSV file with the label of a set and a change "
            "in each row.",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="COST",
            help="Find the best score that costs at most this much.",
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
            "--frontier", help="List every efficient plan, by rising cost.", rich_help_panel=GOAL
        ),
    ] = False,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust", help="Judge plans by the worst of all formulas that fit equally well."
        ),
    ] = False,
    item_column: opt.ItemColumn = None,
    group: opt.Group = None,
    factors: opt.ModelFactors = None,
    complete: opt.Complete = False,
    plot: opt.Plot = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Find the cheapest changes that bring an item to a position, a score or within a budget."""
    from rankwright.improve import Planner, UnreachableError

    output = Output(json, quiet)
    check_free(picture=plot, inputs=[model_file, table_file, changes, conflicts], force=force)
    goals = [budget is not None, position is not None, gain is not None, frontier]
    if sum(goals) != 1:
        raise typer.BadParameter("give exactly one of --budget, --position, --gain and --frontier")
    model = load_model(model_file)
    columns = Columns(item=item_column, group=group, factors=factors)
    items = read_items_for(model, output, table_file, columns, complete=complete)
    check_groups(model, output, items, needed=position is not None)
    planner = Planner.from_files(model.formula(list(items.X.columns)), changes, conflicts)
    row = items.find(item)
    product, rivals = items.X.iloc[row], items.competitors(row)
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
    if plot is not None:
        from rankwright.plots import plot_frontier
        from rankwright.report import write_figure

        curve = plans if frontier else planner.frontier(product, robust=robust)
        write_figure(plot_frontier(curve, marked=() if frontier else plans, title=item), plot)
        output.written(plot)
    output.result(item=item, plans=plans)


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
