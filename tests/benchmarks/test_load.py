import json
import subprocess
import sys
import time

import psutil
import pytest

from benchmarks import load, page, report
from benchmarks.case import Case
from benchmarks.runner import Measurement

CASE = Case("toy", "Does it run?", sizes=(1,), quick=(1,), prepare=lambda _: None)


def clocks(monkeypatch, *, elapsed, busy, own):
    """Let the three clocks stand still at 100, and go on by so many seconds when asked again."""
    for module, name, seconds in [
        (time, "perf_counter", elapsed),
        (load, "_busy", busy),
        (load, "_own", own),
    ]:
        readings = iter([100.0, 100.0 + seconds])
        monkeypatch.setattr(module, name, lambda readings=readings: next(readings))


def test_the_load_of_others_is_what_was_busy_less_what_the_case_took(monkeypatch):
    clocks(monkeypatch, elapsed=10, busy=18, own=13)
    assert load.watch()() == pytest.approx(0.5)


def test_rounding_of_the_clocks_is_no_negative_load(monkeypatch):
    clocks(monkeypatch, elapsed=10, busy=12.9, own=13)
    assert load.watch()() == 0


def test_own_work_is_counted():
    before = load._own()
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
    assert load._own() - before >= 0.03


def test_work_of_a_process_that_still_runs_is_counted():
    spin = "while True: pass"
    with subprocess.Popen([sys.executable, "-c", spin]) as child:
        before = load._own()
        while psutil.Process(child.pid).cpu_times().user < 0.1:
            time.sleep(0.01)
        after = load._own()
        child.kill()
    assert after - before >= 0.05


@pytest.mark.parametrize(
    ("others", "quiet", "said"),
    [(0.04, True, "Quiet: others kept 0.04 of"), (1.5, False, "Disturbed: others kept 1.5 of")],
)
def test_the_page_says_under_what_load_a_case_ran(tmp_path, monkeypatch, others, quiet, said):
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(report, "PAGE", tmp_path / "benchmarks.md")
    assert not report.was_quiet(CASE)  # never measured
    report.store(CASE, [Measurement(1, "rankwright", 0.5, 1.0, {})], others)
    page.write_page()
    assert report.was_quiet(CASE) is quiet
    assert said in (tmp_path / "benchmarks.md").read_text()


def test_results_without_a_load_are_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    (tmp_path / "toy.json").write_text(json.dumps({"case": "toy"}))
    assert not report.was_quiet(CASE)
