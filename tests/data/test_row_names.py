"""Rows with one cell more than the header has names."""

import pytest

import rankwright as rw
from rankwright.data import spreadsheet
from rankwright.data.spreadsheet import read_sheet, sheet_of_records


@pytest.fixture(params=[0, 10**9], ids=["by bytes", "by rows"])
def path(request, tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "LARGE", request.param)
    return tmp_path / "t.csv"


ROWS = "Ash{0}1{0}34{0}310\nElm{0}2{0}30{0}280\nOak{0}3{0}38{0}260\n"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("wanted", [[], ["name", "rank"]])
def test_a_header_that_ends_in_a_separator_names_the_first_columns(path, separator, wanted):
    path.write_text(f"name{separator}rank{separator}v{separator}\n" + ROWS.format(separator))
    with pytest.raises(ValueError, match="give column 4 a name in row 1"):
        read_sheet(path, wanted)


def test_the_nameless_last_column_of_a_workbook_moves_no_name():
    records = [["name", "rank", "v", ""], *(row.split(",") for row in ROWS.format(",").split())]
    with pytest.raises(ValueError, match="give column 4 a name in row 1"):
        sheet_of_records(records, "t.xlsx", ["name", "rank"])


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("name,rank,v", []),  # names an item
        ("speed,price,v", ["speed", "v"]),
        ("town,rank,v", ["rank"]),
    ],
)
def test_a_name_too_few_above_texts_is_refused_where_columns_are_named(path, header, wanted):
    path.write_text(f"{header}\n{ROWS.format(',')}")
    with pytest.raises(ValueError, match="row 1 has 3 names and the rows have 4 cells each"):
        read_sheet(path, wanted)


@pytest.mark.parametrize("firsts", ["2001 2002 2003", "a a b", "1 3 2", "Ash 7 Elm", "Ash  Elm"])
def test_first_cells_that_are_no_names_of_rows_are_none(path, firsts):
    rows = "".join(f"{first},{i},5\n" for i, first in enumerate(firsts.split(" ")))
    path.write_text(f"year,score\n{rows}")
    with pytest.raises(ValueError, match="whether the first or the last column has no name"):
        read_sheet(path)


@pytest.mark.parametrize("name", ["rank", "id", "Nr", "#"])
def test_numbers_of_rows_under_such_a_name_are_its_column(path, name):
    path.write_text(f"{name},town,v\n1,Ash,10,5\n2,Elm,8,7\n")
    with pytest.raises(ValueError, match="whether the first or the last column has no name"):
        read_sheet(path)


def test_row_names_of_r_are_taken_for_them_and_said(path):
    path.write_text('"name","rank"\n"1","Ash",1\n"2","Elm",2\n')
    sheet = read_sheet(path, ["name", "rank"])
    assert list(sheet.frame.columns) == ["row name", "name", "rank"]
    assert sheet.notes[0].endswith("as R writes them, and 'name' for the name of column 2.")
    path.write_text('"mpg","cyl"\n"Mazda",21,6\n"Datsun",22.8,4\n')
    assert rw.read_table(path, item="row name", target="mpg").X["cyl"].tolist() == [6, 4]


@pytest.mark.parametrize("wanted", [[], ["name", "rank"]])
def test_a_header_of_two_rows_is_the_same_whether_columns_are_named_or_not(path, wanted):
    rows = "Ash,1,10,5,1,2\nElm,2,8,7,2,3\nOak,3,7,1,4,4\n"
    path.write_text(f"name,rank,2015,,2016,\n,,score,price,score,price\n{rows}")
    names = list(read_sheet(path, wanted).frame.columns)
    assert names == ["name", "rank", "2015 score", "2015 price", "2016 score", "2016 price"]


def test_merged_names_stand_before_those_below_where_columns_are_named():
    head = [["name", "rank", "2015", "2015"], ["", "", "a", "b"]]
    records = [*head, ["Ash", "1", "10", "5"], ["Elm", "2", "8", "7"]]
    names = list(sheet_of_records(records, "t.xlsx", ["name", "rank"]).frame.columns)
    assert names == ["name", "rank", "2015 a", "2015 b"]
    given = sheet_of_records(records, "t.xlsx", ["name", "rank", "2015"])
    assert list(given.frame.columns) == ["name", "rank", "2015", "2015 (2)"]


def test_a_name_above_nothing_is_a_name_of_a_header_of_two_rows(path):
    path.write_text("name,rank,2015,,total\n,,score,price\nAsh,1,10,5,15\nElm,2,8,7,15\n")
    assert list(read_sheet(path, ["rank"]).frame.columns)[-2:] == ["2015 price", "total"]


def test_a_header_with_a_gap_is_none_of_r(path):
    path.write_text("mpg,,cyl,hp\nMazda,21,6,1,2\nDatsun,22,4,2,2\n")
    with pytest.raises(ValueError, match="5 values under 4 column names"):
        read_sheet(path)


def test_texts_before_numbers_are_names_of_rows(path):
    path.write_text("mpg,cyl\nMazda,21,6\nDatsun,22.8,4\n")
    sheet = read_sheet(path)
    assert sheet.frame.columns.tolist() == ["row name", "mpg", "cyl"]
    assert sheet.frame["row name"].tolist() == ["Mazda", "Datsun"]


def test_rows_that_end_in_a_separator_have_no_cell_more(path):
    path.write_text("town,rank\nAsh,1,\nElm,2,\n")
    assert read_sheet(path).frame.values.tolist() == [["Ash", "1"], ["Elm", "2"]]


@pytest.mark.parametrize("rows", ["Ash,1,5\n", "Ash,1,5\nElm,2\n"])
def test_a_cell_more_in_a_single_row_is_no_row_name(path, rows):
    path.write_text(f"town,rank\n{rows}")
    with pytest.raises(ValueError, match="row 2: 3 values under 2 column names"):
        read_sheet(path)


def test_a_blank_header_is_refused_in_words(path):
    path.write_text("sep=,\n\nAsh\nElm\n")
    with pytest.raises(ValueError, match="row 3: 1 values under 0 column names"):
        read_sheet(path)
