"""Run commands in a folder of their own, as a user would."""

import json as json_module
from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

from rankwright.cli.app import app
from rankwright.datasets import load_camera_ratings


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json_module.loads(self.out)


@pytest.fixture
def rankwright(tmp_path, monkeypatch):
    """Return a function that runs a command and returns its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments, stdin=None):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture(scope="session")
def ratings():
    return load_camera_ratings()


@pytest.fixture
def cameras(tmp_path, ratings):
    """Return the path of the bundled ratings, written as CSV."""
    path = tmp_path / "cameras.csv"
    ratings.table.to_csv(path, index=False)
    return path
