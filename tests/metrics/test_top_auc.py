from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import UndefinedMetricError, largest_top_auc, top_auc

quick = settings(max_examples=100, deadline=None)
grades = st.integers(0, 3)
lists = st.lists(st.tuples(grades, grades), min_size=2, max_size=9)
lists_with_order = lists.filter(lambda rows: len({y for y, _ in rows}) > 1)


def formula_2(y, f, top, emphasis):
    """The double sum of (2) for one subcategory."""
    n, value = len(y), 0
    for i in range(n):
        for k in range(n):
            rank = sum(f[i] > f[j] for j in range(n))
            value += (y[i] > y[k]) * (f[i] > f[k]) * (1 + emphasis * (rank >= n - top))
    return value


def formula_4(y, top, emphasis):
    """The double sum of (4) for one subcategory."""
    n, value = len(y), 0
    for i in range(n):
        for k in range(n):
            wins = sum(y[i] > y[j] for j in range(n))
            value += (y[i] > y[k]) * (1 + emphasis * (wins >= n - top))
    return value


@given(lists_with_order, st.integers(1, 10), st.sampled_from([0, 1.5, 9]))
@quick
def test_one_list_is_formula_2_over_formula_4(rows, top, emphasis):
    y, f = zip(*rows, strict=True)
    expected = formula_2(y, f, top, emphasis) / formula_4(y, top, emphasis)
    assert top_auc(y, f, top=top, emphasis=emphasis) == pytest.approx(expected)


@given(lists_with_order, lists, lists_with_order)
@quick
def test_subcategories_share_the_normalisation_of_their_category(first, second, third):
    tops, weights = {"a": 2, "b": 1, "c": 3}, {"own": 1.0, "other": 0.25}
    parts = dict(zip("abc", (first, second, third), strict=True))
    category = {"a": "own", "b": "own", "c": "other"}
    rows = [(name, category[name], *row) for name, part in parts.items() for row in part]
    np.random.default_rng(0).shuffle(rows)
    groups, categories, y, f = zip(*rows, strict=True)
    y, f = np.asarray(y, dtype=float), np.asarray(f, dtype=float)
    value = {
        name: formula_2(*zip(*part, strict=True), tops[name], 9) for name, part in parts.items()
    }
    norm = {name: formula_4([y for y, _ in part], tops[name], 9) for name, part in parts.items()}
    expected = (value["a"] + value["b"]) / (norm["a"] + norm["b"]) + 0.25 * value["c"] / norm["c"]
    options = {"top": tops, "categories": categories, "category_weights": weights}
    assert top_auc(y, f, groups, **options) == pytest.approx(expected)


@given(
    st.lists(grades, min_size=2, max_size=5).filter(lambda y: len(set(y)) > 1), st.integers(1, 3)
)
@settings(max_examples=15, deadline=None)
def test_largest_is_reached_and_never_exceeded(y, top):
    values = [
        formula_2(y, f, top, 9) / formula_4(y, top, 9)
        for f in product(range(len(y)), repeat=len(y))
    ]
    assert largest_top_auc(y, top=top) == pytest.approx(max(values))


def test_ties_in_the_published_ranks_exceed_the_printed_normalisation():
    # Chang et al. (2012), corrected: scores 2, 2, 1 with top 1 and θ = 9 reach 5.5.
    assert top_auc([2, 2, 1], [3, 2, 1], top=1, emphasis=9) == 5.5
    assert largest_top_auc([2, 2, 1], top=1, emphasis=9) == 5.5


def test_a_perfect_ranking_without_ties_has_the_sum_of_weights():
    y = [5, 4, 3, 2, 1, 2, 1]
    groups, categories = list("aaaaabb"), list("AAAAABB")
    options = {"top": 2, "categories": categories, "category_weights": {"A": 1, "B": 0.5}}
    assert top_auc(y, y, groups, **options) == largest_top_auc(y, groups, **options) == 1.5


def test_constant_scores_win_nothing():
    assert top_auc([1, 2, 3], [0, 0, 0], top=1) == 0.0


def test_without_emphasis_it_is_the_share_of_won_pairs():
    assert top_auc([4, 3, 2, 1], [4, 3, 1, 2], top=1, emphasis=0) == pytest.approx(5 / 6)


@pytest.mark.parametrize(("y", "categories"), [([1, 2, 3, 3], "AABB"), ([3, 3, 1, 2], "BBAA")])
def test_a_category_of_weight_zero_is_left_out(y, categories):
    options = {"top": 1, "categories": list(categories), "category_weights": {"A": 1, "B": 0}}
    assert top_auc(y, [1, 2, 3, 4], [0, 0, 1, 1], **options) == 1.0


def test_the_top_may_be_longer_than_the_list():
    assert largest_top_auc([1, 2, 3], top=5) == top_auc([1, 2, 3], [1, 2, 3], top=5) == 1.0


def test_the_largest_value_of_no_items_is_refused():
    with pytest.raises(ValueError, match=r"^y_true is empty"):
        largest_top_auc([], top=1)


def test_a_category_without_order_is_undefined():
    with pytest.raises(UndefinedMetricError, match="no two items"):
        top_auc([1, 1], [1, 2], top=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 0}, "top=0 for group"),
        ({"top": 1.5}, r"top=1\.5"),
        ({"top": {"a": 1}}, r"no entry for the group\(s\) \['b'\]"),
        ({"top": 1, "emphasis": -1}, "emphasis=-1"),
        ({"top": 1, "emphasis": np.inf}, "emphasis=inf"),
        ({"top": 1, "categories": list("AABA")}, "group 'b' is in the categories"),
        ({"top": 1, "categories": list("AAB")}, "categories has 3 entries"),
        ({"top": 1, "categories": ["A", "A", 1, 1]}, "categories mix int and str"),
        ({"top": 1, "category_weights": {}}, "use 0 to leave a category out"),
        ({"top": 1, "category_weights": {0: -2}}, r"category_weights\[0\] is -2"),
        ({"top": 1, "category_weights": {0: -0.5}}, r"category_weights\[0\] is -0\.5"),
        ({"top": 1, "category_weights": {0: np.inf}}, r"category_weights\[0\] is inf"),
    ],
)
def test_what_is_wrong_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        top_auc([1, 2, 3, 4], [1, 2, 3, 4], list("aabb"), **options)
