"""What the process of a job says, looked at from inside."""

import importlib
import os
import signal
import sys
from types import SimpleNamespace

import numba
import pytest

import studio_tasks
from rankwright.studio import jobs
from rankwright.studio.jobs import NOTHING, JobState, Moment, Note, Progress


@pytest.fixture
def perform(monkeypatch):
    """Return what performs a task here, and returns the news it sent."""
    monkeypatch.setattr(jobs, "_end_with", lambda lifeline: None)
    before = signal.getsignal(signal.SIGINT)

    def perform(task, request):
        news = []
        jobs._perform(task, request, SimpleNamespace(send=news.append), None)
        return news

    yield perform
    signal.signal(signal.SIGINT, before)


def test_news_come_before_the_value(perform):
    told = [Progress("Doubling", 0.5), Moment(1.0, 0.5, 0.75), Note("twice")]
    assert perform(studio_tasks.double, 21) == [*told, (JobState.DONE, 42, "")]
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # half a value would be none


def test_a_warning_is_a_note_of_its_first_line(perform):
    assert perform(studio_tasks.warn, None)[0] == Note("be careful")


def raised(error):
    def task(request, tell):
        raise error

    return task


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (KeyboardInterrupt(), (JobState.STOPPED, None, NOTHING)),
        (ValueError("give a number"), (JobState.FAILED, None, "give a number")),
        (OSError(), (JobState.FAILED, None, "OSError")),
        (MemoryError(), (JobState.FAILED, None, "There is not enough memory for this table.")),
        (KeyError("x"), (JobState.CRASHED, None, "An error inside: KeyError: 'x'")),
    ],
)
def test_every_end_of_a_task_is_told(perform, error, end):
    assert perform(raised(error), None) == [end]


def test_a_task_says_once_that_it_compiles(perform):
    def compile_twice(request, tell):
        for add in (lambda x: x + 1, lambda x: x + 2):
            numba.njit(add)(1)

    assert perform(compile_twice, None) == [jobs.COMPILING, (JobState.DONE, None, "")]


def test_a_task_without_compiled_code_says_nothing_of_it(perform, monkeypatch):
    monkeypatch.delitem(sys.modules, "numba")
    assert perform(lambda request, tell: 3, None) == [(JobState.DONE, 3, "")]


def test_a_process_ends_with_the_page_that_began_it(monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    lifeline, held = jobs.CONTEXT.Pipe(duplex=False)
    held.close()
    jobs._end_with(lifeline)
    assert ended == [1]


@pytest.mark.parametrize("name", jobs.PRELOADED)
def test_the_server_of_processes_can_import_what_it_is_to_have_ready(name):
    assert importlib.import_module(name)


def test_processes_are_made_ready_once(monkeypatch):
    submitted = []
    monkeypatch.setattr(jobs.CONTEXT, "set_forkserver_preload", lambda modules: None)
    line = jobs.Jobs(1)
    monkeypatch.setattr(line, "submit", lambda task, request, at_once: submitted.append(at_once))
    line.warm_up()
    line.warm_up()
    assert submitted == ([True] if jobs.METHOD == "forkserver" else [])
    assert jobs._nothing(None, submitted.append) is None
