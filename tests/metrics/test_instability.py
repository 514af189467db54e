import numpy as np
import pytest

from rankwright.metrics import instability


def brute_distance(x, y):
    n, total = len(x), 0
    for i in range(n):
        for j in range(i):
            opposite = (x[i] - x[j]) * (y[i] - y[j]) < 0
            total += opposite + ((x[i] == x[j]) != (y[i] == y[j])) / 2
    return 2 * total / (n * (n - 1))


def test_instability_is_the_mean_distance_of_all_pairs_of_refits():
    lists = np.random.default_rng(0).integers(0, 4, (5, 12))
    distances = [brute_distance(lists[b], lists[c]) for b in range(5) for c in range(b)]
    assert instability(lists) == pytest.approx(2 / (5 * 4) * sum(distances))


def test_equal_and_constant_rankings_are_stable_and_reversed_ones_are_not():
    assert instability([[1, 2, 3], [10, 20, 30]]) == 0.0
    assert instability([[1, 1, 1], [2, 2, 2]]) == 0.0
    assert instability([[1, 2, 3], [3, 2, 1]]) == 1.0


def test_two_items_have_an_order():
    assert instability([[1, 2], [2, 1]]) == 1.0


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([[1, 2, 3]], "two or more refits"),
        ([1, 2, 3], "two or more refits"),
        ([[1, 2], [1, np.nan]], r"score_lists\[1\]\[1\] is nan"),
        ([[1], [2]], "two items"),
    ],
)
def test_what_is_not_a_table_of_refits_is_refused(lists, message):
    with pytest.raises(ValueError, match=message):
        instability(lists)
