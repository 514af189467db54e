import numpy as np
import pytest

from rankwright.data.vectors import one_for_each, weight_of_each


@pytest.mark.parametrize(
    ("values", "n", "said"),
    [
        ([1, 2], 3, r"costs have shape \(2,\); give one for each item, 3 in all$"),
        ([[1], [2]], 2, r"costs have shape \(2, 1\); give one for each item, 2 in all$"),
        ([[1], [2]], None, r"costs have shape \(2, 1\); give one for each item$"),
        (1.0, None, r"costs have shape \(\); give one for each item$"),
        (["dear"], 1, r"costs are not numbers \(.*dear.*\); give one for each item$"),
    ],
)
def test_what_is_no_list_of_numbers_is_refused_in_words(values, n, said):
    with pytest.raises(ValueError, match=said):
        one_for_each("costs", values, n, "item")


def test_numbers_come_back_as_they_are():
    assert one_for_each("costs", [2, -1, np.inf], None, "item").tolist() == [2, -1, np.inf]


def test_weights_may_be_small_and_zero():
    assert weight_of_each("weights", [0.0, 0.5, 2.0], 3, "voter").tolist() == [0, 0.5, 2]


@pytest.mark.parametrize("wrong", [-0.5, np.inf, -np.inf, np.nan])
def test_the_first_weight_that_is_none_is_named(wrong):
    with pytest.raises(ValueError, match=f"voter 1 has weight {wrong} in weights; weights are fin"):
        weight_of_each("weights", [1.0, wrong, -1.0], 3, "voter")
