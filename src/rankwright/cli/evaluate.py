"""Measure a model on a table, and compare rankers under cross-validation."""

from typing import Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.completion import complete_metrics, complete_rankers
from rankwright.cli.files import check_free
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.rankers import available, build
from rankwright.cli.render import table
from rankwright.cli.tables import Columns, read_rated

__all__ = ["compare", "evaluate"]

MOST_GROUPS = 20


def evaluate(
    model_file: opt.Model,
    table_file: opt.Table,
    metric: opt.Metrics = None,
    resamples: Annotated[
        int,
        typer.Option(
            "--resamples",
            metavar="N",
            min=1,
            max=1_000_000,
            help="Number of bootstrap samples for the intervals.",
        ),
    ] = 1000,
    item: opt.Item = None,
    rank: opt.Rank = None,
    score: opt.Score = None,
    group: opt.Group = None,
    factors: opt.ModelFactors = None,
    complete: opt.Complete = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Measure a model on rated items: means over groups with bootstrap intervals."""
    import rankwright as rw

    output = Output(json, quiet)
    model = load_model(model_file)
    columns = Columns(item, rank, score, group, None, factors)
    data = read_rated(output, table_file, columns, complete=complete, model=model)
    with output.progress("Resampling", compiling=10):
        found = rw.metrics.evaluate(
            data.y,
            -rw.positions(model.predict(data.X), data.groups),
            data.groups,
            metrics=metric,
            n_resamples=resamples,
        )
    rows = [(one.metric, one.mean, one.low, one.high, len(one.groups.values)) for one in found]
    output.show(
        table(
            f"{model_file.name} on {data.source}", ["metric", "mean", "from", "to", "groups"], rows
        )
    )
    output.show(f"95% bootstrap intervals from {resamples:,} resamples of {found[0].resampled}")
    if data.groups is not None:
        labels = found[0].groups.labels.tolist()
        each = list(zip(labels, *(one.groups.values.tolist() for one in found), strict=True))
        worst = sorted(each, key=lambda row: row[1])[:MOST_GROUPS]
        title = "By group" if len(each) <= MOST_GROUPS else f"The {MOST_GROUPS} worst groups"
        output.show("", table(title, ["group", *(one.metric for one in found)], worst))
    output.result(evaluation=found)


def compare(
    table_file: opt.Table,
    ranker: Annotated[
        list[str] | None,
        typer.Option(
            "--ranker",
            metavar="NAME",
            help="A ranker to compare (repeatable); by default all of them.",
            autocompletion=complete_rankers,
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="The metric to compare by.",
            autocompletion=complete_metrics,
        ),
    ] = "kendall_tau",
    folds: Annotated[
        int,
        typer.Option(
            "--folds", metavar="N", min=2, help="Split the groups into at most this many folds."
        ),
    ] = 5,
    item: opt.Item = None,
    rank: opt.Rank = None,
    score: opt.Score = None,
    group: opt.Group = None,
    factors: opt.Factors = None,
    complete: opt.Complete = False,
    plot: opt.Plot = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Compare rankers under grouped cross-validation, with standard errors and a plot."""
    import rankwright as rw

    output = Output(json, quiet)
    check_free(picture=plot, inputs=[table_file], force=force)
    chosen = {name: build(name) for name in ranker or available()}
    roles = Columns(item, rank, score, group, None, factors)
    data = read_rated(output, table_file, roles, complete=complete)
    with output.progress("Comparing", total=1, compiling=60) as update:
        result = rw.compare(
            chosen,
            data.X,
            data.y,
            data.groups,
            metric=metric,
            n_folds=folds,
            progress=lambda name, done, total: update(done / total, f"Fitting {name}"),
        )
    columns = ["ranker", "mean", "± s.e.", "to best", "± s.e.", "lists", "s/fit"]
    rows = result.table().reset_index().to_numpy(object).tolist()
    output.show(table(f"{metric}, {len(result.lists)} lists held out", columns, rows))
    for failed in result.results:
        if failed.failure is not None:
            output.note(f"{failed.name} could not be fitted: {failed.failure}")
    if plot is not None:
        from rankwright.plots import plot_comparison
        from rankwright.report import write_figure

        fitted = [one for one in result.results if one.mean == one.mean]
        means = {one.name: (one.mean, one.standard_error) for one in fitted}
        write_figure(plot_comparison(means, metric=metric), plot)
        output.written(plot)
    output.result(comparison=result, table=result.table())
    if result.interrupted:
        output.note("Stopped early: the means cover only the lists reached by then.")
        raise typer.Exit(Exit.INTERRUPTED)
