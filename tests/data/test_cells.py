"""A column of cells: texts that lie among the bytes of a file, and their numbers."""

import sys

import numpy as np
import pandas as pd
import pytest

from rankwright.data.cell_numbers import cell_marks
from rankwright.data.cells import Cells, _word_bytes, distinct_texts
from rankwright.data.numbers import parse_numbers
from rankwright.data.numerals import MISSING, WORDS, DefaultMark
from rankwright.data.sheet import Sheet, cells, numbers

COLUMN = Cells._from_sequence(["b", "", "é", "b"])


def read(texts, mark=".", settled=False):
    """Return the numbers of cells read byte by byte, and of their texts: the specification."""
    default = DefaultMark(mark, settled)
    sheet = Sheet("t", pd.DataFrame({"x": pd.Series(Cells._from_sequence(texts))}), default)
    return numbers(sheet, "x"), parse_numbers(texts, default)


@pytest.mark.parametrize(
    "texts",
    [
        ["1", "2.5", ""],
        ["1.234", "5"],  # either mark
        ["5", "1,234", "2.345"],
        ["1,234", "0,5"],  # settled further down
        ["3k", "1,234", "1.5k"],  # by a cell that is read as text
        ["1.5k", "0,5"],
        ["0,5", "1.5k"],
        ["1.234 million", "2,345", "0,5"],
        ["10%", "20%", "30%", "0.4"],
        ["10%", "20%", "30%", "40"],
        ["12345678901234567890%", "10%", "5 %"],
        ["12345678901234567890", "0.8444218515250481", "7"],
        ["1,234 *", "2,5 *", "x", "x", "3"],
        ["EUR 1.234", "5", "6", "7", "8"],  # in doubt among many that are read
        ["5", "6", "7", "2.345", "EUR 1.234"],
        ["5", "6", "7", "EUR 1.234", "2.345"],
        ["7*", "8*", "9", "7*", "3k", "2k", "3k"],
        ["3k", "x", "2k", "x", "3k", "4.5/5"],
        ["★★★", "12\u00a0000", "\u22125", "n/a", "–"],
        ["5 %", "5 %", "7*", "x"],
        ["x", "y", "x", "1"],
        ["true", "False", "Infinity", "nan", "none", "not available"],
        ["trues", "fals", "nones", "zebra", "unranked", "missing", "mrd"],
        [],
    ],
)
@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("settled", [False, True])
def test_numbers_of_cells_are_those_of_their_texts(texts, mark, settled):
    found, expected = read(texts, mark, settled)
    for part in ("values", "wrong", "bare"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part), part)
    for part in ("percent", "doubtful", "notations"):
        assert getattr(found, part) == getattr(expected, part), part


@pytest.mark.parametrize("word", sorted({*MISSING, *WORDS}))
def test_every_word_that_stands_for_a_number_is_read(word):
    found, expected = read(["5", word, word.upper(), word.title()])
    np.testing.assert_array_equal(found.values, expected.values)
    assert found.wrong.tolist() == expected.wrong.tolist()


@pytest.mark.parametrize(
    ("texts", "own", "doubtful", "text"),
    [
        (["x", "5"], None, None, ""),
        (["1,234", "2"], None, 0, "1,234"),
        (["2", "EUR 1,234", "1,234"], None, 1, "EUR 1,234"),
        (["2", "1,234", "EUR 1,234"], None, 1, "1,234"),
        (["0.5", "1,5k"], ".", None, ""),
        (["1,5k", "0.5"], ",", None, ""),
        (["1,5k", "x", "x"], ",", None, ""),
    ],
)
def test_a_column_tells_its_mark_and_its_first_cell_in_doubt(texts, own, doubtful, text):
    found = cell_marks(Cells._from_sequence(texts))
    assert (found.own, found.doubtful, found.text) == (own, doubtful, text)


def test_numbers_are_read_anew_with_another_mark_only():
    column = Cells._from_sequence(["1,5", "2"])
    with_point = column.scan(".")
    assert column.scan() is with_point
    assert column.scan(".") is with_point
    with_comma = column.scan(",")
    assert with_comma.mark == ","
    assert with_comma.values.tolist() == [1.5, 2.0]
    assert column.scan() is with_comma
    assert column.copy().scan() is with_comma


def test_cells_are_compared_as_texts():
    assert (COLUMN == ["b", "x", "é", ""]).tolist() == [True, False, True, False]
    assert (pd.Series(COLUMN) == "b").tolist() == [True, False, False, True]


