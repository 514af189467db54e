import numpy as np
import pytest

from rankwright.data.float_range import check_row_counts, check_weight_sizes


def test_weights_count_rows_from_a_millionth_to_a_hundred_million():
    check_row_counts("weights", np.array([0.4, 0.1]))
    check_row_counts("weights", np.array([9e7, 1e7]))
    check_row_counts("weights", np.array([1e-6]))
    with pytest.raises(ValueError, match=r"weights adds up to 5e-07: .*; give larger weights"):
        check_row_counts("weights", np.array([4e-7, 1e-7]))
    with pytest.raises(ValueError, match=r"weights adds up to 1\.1e\+08: .*; give smaller weights"):
        check_row_counts("weights", np.array([9e7, 2e7]))
    check_row_counts("weights", np.array([9e7, 2e7]), np.inf)
    check_row_counts("weights", np.zeros(2))


@pytest.mark.parametrize("extreme", [1e101, 1e-101])
def test_a_weight_whose_products_are_no_numbers_is_named(extreme):
    check_weight_sizes("weights", np.array([0.0, 1e-100, 1e100]), "pair")
    with pytest.raises(ValueError, match=r"weights is 1e[+-]101 in pair 1; give weights between"):
        check_weight_sizes("weights", np.array([0.0, extreme, extreme]), "pair")
