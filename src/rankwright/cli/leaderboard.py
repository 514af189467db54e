"""A leaderboard from comparisons, with the ranks that each item may have."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.files import MODEL_STAMP, check_free, json_bytes, report_files
from rankwright.cli.output import Output
from rankwright.cli.render import table_of_frame

if TYPE_CHECKING:
    from rankwright.leaderboards import Leaderboard

__all__ = ["leaderboard"]

MOST_ROWS = 50

Results = Annotated[
    Path,
    typer.Argument(
        metavar="RESULTS",
        help="A table of battles (two items and an outcome in each row), a table of scores (items "
        "in rows, tasks in columns), or a PrefLib file of rankings.",
        show_default=False,
    ),
]


def leaderboard(
    results_file: Results,
    left: Annotated[
        str | None,
        typer.Option(
            "--left",
            metavar="COLUMN",
            help="Column of the first items.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    right: Annotated[
        str | None,
        typer.Option(
            "--right",
            metavar="COLUMN",
            help="Column of the second items.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option(
            "--outcome",
            metavar="COLUMN",
            help="Column of outcomes: the winner's name; left, right or tie; or 1, 0 and 0.5.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(
            "--counts",
            metavar="COLUMN",
            help="Column that says how often each row happened.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="COLUMN",
            help="Column of judges or users, whose comparisons may depend on each other.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    context: Annotated[
        list[str] | None,
        typer.Option(
            "--context",
            metavar="COLUMN",
            help="Column of numbers that favour the left item, such as a difference of lengths "
            "(repeatable): strengths are those at 0.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    side_advantage: Annotated[
        bool,
        typer.Option("--side-advantage", help="Estimate the advantage of being on the left."),
    ] = False,
    smaller_is_better: Annotated[
        bool, typer.Option("--smaller-is-better", help="In a table of scores smaller is better.")
    ] = False,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="auto, bradley_terry, davidson, plackett_luce, mean_score or mean_rank.",
        ),
    ] = "auto",
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha",
            metavar="N",
            help="A prior: pseudo-comparisons of each item with an average one.",
        ),
    ] = 0.0,
    level: Annotated[
        float, typer.Option("--level", metavar="P", help="Confidence of intervals and rank sets.")
    ] = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The HTML report to write; a .json result and a .rw model are written beside it.",
            rich_help_panel=opt.OUTPUT,
        ),
    ] = None,
    plot: opt.Plot = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Rank items by their comparisons, and say which ranks each of them may have."""
    from rankwright.leaderboards import leaderboard as rank_by_comparisons
    from rankwright.report.leaderboard import leaderboard_result

    output = Output(json, quiet)
    check_free(
        *(report_files(out) if out else ()), picture=plot, inputs=[results_file], force=force
    )
    with output.progress("Comparing", compiling=2):
        board = rank_by_comparisons(
            results_file,
            left=left,
            right=right,
            outcome=outcome,
            counts=counts,
            cluster=cluster,
            context=context,
            side_advantage=side_advantage,
            smaller_is_better=smaller_is_better,
            model=model,
            alpha=alpha,
            level=level,
        )
    for note in board.notes:
        output.note(note)
    _show(output, board)
    if out is not None:
        _write(output, board, results_file.name, out)
    if plot is not None:
        from rankwright.plots import plot_leaderboard
        from rankwright.report import write_figure

        write_figure(plot_leaderboard(board), plot)
        output.written(plot)
    output.result(**leaderboard_result(board, results_file.name))


def _show(output: Output, board: "Leaderboard") -> None:
    from rankwright.report.leaderboard import leaderboard_words, rank_table

    table = rank_table(board)
    title = "Leaderboard"
    if len(table) > MOST_ROWS:
        title += f", the first {MOST_ROWS} of {len(table):,}"
    output.show(table_of_frame(title, table.head(MOST_ROWS)), "")
    if board.effect_names:
        output.show(table_of_frame("Effects", board.effect_table()), "")
    output.show(*leaderboard_words(board))


def _write(output: Output, board: "Leaderboard", source: str, out: Path) -> None:
    """Write the report, the result and the model as one step, stamped with its checksum."""
    from rankwright.persistence.atomic import interrupts_deferred, write_together
    from rankwright.persistence.files import dump, model_checksum
    from rankwright.report.leaderboard import leaderboard_report, leaderboard_result

    page, result, model = report_files(out)
    with interrupts_deferred(), output.progress("Writing the report"):
        content = dump(board)
        stamp = {MODEL_STAMP: model_checksum(content)}
        write_together(
            {
                page: leaderboard_report(board, source).encode(),
                result: json_bytes({**leaderboard_result(board, source), **stamp}),
                model: content,
            }
        )
    for path in (page, result, model):
        output.written(path)
