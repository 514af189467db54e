"""Names, labels and currencies, in tables read row by row and in those that keep bytes."""

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.data import spreadsheet
from rankwright.data.cells import Cells
from rankwright.data.columns import are_different, item_names, labels_of, mixed_marks
from rankwright.data.numbers import Numbers
from rankwright.data.sheet import numbers
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


MIXED = [
    ("$100 €95 £90 ¥85", "'$100' in row 2 and '€95' in row 3 are different currencies"),
    ("7 8 -$1 €1.234,5", "'-$1' in row 4 and '€1.234,5' in row 5 are different currencies"),
    ("$7 €9 US$5 4", "'$7' in row 2 and '€9' in row 3 are different currencies"),
    ("US$5 €9 $7 4", "'US$5' in row 2 and '€9' in row 3 are different currencies"),
    ("EUR95 $7 $8 9", "'EUR95' in row 2 and '$7' in row 3 are different currencies"),
    ("3A$ $4 A$5 6", "'3A$' in row 2 and '$4' in row 3 are different currencies"),
    ("5EUR 6 3k€ 2USD", "'5EUR' in row 2 and '2USD' in row 5 are different currencies"),
]


@pytest.fixture(params=[0, 10**9], ids=["by bytes", "by rows"])
def table(request, tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", request.param)
    path = tmp_path / "t.csv"

    def read(cells, **options):
        rows = [f"i{i};{i};{cell};{i * 7 % 5}" for i, cell in enumerate(cells.split(), start=1)]
        path.write_text("\n".join(["name;rank;pay;v", *rows]), encoding="utf-8")
        return rw.read_table(path, **{"item": "name", "target": "rank"} | options)

    return read


@pytest.mark.parametrize(("cells", "said"), MIXED)
def test_a_column_of_two_currencies_is_no_factor_and_no_target(table, cells, said):
    read = table(cells)
    assert read.X.columns.tolist() == ["v"]
    assert f"Column 'pay' is not used as a factor: {said}." in read.notes
    for options in ({"factors": ["pay"]}, {"target": "pay", "target_is": "score"}):
        with pytest.raises(ValueError, match="different currencies; write all of them alike"):
            table(cells, **options)


@pytest.mark.parametrize(
    "cells",
    [
        "$5 5USD US$4 3",
        "A$5 AU$4 3",
        "C$5 CA$4 3",
        "€5 4EUR -€3 2",
        "£5 4GBP 3",
        "5kCHF CHF4 2",
        "¥1 JPY2",
    ],
)
def test_one_currency_may_be_written_in_several_ways(table, cells):
    assert "pay" in table(cells).X.columns


def test_small_numbers_among_percents_are_percents_like_the_larger_ones_without_a_sign(table):
    read = table("51% 0.1 73 84% 5 70 71 99%").X["pay"].tolist()
    assert read == [0.51, 0.001, 0.73, 0.84, 0.05, 0.7, 0.71, 0.99]


def test_a_percent_is_the_same_number_with_and_without_its_sign(table):
    read = table("70% 56.7% 57.2% 70 56.7 57.2").X["pay"].tolist()
    assert read == [0.7, 0.567, 0.572] * 2


@pytest.mark.parametrize(
    ("cells", "bare"),
    [
        ("51% 0.62 73 84% 70 99%", "0.62"),
        ("51% 0.255 73 84% 70 99%", "0.255"),  # half the least
        ("51% 2 73 84% 70 100%", "2"),  # twice the largest
    ],
)
def test_cells_that_are_fractions_and_percents_at_once_settle_nothing(table, cells, bare):
    said = f"'51%' in row 2 has a percent sign and '{bare}' in row 3 has none"
    assert any(said in note for note in table(cells).notes)


def test_fractions_beside_percents_are_fractions(table):
    assert table("51% 0.62 0.7 84% 0.99 99%").X["pay"].tolist() == [
        0.51,
        0.62,
        0.7,
        0.84,
        0.99,
        0.99,
    ]


def test_a_column_of_a_file_without_any_value_is_refused_with_a_remedy(table):
    with pytest.raises(ValueError, match=r"missing; fill some in, or leave the column out$"):
        table("- - -", target="pay", target_is="score")


@pytest.mark.parametrize(
    ("cells", "both"),
    [
        (["1,5", "2.5"], "'1,5' in row 2 and '2.5' in row 3"),
        (["2", "1,5", "2.5", "3,5"], "'1,5' in row 3 and '2.5' in row 4"),
        (["2", "2.5", "1,5", "3,5"], "'2.5' in row 3 and '1,5' in row 4"),
        (["2.5", "1,5", "n/a", ""], "'2.5' in row 2 and '1,5' in row 3"),
        (["1,5", "2.5", "x"], None),  # something else is wrong
        (["1,5", "2,5"], None),
        (["1", "2", "1,5.5,5"], None),
        (["x", "y"], None),
        (["", ""], None),
    ],
)
def test_two_cells_with_different_decimal_marks_are_shown_in_their_order(cells, both):
    frame = pd.DataFrame({"x": cells}, index=range(2, len(cells) + 2))
    sheet = as_sheet(frame, [])
    said = mixed_marks(sheet, "x", numbers(sheet, "x"))
    assert said == ("" if both is None else f"{both} have different decimal marks")


def test_the_first_wrong_cell_may_stand_above_the_first_with_the_mark():
    frame = pd.DataFrame({"x": ["1,5", "2.5", "3.5"]}, index=[2, 3, 4])
    sheet = as_sheet(frame, [])
    found = Numbers(np.array([np.nan, 2.5, 3.5]), np.array([0]))
    said = "'1,5' in row 2 and '2.5' in row 3 have different decimal marks"
    assert mixed_marks(sheet, "x", found) == said


def test_whole_numbers_alone_have_no_decimal_mark_to_be_shown():
    sheet = as_sheet(pd.DataFrame({"x": ["1", "2", "3,5"]}), [])
    assert mixed_marks(sheet, "x", Numbers(np.array([1.0, 2.0, np.nan]), np.array([2]))) == ""
