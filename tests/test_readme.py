"""What the README shows works."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_leads_somewhere(target):
    assert (ROOT / target).exists()


@pytest.mark.parametrize("command", re.findall(r"rankwright (\w+ [^`\n]*)", README))
def test_the_commands_take_the_options_shown(command):
    from rankwright.cli.app import app

    name, *arguments = shlex.split(command)
    help_text = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200"}).output
    options = [argument for argument in arguments if argument.startswith("--")]
    assert all(option in help_text for option in options)
