"""Why one item is above another."""

from typing import Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.output import Output
from rankwright.cli.render import bar, table
from rankwright.cli.tables import Columns, read_unrated

__all__ = ["explain"]


def explain(
    model_file: opt.Model,
    table_file: opt.Table,
    item: Annotated[str, typer.Option("--item", metavar="NAME", help="The item above.")],
    above: Annotated[str, typer.Option("--above", metavar="NAME", help="The item below.")],
    item_column: opt.ItemColumn = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Say factor by factor why a model puts one item above another."""
    import rankwright as rw
    from rankwright.base import why_above

    output = Output(json, quiet)
    model = rw.load(model_file)
    items = read_unrated(
        output, table_file, Columns(item=item_column), list(model.feature_names_in_)
    )
    with output.progress("Explaining"):
        one, two = (items.X.iloc[items.find(name)] for name in (item, above))
        reasons = why_above(model, one, two)
    difference = float(reasons["contribution"].sum())
    largest = float(reasons["contribution"].abs().max())
    rows = [
        (factor, high, low, part, bar(part, largest))
        for factor, high, low, part in reasons.itertuples()
    ]
    relation = "above" if difference > 0 else "below" if difference < 0 else "level with"
    output.show(
        table(
            f"{item} is {relation} {above}: {difference:+.4g} points",
            ["factor", item, above, "points", ""],
            rows,
        )
    )
    output.result(item=item, above=above, difference=difference, factors=reasons)
