"""Tables read byte by byte, beside the reader that goes row by row: it is the specification."""

import csv
import gc
import io
import random
import weakref
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwright as rw
from rankwright.data import pieces, spreadsheet
from rankwright.data.cells import Cells
from rankwright.data.numbers import parse_numbers
from rankwright.data.numerals import DefaultMark
from rankwright.data.rated_rows import printed_ranks
from rankwright.data.sheet import cells, numbers

ROW_BY_ROW, BYTE_BY_BYTE = 10**12, 0

PLAIN = ["12.5", "0.25", "-3", "+7", "1e5", "2.5E-3", ".5", "5.", "007", "0", "-0", "", "1234567"]
LONG = ["0.8444218515250481", "12345678901234567890", "1e-30", "1e400", "0.00000000000000000001"]
DRESSED = ["$1,234", "$149,784 ", "1,234,567.5", "-$5", "$-5", "$+5", "12%", "12.3%", "0%", "5 %"]
COMMAS = ["1.234,5", "1,25", "0,250", "1.234.567", "12,5%", "€1.234,50", "1 299,00 €", "1,234"]
ODD = [
    "3k",
    "1.2 million",
    "4.5/5",
    "34 : 66",
    "1:8",
    "★★★½",
    "\u22125",
    "12\u00a0000",
    "7*",
    "7[1]",
]
NONE = ["n/a", "-", "–", "NaN", "NONE", "not available", "#N/A", "nr", "Missing", "."]
WORDS = [
    "true",
    "False",
    "inf",
    "-inf",
    "Infinity",
    "true*",
    "infinity[1]",
    "falſe",
    "Univ5",
    "EUR 5",
]
TEXTS = ["Chile", "Université de Lomé", "12 kg", "2012-01-05", "A1", "x,y", 'the "Old" Inn', "a\nb"]
TEXTS += [
    "University of 12345 with a long name beyond all words",
    "\u00a0padded\u2003",
    "'",
    ",",
    "½",
]
RANKS = ["1", "=2", "T-3", "#4", "5th", "No. 6", "7.", "201-225", "601+", ">100", "n/a", "1,001"]
GRADES = ["gut (1,9)", "gut (2,3)", "sehr gut (1,2)", "Sehr gut (1,0)", "(2)"]
KINDS = [PLAIN, LONG, DRESSED, COMMAS, ODD, NONE, WORDS, TEXTS, RANKS, GRADES]


def made_table(seed):
    """Write a table with some of the traps that published tables have."""
    draw = random.Random(seed)
    width, height = draw.randint(2, 5), draw.randint(3, 30)
    sources = [list(chain(*draw.sample(KINDS, draw.choice([1, 1, 2, 3])))) for _ in range(width)]
    rows = [[draw.choice(source) for source in sources] for _ in range(height)]
    separator = draw.choice([",", ",", ";", "\t"])
    names = [draw.choice(["rank", "name", "score", "pay", "a b", ""]) for _ in range(width)]
    top = [["A title"], []] if draw.random() < 0.2 else []
    top += [[draw.choice(["2015", "", "2016"]) for _ in names]] if draw.random() < 0.1 else []
    top += [names]
    top += [[draw.choice(["kg", "%", "USD", ""]) for _ in names]] if draw.random() < 0.2 else []
    if draw.random() < 0.3:
        rows.insert(draw.randint(0, height), [])
    if draw.random() < 0.3:
        rows[draw.randint(0, height - 1)][-1:] = []
    if draw.random() < 0.2:
        rows = [[*row, "", ""] for row in rows]
    if draw.random() < 0.1:
        rows = [[f"r{i}", *row] for i, row in enumerate(rows)]
    if draw.random() < 0.05:
        rows[-1] = [*rows[-1], "too", "many"]
    if draw.random() < 0.3:
        rows += [[], ["* a remark below the table, from 1,5 on"], ["Source: somebody, 2015"]]
    out = io.StringIO(newline="")
    style = draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    ends = draw.choice(["\n", "\r\n", "\r"])
    csv.writer(out, delimiter=separator, quoting=style, lineterminator=ends).writerows(
        [*top, *rows]
    )
    text = out.getvalue()
    if draw.random() < 0.1:
        text = text.rstrip("\r\n")
    if draw.random() < 0.1:
        at = draw.randint(0, len(text))
        text = text[:at] + draw.choice(['"', '""', "\x0c", "\x01", "\x1a", " ", ends]) + text[at:]
    encoding = draw.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"])
    return text.encode(encoding, errors="replace")


