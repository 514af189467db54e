"""Names and labels of rows, in tables read row by row and in those that keep the file's bytes."""

import pandas as pd
import pytest

from rankwright.data.cells import Cells
from rankwright.data.columns import are_different, item_names, labels_of
from rankwright.data.sources import as_sheet


def large(texts):
    return Cells._from_sequence(texts)


@pytest.mark.parametrize("kind", [list, large])
@pytest.mark.parametrize(
    ("texts", "names"), [(["Ash", "Oak"], ["Ash", "Oak"]), (["Ash", ""], ["Ash", "row 3"])]
)
def test_rows_are_called_by_their_names_or_their_numbers(kind, texts, names):
    sheet = as_sheet(pd.DataFrame({"tree": kind(texts)}, index=[2, 3]), [])
    found = item_names(sheet, "tree")
    assert found.tolist() == names
    assert found.name == "tree"


@pytest.mark.parametrize(
    ("column", "are"),
    [(large(["Ash", "Oak"]), True), (large(["Ash", "Ash"]), False), (["Ash", "Oak"], False)],
)
def test_only_names_of_a_large_file_are_found_to_be_different(column, are):
    assert are_different(pd.Series(column)) is are


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([2015, 2016], [2015, 2016]),
        (["north ", "north"], ["north", "north"]),
        ([1.0, 2], ["1", "2"]),
    ],
)
def test_labels_are_whole_numbers_or_texts_without_the_blanks_around_them(values, labels):
    sheet = as_sheet(pd.DataFrame({"list": values}), [])
    assert labels_of(sheet, "list").tolist() == labels


def test_rows_without_a_label_are_named():
    sheet = as_sheet(pd.DataFrame({"list": ["a", "", "b"]}, index=[2, 3, 4]), [])
    with pytest.raises(ValueError, match=r"'list': 1 row without a label \(row 3\); fill them in"):
        labels_of(sheet, "list")
