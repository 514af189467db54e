import numpy as np
import pandas as pd
import pytest

from rankwright.studies import beside, mean_and_error, published

OURS = pd.DataFrame({"size": [1, 2], "ours": [0.50, 0.80], "error": [0.01, 0.01]})


def test_standard_errors_are_those_of_the_mean():
    draws = np.random.default_rng(0).normal(size=50)
    frame = pd.DataFrame({"size": 1, "tau": draws})
    [row] = mean_and_error(frame, ["size"], "tau").to_dict("records")
    assert row["ours"] == pytest.approx(draws.mean())
    assert row["error"] == pytest.approx(draws.std(ddof=1) / np.sqrt(50))


def test_differences_are_judged_by_two_standard_errors():
    table = pd.DataFrame({"size": [1, 2], "tau": [0.519, 0.821]})
    compared = beside(OURS, table, on=["size"], value="tau")
    assert compared.difference.round(3).tolist() == [-0.019, -0.021]
    assert compared.inside.tolist() == [True, False]


def test_published_deviations_widen_the_interval():
    table = pd.DataFrame({"size": [2], "tau": [0.821], "std": [0.1]})
    [inside] = beside(
        OURS, table, on=["size"], value="tau", deviation="std", replications=100
    ).inside
    assert inside


def test_a_published_cell_without_counterpart_is_left_open():
    table = pd.DataFrame({"size": [3], "tau": [0.8]})
    compared = beside(OURS, table, on=["size"], value="tau")
    assert compared.ours.isna().all()
    assert compared.inside.isna().all()


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("pairwise-vs-pointwise-table1", 258),
        ("pairwise-transform", 4),
        ("ranking-forests-tables1-6", 194),
        ("reverse-engineering-tables1-3", 18),
        ("reverse-engineering-tables17-20", 48),
    ],
)
def test_published_tables_come_with_the_package(name, rows):
    assert len(published(name)) == rows