def everything(path, monkeypatch, limit):
    """Return all that is read of a file, or the error."""
    monkeypatch.setattr(spreadsheet, "LARGE", limit)
    try:
        sheet = spreadsheet.read_sheet(path)
    except ValueError as error:
        return str(error)
    found = {"notes": sheet.notes, "mark": sheet.mark, "rows": sheet.frame.index.tolist()}
    for column in sheet.frame.columns:
        parsed, ranks = numbers(sheet, column), printed_ranks(sheet, column)
        read = [parsed.values, parsed.wrong, parsed.bare, ranks.numbers.values, ranks.open]
        said = (parsed.percent, parsed.doubtful, parsed.notations, ranks.forms)
        found[column] = ([part.tolist() for part in read], said, cells(sheet.frame[column]))
    return repr(found)


@pytest.mark.parametrize("part", range(40))
def test_bytes_and_rows_tell_the_same(part, tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    for seed in range(10 * part, 10 * part + 10):
        path.write_bytes(made_table(seed))
        expected = everything(path, monkeypatch, ROW_BY_ROW)
        assert everything(path, monkeypatch, BYTE_BY_BYTE) == expected, seed
        with monkeypatch.context() as cut:
            cut.setattr(pieces, "PIECE", 20)
            cut.setattr(pieces, "cpu_count", lambda: 3)
            assert everything(path, cut, BYTE_BY_BYTE) == expected, f"{seed} in pieces"


@pytest.mark.parametrize(
    "text",
    [
        "pay\tname\tland\n1,234\ta\tx\n5,678\tb\ty\n\n2,5\n",  # a remark, which settles no mark
        "pay,name,land\n9,a,x\n8,b,y\n\n" + "7,,\n" * 70,  # too many to be remarks
        "pay,name,land\n\nSource: somebody, 2015\n",
        "pay,score\na,1,2\n",
        "pay,score\n" + "".join(f"i{i},1,2\n" for i in range(205)) + "b,1,\n",  # no row names
        "pay,score\na,1,2\n\n* b,1,2\n",  # one row and a remark
        "12.5,0.25\n13.5,0.75\n11.5,0.5\n",
        "pay,score\n1,2\n3,4\n\n\n5,6\n7,8\n",
    ],
)
def test_what_is_odd_below_a_header_is_told_the_same(text, tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text(text)
    expected = everything(path, monkeypatch, ROW_BY_ROW)
    assert everything(path, monkeypatch, BYTE_BY_BYTE) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("pay,score\na,,2\n\nb,,4\n", ["row name", "pay", "score"]),
        ("pay,score,\n1,2,\n3,4,\n", ["pay", "score"]),
        ("pay,score\n1,2,\n3,4\n5,6\n", ["pay", "score"]),
    ],
)
def test_lines_of_one_more_cell_than_the_header_are_read_byte_by_byte(
    text, names, tmp_path, monkeypatch
):
    path = tmp_path / "t.csv"
    path.write_text(text)
    expected = everything(path, monkeypatch, ROW_BY_ROW)
    assert everything(path, monkeypatch, BYTE_BY_BYTE) == expected
    frame = spreadsheet.read_sheet(path).frame
    assert frame.columns.tolist() == names
    assert isinstance(frame["pay"].array, Cells)


def test_numbers_of_rows_without_gaps_take_no_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", BYTE_BY_BYTE)
    (tmp_path / "t.csv").write_text("pay,score\n1,2\n3,4\n5,6\n")
    index = spreadsheet.read_sheet(tmp_path / "t.csv").frame.index
    assert isinstance(index, pd.RangeIndex)
    assert index.tolist() == [2, 3, 4]


