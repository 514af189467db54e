"""A study in a file of its own, as a user would write one."""

import subprocess
import sys

import pytest

STUDY = '''
"""A study of nothing, whose trials leave a trace."""

import time
from pathlib import Path

import rankwright as rw
from rankwright.studies import Experiment, Study, Verdict, mean_and_error


def measure(rng, size, pause, trace):
    time.sleep(pause)
    if trace:
        Path(trace, f"{time.time_ns()}-{size}").touch()
    return {"mean": float(rng.normal(size=size).mean()), "draws": rng.random(3).tolist()}


def plan(settings):
    grid = [{"size": size, "pause": PAUSE, "trace": TRACE} for size in (1, 10, 100)]
    return [Experiment("means", measure, grid, replications=settings.repeat(8, quick=2))]


def write(results, page):
    means = mean_and_error(results.frame("means"), ["size"], "mean")
    page.table("means", means, "Means of normal numbers")
    page.figure("means", rw.plots.plot_curves(means.set_index("size")[["ours"]]), "Means")
    smaller = abs(means.ours.iloc[-1]) < abs(means.ours.iloc[0])
    page.claim("Larger means are smaller", Verdict.of(float(smaller)), "By the square root.")


STUDY = Study("nothing", "Nothing", "Nobody, 1900.", plan, write)
'''

RUN = """
import sys
from pathlib import Path
from rankwright.studies import find_study, reproduce
reproduce([find_study(sys.argv[1])], Path(sys.argv[2]), jobs=2)
"""


@pytest.fixture
def study_file(tmp_path, monkeypatch):
    """Return a function that writes the study to a file."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(pause=0.0, trace=""):
        sys.modules.pop("study_of_nothing", None)
        path = tmp_path / "study_of_nothing.py"
        path.write_text(STUDY.replace("PAUSE", repr(pause)).replace("TRACE", repr(str(trace))))
        return path

    return write


@pytest.fixture
def start_run():
    """Return a function that starts a run in a process group of its own."""
    started = []

    def start(study, folder):
        command = [sys.executable, "-c", RUN, str(study), str(folder)]
        process = subprocess.Popen(
            command, start_new_session=True, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stderr.close()
