from dataclasses import replace

import pytest

from benchmarks.case import Case, Estimate, Task
from benchmarks.report import as_table, shown
from benchmarks.runner import run


def equal(name, ours, theirs):
    assert ours == theirs, name


def case(task):
    return Case("toy", "Does it run?", sizes=(1, 2), quick=(1,), prepare=lambda _: task, repeats=3)


def test_contenders_run_alternately_on_every_size():
    calls = []
    task = Task(
        ours=lambda: calls.append("ours"), peers={"peer": lambda: calls.append("peer")}, agree=equal
    )
    rows = list(run(case(task), quick=False))
    assert [(row.size, row.contender) for row in rows] == [
        (1, "rankwright"),
        (1, "peer"),
        (2, "rankwright"),
        (2, "peer"),
    ]
    assert calls == ["ours", "peer"] * 8  # two sizes, each one warming round and three clocked


def test_quick_runs_the_quick_size_once():
    calls = []
    task = Task(ours=lambda: calls.append(1), peers={}, agree=equal)
    assert [row.size for row in run(case(task), quick=True)] == [1]
    assert len(calls) == 1


def test_results_that_disagree_end_the_run():
    task = Task(ours=lambda: 1, peers={"peer": lambda: 2}, agree=equal)
    with pytest.raises(AssertionError, match="peer"):
        list(run(case(task), quick=True))


def test_the_ratio_is_the_peers_time_over_ours():
    task = Task(ours=lambda: sum(range(10)), peers={"peer": lambda: 45}, agree=equal)
    ours, peer = run(case(task), quick=True)
    assert ours.ratio == 1
    assert peer.ratio == pytest.approx(peer.seconds / ours.seconds)


def test_the_table_has_a_column_for_each_measure_and_names_who_was_skipped():
    task = Task(
        ours=lambda: 3.0,
        peers={},
        agree=equal,
        measures={"triple": lambda result: 3 * result},
        skipped={"peer": "not installed"},
    )
    table = as_table(run(case(task), quick=True))
    assert "| triple |" in table
    assert "| 9 |" in table
    assert "skipped: not installed" in table


def test_a_case_that_is_not_timed_has_no_times():
    task = Task(lambda: 3.0, {"peer": lambda: 3.0}, equal, {"triple": lambda result: 3 * result})
    table = as_table(run(replace(case(task), timed=False), quick=True))
    assert table.splitlines()[0] == "| size | contender | triple |"
    assert table.splitlines()[3] == "| 1 | peer | 9 |"


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (Estimate(0.0030623, 0.00088), "0.0031 ± 0.0009"),
        (Estimate(0.0030623, 0.00015), "0.00306 ± 0.00015"),
        (Estimate(-12.34, 3.4), "-12 ± 3"),
        (Estimate(412.0, 25.0), "412 ± 25"),
        (0.1234567, "0.123457"),
        (None, ""),
    ],
)
def test_a_number_has_the_digits_that_its_standard_error_bears(measure, text):
    assert shown(measure) == text
