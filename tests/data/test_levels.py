import numpy as np

from rankwright.data.levels import sort_levels


def test_levels_are_runs_of_equal_y_inside_a_group_worst_first():
    y = np.array([2.0, 1.0, 2.0, 2.0, 2.0, 0.0])
    levels = sort_levels(y, np.array([0, 3, 6]))
    assert levels.order.tolist() == [1, 0, 2, 5, 3, 4]
    assert levels.offsets.tolist() == [0, 1, 3, 4, 6]
    assert levels.groups.tolist() == [0, 2, 4]
    assert levels.of_row.tolist() == [0, 1, 1, 2, 3, 3]


def test_rows_of_a_level_keep_their_order():
    levels = sort_levels(np.tile([1.0, 0.0], 500), np.array([0, 1000]))
    assert levels.order.tolist() == [*range(1, 1000, 2), *range(0, 1000, 2)]
