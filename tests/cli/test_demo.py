import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rankwright as rw
from rankwright.cli.app import app
from rankwright.cli.demo import _activation

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory):
    """Run the demonstration once; return its folder and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    return folder, CliRunner().invoke(app, ["demo", "--out", str(folder)])


def test_the_true_formula_is_recovered(demonstration):
    folder, answer = demonstration
    assert answer.exit_code == 0, answer.stderr
    assert "proved" in answer.stdout
    ratings, formula = rw.datasets.load_camera_ratings(), rw.load(folder / "report.rw")
    scale = formula.weights_ @ ratings.weights / (ratings.weights @ ratings.weights)
    assert formula.weights_ == pytest.approx(scale * ratings.weights.to_numpy(), abs=0.03)


def test_the_report_is_written(demonstration):
    folder, _ = demonstration
    page = (folder / "report.html").read_text()
    assert "All 200 products are in their published place, tie or band." in page


def test_the_plan_reaches_the_top_three(demonstration):
    _, answer = demonstration
    assert "from position 11 to 3" in answer.stdout
    assert "Better lens" in answer.stdout


def test_the_commands_of_the_readme_print_what_it_shows(demonstration, rankwright, monkeypatch):
    folder, _ = demonstration
    monkeypatch.chdir(folder)
    commands, shown = re.search(
        r"```sh\n(rankwright reverse .*?)```\n\n```\n(.*?)```", README, re.DOTALL
    ).groups()
    printed = [
        line.rstrip()
        for command in commands.splitlines()
        for line in rankwright(*shlex.split(command)[1:]).out.splitlines()
    ]
    assert [line for line in shown.splitlines() if line not in ["...", *printed]] == []


def test_the_commands_that_it_names_work(demonstration, rankwright, monkeypatch):
    folder, answer = demonstration
    lines = answer.stdout.splitlines()
    commands = [line.strip() for line in lines if line.startswith("  rankwright ")]
    monkeypatch.chdir(folder)
    assert len(commands) == 3
    for command in commands[1:]:  # the first is what the demonstration did
        assert rankwright(*shlex.split(command)[1:]).code == 0, command


def test_a_shell_that_does_not_find_the_commands_is_told_how(monkeypatch, tmp_path):
    script = tmp_path / "bin" / "activate"
    script.parent.mkdir()
    script.touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    assert _activation() == [f"  . {script}"]
    (tmp_path / "bin" / "rankwright").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(script.parent))
    assert _activation() == []


def test_nothing_is_overwritten(demonstration, rankwright):
    folder, _ = demonstration
    assert rankwright("demo", "--out", folder).code == 1