def test_most_of_these_tables_are_read_byte_by_byte(tmp_path, monkeypatch):
    path, by_bytes = tmp_path / "t.csv", 0
    monkeypatch.setattr(spreadsheet, "LARGE", BYTE_BY_BYTE)
    for seed in range(40):
        path.write_bytes(made_table(seed))
        try:
            sheet = spreadsheet.read_sheet(path)
        except ValueError:
            continue
        by_bytes += isinstance(sheet.frame.iloc[:, 0].array, Cells)
    assert by_bytes > 25


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.one_of(
            st.text(st.sampled_from("0123456789.,$%+-eE €k*[]aAnN "), max_size=9),
            st.sampled_from([*chain(*KINDS), "true", "unranked", "Not Rated"]),
        ),
        max_size=8,
    ),
    st.sampled_from([".", ","]),
    st.booleans(),
)
def test_a_column_of_bytes_holds_the_numbers_of_its_texts(texts, mark, settled):
    texts = [text.strip() for text in texts]
    default = DefaultMark(mark, settled)
    column = pd.Series(Cells._from_sequence(texts))
    sheet = spreadsheet.Sheet("t", pd.DataFrame({"x": column}), default)
    found, expected = numbers(sheet, "x"), parse_numbers(texts, default)
    for part in ("values", "wrong", "bare"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part), part)
    for part in ("percent", "doubtful", "notations"):
        assert getattr(found, part) == getattr(expected, part)
    assert np.signbit(found.values).tolist() == np.signbit(expected.values).tolist()


