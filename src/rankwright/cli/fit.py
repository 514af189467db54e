"""Fit a ranker on a table, and rank new items with it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.files import check_free
from rankwright.cli.models import SavedModel, load_model
from rankwright.cli.output import Output
from rankwright.cli.rankers import build
from rankwright.cli.render import first_line, table, table_of_frame
from rankwright.cli.results import FORMS, Result, check_out, write_results
from rankwright.cli.tables import Columns, check_groups, read_items_for, read_rated

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["fit", "rank", "rankers"]

DRAWN = 40  # items of a picture


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
    reading: opt.Reading = opt.AS_FOUND,
    cluster: opt.Cluster = None,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="The model file.", rich_help_panel=opt.OUTPUT),
    ] = Path("model.rw"),
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Fit any ranker to a table and write a model file.

    With --cluster the table is a Parquet file or a folder of them, which may be larger than memory.
    """
    import rankwright as rw
    from rankwright.data.observations import count

    output = Output(json, quiet)
    check_free(out, inputs=[table_file], force=force)
    if out.suffix.lower() in FORMS:
        raise ValueError(
            f"--out {out}: a fitted model is neither a table nor a picture; call its file "
            f"{out.with_suffix('.rw').name}, and let `rankwright rank` write tables and pictures"
        )
    model = build(ranker, settings or ())
    columns = Columns(item, rank, score, group, None, factors, reading)
    if cluster is not None:
        if complete or reading != opt.AS_FOUND:
            raise ValueError(
                "with --cluster rows are taken as they are: leave out --complete, --missing, "
                "--where, --sheet, --no-group, --exclude and --category-factors"
            )
        _fit_on_cluster(output, cluster, ranker, model, table_file, columns, out)
        return
    data = read_rated(output, table_file, columns, complete=complete)
    with output.progress(f"Fitting {ranker}", compiling=20):
        model.fit(data.X, data.y, groups=data.groups)
        tau = model.score(data.X, data.y, groups=data.groups)
    rw.save(model, out)
    output.show(
        f"{ranker}, fitted on {count(len(data), 'item')} with {count(data.X.shape[1], 'factor')}",
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


def _fit_on_cluster(
    output: Output,
    cluster: str,
    ranker: str,
    model: Any,
    table_file: Path,
    columns: Columns,
    out: Path,
) -> None:
    import rankwright as rw
    from rankwright.cli.on_cluster import fit_rows

    found = fit_rows(output, cluster, ranker, model, table_file, columns)
    rw.save(model, out)
    output.show(
        f"{ranker}, fitted on {found['partitions']:,} partitions with "
        f"{len(found['factors'])} factors and {found['groups']:,} groups",
        f"Kendall's tau-b on the same items: {found['training_tau']:.4f}",
    )
    output.written(out)
    output.result(model=out, ranker=ranker, **found)


def rankers(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A ranker, to show its parameters. By default, all rankers are listed.",
            show_default=False,
        ),
    ] = None,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """List the rankers, or one ranker's parameters with their defaults."""
    from rankwright.comparison.catalogue import available

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
    reading: opt.Source = opt.ITEMS_AS_FOUND,
    trust: opt.Trust = None,
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
    """Rank items with a model; --out writes all of them.

    From one .parquet file to another, rows are read and written in batches, so any number will do.
    """
    from rankwright.base import rank_table

    output = Output(json, quiet)
    if out is not None and _is_streamed(table_file, out):
        check_free(*out, inputs=[model_file, table_file], force=force)
        columns = Columns(group=group, factors=factors)
        _rank_file(output, load_model(model_file, trust), table_file, out[0], columns)
        return
    files = check_out(out, inputs=[model_file, table_file], force=force)
    model = load_model(model_file, trust)
    columns = Columns(item=item, group=group, factors=factors, reading=reading)
    items = read_items_for(model, output, table_file, columns, complete=complete)
    check_groups(model, output, items)
    ranking = rank_table(model, items.X, items.groups)
    values = {"ranking": ranking}
    result = Result(values, values, lambda: _picture(ranking, items.source))
    write_results(output, files, result, formulas=formulas)
    for label, listed in ranking.groupby("group", sort=False):
        title = items.source if items.groups is None else f"{label} ({len(listed):,} items)"
        output.show(
            table_of_frame(title, listed.drop(columns="group").head(min(top, len(listed)))), ""
        )
    output.result(**values)


def _is_streamed(table_file: Path, out: "Sequence[Path]") -> bool:
    return [path.suffix.lower() for path in (table_file, *out)] == [".parquet", ".parquet"]


def _rank_file(
    output: Output,
    model: SavedModel,
    table_file: Path,
    out: Path,
    columns: Columns,
) -> None:
    """Rank a file that may be larger than memory."""
    from rankwright.exchange import rank_parquet

    named = columns.named_factors or model.factors
    if named is None:
        raise ValueError(f"{model.name} has no names for its factors; give them by --factors")
    with output.progress("Ranking", total=1, compiling=5) as update:
        found = rank_parquet(
            model.ranker, table_file, out, factors=named, group=columns.group,
            progress=lambda done, total: update(done / max(total, 1), f"{done:,} rows scored"),
        )  # fmt: skip
    among = "" if found.groups is None else f" of {found.groups:,} groups"
    output.show(f"{found.rows:,} rows{among} ranked")
    output.written(out)
    output.result(rows=found.rows, groups=found.groups, out=out)


def _picture(ranking: "pd.DataFrame", source: str) -> "Axes":
    """Draw the first items, of the first group where there are several."""
    from rankwright.plots import plot_ranking

    label = ranking["group"].iloc[0]
    drawn = ranking[ranking["group"] == label].head(DRAWN)
    groups = ranking["group"].nunique()
    title = f"{source}, {label}" if groups > 1 else source
    items = [str(item) for item in drawn.index]
    return plot_ranking(drawn["score"], items, positions=drawn["position"], title=title)
