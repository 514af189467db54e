import pytest

from rankwright.data.layout import distinct_names, find_layout, first_footnote, names_as_wanted
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


def rows_of(text):
    return [line.split(",") for line in text.strip("\n").split("\n")]


ROWS = "1,Ash,4.8,90\n2,Oak,4.5,80\n"


@pytest.mark.parametrize(
    ("text", "header", "names"),
    [
        ("World,2016\na,b,c,d,e,f\n1,2,3,4,5,6", 1, "a,b,c,d,e,f"),
        ("Title\na,b\nx\ny\nz", 1, "a,b"),  # most rows have one cell
        ("Title,\n" * 19 + "rank,school\n1,Ash", 19, "rank,school"),
        ("Title\n" * 20 + "rank,school\n1,Ash", 0, "Title"),  # too far below
        ("Title\nWorld,ranking\n" + "x\n" * 18 + "1,2,3,4,5,6\n" * 30, 1, "World,ranking"),
        # two rows of names
        ("rank,school,scores,\n,,peers,pay\n1,Ash,4.8,90", 1,
         "rank,school,scores peers,scores pay"),
        ("rank,scores\n,peers,pay\n1,4.8,90\n2,4.5,80", 1, "rank,scores peers,scores pay"),
        ("rank,scores,,\n,peers,pay,motto\n1,4.8,90,x\n2,4.5,80,y", 1,
         "rank,scores peers,scores pay,scores motto"),
        ("rank,school,,\n,,peers,pay\n1,Ash\n2,Oak,4.5,80", 1,
         "rank,school,school peers,school pay"),  # one row is short
        ("rank,school,pay,pay\n,,USD,EUR\n1,Ash,5,4\n2,Oak,4,3", 1, "rank,school,pay USD,pay EUR"),
        ("rank,scores,scores\nrank,peers,pay\n1,5,4\n2,4,3", 1, "rank,scores peers,scores pay"),
        (",2015,,2016\nrank,pay,,pay\n1,5,,4\n2,4,,3", 1, "rank,2015 pay,column 3,2016 pay"),
        # one row of names
        ("rank,school,\n,,pay,x,y\n1,Ash,90\n2,Oak,80", 0, "rank,school"),  # it is too long
        ("rank,school,\n,Inn,\n1,Ash,5\n2,Oak,6", 0, "rank,school"),
        (",school,pay\n1,Ash,5\n2,Oak,6\n3,Elm,7", 0, "column 1,school,pay"),
        ("Best schools\nrank,pay,pay\n1,5,4\n2,4,3", 1, "rank,pay,pay (2)"),
        ("World,ranking\nrank,,,school,pay\n1,5,4,Ash,3\n2,4,3,Oak,2", 1,
         "rank,column 2,column 3,school,pay"),
        ("a,b", 0, "a,b"),
        (",,\n,,", 0, ""),
    ],
)  # fmt: skip
def test_the_header_is_one_row_or_two(text, header, names):
    found = find_layout(rows_of(text), ())
    assert found.header == header
    assert ",".join(found.names) == names


def test_the_line_that_names_the_separator_is_no_row():
    head = [["sep=;"], ["World", "2016"], list("abcdef")]
    assert find_layout(head, (), 1).header == 2


@pytest.mark.parametrize(
    ("text", "wanted", "header", "names"),
    [
        ("x,y\na,b\n1,2", ["a", "b"], 1, "a,b"),
        (",2015\nrank,pay", ["rank", "2015 pay"], 1, "rank,2015 pay"),
        ("A,,B,\nx,,x,\np,q,p,q\n1,2,3,4", ["x p"], 2, "x p,x q,x p (2),x q (2)"),
        ("Ash,4.8\nOak,4.5\nElm,4.1", ["4.8"], 0, "Ash,4.8"),
        ("a,b\n1,2", ["pay"], 0, "a,b"),  # it is nowhere
    ],
)
def test_the_columns_asked_for_are_the_header(text, wanted, header, names):
    found = find_layout(rows_of(text), wanted)
    assert (found.header, ",".join(found.names)) == (header, names)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("rank,school,peers,pay\n,,points,USD\n1,Ash,4.8,90\n2,Oak,n/a,n/a", True),
        ("rank,school,peers,pay\n,,points,USD\n1,Ash,,90\n2,,4.5,80", True),
        ("rank,pay\n,USD\n1,5\n,", False),  # one row below
        ("rank,pay\n,USD\n1,5\n2,4", True),
        ("rank,school,grade\nn/a,Ash,good\n2,Oak,5\n3,Elm,bad\n4,Fir,fine", False),
        ("rank,grade\nn/a,good\n2,5\n3,bad", False),  # half of the grades are numbers
        ("rank,school\nn/a,Ash\n2,Oak\n3,Elm", False),
        ("rank,grade,peers,pay\n,,0-100,0-5\n1,5,4,3\n2,bad,3,2", True),
        ("rank,school,peers,pay\nT1,,7x,n/a\n2,Oak,4,3\n3,Elm,3,2", False),
        ("peers,pay\n0-100,0-5\n4,3\n3,2", False),  # of nobody
        ("rank,school\n201-250,\n2,Oak\n3,Elm", False),
        ("rank,school,land,pay\n1-5,Ash,,0-5\n2,Oak,x,3\n3,Elm,y,2", False),
        ("rank,school,peers,pay\n,,,USD\n1,Ash,4.8,90\n2,Oak,4.5,80", False),  # one of three
        ("school,peers,pay\n,,USD\nAsh,4.8,90\nOak,4.5,80", True),  # one of two
    ],
)
def test_a_row_of_units_says_what_most_columns_of_numbers_hold(text, left_out):
    found = find_layout(rows_of(text), ())
    assert found.body == 1 + left_out
    assert len(found.notes) == left_out


