"""Measure a model on a table, and compare rankers under cross-validation."""

from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.completion import complete_metrics, complete_rankers
from rankwright.cli.models import load_model
from rankwright.cli.output import Output
from rankwright.cli.rankers import build
from rankwright.cli.render import table
from rankwright.cli.results import Result, check_out, write_results
from rankwright.cli.tables import Columns, read_rated

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rankwright.comparison import Comparison
    from rankwright.data import ItemTable
    from rankwright.metrics.evaluation import Evaluation

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
    reading: opt.Reading = opt.AS_FOUND,
    trust: opt.Trust = None,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Measure a model on rated items: means over groups, with bootstrap intervals."""
    import rankwright as rw

    output = Output(json, quiet)
    files = check_out(out, inputs=[model_file, table_file], force=force)
    model = load_model(model_file, trust)
    columns = Columns(item, rank, score, group, None, factors, reading)
    data = read_rated(output, table_file, columns, complete=complete, model=model)
    with output.progress("Resampling", compiling=10):
        scores = -rw.positions(model.predict(data.X), data.groups)
        found = rw.metrics.evaluate(
            data.y, scores, data.groups, metrics=metric, n_resamples=resamples
        )
    rows = [(one.metric, one.mean, one.low, one.high, len(one.groups.values)) for one in found]
    output.show(
        table(
            f"{model_file.name} on {data.source}", ["metric", "mean", "from", "to", "groups"], rows
        )
    )
    output.show(f"95% bootstrap intervals from {resamples:,} resamples of {found[0].resampled}")
    output.show(_pair_words(data, scores))
    if data.groups is not None:
        labels = found[0].groups.labels.tolist()
        each = list(zip(labels, *(one.groups.values.tolist() for one in found), strict=True))
        worst = sorted(each, key=lambda row: row[1])[:MOST_GROUPS]
        title = "By group" if len(each) <= MOST_GROUPS else f"The {MOST_GROUPS} worst groups"
        output.show("", table(title, ["group", *(one.metric for one in found)], worst))
    values = {"evaluation": found}
    tables = _evaluation_tables(found, data.groups is not None)
    result = Result(values, tables, lambda: _evaluation_picture(tables["groups"]))
    write_results(output, files, result, formulas=formulas)
    output.result(**values)


def _pair_words(data: "ItemTable", scores: "NDArray[np.float64]") -> str:
    """Say how many published pairs are right: published ties keep most measures from reaching 1."""
    from rankwright.reverse.questions.agreement import agreement
    from rankwright.reverse.questions.summary import percent

    pairs = agreement(data.y, scores, data.groups)
    said = (
        f"{percent(pairs.share)} of the {pairs.pairs:,} pairs that were published in an order are "
        "in that order."
    )
    places = data.places()
    if (places["first"] < places["last"]).any():
        said += (
            " Published ties are pairs without an order; correlations count them against a model."
        )
    return said


def _evaluation_tables(
    found: "Sequence[Evaluation]", is_grouped: bool
) -> "dict[str, pd.DataFrame]":
    import pandas as pd

    metrics = pd.Index([one.metric for one in found], name="metric")
    means = {name: [getattr(one, name) for one in found] for name in ("mean", "low", "high")}
    labels = pd.Index(found[0].groups.labels if is_grouped else ["all"], name="group")
    values = {one.metric: one.groups.values for one in found}
    return {"metrics": pd.DataFrame(means, metrics), "groups": pd.DataFrame(values, labels)}


def _rounded(value: float, digits: int) -> float | str:
    """Write a number with so many digits behind the point; a missing one stays."""
    return value if value != value else f"{value:.{digits}f}"


def _evaluation_picture(groups: "pd.DataFrame") -> "Axes":
    from rankwright.plots import plot_by_group

    drawn = {
        str(metric): {str(group): float(value) for group, value in values.items()}
        for metric, values in groups.head(MOST_GROUPS).items()
    }
    return plot_by_group(drawn, metric="value of the metric")


def compare(
    table_file: opt.Table,
    ranker: Annotated[
        list[str] | None,
        typer.Option(
            "--ranker",
            metavar="NAME",
            help="A ranker to compare (repeatable). By default, all of them.",
            autocompletion=complete_rankers,
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="The metric to compare by, such as kendall_tau or ndcg(gains=exponential)@10.",
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
    reading: opt.Reading = opt.AS_FOUND,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Compare rankers under grouped cross-validation, with standard errors and a plot."""
    import rankwright as rw
    from rankwright.comparison.catalogue import available
    from rankwright.persistence.atomic import interrupts_deferred

    output = Output(json, quiet)
    files = check_out(out, inputs=[table_file], force=force)
    chosen = {name: build(name) for name in ranker or available()}
    roles = Columns(item, rank, score, group, None, factors, reading)
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
    with interrupts_deferred():  # what was found is printed and written
        _show_comparison(output, result, data)
        tests = result.tests().reset_index()
        values = {"comparison": result, "table": result.table(), "tests": tests}
        tables = {"comparison": result.table(), "tests": tests, "lists": _values_by_list(result)}
        found = Result(values, tables, lambda: _comparison_picture(result))
        write_results(output, files, found, formulas=formulas)
        output.result(**values)
    if result.interrupted:
        output.note("Stopped early: the means cover only the lists reached by then.")
        raise typer.Exit(Exit.INTERRUPTED)


def _show_comparison(output: Output, result: "Comparison", data: "ItemTable") -> None:
    from rankwright.report.comparison import told_apart, why_behind

    columns = ["ranker", "mean", "± s.e.", "to best", "± s.e.", "p", "lists", "s/fit"]
    digits = (4, 4, 4, 4, 4, 0, 2)  # all that counts, so that 80 columns show every name whole
    rows = [
        [name, *(_rounded(value, places) for value, places in zip(values, digits, strict=True))]
        for name, *values in result.table().itertuples(name=None)
    ]
    title = f"{result.metric}, {len(result.lists)} lists held out"
    output.show(table(title, columns, rows, optional=["s/fit", "lists"]))
    output.show(told_apart(result))
    for failed in result.results:
        if failed.failure is not None:
            output.note(f"{failed.name} could not be fitted: {failed.failure}")
    if words := why_behind(result, data):
        output.show(words)


def _values_by_list(result: "Comparison") -> "pd.DataFrame":
    import pandas as pd

    columns = {one.name: one.values for one in result.results}
    return pd.DataFrame(columns, index=pd.Index(result.lists, name="list"))


def _comparison_picture(result: "Comparison") -> "Axes":
    from rankwright.plots import plot_comparison

    return plot_comparison(result)
