import json
from pathlib import Path

from benchmarks import beyond_memory
from benchmarks.cluster_scale import Constants, measured, simulate, table

CONSTANTS = Constants(row_feature=4e-9, task=5e-4, bandwidth=1e9, latency=3e-3)
PAGE = Path(__file__).parents[2] / "docs" / "scale.md"


def test_twice_the_workers_halve_the_computing_and_not_the_scheduling():
    few, many = (simulate(1e9, 20, n, 4000, CONSTANTS) for n in (100, 200))
    assert 0.45 < many.compute / few.compute < 0.6
    assert many.schedule == few.schedule


def test_the_tree_has_a_level_for_each_factor_of_its_fan_in():
    one, two = (simulate(1e6, 20, 1, n, CONSTANTS).reduce for n in (16, 256))
    assert two == 2 * one


def test_the_page_shows_what_follows_from_the_measured_constants():
    page = PAGE.read_text(encoding="utf-8")
    assert "\n".join(table()) in page
    assert f"{1e3 * measured().task:.2f} ms of processor time" in page


def test_the_page_shows_the_stored_run_beyond_memory():
    page = PAGE.read_text(encoding="utf-8")
    stored = json.loads(beyond_memory.STORED.read_text(encoding="utf-8"))
    assert max(stored["worker_peaks"]) < stored["worker_limit"]
    assert stored["same_workers"]
    assert f"fitted in {stored['fit_seconds']:.0f} s" in page
    assert f"was {max(stored['worker_peaks']) / 1e9:.2f} GB" in page
