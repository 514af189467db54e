import shlex
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

from rankwright.cli.repeated import given_options


def said(*arguments, **options):
    """Return what a small command says it was given."""
    app, heard = typer.Typer(), []

    @app.command()
    def command(
        context: typer.Context,
        table: Path,
        where: Annotated[list[str] | None, typer.Option("--where")] = None,
        checks: Annotated[bool, typer.Option("--checks/--no-checks")] = True,
        each: Annotated[bool, typer.Option("--each-group")] = False,
        out: Annotated[list[Path] | None, typer.Option("--out", "-o")] = None,
        time: Annotated[float, typer.Option("--time")] = 60.0,
        item: Annotated[str | None, typer.Option("--item")] = None,
    ):
        heard.append(given_options(context, **options))

    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return heard[0]


def test_nothing_given_is_nothing_repeated():
    assert said("t.csv") == ""


def test_what_was_given_is_repeated_and_quoted_for_the_shell():
    given = ["--where", "year = 2015", "--where", "a != 'b'", "--no-checks", "--each-group"]
    given += ["--out", "my report.html"]
    assert shlex.split(said("t.csv", *given)) == given


def test_a_value_with_a_dash_stays_a_value():
    assert said("t.csv", "--item=-name") == " --item=-name"


def test_options_are_left_out_or_renamed_for_another_command():
    given = ["--item", "name", "--time", "5"]
    assert said("t.csv", *given, without=["time"]) == " --item name"
    assert said("t.csv", *given, only={"item": "--item-column"}) == " --item-column name"
