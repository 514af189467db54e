import pytest

from rankwright.data.layout import distinct_names
from rankwright.data.spreadsheet import read_sheet


@pytest.fixture
def sheet_of(tmp_path):
    def write(text, wanted=()):
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode())
        return read_sheet(path, wanted)

    return write


def noted(sheet, *words):
    return any(all(word in note for word in words) for note in sheet.notes)


@pytest.mark.parametrize(
    "above",
    [
        "World ranking 2016\n",
        "World ranking 2016,,,\nPublished by us,,May,\n",
        "Best schools,,,\n\nSource: ourselves,,2016,\n",
    ],
)
def test_a_header_in_the_second_to_fourth_row_is_found(sheet_of, above):
    sheet = sheet_of(above + "rank,school,peers,pay\n1,Ash,4.8,90\n2,Oak,4.5,80\n")
    assert list(sheet.frame.columns) == ["rank", "school", "peers", "pay"]
    assert len(sheet.frame) == 2
    assert noted(sheet, "is the header; above it")


@pytest.mark.parametrize(
    "units",
    [
        ",,points,USD",
        "(1-200),,(0-5),(thousand USD)",
        "Int,String,Float,Float",
        ",,0-100,0–5",
        ",,out of 100,USD",
    ],
)
def test_a_row_of_units_under_the_header_is_left_out_and_said(sheet_of, units):
    sheet = sheet_of(f"rank,school,peers,pay\n{units}\n1,Ash,4.8,90\n2,Oak,4.5,80\n3,Elm,4,70\n")
    assert sheet.frame["school"].tolist() == ["Ash", "Oak", "Elm"]
    assert noted(sheet, "Row 2 is left out: it says what the columns hold")


@pytest.mark.parametrize(
    "first",
    [
        "=1,Ash,n/a,90",
        "T1,Ash,n/a,n/a",
        "1,Ash,good,90",
        "1-5,Ash,0-100,0-5",  # it has a name
        "201-250,,n/a,",  # a band of ranks without a name
        "201-250,,4.5,80",
        "201-250,,4-5,80",
    ],
)
def test_a_first_row_that_is_odd_is_no_row_of_units(sheet_of, first):
    sheet = sheet_of(f"rank,school,peers,pay\n{first}\n2,Oak,4.5,80\n3,Elm,4,70\n")
    assert len(sheet.frame) == 3


@pytest.mark.parametrize(
    "remarks",
    [
        "* tied with the one above\n",
        "\nSource: our own survey, May 2016, of 1,204 deans\n",
        "This ranking is based on answers of deans and of recruiters\n",
        "\nMethod\nPeers count half\n",
    ],
)
def test_remarks_below_the_table_are_left_out_and_said(sheet_of, remarks):
    sheet = sheet_of("rank,school,peers\n1,Ash,4.8\n2,Oak,4.5\n" + remarks)
    assert sheet.frame["school"].tolist() == ["Ash", "Oak"]
    assert noted(sheet, "Remarks below the table left out, from row")


def test_a_last_row_with_a_name_alone_stays(sheet_of):
    assert len(sheet_of("film,ann,bob\nUp,1,2\nHer,,\n").frame) == 2


def test_names_of_merged_cells_stand_before_repeated_names(sheet_of):
    text = ",,2015,,2016,\nrank,school,peers,pay,peers,pay\n1,Ash,4,9,5,8\n2,Oak,4,7,3,6\n"
    names = ["rank", "school", "2015 peers", "2015 pay", "2016 peers", "2016 pay"]
    sheet = sheet_of(text)
    assert list(sheet.frame.columns) == names
    assert noted(sheet, "Rows 1 and 2 are the header")
    assert list(sheet_of(text, ["2016 pay"]).frame.columns) == names


def test_a_second_header_row_names_what_the_first_leaves_open(sheet_of):
    text = "rank,school,scores,,\n,,peers,pay,grants\n1,Ash,4.8,90,3\n2,Oak,4.5,80,2\n"
    names = ["rank", "school", "scores peers", "scores pay", "scores grants"]
    assert list(sheet_of(text).frame.columns) == names


def test_thousands_of_empty_columns_are_no_columns(sheet_of):
    empty = "," * 16_000
    sheet = sheet_of(f"rank,school,pay{empty}\n1,Ash,90{empty}\n2,Oak,80{empty}\n")
    assert sheet.frame.shape == (2, 3)


def test_repeated_names_are_told_apart_and_said(sheet_of):
    sheet = sheet_of("rank,school,pay,pay,pay\n1,Ash,90,91,92\n2,Oak,80,81,82\n")
    assert list(sheet.frame.columns) == ["rank", "school", "pay", "pay (2)", "pay (3)"]
    assert noted(sheet, "column 4 is called 'pay (2)'")
    assert distinct_names(["a", "a", "a (2)"])[0] == ["a", "a (3)", "a (2)"]


def test_row_names_that_r_writes_without_a_name_get_one(sheet_of):
    sheet = sheet_of('"mpg","cyl"\n"Mazda",21,6\n"Datsun",22.8,4\n')
    assert list(sheet.frame.columns) == ["row name", "mpg", "cyl"]


def test_a_table_without_a_header_is_read_whole_and_said(sheet_of):
    sheet = sheet_of("Ash,4.8,90,1\nOak,4.5,80,2\nElm,4.1,85,3\n")
    assert list(sheet.frame.columns) == ["column 1", "column 2", "column 3", "column 4"]
    assert sheet.frame.index.tolist() == [1, 2, 3]
    assert noted(sheet, "no header", "row 1", "'4.8'", "'column 1'")


@pytest.mark.parametrize(
    "header",
    ["school,2019,2020,2021", "school,7,3,5", "school,0.1,0.5,0.9", "school,4.8,price,rank"],
)
def test_numbers_may_be_names_of_columns(sheet_of, header):
    sheet = sheet_of(f"{header}\nAsh,48,90,31\nOak,45,80,32\nElm,41,85,33\n")
    assert ",".join(sheet.frame.columns) == header
    assert len(sheet.frame) == 3