def test_the_first_unit_is_shown():
    found = find_layout(rows_of("school,peers,pay\n7,points,USD\nAsh,4.8,90\nOak,4.5,80"), ())
    assert "such as 'points'" in found.notes[0]
    found = find_layout(rows_of("school,peers,pay\n,points,USD\nAsh,4.8,90\nOak,4.5,80"), ())
    assert "such as 'points'" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "is_headless"),
    [
        ("Ash,4.8\nOak,4.5\nElm,4.1", True),
        ("Ash,4.8\nOak,4.5\n,", False),  # one row below
        ("Ash,4.8\nOak,4.5", False),
        ("Ash,4.5\nOak,4.5\n,", False),
        ("Ash,4.5\nOak,4.5", False),
        ("school,4.8,4.8,pay\nAsh,4.5,4.5,90\nOak,4.1,4.1,80", False),
        ("Ash,48\nOak,45\nElm,41", False),  # no fraction
        ("Ash,4.8,1\nOak,4.5,\nElm,4.1,", True),
        ("Ash,4.8,900\nOak,4.5,1\nElm,4.1,2", False),  # one of two is like those below
        ("Ash,4.8\nOak,n/a\nElm,n/a\nFir,n/a\nYew,4.1\nBox,4.9", True),
        ("Ash,4.8\nOak,4.5\n7,4.1\nElm,4.3", True),  # a name may be a number
        ("Ash,4.8\nOak,4.5\n7,4.1", True),
        ("x,2.0\ny,4\nz,6", True),  # as far away as those below are apart
        ("x,8.0\ny,4\nz,6", True),
        ("x,1.9\ny,4\nz,6", False),
        ("x,8.1\ny,4\nz,6", False),
        ("x,3.0\ny,4\nz,6", True),
        ("school,4.8,pay\nAsh,4.5,90\nOak,4.1,80", False),  # a name above numbers
    ],
)
def test_a_first_row_like_those_below_is_no_header(text, is_headless):
    found = find_layout(rows_of(text), ())
    assert (found.names[0] == "column 1") == is_headless
    assert found.body == 1 - is_headless


def test_a_first_row_may_have_decimal_commas_as_those_below():
    head = [["Ash", "4,8"], ["Oak", "4,5"], ["Elm", "4,1"]]
    assert find_layout(head, ()).names == ("column 1", "column 2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("World,\nAsh,4.8\nOak,4.5\nElm,4.1", "Row 2 is the first; above it: 'World'."),
        (",Title\nrank,school\n1,Ash\n2,Oak", "Row 2 is the header; above it: 'Title'."),
        ("Ash,4.8,1\nOak,4.5,2\nElm,4.1,3", "called 'column 1', 'column 2', 'column 3'."),
        ("Ash,4.8,1,1\nOak,4.5,2,2\nElm,4.1,3,3", "'column 1', 'column 2', 'column 3', ...."),
        (",2015,,2016\nrank,pay,,pay\n1,5,,4\n2,4,,3", "read as 'rank', '2015 pay', '2016 pay'."),
    ],
)  # fmt: skip
def test_it_is_said_what_stands_above_and_what_columns_are_called(text, said):
    assert any(note.endswith(said) for note in find_layout(rows_of(text), ()).notes)


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (["", ""], []),
        (["a", "", ""], ["a"]),
        (["a", "a (2)", "a", "a"], ["a", "a (2)", "a (3)", "a (4)"]),
        (["a", "a (3)", "a", "a"], ["a", "a (3)", "a (2)", "a (4)"]),
    ],
)
def test_every_column_has_a_name_of_its_own(cells, names):
    assert distinct_names(cells)[0] == names


