"""The formula behind a published rating."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.files import MODEL_STAMP, check_free, json_bytes, report_files
from rankwright.cli.output import Output
from rankwright.cli.render import bar, table
from rankwright.cli.tables import Columns, read_rated

if TYPE_CHECKING:
    import pandas as pd

    from rankwright.data import ItemTable
    from rankwright.reverse import Investigation

__all__ = ["investigated", "reverse", "write_investigation"]


def reverse(
    table_file: opt.Table,
    item: opt.Item = None,
    rank: opt.Rank = None,
    score: opt.Score = None,
    group: opt.Group = None,
    category: opt.Category = None,
    factors: opt.Factors = None,
    complete: opt.Complete = False,
    top: Annotated[
        int,
        typer.Option(
            "--top",
            metavar="N",
            min=1,
            max=1_000_000,
            help="How many products count as the top of a group.",
        ),
    ] = 10,
    emphasis: Annotated[
        float,
        typer.Option("--emphasis", metavar="X", help="How much more the pairs at the top count."),
    ] = 9.0,
    time: Annotated[
        float, typer.Option("--time", metavar="SECONDS", help="Time limit for search and proof.")
    ] = 60.0,
    checks: Annotated[
        bool,
        typer.Option(
            "--checks/--no-checks",
            help="Also fit with products held out and with shuffled ranks, to compare with chance.",
        ),
    ] = True,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The report; a .json result and a .rw model are written beside it.",
            rich_help_panel=opt.OUTPUT,
        ),
    ] = Path("report.html"),
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Find the formula behind a published ranking, and prove that nothing fits better."""
    from rankwright.report.rating import rating_result

    output = Output(json, quiet)
    check_free(*report_files(out), inputs=[table_file], force=force)
    columns = Columns(item, rank, score, group, category, factors)
    data = read_rated(output, table_file, columns, complete=complete)
    found = investigated(
        output, data, checks=checks, compiling=25, top=top, emphasis=emphasis, time_limit=time
    )
    _show(output, found)
    write_investigation(output, found, out)
    output.result(**rating_result(found))
    if found.interrupted:
        raise typer.Exit(Exit.INTERRUPTED)


def investigated(
    output: Output, data: "ItemTable", *, checks: bool, compiling: int, **parameters: Any
) -> "Investigation":
    """Investigate a rating with a bar that shows objective, bound and gap."""
    from rankwright.reverse import RatingFormula, investigate

    limit = parameters["time_limit"]
    with output.progress("Searching for the formula", limit, compiling) as update:

        def show(state: Any) -> None:
            gap = abs(state.bound - state.objective)
            words = f"objective {state.objective:.5f}, bound {state.bound:.5f}, gap {gap:.5f}"
            update(min(state.seconds, limit), words)

        formula = RatingFormula(**parameters, random_state=0, callback=show)
        found = investigate(data, formula, checks=checks, step=lambda what: update(None, what))
    found.formula.set_params(callback=None)  # a model file holds no functions
    return found


def _show(output: Output, found: "Investigation") -> None:
    """Print the formula, what is proved, how far to trust it, and who looks suspicious."""
    from rankwright.report.words import certificate_words, left_out_words, trust_words

    output.show(_formula(found), "", *certificate_words(found)[:1], *trust_words(found))
    suspects = found.suspects
    if suspects is not None and not suspects.empty:
        output.show("", _suspicious(suspects.head(10)))
    for sentence in left_out_words(found):
        output.note(f"Note: {sentence}")


def _suspicious(suspects: "pd.DataFrame") -> Any:
    columns = ["product", "group", "published", "by the formula", "left out", "freed", "proved"]
    suspects = suspects.round({"rise_without": 5, "rise_freed": 5})
    rows = [
        (
            row.product,
            row.group,
            row.published,
            row.modelled,
            row.rise_without,
            row.rise_freed,
            "yes" if row.proved else "no",
            row.lost,
        )
        for row in suspects.itertuples()
    ]
    return table("Suspicious products", [*columns, "pairs lost"], rows)


def write_investigation(output: Output, found: "Investigation", out: Path) -> None:
    """Write the report, the result and the model as one step, stamped with the model's checksum.

    Ctrl-C waits for it: what was found is written.
    """
    from rankwright.persistence.atomic import interrupts_deferred, write_together
    from rankwright.persistence.files import dump, model_checksum
    from rankwright.report.rating import rating_report, rating_result

    page, result, model = report_files(out)
    with interrupts_deferred(), output.progress("Writing the report"):
        content = dump(found.formula)
        stamp = model_checksum(content)
        write_together(
            {
                page: rating_report(found, stamp).encode(),
                result: json_bytes({**rating_result(found), MODEL_STAMP: stamp}),
                model: content,
            }
        )
    for path in (page, result, model):
        output.written(path)


def _formula(found: "Investigation") -> Any:
    formula, ranges = found.formula, found.weight_ranges
    order = sorted(range(len(formula.shares_)), key=lambda j: -formula.shares_[j])
    largest = float(formula.shares_.max())
    columns, rows = ["factor", "weight", "share", ""], []
    for j in order:
        weight, share = float(formula.weights_[j]), float(formula.shares_[j])
        blocks = bar(share if weight >= 0 else -share, largest)
        spread = [] if ranges is None else [_spread(ranges.iloc[j])]
        name = str(found.table.X.columns[j])
        rows.append((name, f"{weight:g}", f"{share:.1f}%", blocks, *spread))
    return table("The formula", columns if ranges is None else [*columns, "range of share"], rows)


def _spread(ranges: Any) -> str:
    inner = f"{ranges['inner_low']:.1f} to {ranges['inner_high']:.1f}%"
    outer = f"{ranges['outer_low']:.1f} to {ranges['outer_high']:.1f}%"
    return inner if inner == outer else f"{inner} found, {outer} at most"
