import io
import re
import sys

import numba

from rankwright.cli.output import Output
from rankwright.reverse import Step


class Terminal(io.StringIO):
    """A terminal whose output can be read."""

    encoding = "utf-8"

    def isatty(self):
        return True


def shown_by(monkeypatch, display):
    """Return what a display writes to a terminal: its lines, as each was at its end."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stderr", Terminal())
    stream = sys.stderr
    display()
    lines = re.sub(r"\x1b\[[\d;?]*[A-JL-Za-z]", "", stream.getvalue()).split("\n")
    return [re.split(r"\r|\x1b\[2K", line)[-1] for line in lines]


def test_the_first_compilation_is_announced_with_its_time(capsys):
    with Output().progress("Working", compiling=30):
        numba.njit(lambda x: 7 * x)(2)
    said = " ".join(capsys.readouterr().err.split())
    assert "Compiling what this machine has not needed so far" in said
    assert "up to about 30 seconds" in said


def test_silence_is_kept_about_compiling_too(capsys):
    with Output(quiet=True).progress("Working", compiling=30):
        numba.njit(lambda x: 8 * x)(2)
    assert capsys.readouterr().err == ""


def test_compiling_is_announced_above_what_moves(monkeypatch):
    def display():
        with Output().progress("Working", compiling=30):
            numba.njit(lambda x: 9 * x)(2)

    lines = shown_by(monkeypatch, display)
    assert any(line.startswith("Compiling what this machine") for line in lines)


def test_notes_stand_above_what_moves(monkeypatch):
    def display():
        output = Output()
        with output.progress("Working"):
            output.note("Something was noticed")

    assert "Something was noticed" in shown_by(monkeypatch, display)


def test_a_step_that_takes_longer_than_planned_says_how_long(monkeypatch):
    def display():
        with Output().steps(compiling=0) as show:
            show(Step("Proving", seconds=-1.0))

    lines = shown_by(monkeypatch, display)
    assert any("Proving" in line and "0 s" in line for line in lines)
    assert not any(" of " in line for line in lines)


def test_notes_are_kept_apart_from_the_result(capsys):
    output = Output(json=True)
    output.note("Guessed: something")
    output.show("for people only")
    output.result(answer=42)
    printed = capsys.readouterr()
    assert printed.out == '{\n  "answer": 42\n}\n'
    assert printed.err == "Guessed: something\n"


def test_nobody_is_asked_when_the_answer_is_for_machines():
    assert not Output(json=True).can_ask
    assert not Output(quiet=True).can_ask
