import numpy as np
import pytest
from sklearn.base import clone

import rankwright as rw
from rankwright.data import sort_rows
from rankwright.linear import LeastSquaresRanker
from rankwright.linear.targets import TARGETS

Y = np.array([5.0, 3.0, 5.0, 9.0, 1.0, 1.0, 7.0])
GROUPS = np.array([0, 0, 0, 1, 1, 1, 1])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("score", [5, 3, 5, 9, 1, 1, 7]),
        ("rank", [3, 2, 3, 6, 0, 0, 5]),
        ("group_rank", [1, 0, 1, 3, 0, 0, 2]),
    ],
)
def test_targets_count_rows_strictly_below(name, expected):
    rows = sort_rows(np.zeros((7, 1)), Y, GROUPS)
    assert TARGETS[name](rows, np.ones(7, dtype=bool)).tolist() == expected


def test_only_counted_rows_make_up_the_overall_rank():
    rows = sort_rows(np.zeros((7, 1)), Y, GROUPS)
    assert TARGETS["rank"](rows, GROUPS == 0).tolist() == [1, 0, 1, 3, 0, 0, 3]


@pytest.mark.parametrize("target", ["score", "rank", "group_rank"])
def test_coefficients_minimise_the_papers_sum_of_squares(target):
    """Chang et al. (2012), section 6.1: the sum over subcategories of C_s/N_s squared errors."""
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(50, 3)), np.sort(rng.integers(0, 4, size=50))
    y = X @ [1.0, 2.0, -1.0] + rng.normal(size=50)
    categories = np.where(groups < 2, "A", "B")
    ranker = LeastSquaresRanker(target, category_weights={"B": 0.1}).fit(X, y, groups, categories)
    goal = TARGETS[target](sort_rows(X, y, groups), np.ones(50, dtype=bool))
    sizes = {name: np.sum(categories == name) for name in "AB"}
    weight = np.array([{"A": 1.0, "B": 0.1}[c] / sizes[c] for c in categories])
    design = np.column_stack([np.ones(50), X]) * np.sqrt(weight)[:, None]
    expected = np.linalg.lstsq(design, goal * np.sqrt(weight))[0]
    np.testing.assert_allclose(ranker.coef_, expected[1:])
    assert ranker.intercept_ == pytest.approx(expected[0])


def test_nonnegative_coefficients():
    X = np.random.default_rng(0).normal(size=(30, 2))
    ranker = LeastSquaresRanker(nonnegative=True).fit(X, X @ [1.0, -1.0])
    assert np.all(ranker.coef_ >= 0)


def test_a_bad_target_is_named():
    with pytest.raises(ValueError, match="target='place'; choose from"):
        LeastSquaresRanker("place").fit(np.zeros((2, 1)), [0, 1])


@pytest.mark.parametrize("ranker", [rw.ExpectedRankRegressor(), rw.LeastSquaresRanker()])
def test_units_of_features_do_not_matter(ranker):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X @ [1.0, 2.0]
    in_euros = X * [1e9, 1e-2]
    scores = ranker.fit(in_euros, y).predict(in_euros)
    assert rw.metrics.kendall_tau(y, scores) > 0.9


@pytest.mark.parametrize("unit", [1e-9, 1e6, 1e15])
@pytest.mark.parametrize(
    "ranker", [rw.LeastSquaresRanker("group_rank"), rw.ExpectedRankRegressor()], ids=["LS3", "ERR"]
)
def test_the_unit_of_one_feature_does_not_hide_the_others(ranker, unit):
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(200, 3)), np.repeat(np.arange(20), 10)
    seconds = 1.7e9 + rng.integers(0, 10**9, 200)
    y = X @ [1.0, -2.0, 0.5] + seconds / 1e9
    in_seconds = clone(ranker).fit(np.column_stack([X, seconds]), y, groups)
    in_units = clone(ranker).fit(np.column_stack([X, seconds * unit]), y, groups)
    expected = in_seconds.predict(np.column_stack([X, seconds]))
    found = in_units.predict(np.column_stack([X, seconds * unit]))
    np.testing.assert_allclose(found, expected, atol=1e-6)
