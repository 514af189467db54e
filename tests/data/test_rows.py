import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwright.data import group_of_row, group_rows, row_weights, sort_rows
from rankwright.data.rows import as_labels

labels = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=30)


@given(labels)
def test_every_group_is_one_contiguous_block_of_its_own_rows(groups):
    grouping = group_rows(groups, len(groups))
    sorted_groups = grouping.sort(np.array(groups, dtype=object))
    for g, label in enumerate(grouping.labels):
        block = sorted_groups[grouping.offsets[g] : grouping.offsets[g + 1]]
        assert len(block) == groups.count(label)
        assert set(block) == {label}


@given(labels)
def test_unsort_undoes_sort(groups):
    grouping = group_rows(groups, len(groups))
    values = np.arange(len(groups))
    np.testing.assert_array_equal(grouping.unsort(grouping.sort(values)), values)


def test_rows_keep_their_order_inside_a_group():
    rows = sort_rows(np.arange(5.0)[:, None], np.zeros(5), ["b", "a", "b", "a", "b"])
    assert rows.X[:, 0].tolist() == [1, 3, 0, 2, 4]
    assert rows.order.tolist() == [1, 3, 0, 2, 4]


@pytest.mark.parametrize("groups", [None, [0, 0, 1, 1], ["b", "b", "a", "a"]])
def test_contiguous_groups_are_not_copied(groups):
    X = np.arange(8.0).reshape(4, 2)
    rows = sort_rows(X, np.arange(4.0), groups)
    assert rows.X is X
    assert rows.order is None


def test_labels_follow_the_blocks_when_groups_are_contiguous_but_not_sorted():
    assert group_rows(["b", "b", "a"], 3).labels.tolist() == ["b", "a"]


def test_weights_are_sorted_with_the_rows():
    rows = sort_rows(np.zeros((3, 1)), np.zeros(3), [1, 0, 1], np.array([1.0, 2.0, 3.0]))
    assert rows.weights.tolist() == [2.0, 1.0, 3.0]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], "groups has 2 entries but there are 3 rows"),
        ([], "groups has 0 entries but there are 3 rows"),
        ([("a", 1), ("b", 2), "c"], "groups mix str and tuple"),
        ([[1], [2], [3]], "groups has shape"),
        ([1.0, np.nan, 2.0], "1 missing values, the first in row 1"),
        (["a", None, "b"], "1 missing values, the first in row 1"),
        ([np.nan, "a", "b"], "1 missing values, the first in row 0"),
        (("a", "b", float("nan")), "1 missing values, the first in row 2"),
        (["a", 1, 2], "groups mix int and str"),
        (pd.Series(["a", "b", pd.NA]), "1 missing values, the first in row 2"),
        (np.array(["NaT", "2020-01-01", "NaT"], dtype="M8[D]"), "2 missing values, .* in row 0"),
        (3, r"groups has shape \(\); give one label for each row"),
        (np.array(["a", 1, 2], dtype=object), "groups mix int and str"),
    ],
)
def test_bad_groups_are_named(groups, message):
    with pytest.raises(ValueError, match=message):
        group_rows(groups, 3)


@given(labels)
def test_the_group_of_each_sorted_row_is_that_of_its_label(groups):
    grouping = group_rows(groups, len(groups))
    sorted_groups = grouping.sort(np.array(groups, dtype=object))
    np.testing.assert_array_equal(grouping.labels[grouping.group_of_row], sorted_groups)
    np.testing.assert_array_equal(group_of_row(grouping.offsets), grouping.group_of_row)


@pytest.mark.parametrize(
    ("groups", "rows"),
    [
        (None, [[0, 1, 2, 3]]),
        (["b", "b", "a", "c"], [[0, 1], [2], [3]]),
        (["b", "a", "b", "c"], [[1], [0, 2], [3]]),
    ],
)
def test_the_rows_of_each_group_are_numbers_of_the_input(groups, rows):
    assert [found.tolist() for found in group_rows(groups, 4).rows()] == rows


def test_rows_of_a_frame_are_sorted_by_place_whatever_its_index():
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=[2, 0, 1])
    assert sort_rows(frame, np.zeros(3), [1, 0, 1]).X["x"].tolist() == [2, 1, 3]


def test_many_rows_keep_their_order_inside_a_group():
    groups = np.tile([1, 0], 500)
    assert group_rows(groups, 1000).order.tolist() == [*range(1, 1000, 2), *range(0, 1000, 2)]


def test_labels_are_the_names_themselves():
    labels = group_rows(np.array(["b", "a", "b"]), 3).labels
    assert labels.dtype == object
    assert labels.tolist() == ["a", "b"]
    assert group_rows([2, 1, 2], 3).labels.dtype.kind == "i"
    without = group_rows(None, 3).labels
    assert without.dtype == np.int64
    assert without.tolist() == [0]