def test_cells_become_texts_of_numpy_and_of_pandas():
    assert np.asarray(COLUMN).tolist() == ["b", "", "é", "b"]
    assert np.asarray(COLUMN).dtype == COLUMN.texts().dtype == object
    assert np.asarray(COLUMN, dtype=str).dtype.kind == "U"
    assert list(COLUMN.as_strings()) == ["b", "", "é", "b"]
    assert pd.Series(COLUMN).astype(object).tolist() == ["b", "", "é", "b"]


def test_without_pyarrow_the_texts_are_those_of_python(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert list(COLUMN.as_strings()) == ["b", "", "é", "b"]


def test_with_pyarrow_pandas_keeps_no_text_of_python():
    pytest.importorskip("pyarrow")
    assert COLUMN.as_strings().dtype == pd.StringDtype("pyarrow", na_value=np.nan)


def test_the_type_of_a_column_is_found_by_its_name():
    assert pd.Series(["a", "b"], dtype="cells").array.texts().tolist() == ["a", "b"]
    assert COLUMN.dtype == "cells"
    assert pd.Series(COLUMN).array.nbytes == 4 * 16


def test_cells_that_are_taken_beyond_the_end_are_empty_if_to_be_filled():
    assert COLUMN.take([2, -1], allow_fill=True).texts().tolist() == ["é", ""]
    assert COLUMN.take([2, 0, -1], allow_fill=True).texts().tolist() == ["é", "b", ""]
    assert COLUMN.take([2, -1]).texts().tolist() == ["é", "b"]
    assert COLUMN.take([]).texts().tolist() == []
    none = Cells._from_sequence([])
    assert none.take([-1, -1], allow_fill=True).texts().tolist() == ["", ""]


@pytest.mark.parametrize(
    ("texts", "different"),
    [(["a", "b", ""], True), (["a", "b", "a"], False), ([], True), ([*"abcde"], True),
     ([*"abcdb"], False)],
)  # fmt: skip
def test_it_is_told_whether_no_two_texts_are_the_same(texts, different):
    assert Cells._from_sequence(texts).are_different() is different


def test_places_of_texts_that_first_occur():
    found = distinct_texts(["b", "a", "b", "c", "a"])
    assert found.codes.tolist() == [0, 1, 0, 2, 1]
    assert found.firsts.tolist() == [0, 1, 3]
    assert found.texts == ["b", "a", "c"]


def test_texts_are_numbered_and_made_once():
    column = Cells._from_sequence(["b", "a", "b"])
    assert column.distinct() is column.distinct()
    assert column.distinct().texts is column.distinct().texts
    assert column.distinct().firsts.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("beginnings", "places"),
    [
        (["me"], [0, 2, 3, 7]),
        (["ME"], [0, 2, 3, 7]),
        (["me", "in"], [0, 1, 2, 3, 7]),
        (["no"], [3, 7, 8]),
        (["mé"], [3, 7]),
    ],
)
def test_cells_that_may_begin_with_some_letters(beginnings, places):
    column = Cells._from_sequence(["Mean", "Inn", "mE", "mé", "m", "", "em", "étude", "North"])
    assert column.may_begin_with(beginnings).tolist() == places


def test_a_column_of_cells_is_handled_as_any_other():
    column = pd.Series(Cells._from_sequence([1, "x", "y", "x"]))
    assert column[0] == "1"
    assert column.iloc[np.int64(-1)] == "x"
    assert cells(column[column.isin(["x"])]) == ["x", "x"]
    assert column.drop_duplicates().tolist() == ["1", "x", "y"]
    assert pd.factorize(column)[1].tolist() == ["1", "x", "y"]
    assert column.isna().tolist() == [False] * 4
    assert column.isna().dtype == bool
    assert cells(column.shift(1)) == ["", "1", "x", "y"]
    assert cells(pd.concat([column, column[:1]])) == ["1", "x", "y", "x", "1"]
    assert cells(column.reindex([3, 8])) == ["x", ""]


def test_words_lie_by_their_first_letters():
    table = _word_bytes()
    assert (len(table), table.dtype) == (26, np.uint8)
    found = [
        (chr(97 + letter), bytes(row).rstrip(b"\0").decode())
        for letter, page in enumerate(table)
        for row in page
        if row.any()
    ]
    assert sorted(found) == sorted(
        (word[0], word) for word in {*MISSING, *WORDS} if "a" <= word[:1] <= "z"
    )
