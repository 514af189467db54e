"""Items looked up by their row numbers or by their names."""

import numpy as np
import pandas as pd
import pytest

from rankwright.data.names import row_numbers

TABLE = pd.DataFrame({"zoom": [3, 1, 2]}, index=["A", "B", 1])


@pytest.mark.parametrize(
    ("items", "rows"),
    [
        ([0, 2], [0, 2]),
        (np.array([2, 0], dtype=np.uint8), [2, 0]),
        ([np.int8(1), 0], [1, 0]),
        (["B", "A"], [1, 0]),
        (np.array(["B", "A"]), [1, 0]),
        (["A", 1], [0, 2]),  # beside a name a number is a name
        ([], []),
    ],
)
def test_whole_numbers_are_rows_and_all_else_are_names(items, rows):
    found = row_numbers(TABLE, items, "better")
    assert found.tolist() == rows
    assert found.dtype == np.int64


@pytest.mark.parametrize("items", [[True, 1], ["1"], [1.0, "A", None]])
def test_what_is_no_whole_number_is_looked_up_as_it_is(items):
    with pytest.raises(ValueError, match="which the index of the items does not have"):
        row_numbers(TABLE.set_axis(["A", "B", "C"]), items, "better")


@pytest.mark.parametrize(("items", "named"), [([0, 3, 7], 3), ([2, -1], -1)])
def test_the_first_row_that_is_not_there_is_named(items, named):
    with pytest.raises(ValueError, match=f"worse names row {named}, .* only rows 0 to 2"):
        row_numbers(TABLE, items, "worse")


def test_the_first_name_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="worse names 'X', which the index"):
        row_numbers(TABLE, ["B", "X", "A", "Y"], "worse")


def test_names_need_an_index_that_has_each_once():
    with pytest.raises(ValueError, match=r"names such as 'A'.*or use row numbers"):
        row_numbers(TABLE.to_numpy(), ["A", "B"], "better")
    twice = pd.DataFrame({"zoom": range(5)}, index=list("AABCC"))
    with pytest.raises(ValueError, match="has 'A' twice"):
        row_numbers(twice, ["B"], "better")
    assert row_numbers(twice, [1], "better").tolist() == [1]
