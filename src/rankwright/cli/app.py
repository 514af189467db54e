"""All commands, in the order in which ``rankwright --help`` lists them."""

import logging
from inspect import signature
from typing import Annotated

import typer

from rankwright.cli.about import datasets, print_version, version, warm_up
from rankwright.cli.aggregate import aggregate
from rankwright.cli.commands import guarded
from rankwright.cli.demo import demo
from rankwright.cli.evaluate import compare, evaluate
from rankwright.cli.explain import explain
from rankwright.cli.fit import fit, rank, rankers
from rankwright.cli.improve import improve
from rankwright.cli.leaderboard import leaderboard
from rankwright.cli.optional_value import ClusterCommand
from rankwright.cli.reproduce import reproduce
from rankwright.cli.reverse import reverse
from rankwright.cli.studio import studio

__all__ = ["COMMANDS", "app"]

COMMANDS = {
    "Ratings: the formula behind a rank, and the cheapest way up": (reverse, explain, improve),
    "Rankers: learn an order from examples": (fit, rank, evaluate, compare, rankers),
    "Votes: one order out of many": (aggregate,),
    "Comparisons: strengths, and how certain the ranks are": (leaderboard,),
    "Studies: the published experiments": (reproduce,),
    "Studio: all of it in a browser": (studio,),
    "About": (demo, warm_up, datasets, version),
}

# Commands announce what they wait for themselves, and not at all with --quiet.
logging.getLogger("rankwright.compilation").disabled = True
# Where there is no home, matplotlib says so in every run; its own cache is a temporary one then.
logging.getLogger("matplotlib").setLevel(logging.ERROR)

app = typer.Typer(
    help="Learn rankings from examples, explain them, and find the cheapest way up.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=print_version, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Answer what needs no command."""


for panel, functions in COMMANDS.items():
    for function in functions:
        kind = ClusterCommand if "cluster" in signature(function).parameters else None
        app.command(rich_help_panel=panel, cls=kind)(guarded(function))