def test_an_error_names_the_argument_by_the_name_it_was_given():
    with pytest.raises(ValueError, match="voters has 1 entries"):
        group_rows([1], 3, "voters")
    with pytest.raises(ValueError, match="groups has 1 entries"):
        as_labels([1], 3)


def test_rows_without_weights_weigh_one_each():
    X, y = np.zeros((2, 1)), np.zeros(2)
    assert row_weights(sort_rows(X, y)).tolist() == [1, 1]
    assert row_weights(sort_rows(X, y, weights=np.array([2.0, 3.0]))).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("groups", "order", "offsets", "labels"),
    [
        (None, [0, 2, 4], [0, 3], [0]),
        ([*"bbaaa"], [0, 2, 4], [0, 1, 3], ["b", "a"]),
        ([*"babab"], [0, 2, 4], [0, 3], ["b"]),
        ([*"bbaab"], [2, 0, 4], [0, 1, 3], ["a", "b"]),
    ],
)
def test_rows_of_weight_zero_are_left_out_and_the_others_keep_their_numbers(
    groups, order, offsets, labels
):
    y = np.arange(5.0)
    rows = sort_rows(y[:, None], y, groups, np.array([0.5, 0.0, 1.0, 0.0, 3.0]))
    assert rows.order.tolist() == rows.given.tolist() == order
    assert rows.X[:, 0].tolist() == rows.y.tolist() == order
    assert rows.weights.tolist() == [{0: 0.5, 2: 1.0, 4: 3.0}[row] for row in order]
    assert rows.offsets.tolist() == offsets
    assert rows.labels.tolist() == labels
    assert rows.n_given == 5


def test_rows_that_all_weigh_something_are_not_copied():
    X = np.arange(8.0).reshape(4, 2)
    rows = sort_rows(X, np.arange(4.0), None, np.array([0.25, 0.5, 1.0, 2.0]))
    assert rows.X is X
    assert rows.order is None
    assert rows.given.tolist() == [0, 1, 2, 3]
    assert rows.n_given == 4


def test_labels_are_counted_before_rows_of_weight_zero_are_left_out():
    with pytest.raises(ValueError, match="groups has 1 entries but there are 2 rows"):
        sort_rows(np.zeros((2, 1)), np.zeros(2), [1], np.array([0.0, 1.0]))


def objects(values):
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


PAIRS = [("b", 1), ("a", 2), ("b", 1), ("a", 1)]


@pytest.mark.parametrize(
    ("groups", "labels"),
    [
        (PAIRS, [("a", 1), ("a", 2), ("b", 1)]),
        (tuple(PAIRS), [("a", 1), ("a", 2), ("b", 1)]),
        (objects(PAIRS), [("a", 1), ("a", 2), ("b", 1)]),
        (pd.MultiIndex.from_tuples(PAIRS), [("a", 1), ("a", 2), ("b", 1)]),
        (np.array(PAIRS, dtype="U1,i8"), [("a", 1), ("a", 2), ("b", 1)]),
        ([("b",), ("a", 2), ("b",), ("a", 1)], [("a", 1), ("a", 2), ("b",)]),
        (np.array([b"b", b"c", b"b", b"a"], dtype="V1"), [b"a", b"b", b"c"]),
        (["b\0b", "b\0c", "b\0b", "a"], ["a", "b\0b", "b\0c"]),
    ],
)
def test_tuples_and_records_are_labels_in_whatever_they_come(groups, labels):
    grouping = group_rows(groups, 4)
    assert grouping.labels.tolist() == labels
    assert [0, 2] in [rows.tolist() for rows in grouping.rows()]


@pytest.mark.parametrize("last", [-1, 0.5])
def test_large_labels_of_a_list_are_not_merged_by_rounding(last):
    groups = [2**63 + place // 2 for place in range(6)] + [last]
    assert group_rows(groups, 7).labels.tolist() == [2**63, 2**63 + 1, 2**63 + 2, last]


def test_a_label_and_its_equal_of_another_type_are_one_group():
    assert group_rows(objects([1, 2, 1.0, True]), 4).offsets.tolist() == [0, 3, 4]


@pytest.mark.parametrize(
    ("groups", "kind"),
    [
        ([frozenset([1]), frozenset([2]), frozenset([1])], "frozenset"),
        ([(1, np.nan), (1, 2.0), (1, 1.0)], "tuple"),
        ([[1], [2], [1]], "list"),
        ([{"a": 1}] * 3, "dict"),
    ],
)
def test_labels_without_an_order_of_all_are_refused_and_not_merged(groups, kind):
    message = f"groups are of type {kind}, which can't be told .* tuples of these"
    with pytest.raises(ValueError, match=message):
        group_rows(objects(groups), 3)


def test_lists_of_several_lengths_are_no_labels():
    with pytest.raises(ValueError, match="groups holds lists; give one value for each row"):
        group_rows([[1], [1, 2], [1]], 3)
