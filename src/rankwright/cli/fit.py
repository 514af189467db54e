"""Fit a ranker on a table, and rank new items with it."""

from pathlib import Path
from typing import Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.files import check_free, write_csv
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.rankers import available, build
from rankwright.cli.render import first_line, table, table_of_frame
from rankwright.cli.tables import Columns, check_groups, read_items_for, read_rated

__all__ = ["fit", "rank", "rankers"]


def fit(
    table_file: opt.Table,
    ranker: opt.Ranker = "expected-rank-regressor",
    settings: opt.Settings = None,
    item: opt.Item = None,
    rank: opt.Rank = None,
    score: opt.Score = None,
    group: opt.Group = None,
    factors: opt.Factors = None,
    complete: opt.Complete = False,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="The model file.", rich_help_panel=opt.OUTPUT),
    ] = Path("model.rw"),
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Fit any ranker on a table and write the model file."""
    import rankwright as rw

    output = Output(json, quiet)
    check_free(out, inputs=[table_file], force=force)
    model = build(ranker, settings or ())
    data = read_rated(
        output, table_file, Columns(item, rank, score, group, None, factors), complete=complete
    )
    with output.progress(f"Fitting {ranker}", compiling=20):
        try:
            model.fit(data.X, data.y, groups=data.groups)
        except TypeError as error:
            if not settings:
                raise
            raise ValueError(f"can't fit with --set {' --set '.join(settings)}: {error}") from error
        tau = model.score(data.X, data.y, groups=data.groups)
    rw.save(model, out)
    output.show(
        f"{ranker}, fitted on {len(data):,} items with {data.X.shape[1]} factors",
        f"Kendall's tau-b on the same items: {tau:.4f} (rankwright compare holds items out)",
    )
    output.written(out)
    output.result(
        model=out,
        ranker=ranker,
        items=len(data),
        factors=list(data.X.columns),
        training_tau=tau,
        notes=data.notes,
    )


def rankers(
    name: Annotated[
        str | None,
        typer.Argument(
            help="The ranker whose parameters to show; by default all rankers are listed.",
            show_default=False,
        ),
    ] = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """List the rankers, or the parameters of one with their defaults."""
    output = Output(json, quiet)
    parameters = {
        one: build(one).get_params(deep=False) for one in ([name] if name else available())
    }
    if name is None:
        summaries = [(one, first_line(ranker)) for one, ranker in available().items()]
        output.show(table("Rankers", ["name", "what it does"], summaries))
    else:
        defaults = [(key, repr(value)) for key, value in parameters[name].items()]
        output.show(table(name, ["parameter", "default"], defaults))
    output.result(rankers=parameters)


def rank(
    model_file: opt.Model,
    table_file: opt.Table,
    item: opt.Item = None,
    group: opt.Group = None,
    factors: opt.ModelFactors = None,
    complete: opt.Complete = False,
    top: Annotated[
        int,
        typer.Option("--top", metavar="N", min=1, help="How many items of each group to print."),
    ] = 10,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Rank items with a model; --out writes all of them as CSV."""
    from rankwright.base import rank_table

    output = Output(json, quiet)
    check_free(out, inputs=[model_file, table_file], force=force)
    model = load_model(model_file)
    columns = Columns(item=item, group=group, factors=factors)
    items = read_items_for(model, output, table_file, columns, complete=complete)
    check_groups(model, output, items)
    ranking = rank_table(model, items.X, items.groups)
    if out is not None:
        write_csv(out, ranking, formulas=formulas)
        output.written(out)
    for label, listed in ranking.groupby("group", sort=False):
        title = items.source if items.groups is None else f"{label} ({len(listed):,} items)"
        output.show(
            table_of_frame(title, listed.drop(columns="group").head(min(top, len(listed)))), ""
        )
    output.result(ranking=ranking)
