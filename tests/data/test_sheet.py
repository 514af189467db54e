"""Columns of a sheet: which there are, and their cells as texts and as numbers."""

import numpy as np
import pandas as pd
import pytest

from rankwright.data.cells import Cells
from rankwright.data.rated_rows import printed_ranks
from rankwright.data.sheet import (
    are_empty,
    cell,
    cells,
    distinct,
    holds_numbers,
    listed_columns,
    may_begin_with,
    numbers,
    require_columns,
    texts_of,
)
from rankwright.data.sources import as_sheet


def sheet_of(**columns):
    return as_sheet(pd.DataFrame(columns), [])


def test_a_missing_column_is_told_with_the_nearest_name_alone():
    sheet = sheet_of(price=[1], prices=[2], pride=[3])
    with pytest.raises(ValueError, match="no column 'Pric'") as refused:
        require_columns(sheet, ["Pric"])
    assert str(refused.value).count("price") <= 3  # the guess, and the list of all columns


@pytest.mark.parametrize(("n", "more"), [(40, None), (41, "and 1 more"), (45, "and 5 more")])
def test_at_most_forty_columns_are_listed(n, more):
    sheet = sheet_of(**{f"column {i}": [i] for i in range(n)})
    with pytest.raises(ValueError, match="no column 'zzz'") as refused:
        require_columns(sheet, ["zzz"])
    said = str(refused.value)
    assert ("more" in said) == (more is not None)
    assert more is None or more in said
    assert f"'column {min(n, 40) - 1}'" in said
    assert "'column 40'" not in said


def test_notes_are_added_behind_or_before_those_there_are():
    sheet = sheet_of(x=[1]).noting("a")
    assert sheet.noting("b").notes == ("a", "b")
    assert sheet.noting("b", first=True).notes == ("b", "a")
    assert sheet.noting() is sheet


@pytest.mark.parametrize(
    ("values", "is_number"),
    [([1, 2], True), ([1.5, np.nan], True), (["1", "2"], False), ([1j, 2j], False)],
)
def test_columns_of_real_numbers_hold_numbers(values, is_number):
    assert holds_numbers(pd.Series(values)) == is_number


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (["a ", " b"], ["a", "b"]),
        ([1.0, 2.5], ["1", "2.5"]),
        ([1e15, 2.0], ["1000000000000000.0", "2"]),
        ([999_999_999_999_999.0], ["999999999999999"]),
        (["x", 3.0, None], ["x", "3", ""]),
        ([np.inf, -np.inf], ["inf", "-inf"]),
        (pd.Series([1, None], dtype="Int64"), ["1", ""]),
    ],
)
def test_values_become_the_texts_that_a_table_would_hold(values, texts):
    assert list(cells(pd.Series(values))) == texts


def test_whole_numbers_with_gaps_are_numbers():
    found = numbers(sheet_of(x=pd.array([1, None, 3], dtype="Int64")), "x").values
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, [1.0, np.nan, 3.0])


def test_numbers_of_a_frame_are_doubles_and_texts_are_read():
    sheet = sheet_of(x=[1, 2], y=["1,5", "2,5"])
    assert numbers(sheet, "x").values.dtype == np.float64
    assert numbers(sheet, "y").values.tolist() == [1.5, 2.5]
    assert numbers(sheet, "y") is numbers(sheet, "y")


def test_rows_that_are_kept_are_read_anew():
    sheet = sheet_of(x=[1, 2, 3], y=["=1", "2", "3"]).noting("a")
    assert numbers(sheet, "x").values.tolist() == [1, 2, 3]
    assert printed_ranks(sheet, "y").numbers.values.tolist() == [1, 2, 3]
    kept = sheet.keep(np.array([False, True, True]), "b")
    assert kept.notes == ("a", "b")
    assert numbers(kept, "x").values.tolist() == [2, 3]
    assert printed_ranks(kept, "y").numbers.values.tolist() == [2, 3]
    assert kept.frame.index.tolist() == [1, 2]


def test_what_is_no_workbook_has_no_titles():
    sheet = sheet_of(x=[1])
    assert (sheet.title, sheet.titles) == ("", ())


def test_cells_of_a_large_file_become_texts_and_others_stay():
    sheet = sheet_of(x=[1, 2])
    assert sheet.in_texts() is sheet
    large = sheet_of(x=[1, 2], y=pd.Series(Cells._from_sequence(["a", ""])))
    frame = large.in_texts().frame
    assert frame["y"].tolist() == ["a", ""]
    assert not isinstance(frame["y"].array, Cells)
    assert frame["x"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "column", [pd.Series(["Ash", "", "Oak"]), pd.Series(Cells._from_sequence(["Ash", "", "Oak"]))]
)
def test_texts_are_found_alike_in_small_and_large_files(column):
    assert cells(column) == ["Ash", "", "Oak"]
    assert texts_of(column).tolist() == ["Ash", "", "Oak"]
    assert texts_of(column).dtype == object
    assert 0 in may_begin_with(column, ["as"])
    assert distinct(column).texts == ["Ash", "", "Oak"]
    sheet = as_sheet(pd.DataFrame({"x": column}).set_axis([2, 3, 5]), [])
    assert cell(sheet, "x", 2) == ("Oak", 5)
    assert numbers(sheet, "x").wrong.tolist() == [0, 2]


@pytest.mark.parametrize("kind", [list, Cells._from_sequence])
def test_cells_that_hold_nothing_are_empty(kind):
    assert are_empty(pd.Series(kind(["Ash", "", "Oak"]))).tolist() == [False, True, False]


def test_a_table_without_rows_is_refused():
    with pytest.raises(ValueError, match="the frame has no rows"):
        require_columns(sheet_of(x=[]), ["x"])


def test_few_columns_are_listed_whole():
    assert listed_columns(["a", "b"]) == "'a', 'b'"
