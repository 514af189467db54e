import numpy as np
import pytest

from rankwright.data import spreadsheet
from rankwright.data.cells import Cells
from rankwright.data.numerals import DefaultMark
from rankwright.data.spreadsheet import read_sheet, sheet_of_records

ROWS = [["model", "price", "rank"], ["Ümlaut", "1.5", "1"], ["Naïve", "2.5", "2"]]


def write(tmp_path, text, encoding="utf-8", name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"],
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_every_encoding_and_separator_gives_the_same_cells(tmp_path, encoding, separator):
    text = "\r\n".join(separator.join(row) for row in ROWS)
    frame = read_sheet(write(tmp_path, text, encoding)).frame
    assert [list(frame.columns), *frame.to_numpy().tolist()] == ROWS


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_ending_is_read(tmp_path, newline):
    text = newline.join(",".join(row) for row in ROWS) + newline
    assert read_sheet(write(tmp_path, text)).frame.shape == (2, 3)


def test_a_file_of_two_encodings_is_read_in_both(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_bytes("name,rank\nCafé,1\n".encode() + "Hôtel,2\n".encode("cp1252"))
    found = read_sheet(path)
    assert found.frame["name"].tolist() == ["Café", "Hôtel"]
    assert "here and there cp1252" in found.notes[0]


def test_an_encoding_other_than_utf8_is_said(tmp_path):
    assert "cp1252" in read_sheet(write(tmp_path, "a,b\né,1\n", "cp1252")).notes[0]
    assert read_sheet(write(tmp_path, "a,b\né,1\n", "utf-8-sig")).notes == ()


def test_byte_order_marks_of_joined_files_are_no_part_of_the_first_name(tmp_path):
    text = "\ufeff\ufeffa,b\nx,1\n"
    assert list(read_sheet(write(tmp_path, text)).frame.columns) == ["a", "b"]


def test_row_numbers_are_those_a_spreadsheet_shows(tmp_path):
    sheet = read_sheet(write(tmp_path, 'a,b\n"two\nlines",1\n\n,,\nx,2\n'))
    assert sheet.frame.index.tolist() == [2, 5]
    assert sheet.frame["a"].tolist() == ["two\nlines", "x"]
    assert sheet.notes == ("Blank rows skipped: 2.",)


def test_quoted_fields_may_hold_the_separator_and_quotes(tmp_path):
    frame = read_sheet(write(tmp_path, 'a,b\n"x, 5"" wide",1\n')).frame
    assert frame["a"].tolist() == ['x, 5" wide']


def test_semicolons_win_over_decimal_commas(tmp_path):
    frame = read_sheet(write(tmp_path, "a;b, cm;c\nx;1,5;2,5\ny;2,5;3,5\n")).frame
    assert list(frame.columns) == ["a", "b, cm", "c"]


def test_wanted_columns_decide_between_separators(tmp_path):
    path = write(tmp_path, "a,b;c,d\n1,2;3,4\n")
    assert list(read_sheet(path, ["a", "b;c"]).frame.columns) == ["a", "b;c", "d"]
    assert list(read_sheet(path, ["c,d"]).frame.columns) == ["a,b", "c,d"]


def test_an_excel_separator_line_is_obeyed(tmp_path):
    sheet = read_sheet(write(tmp_path, "sep=;\r\na;b\r\n1,5;2\r\n"))
    assert list(sheet.frame.columns) == ["a", "b"]
    assert sheet.frame.index.tolist() == [3]


@pytest.mark.parametrize("title", ["Cameras 2026\n", "Cameras 2026,,\n\n"])
def test_a_title_above_the_header_is_skipped_and_said(tmp_path, title):
    sheet = read_sheet(write(tmp_path, title + "a,b,c\nx,1,2\ny,3,4\n"))
    assert list(sheet.frame.columns) == ["a", "b", "c"]
    assert "'Cameras 2026'" in sheet.notes[0]


def test_short_rows_are_filled_and_counted(tmp_path):
    sheet = read_sheet(write(tmp_path, "a,b,c\nx,1\ny,2,3\n"))
    assert sheet.frame["c"].tolist() == ["", "3"]
    assert "row 2" in sheet.notes[0]


def test_a_trailing_separator_adds_no_column(tmp_path):
    assert read_sheet(write(tmp_path, "a;b;\nx;1;\n")).frame.shape == (1, 2)


def test_a_column_without_a_name_is_named_by_its_number(tmp_path):
    sheet = read_sheet(write(tmp_path, ",b,c\nx,1,2\ny,3,4\n"))
    assert list(sheet.frame.columns) == ["column 1", "b", "c"]


@pytest.mark.parametrize(
    ("text", "mark", "settled"),
    [
        ("a;b\nx;1,234\n", ",", False),
        ("a;b\nx;1.234\n", ".", False),
        ("a;b;c\nx;1.234;5,678\n", ",", False),
        ("a\tb\nx\t1,234\n", ".", False),
        ('a,b\nx,"1,234"\n', ".", False),
        ("a,b\nx,4.761\n", ".", False),
        ("a;b;c\nx;1.234;0,5\n", ",", True),
        ("a;b;c\nx;1.5;0,5\n", ".", False),
    ],
)
@pytest.mark.parametrize("large", [0, 10**9])
def test_a_doubtful_mark_is_settled_by_the_other_columns(
    tmp_path, monkeypatch, text, mark, settled, large
):
    monkeypatch.setattr(spreadsheet, "LARGE", large)
    assert read_sheet(write(tmp_path, text)).mark == DefaultMark(mark, settled)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "t.csv is empty"),
        (b"\n \n", "t.csv is empty"),
        (b"\xef\xbb\xbf", "t.csv is empty"),
        (b"\xff\xfe\n\x00", "t.csv is empty"),
        (b"a,b\nx,1\x00\n", r"control character \('\\x00'\) in line 2"),
        (b"a,b\nx,1\ny\x02,2\n", r"control character \('\\x02'\) in line 3"),
        ("a,b\nx,1\n".encode("utf-16") + b"x", "binary data"),
        (b"PK\x03\x04rest", "save its sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1", "old workbook"),
        (b"PAR1xxxx", r"\.parquet"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x01\x02", "binary"),
        (b"\x01\x02\x03,\x04\n", "binary"),
        (b"<!DOCTYPE html><html><body>a,b</body></html>", "web page"),
        (b'<?xml version="1.0"?>\n<a/>', "web page or XML"),
        (b"<html>\n\x01</html>", "control character"),
        (b"name\nx\ny\n", "single column; .* by semicolon, tab, bar, comma$"),
        (b",,\n,,\n", "single column"),
        (b"name\nx\x01\ny\n", "control character"),
        (b"just some words", "single column"),
        (b"a,b,c\n", "no rows below"),
        (b"sep=;\n", "no rows below its line 'sep=;'"),
        (b"a,b\nx,1,2\n", "row 2: 3 values under 2 column names; put quotation"),
        (b"a,b\nx,1\ny,1,2\n", "row 3: 3 values under 2 column names; put quotation"),
        (b"a,b\nx,1,2,\n", "row 2: 4 values under 2 column names; put quotation"),
        (b"a,b,\nx,1,2\n", "2 column names; give column 3 a name in row 1, or put quotation"),
        (b"a,b,,\nx,1,,2\n", "2 column names; give column 4 a name in row 1, or put quotation"),
        (b"a,b,\nx,1,\n,,,z\n", "row 3: 4 values under 2 column names; put quotation"),
        (b"a,b,\nx,1,\ny,,Elm\n", "row 3: 3 values under 2 column names; give column 3"),
        (b'a,b\nx,1\n"y,2\nz,3\n', "row 3.*quotation mark"),
    ],
)
@pytest.mark.parametrize("large", [0, 10**9])
def test_what_is_not_a_table_is_refused_in_words(tmp_path, monkeypatch, data, message, large):
    monkeypatch.setattr(spreadsheet, "LARGE", large)
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read_sheet(path)