SENTENCE = "x" * 41


@pytest.mark.parametrize(
    ("tail", "width", "end"),
    [
        ([["* a note"]], 3, 0),
        ([["1", "Ash", "4"], ["* a"], ["", ""], ["Source: us"]], 3, 1),
        ([["1", "Ash", "4"], [SENTENCE, "", ""]], 3, 1),
        ([["1", "Ash", "4"], [SENTENCE[:-1], "", ""]], 3, 2),  # may be a name
        ([["Ash", "4"], [SENTENCE, ""]], 2, 2),
        ([["1", "Ash", "4"], [SENTENCE, "5", "4"]], 3, 2),
        ([["1", "Ash", "4"], ["", "", ""], ["", "x", ""]], 3, 3),
        ([[SENTENCE, "", ""], ["1", "Ash", "4"]], 3, 2),
        ([["1", "Ash", "4"], ["* tied", "b", "c"]], 3, 2),
        ([["1", "Ash", "4"], ["", "", ""], ["* tied", "b", "c"]], 3, 2),
        ([["1", "Ash", "4"], ["", "", ""], ["Method"]], 3, 2),
    ],
)
def test_remarks_begin_behind_the_last_row_of_the_table(tail, width, end):
    assert first_footnote(tail, width) == end


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("town,rank\nAsh,1\nElm,2", True),
        ("town,rank,\nAsh,1,5\nElm,2,7", False),
        ("town,2015,,2016,\n,score,price,score,price\nAsh,1,5,2,6\nElm,2,7,3,8", False),
        ("school,peers,pay\n7,points,USD\nAsh,4.8,90\nOak,4.5,80", False),
    ],
)
def test_a_header_may_lack_a_name_if_it_is_one_row_and_each_cell_a_name(text, may):
    assert find_layout(rows_of(text), ()).may_lack_a_name is may


@pytest.mark.parametrize(
    ("text", "wanted", "header"),
    [
        ("town,rank,price\nAsh,1,\nElm,2,7", ["price"], 0),  # the first price is missing
        ("town,rank,price", ["price"], 0),
        ("town,price,\n,,price\nAsh,1,5\nElm,2,7", ["town", "price"], 1),
    ],
)
def test_a_header_goes_on_below_the_columns_asked_for_only_if_it_looks_so(text, wanted, header):
    assert find_layout(rows_of(text), wanted).header == header


@pytest.mark.parametrize(
    ("names", "wanted", "found"),
    [
        (["a\nb", "c"], [], ["a b", "c"]),
        (["a\nb", "c"], ["a\nb"], ["a\nb", "c"]),
        (["a\nb", "c"], ["a  b"], ["a  b", "c"]),  # as it was asked for
        (["a b", "c"], ["a\nb"], ["a\nb", "c"]),
        (["a\u00a0b", "c"], [], ["a\u00a0b", "c"]),
        (["a\u00a0b", "c"], ["a b"], ["a b", "c"]),
        (["a\nb", "a b"], ["a b"], ["a\nb", "a b"]),
        (["a\nb", "a  b"], ["a b"], ["a\nb", "a  b"]),  # either may be meant
        (["a\nb", "a\nb"], [], ["a b", "a b"]),
    ],
)
def test_names_are_found_and_shown_whatever_white_space_they_have(names, wanted, found):
    assert names_as_wanted(names, wanted) == found


@pytest.mark.parametrize(("skipped", "n_above"), [(0, 0), (0, 19), (3, 0), (3, 19)])
def test_white_space_of_names_is_no_matter_wherever_a_header_may_stand(skipped, n_above):
    head = [["sep=", ""]] * skipped + [["", ""]] * n_above
    head += [["name", "a\nb"], ["Ash", "1\n2"], ["Elm", "2"]]
    found = find_layout(head, ["a b"], skipped)
    assert found.names == ("name", "a b")
    assert found.header == skipped + n_above


def test_names_that_are_no_texts_are_compared_as_texts():
    assert names_as_wanted(["1", "a"], [1]) == [1, "a"]


def test_white_space_in_the_last_row_that_may_be_a_second_one_of_the_header_is_no_matter():
    head = [["", ""]] * 19 + [["name", ""], ["", "a\nb"], ["Ash", "1"], ["Elm", "2"]]
    found = find_layout(head, ["name"])
    assert (found.names, found.header) == (("name", "name a b"), 20)
