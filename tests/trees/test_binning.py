import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.trees.binning import QUANTILE_ROWS, bin_features, find_edges


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=30))
def test_few_distinct_values_get_a_bin_each(values):
    column = np.array(values)
    bins = bin_features(column[:, np.newaxis], np.array([False]), 255)
    distinct, ranks = np.unique(column, return_inverse=True)
    assert bins.n_bins[0] == distinct.size
    np.testing.assert_array_equal(bins.codes[0], ranks)


def test_many_values_get_bins_of_equal_weight():
    values = np.random.default_rng(0).normal(size=10_000)
    edges = find_edges(values, 100)
    assert edges.size == 99
    counts = np.histogram(values, bins=[-np.inf, *edges, np.inf])[0]
    np.testing.assert_allclose(counts, 100, atol=2)


def test_weights_move_the_quantiles():
    values = np.arange(1000.0)
    weights = np.where(values < 100, 10.0, 1.0)
    edges = find_edges(values, 19, weights)
    assert (edges < 100).sum() == 10


def test_a_weight_is_a_number_of_copies():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=500), rng.integers(1, 4, size=500)
    np.testing.assert_array_equal(
        find_edges(values, 30, weights.astype(float)), find_edges(np.repeat(values, weights), 30)
    )


def test_a_long_column_of_few_values_keeps_every_value():
    column = np.zeros(2 * QUANTILE_ROWS)
    column[7] = 1.0  # hardly ever in a sample
    np.testing.assert_array_equal(find_edges(column, 255), [0.5])


def test_missing_values_get_the_last_bin_and_constant_columns_a_single_one():
    X = np.array([[1.0, np.nan, 5.0], [np.nan, np.nan, 5.0], [2.0, np.nan, 5.0]])
    bins = bin_features(X, np.zeros(3, dtype=bool), 255)
    np.testing.assert_array_equal(bins.n_bins, [2, 1, 1])
    np.testing.assert_array_equal(bins.codes, [[0, 2, 1], [1, 1, 1], [0, 0, 0]])


def test_categories_keep_their_numbers():
    X = np.array([[0.0], [3.0], [1.0]])
    bins = bin_features(X, np.array([True]), 2)
    np.testing.assert_array_equal(bins.codes, [[0, 3, 1]])
    assert bins.n_bins[0] == 4
