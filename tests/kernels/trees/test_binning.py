import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels.trees.binning import assign_bins

VALUES = st.one_of(
    st.floats(allow_infinity=False), st.sampled_from([0.0, 1.0, 5e-324, 1.7e308, -1.7e308])
)


@pytest.mark.parametrize("assign", [assign_bins, assign_bins.py_func])
@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(VALUES, min_size=1, max_size=20),
    edges=st.sets(st.floats(allow_nan=False, allow_infinity=False), max_size=8).map(sorted),
)
def test_a_bin_is_the_number_of_edges_below_the_value(assign, values, edges):
    bins = np.empty(len(values), dtype=np.uint8)
    assign(np.array(values), np.array(edges, dtype=np.float64), bins)
    expected = np.searchsorted(edges, values, side="left")
    expected[np.isnan(values)] = len(edges) + 1
    np.testing.assert_array_equal(bins, expected)
