import numpy as np
import pytest

from rankwright.data.levels import sort_levels


def test_levels_are_runs_of_equal_y_inside_a_group_worst_first():
    y = np.array([2.0, 1.0, 2.0, 2.0, 2.0, 0.0])
    levels = sort_levels(y, np.array([0, 3, 6]))
    assert levels.order.tolist() == [1, 0, 2, 5, 3, 4]
    assert levels.offsets.tolist() == [0, 1, 3, 4, 6]
    assert levels.groups.tolist() == [0, 2, 4]
    assert levels.of_row.tolist() == [0, 1, 1, 2, 3, 3]


@pytest.mark.parametrize("n_rows", [1000, 60_000])
def test_rows_of_a_level_keep_their_order(n_rows):
    levels = sort_levels(np.tile([1.0, 0.0], n_rows // 2), np.array([0, n_rows]))
    assert levels.order.tolist() == [*range(1, n_rows, 2), *range(0, n_rows, 2)]