def test_values_under_no_name_and_beside_no_row_are_left_out_and_said(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,\nx,1,\ny,2,\n,,\n,,Elm\n,,Oak\n")
    sheet = read_sheet(path)
    assert sheet.frame["a"].tolist() == ["x", "y"]
    assert sheet.notes == (
        "2 rows left out, with values only in columns without a name (first: row 5, 'Elm').",
        "Blank rows skipped: 1.",
    )


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file .*gone\.csv"):
        read_sheet(tmp_path / "gone.csv")
    with pytest.raises(ValueError, match="is a folder"):
        read_sheet(tmp_path)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("before", ["", "A title\n", "A title\r"])
def test_a_table_of_more_columns_than_a_worksheet_has_is_refused_at_once(
    tmp_path, separator, before
):
    path = write(tmp_path, before + separator.join(["x"] * 16_385) + "\n")
    with pytest.raises(ValueError, match=r"a line of at least 16,385 cells, and at most 16,384"):
        read_sheet(path)


def test_cells_of_many_short_lines_are_no_long_line(tmp_path):
    for newline in ("\n", "\r"):
        path = write(tmp_path, newline.join(["a,b", *["1,2"] * 20_000]))
        assert read_sheet(path).frame.shape == (20_000, 2)


def test_a_long_text_is_no_table_of_many_columns(tmp_path):
    path = write(tmp_path, f"a,b\n{'x' * 20_000},1\ny,2\n")
    assert read_sheet(path).frame.shape == (2, 2)


def test_a_device_is_no_file(tmp_path):
    link = tmp_path / "zero.csv"
    link.symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="is a device; give the path of a file"):
        read_sheet(link)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sep=:\na:b\n1:2\n", ["a", "b"]),
        ("sep=x,b\n1,2\n", ["sep=x", "b"]),  # the name of a column
        ("a,b\n\n\n\n1,2\n", ["a", "b"]),
        ("a,b;c\n1,2;3\n;\n", ["a,b", "c"]),  # with semicolons all rows are alike
        ("a;b,c\n1;2,3\n4,5\n6,7,\n", ["a;b", "c"]),  # with commas most are
    ],
)
def test_the_separator_is_the_one_that_gives_a_table(tmp_path, text, names):
    assert list(read_sheet(write(tmp_path, text)).frame.columns) == names


