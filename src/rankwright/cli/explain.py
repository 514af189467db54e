"""Why one item is above another."""

from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.files import check_free
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.render import bar, table
from rankwright.cli.tables import Columns, read_items_for

if TYPE_CHECKING:
    from rich.table import Table

    from rankwright.explanation import Explanation

__all__ = ["explain"]


def explain(
    model_file: opt.Model,
    table_file: opt.Table,
    item: Annotated[str, typer.Option("--item", metavar="NAME", help="The item above.")],
    above: Annotated[str, typer.Option("--above", metavar="NAME", help="The item below.")],
    item_column: opt.ItemColumn = None,
    factors: opt.ModelFactors = None,
    plot: opt.Plot = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Say factor by factor why a model puts one item above another."""
    output = Output(json, quiet)
    check_free(picture=plot, inputs=[model_file, table_file], force=force)
    model = load_model(model_file)
    columns = Columns(item=item_column, factors=factors)
    items = read_items_for(model, output, table_file, columns)
    with output.progress("Explaining", compiling=3):
        one, two = (items.X.iloc[[items.find(name)]] for name in (item, above))
        why = model.explain(one, two)
    output.show(_points(why))
    if not why.is_exact:
        output.note("The points are estimated from random orders; ± is one standard error.")
    output.result(
        item=item,
        above=above,
        difference=why.difference,
        exact=why.is_exact,
        factors=why.table().rename_axis("factor"),
    )
    if plot is not None:
        from rankwright.plots import plot_explanation
        from rankwright.report import write_figure

        write_figure(plot_explanation(why), plot)
        output.written(plot)


def _points(why: "Explanation") -> "Table":
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