def test_a_table_read_byte_by_byte_is_the_same_table(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    rows = ["rank,name,land,pay,share,note"]
    rows += [f'{i if i < 9 else "9-40"},Inn {i % 39},{"ab"[i % 2]},"${i},000 ",{i}%,{i} kg'
             for i in range(1, 41)]  # fmt: skip
    rows[20:20] = ["0,Average,a,5,5,5", "0,MEDIAN (all),b,5,5,5", "0,Médiane,b,5,5,5"]
    path.write_text("\n".join(rows))
    tables = []
    for limit in (ROW_BY_ROW, BYTE_BY_BYTE):
        monkeypatch.setattr(spreadsheet, "LARGE", limit)
        tables.append(rw.read_table(path, item="name", target="rank", group="land"))
    pd.testing.assert_frame_equal(tables[0].X, tables[1].X)
    assert tables[0].notes == tables[1].notes
    for part in ("y", "groups", "printed"):
        assert getattr(tables[0], part).tolist() == getattr(tables[1], part).tolist()


@pytest.mark.parametrize("row", ["7,7\n", '"7\n7",7\n', '"7""7",7\n', "\n", "7\n", '7,"7\n'])
def test_pieces_are_cut_where_rows_begin(row, tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 20)
    monkeypatch.setattr(pieces, "cpu_count", lambda: 4)
    path = tmp_path / "t.csv"
    for place in range(12):
        rows = [f'{i},"{i}\n{i}"\n' for i in range(12)]
        rows[place] = row
        path.write_text("a,b\n" + "".join(rows))
        expected = everything(path, monkeypatch, ROW_BY_ROW)
        assert everything(path, monkeypatch, BYTE_BY_BYTE) == expected


def test_lines_that_are_shorter_further_down_are_all_there(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    long = "x" * 400
    path.write_text("a,b\n" + f"1,{long}\n" * 250 + "2,y\n" * 30_000)
    monkeypatch.setattr(spreadsheet, "LARGE", BYTE_BY_BYTE)
    sheet = spreadsheet.read_sheet(path)
    assert isinstance(sheet.frame["a"].array, Cells)
    assert numbers(sheet, "a").values.sum() == 250 + 60_000


@pytest.mark.parametrize("text", ["a,b\n1,2\n3,4\x015\n", 'a,b\n1,2\n3,"4\x01"\n'])
def test_bytes_that_are_no_text_are_refused(tmp_path, monkeypatch, text):
    (tmp_path / "t.csv").write_text(text)
    monkeypatch.setattr(spreadsheet, "LARGE", BYTE_BY_BYTE)
    with pytest.raises(ValueError, match=r"control character \('\\x01'\) in line 3"):
        spreadsheet.read_sheet(tmp_path / "t.csv")


class TestCells:
    """A column of cells as pandas handles it."""

    column = Cells._from_sequence(["b", "", "é", "b"])

    def test_its_texts_are_numbered_in_the_order_of_appearance(self):
        assert self.column.distinct().texts == ["b", "", "é"]
        assert self.column.distinct().codes.tolist() == [0, 1, 2, 0]

    def test_rows_are_chosen_by_mask_place_and_slice(self):
        frame = pd.DataFrame({"x": self.column})
        assert cells(frame[np.array([True, False, True, False])]["x"]) == ["b", "é"]
        assert cells(frame["x"].iloc[[3, 1]]) == ["b", ""]
        assert cells(frame["x"].iloc[::2]) == ["b", "é"]
        assert frame["x"].iloc[2] == "é"

    def test_it_is_taken_apart_and_joined(self):
        joined = pd.concat([pd.Series(self.column), pd.Series(self.column[:1])])
        assert cells(joined) == ["b", "", "é", "b", "b"]
        assert pd.Series(self.column).nunique() == 3

    def test_cells_are_found_by_their_first_letters(self):
        column = Cells._from_sequence(["Mean", "m", "", "MEDIAN", "Inn", "ſtd", "mé", "me"])
        assert column.may_begin_with(["me"]).tolist() == [0, 3, 5, 6, 7]

    def test_nothing_is_missing_in_it(self):
        assert not pd.Series(self.column).isna().any()

    def test_rows_that_are_not_there_are_empty(self):
        assert cells(pd.Series(self.column).reindex([0, 9])) == ["b", ""]

    @pytest.mark.parametrize("n", [0, 1, 513, 5000])
    def test_many_texts_are_numbered(self, n):
        texts = [f"name {i % 4000}" for i in range(n)]
        found = Cells._from_sequence(texts).distinct()
        assert [found.texts[code] for code in found.codes] == texts
        assert len(set(found.texts)) == len(found.texts)


def test_the_bytes_of_a_file_are_freed_without_collecting_garbage(tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", BYTE_BY_BYTE)
    (tmp_path / "t.csv").write_text("name,place\na,1-2\nb,1-2\nc,3\n")
    gc.disable()
    try:
        sheet = spreadsheet.read_sheet(tmp_path / "t.csv")
        assert cells(sheet.frame["place"]) == ["1-2", "1-2", "3"]
        data = weakref.ref(sheet.frame["place"].array.data)
        del sheet
        assert data() is None
    finally:
        gc.enable()


def test_doubled_quotes_are_still_there_for_a_closer_look(tmp_path, monkeypatch):
    """The marks around Old show below that a row can't be read byte by byte."""
    path = tmp_path / "t.csv"
    path.write_text('name,pay\n"the ""New"" Inn",4\n"x",6\n"the "Old" Inn",5\n')
    found = [everything(path, monkeypatch, limit) for limit in (ROW_BY_ROW, BYTE_BY_BYTE)]
    assert found[0] == found[1]
    assert 'the "New" Inn' in found[1]


@pytest.mark.parametrize("end", ["", "\n"])
def test_numbers_of_every_length_are_those_that_python_reads(end, tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", BYTE_BY_BYTE)
    digits = "9876543210123456789"
    written = [
        f"{digits[:before]}{mark}{digits[-behind:] if behind else ''}{sign}"
        for before in range(1, 10)
        for behind in range(7)
        for mark in (["."] if behind else ["", "."])
        for sign in ("", "%")
    ]
    expected = [
        float(text.removesuffix("%") + ("e-2" if text.endswith("%") else "")) for text in written
    ]
    for last in range(1, len(written), 7):  # each ends the file once in a while
        below = "\n".join(f"x,{text}" for text in written[:last])
        (tmp_path / "t.csv").write_text(f"name,pay\na,0.5\nb,0.25%\n{below}{end}")
        sheet = spreadsheet.read_sheet(tmp_path / "t.csv")
        values = sheet.frame["pay"].array.scan(".").values
        np.testing.assert_array_equal(values[2:], expected[:last])
