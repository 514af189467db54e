"""Why one item is above another."""

from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.render import bar, table
from rankwright.cli.results import Result, check_out, write_results
from rankwright.cli.tables import Columns, read_items_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rankwright.cli.render import Listing
    from rankwright.data import UnratedItems
    from rankwright.explanation import Explanation

__all__ = ["explain"]


def explain(
    model_file: opt.Model,
    table_file: opt.Table,
    item: Annotated[
        str,
        typer.Option(
            "--item",
            metavar="NAME",
            help="The item ranked higher: its name, or its row in the file, such as 'row 12'.",
        ),
    ],
    above: Annotated[
        str,
        typer.Option("--above", metavar="NAME", help="The item ranked lower, given the same way."),
    ],
    item_column: opt.ItemColumn = None,
    group: opt.Group = None,
    factors: opt.ModelFactors = None,
    reading: opt.Source = opt.ITEMS_AS_FOUND,
    trust: opt.Trust = None,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Say, factor by factor, why a model ranks one item above another."""
    output = Output(json, quiet)
    files = check_out(out, inputs=[model_file, table_file], force=force)
    model = load_model(model_file, trust)
    columns = Columns(item=item_column, group=group, factors=factors, reading=reading)
    items = read_items_for(model, output, table_file, columns)
    with output.progress("Explaining", compiling=3):
        rows = [items.find(name) for name in (item, above)]
        for row in rows:
            _check_whole(items, row)
        why = model.explain(*(items.X.iloc[[row]] for row in rows))
    output.show(_points(why))
    if items.groups is not None and items.groups[rows[0]] != items.groups[rows[1]]:
        output.show(_across_groups(why, *(items.groups[row] for row in rows)))
    if not why.is_exact:
        output.note("The points are estimated from random orders; ± is one standard error.")
    factors_table = why.table().rename_axis("factor")
    values = {
        "item": item,
        "above": above,
        "difference": why.difference,
        "exact": why.is_exact,
        "factors": factors_table,
    }
    result = Result(values, {"factors": factors_table}, lambda: _picture(why))
    write_results(output, files, result, formulas=formulas)
    output.result(**values)


def _picture(why: "Explanation") -> "Axes":
    from rankwright.plots import plot_explanation

    return plot_explanation(why)


def _check_whole(items: "UnratedItems", row: int) -> None:
    """Refuse an item whose score is not known, in the table's own words."""
    missing = [str(factor) for factor in items.X.columns[items.X.iloc[row].isna()]]
    if missing:
        raise ValueError(
            f"{items.X.index[row]!r} has no value for {', '.join(missing)} in {items.source}, so "
            "it has no score; fill it in, or choose another item"
        )


def _across_groups(why: "Explanation", group: object, other: object) -> str:
    return (
        f"{why.item} is in the group {group}, {why.other} in {other}: no published rank compares "
        "items of different groups. What is compared here are their scores, by a model that was "
        "fitted to the order within groups only."
    )


def _points(why: "Explanation") -> "Listing":
    from rankwright.explanation import one_line

    item, other = one_line(why.item), one_line(why.other)
    columns = ["factor", item, other, "points", "", "±"]
    largest = float(abs(why.contributions).max(initial=0.0))
    rows = [
        (one_line(factor), high, low, points, bar(points, largest), *error)
        for factor, high, low, points, *error in why.table().itertuples()
    ]
    title = f"{item} is {why.relation} {other}: {why.difference:+.4g} points"
    return table(title, columns[: len(rows[0])], rows)