def test_wanted_columns_may_be_all_there_are(tmp_path):
    path = write(tmp_path, "a,b;c,d\n1,2;3,4\n")
    assert list(read_sheet(path, ["a,b", "c,d"]).frame.columns) == ["a,b", "c,d"]


def test_a_file_beyond_a_size_is_read_by_its_bytes(tmp_path, monkeypatch):
    path = write(tmp_path, "a,b\nx,1\ny,2\n")
    for limit, by_bytes in ((11, True), (12, False)):
        monkeypatch.setattr(spreadsheet, "LARGE", limit)
        sheet = read_sheet(path)
        assert isinstance(sheet.frame["a"].array, Cells) == by_bytes
        assert sheet.frame["a"].tolist() == ["x", "y"]
    assert {str(kind) for kind in sheet.frame.dtypes} == {"object"}


def test_a_separator_that_is_said_is_obeyed_in_large_files(tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", 0)
    sheet = read_sheet(write(tmp_path, "sep=;\na;b\nx;1\n"))
    assert list(sheet.frame.columns) == ["a", "b"]
    assert not isinstance(sheet.frame["a"].array, Cells)


@pytest.mark.parametrize("large", [0, 10**9])
def test_what_is_said_of_a_file_comes_before_what_is_said_of_its_rows(tmp_path, monkeypatch, large):
    monkeypatch.setattr(spreadsheet, "LARGE", large)
    notes = read_sheet(write(tmp_path, "a,b\né,1\n\nx,2\n", "cp1252")).notes
    assert "cp1252" in notes[0]
    assert notes[1] == "Blank rows skipped: 1."


@pytest.mark.parametrize("large", [0, 10**9])
def test_marks_inside_quoted_cells_are_mended_and_said(tmp_path, monkeypatch, large):
    monkeypatch.setattr(spreadsheet, "LARGE", large)
    sheet = read_sheet(write(tmp_path, 'a,b\n"The "Old" Inn",5\nx,2\n'))
    assert sheet.frame["a"].tolist() == ['The "Old" Inn', "x"]
    assert "in 1 line, such as" in sheet.notes[0]


def test_a_letter_may_be_cut_where_the_head_of_a_file_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "HEAD_BYTES", 5)
    assert read_sheet(write(tmp_path, "a,b\né,1\n")).frame["a"].tolist() == ["é"]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("a\nb\ncd", "a\nb\n"),
        ("a\rb\rcd", "a\rb\r"),
        ("a\rb\ncd", "a\rb\n"),
        ("a\nb\rcd", "a\nb\r"),
        ("\nabcdef", "\n"),
        ("abcdefg", "abcdefg"),  # one long line
        ("a\nbcd", "a\nbcd"),
        ("a\nb", "a\nb"),
        ("éa\néa", "éa\n"),
    ],
)
def test_the_head_of_a_large_file_is_whole_lines(monkeypatch, text, head):
    monkeypatch.setattr(spreadsheet, "HEAD_BYTES", 5)
    assert spreadsheet._head(np.frombuffer(text.encode(), dtype=np.uint8)) == head


@pytest.mark.parametrize("text", ["a,b,c,d\n1,2,3,4\n", "\na,b\n1,2\n", "abcde,b\n1,2\n"])
def test_as_many_columns_as_a_worksheet_has_are_read(tmp_path, monkeypatch, text):
    monkeypatch.setattr(spreadsheet, "MOST_COLUMNS", 4)
    sheet = read_sheet(write(tmp_path, text))
    assert ",".join(sheet.frame.columns) == text.split()[0]


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c,d,e\n1,2,3,4,5\n",
        "a,b\n,,,,\n",
        ",,,,\na,b\n",
        "a,b\n,,,,",  # the last line need not end
        "a\n,,,,\na,b",
        ",,?,,\n1,2\n",  # a question mark ends no line
    ],
)
def test_a_line_of_one_cell_more_is_refused_wherever_it_stands(tmp_path, monkeypatch, text):
    monkeypatch.setattr(spreadsheet, "MOST_COLUMNS", 4)
    with pytest.raises(ValueError, match="a line of at least 5 cells"):
        read_sheet(write(tmp_path, text))


def test_rows_of_a_workbook_are_read_from_the_first_on():
    sheet = sheet_of_records([["a", "b"], ["x", "1,234"], ["y", "2"]], "t", ())
    assert sheet.frame.index.tolist() == [2, 3]
    assert sheet.mark == DefaultMark(".", settled=False)


def test_values_under_one_of_two_nameless_columns_are_left_out(tmp_path):
    sheet = read_sheet(write(tmp_path, "a,b,,\nx,1,,\n,,Elm,\n"))
    assert sheet.frame["a"].tolist() == ["x"]
    assert "(first: row 3, 'Elm')" in sheet.notes[0]


def test_row_names_of_r_are_found_between_gaps_and_blank_lines(tmp_path):
    sheet = read_sheet(write(tmp_path, "mpg,cyl\nMazda,,6\n\nDatsun,,4\n"))
    assert list(sheet.frame.columns) == ["row name", "mpg", "cyl"]
