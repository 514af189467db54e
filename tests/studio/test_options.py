"""What the command line can, the studio can: an option is a control of a page, or has a reason."""

import pytest
import typer

from rankwright.cli.app import app
from studio_browser import PAGES, controls, go

pytestmark = pytest.mark.xdist_group("studio")

ROLES = "Role of resolution"  # each column has a select of this kind
READING = {
    **dict.fromkeys(
        ("--item", "--item-column", "--rank", "--score", "--group", "--category", "--factors",
         "--no-group", "--exclude", "--category-factors"),
        ("Data", ROLES),
    ),
    "--sheet": ("Data", "Sheet"),
    "--where": ("Data", "Keep only rows where"),
    "--missing": ("Data", "Missing factors"),
    "--complete": ("Data", "Missing factors"),
}  # fmt: skip
# By command and option: the page, and the name of the control.
IN_STUDIO = {
    "reverse": READING | {
        "--signs": ("Formula", "Factors without a direction count"),
        "--less-is-better": ("Data", ROLES),
        "--top": ("Formula", "Products at the top"),
        "--objective": ("Formula", "Reproduce"),
        "--require": ("Formula", "What is known of the weights"),
        "--value-functions": ("Formula", "Factors that do not count evenly"),
        "--selection": ("Formula", "Formula to keep"),
        "--emphasis": ("Formula", "Extra weight of pairs at the top"),
        "--time": ("Formula", "Seconds for everything"),
        "--checks": ("Formula", "Held-out products and chance"),
        "--each-group": ("Formula", "Also a formula for each subcategory"),
        "--test-weights": ("Formula", "Drop weights to test (factor, weight)"),
        "--out": ("Formula", "Download report.html"),
    },
    "improve": READING | {
        "--item": ("Improve", "Product"),
        "--changes": ("Improve", "Drop a file of changes (CSV, TOML)"),
        "--conflicts": ("Improve", "Drop a file of conflicts (CSV)"),
        "--budget": ("Improve", "Budget"),
        "--position": ("Improve", "Goal"),
        "--gain": ("Improve", "Goal"),
        "--frontier": ("Improve", "Goal"),
        "--robust": ("Improve", "Also plans that hold for every formula that fits as well"),
        "--out": ("Improve", "Download plans.csv"),
    },
    "fit": READING | {
        "--ranker": ("Rank", "Ranker"),
        "--set": ("Rank", "Parameters"),
        "--out": ("Rank", "Download model.rw"),
    },
    "rank": READING | {"--out": ("Rank", "Download ranking.csv")},
    "explain": READING | {
        "--item": ("Rank", "This item"),
        "--above": ("Rank", "and that one"),
        "--out": ("Rank", "Download model.rw"),
    },
    "compare": READING | {
        "--ranker": ("Rank", "Rankers"),
        "--metric": ("Rank", "Metric, such as ndcg@10"),
        "--folds": ("Rank", "Folds"),
        "--out": ("Rank", "Compare"),
    },
    "aggregate": {
        "--method": ("Votes", "Method"),
        "--scores": ("Votes", "The numbers are"),
        "--voters": ("Votes", "Columns of voters"),
        "--strict": ("Votes", "No ties in the consensus"),
        "--time": ("Votes", "Seconds"),
        "--item": ("Votes", "Column of items"),
        "--out": ("Votes", "Drop votes here"),
    },
    "leaderboard": {
        "--left": ("Votes", "First items"),
        "--right": ("Votes", "Second items"),
        "--outcome": ("Votes", "Outcomes"),
        "--points": ("Votes", "Points of the first item"),
        "--counts": ("Votes", "How often it happened"),
        "--weights": ("Votes", "How much a row counts"),
        "--cluster": ("Votes", "Judges"),
        "--context": ("Votes", "Numbers that favour the first item"),
        "--smaller": ("Votes", "Tasks where smaller is better"),
        "--task": ("Votes", "Tasks: columns of scores"),
        "--side-advantage": ("Votes", "Being on the left may be an advantage"),
        "--smaller-is-better": ("Votes", "Smaller scores are better"),
        "--features": ("Votes", "Drop features of the items"),
        "--model": ("Votes", "Model"),
        "--alpha": ("Votes", "Comparisons with an average item"),
        "--level": ("Votes", "Level of intervals, %"),
        "--bootstrap": ("Votes", "Resamples"),
        "--out": ("Votes", "Drop comparisons here"),
    },
}  # fmt: skip
TERMINAL = "is about a terminal's output and files"
NOT_IN_STUDIO = {
    "--json": TERMINAL,
    "--quiet": TERMINAL,
    "--force": TERMINAL,
    "--formulas": "the studio's tables are opened in spreadsheets, where names must not run",
    "--require-file": "the lines of such a file are typed or pasted; sums have no names there",
    "--cluster": "data for a cluster are not uploaded to a page",
    "--trust": "uploaded model files are not read at all",
    "--top": "a page shows the first items, and downloads all",
}
LEFT_OUT = {
    "evaluate": "measures a model file, which the studio does not read; Compare holds items out",
    "rankers": "is the list of the select 'Ranker', with its parameters below",
    "reproduce": "is for researchers, and takes an hour",
    "studio": "starts the studio",
    **dict.fromkeys(("demo", "warm-up", "datasets", "version"), "is about the installation"),
}


def options():
    """Return the options of each command."""
    commands = typer.main.get_command(app).commands
    return {
        name: {
            next(text for text in one.opts if text.startswith("--"))
            for one in command.params
            if one.param_type_name == "option" and one.name != "help"
        }
        for name, command in commands.items()
    }


def test_every_command_is_in_the_studio_or_has_a_reason():
    assert options().keys() == IN_STUDIO.keys() | LEFT_OUT.keys()


@pytest.mark.parametrize("command", IN_STUDIO)
def test_every_option_is_in_the_studio_or_has_a_reason(command):
    here = IN_STUDIO[command]
    missing = options()[command] - here.keys() - NOT_IN_STUDIO.keys()
    assert not missing, f"{command} has {missing}: add them to the studio, or say here why not"
    assert here.keys() - READING.keys() <= options()[command]


def test_no_reason_is_left_without_an_option():
    there = set().union(*(options()[command] for command in IN_STUDIO))
    assert NOT_IN_STUDIO.keys() <= there


def test_the_controls_are_on_the_pages(cameras):
    for page in PAGES:
        go(cameras, page)
        wanted = {
            name for command in IN_STUDIO.values() for where, name in command.values()
            if where == page
        }  # fmt: skip
        assert wanted <= controls(cameras)
