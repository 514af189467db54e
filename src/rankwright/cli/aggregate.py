"""The consensus of votes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.completion import complete_methods
from rankwright.cli.output import Output
from rankwright.cli.render import table_of_frame
from rankwright.cli.results import Result, check_out, write_results

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from rankwright.aggregation import Consensus
    from rankwright.data import VoterOrders

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
            "--scores",
            help="The table holds scores, where larger is better, rather than positions.",
        ),
    ] = False,
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
    from rankwright.aggregation import aggregate as find_consensus

    output = Output(json, quiet)
    files = check_out(out, inputs=[votes_file], force=force)
    votes = _read_votes(votes_file, item)
    notes = _gaps(votes, "scores" if scores else "positions")
    for note in notes:
        output.note(note)
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

    def picture() -> "Axes":
        from rankwright.plots import plot_consensus

        voters = getattr(votes, "columns", None)  # a table names them, orders do not
        return plot_consensus(consensus, votes, voters=voters, scores=scores)

    values = {"consensus": consensus, "notes": notes}
    result = Result(values, {"consensus": listed}, picture)
    write_results(output, files, result, formulas=formulas)
    output.result(**values)


def _read_votes(path: Path, item: str | None) -> Any:
    """Read a table of positions, or a PrefLib file with the number of voters of each order."""
    from rankwright.data import read_numbers, read_preflib

    if path.suffix.lower() in PREFLIB:
        return read_preflib(path)
    return read_numbers(path, item=item)


def _gaps(votes: "pd.DataFrame | VoterOrders", what: str) -> list[str]:
    """Say how much the voters left open, and how it counts."""
    import numpy as np

    from rankwright.data import VoterOrders

    if isinstance(votes, VoterOrders):
        lengths = [sum(map(np.size, order)) for order in votes.orders]
        n_open = int(votes.counts[np.array(lengths) < len(votes.items)].sum())
        found = f"{n_open:,} of {votes.counts.sum():,} voters left items open"
    else:
        n_open = int(votes.isna().to_numpy().sum())
        found = f"{n_open:,} of {votes.size:,} {what} {'is' if n_open == 1 else 'are'} missing"
    if not n_open:
        return []
    return [f"{found}: pairs with such an item do not count for that voter; it is not ranked last."]


def _by_position(consensus: "Consensus") -> "pd.DataFrame":
    import pandas as pd

    items = pd.Index([str(item) for item in consensus.items], name="item")
    return pd.DataFrame({"position": consensus.positions}, index=items).sort_values("position")


def _certificate(consensus: "Consensus") -> str:
    found = f"{consensus.method}: cost {consensus.cost:g}"
    if consensus.optimal:
        return f"{found}, proved to be the least possible ({consensus.seconds:.2g} s)"
    return f"{found}; no ranking costs less than {consensus.bound:g} ({consensus.seconds:.2g} s)"
