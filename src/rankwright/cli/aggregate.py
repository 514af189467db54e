"""The consensus of votes."""

import time as clock_time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli import reading
from rankwright.cli.completion import complete_methods
from rankwright.cli.output import Output
from rankwright.cli.render import table_of_frame
from rankwright.cli.results import Result, check_out, write_results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["aggregate"]

Votes = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="Votes: a table with a row for each item and a column of positions for each voter, "
        "or a PrefLib file (.soc, .soi, .toc, .toi).",
        show_default=False,
    ),
]


def aggregate(
    votes_file: Votes,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="How to aggregate: auto, kemeny (exact), local_search, borda, copeland, median, "
            "mean, footrule, kwiksort.",
            autocompletion=complete_methods,
        ),
    ] = "auto",
    scores: Annotated[
        bool | None,
        typer.Option(
            "--scores/--positions",
            help="The table holds scores, where larger is better, or positions, where 1 is best. "
            "By default positions, which are refused if they look like scores.",
        ),
    ] = None,
    voters: Annotated[
        str | None,
        typer.Option(
            "--voters",
            metavar="A,B,C",
            help="Columns of the voters. By default, every other column of numbers, except totals, "
            "ranks, years and row numbers.",
            rich_help_panel=opt.COLUMNS,
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Do not allow ties in the consensus.")
    ] = False,
    time: Annotated[
        float,
        typer.Option("--time", metavar="SECONDS", min=0, help="Time limit for the whole command."),
    ] = 60.0,
    item: opt.Item = None,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Find the consensus of votes, with a bound on how far from optimal it can be."""
    begun = clock_time.monotonic()
    from rankwright.aggregation import aggregate as find_consensus
    from rankwright.data.ballots import read_ballots
    from rankwright.report.consensus import consensus_table, consensus_words, open_votes
    from rankwright.report.time_left import seconds_left

    output = Output(json, quiet)
    files = check_out(out, inputs=[votes_file], force=force)
    names = reading.listed(voters, "--voters")
    votes = read_ballots(votes_file, item=item, voters=names, scores=scores)
    notes = open_votes(votes, "scores" if scores else "positions")
    for note in notes:
        output.note(note)
    with output.progress("Searching for the consensus", compiling=15):
        consensus = find_consensus(
            votes,
            method,
            scores=bool(scores),
            ties=not strict,
            time_limit=seconds_left(time, clock_time.monotonic() - begun),
        )
    listed = consensus_table(consensus)
    output.show(table_of_frame("Consensus", listed), "", consensus_words(consensus))

    def picture() -> "Axes":
        from rankwright.plots import plot_consensus

        voters = getattr(votes, "columns", None)  # a table names them, orders do not
        return plot_consensus(consensus, votes, voters=voters, scores=bool(scores))

    values = {"consensus": consensus, "notes": notes}
    result = Result(values, {"consensus": listed}, picture)
    write_results(output, files, result, formulas=formulas)
    output.result(**values)
