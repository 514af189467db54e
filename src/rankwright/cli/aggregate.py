"""The consensus of votes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.completion import complete_methods
from rankwright.cli.files import check_free, write_csv
from rankwright.cli.output import Output
from rankwright.cli.render import table_of_frame

if TYPE_CHECKING:
    import pandas as pd

    from rankwright.aggregation import Consensus

__all__ = ["aggregate"]

PREFLIB = {".soc", ".soi", ".toc", ".toi"}

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
        bool,
        typer.Option(
            "--scores", help="The table holds scores, where larger is better, instead of positions."
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Allow no ties in the consensus.")
    ] = False,
    time: Annotated[
        float,
        typer.Option("--time", metavar="SECONDS", min=0, help="Time limit for the whole command."),
    ] = 60.0,
    item: opt.Item = None,
    out: opt.Out = None,
    formulas: opt.Formulas = False,
    plot: opt.Plot = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Find the consensus of votes, and how close to optimal it is proved to be."""
    from rankwright.aggregation import aggregate as find_consensus

    output = Output(json, quiet)
    check_free(out, picture=plot, inputs=[votes_file], force=force)
    votes = _read_votes(votes_file, item)
    with output.progress("Searching for the consensus", compiling=15):
        consensus = find_consensus(
            votes,
            method,
            scores=scores,
            ties=not strict,
            time_limit=time,
        )
    listed = _by_position(consensus)
    output.show(table_of_frame("Consensus", listed), "", _certificate(consensus))
    if out is not None:
        write_csv(out, listed, formulas=formulas)
        output.written(out)
    if plot is not None:
        from rankwright.plots import plot_consensus
        from rankwright.report import write_figure

        voters = getattr(votes, "columns", None)  # a table names them, orders do not
        write_figure(plot_consensus(consensus, votes, voters=voters, scores=scores), plot)
        output.written(plot)
    output.result(consensus=consensus)


def _read_votes(path: Path, item: str | None) -> Any:
    """Read a table of positions, or a PrefLib file with the number of voters of each order."""
    from rankwright.data import read_numbers, read_preflib

    if path.suffix.lower() in PREFLIB:
        return read_preflib(path)
    return read_numbers(path, item=item)


def _by_position(consensus: "Consensus") -> "pd.DataFrame":
    import pandas as pd

    items = pd.Index([str(item) for item in consensus.items], name="item")
    return pd.DataFrame({"position": consensus.positions}, index=items).sort_values("position")


def _certificate(consensus: "Consensus") -> str:
    found = f"{consensus.method}: cost {consensus.cost:g}"
    if consensus.optimal:
        return f"{found}, proved to be the least possible ({consensus.seconds:.2g} s)"
    return f"{found}; no ranking costs less than {consensus.bound:g} ({consensus.seconds:.2g} s)"
