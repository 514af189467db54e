"""A leaderboard from comparisons, with the ranks that each item may have."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.output import Output
from rankwright.cli.render import table_of_frame
from rankwright.cli.results import ReportFiles, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
            help="Column of outcomes: the winner's name; left, right or tie; 1, 0 or 0.5; or "
            "results such as 3-1.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    points: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--points",
            metavar="LEFT RIGHT",
            help="Columns of each side's points, instead of outcomes: the side with more points "
            "wins.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(
            "--counts",
            metavar="COLUMN",
            help="Column that says how often each result occurred.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="COLUMN",
            help="Column that says how much each row counts.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="COLUMN",
            help="Column of judges or users; comparisons by the same one may be related.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    context: Annotated[
        list[str] | None,
        typer.Option(
            "--context",
            metavar="COLUMN",
            help="Column of numbers that favour the left item, such as a difference in length "
            "(repeatable). Or the common part of two columns' names: length means length_a minus "
            "length_b. Strengths are given for 0.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    side_advantage: Annotated[
        bool,
        typer.Option("--side-advantage", help="Estimate the advantage of being on the left."),
    ] = False,
    smaller_is_better: Annotated[
        bool, typer.Option("--smaller-is-better", help="In a table of scores, smaller is better.")
    ] = False,
    smaller: Annotated[
        list[str] | None,
        typer.Option(
            "--smaller",
            metavar="COLUMN",
            help="A task where smaller is better (repeatable).",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            metavar="COLUMN",
            help="A column of scores (repeatable). By default, every column of numbers except "
            "summaries.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option(
            "--features",
            metavar="FILE",
            help="Table of the items' features: names in the first column, numbers in the others. "
            "Strengths then depend on the features alone.",
        ),
    ] = None,
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
            help="A prior: how many pseudo-comparisons with an average item each item gets.",
        ),
    ] = 0.0,
    level: Annotated[
        float,
        typer.Option("--level", metavar="P", help="Confidence level of intervals and rank sets."),
    ] = 0.95,
    bootstrap: Annotated[
        int,
        typer.Option(
            "--bootstrap",
            metavar="N",
            help="Number of resamples to take standard errors from; 0 takes them from the "
            "likelihood.",
        ),
    ] = 0,
    out: opt.ReportOut = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Rank items by their comparisons, and say which ranks each one could have."""
    from rankwright.data import read_numbers
    from rankwright.leaderboards import leaderboard as rank_by_comparisons
    from rankwright.report.bundle import leaderboard_bundle
    from rankwright.report.leaderboard import leaderboard_result

    if outcome is not None and points is not None:
        raise ValueError("--outcome and --points both say who won; give one of them")
    output = Output(json, quiet)
    files = ReportFiles.of(out or (), [results_file, features], force=force)
    with output.progress("Comparing", compiling=2):
        board = rank_by_comparisons(
            results_file,
            left=left,
            right=right,
            outcome=outcome or points,
            counts=counts,
            weights=weights,
            cluster=cluster,
            context=context,
            side_advantage=side_advantage,
            smaller_is_better=smaller_is_better or smaller or False,
            tasks=tasks,
            item_features=None if features is None else read_numbers(features),
            model=model,
            alpha=alpha,
            level=level,
            bootstrap=bootstrap,
        )
    for note in board.notes:
        output.note(note)
    _show(output, board)
    values = leaderboard_result(board, results_file.name)
    tables = {"leaderboard": board.table(), "effects": board.effect_table()}
    result = Result(values, tables, lambda: _picture(board))
    files.write(output, lambda: leaderboard_bundle(board, results_file.name), board, result)
    output.result(**values)


def _picture(board: "Leaderboard") -> "Axes":
    from rankwright.plots import plot_leaderboard

    return plot_leaderboard(board)


def _show(output: Output, board: "Leaderboard") -> None:
    from rankwright.report.leaderboard import leaderboard_words, rank_table

    table = rank_table(board)
    title = "Leaderboard"
    if len(table) > MOST_ROWS:
        title += f", the first {MOST_ROWS} of {len(table):,}"
    optional = ["comparisons", "all at once"]
    output.show(table_of_frame(title, table.head(MOST_ROWS), optional=optional), "")
    if board.effect_names:
        output.show(table_of_frame("Effects", board.effect_table()), "")
    output.show(*leaderboard_words(board))
