import datetime
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from xml.sax.saxutils import escape

import numpy as np
import pytest

from rankwright.data import guess_columns, read_table, workbook_cells, workbooks
from rankwright.data.sources import as_sheet

SCHOOLS = [["Rank", "School", "Peers"], ["1", "Ash", 4.8], ["=2", "Oak", 4.5], ["=2", "Elm", "n/a"]]
WORDS = [["A word before"], ["on method"]]
OLD_BOOK = Path(__file__).parent / "books" / "schools.xls"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def write_xlsx(path, sheets, merged=(), hidden=()):
    """Write the least that is a workbook."""
    names = list(sheets)
    states = {name: 'state="hidden"' if name in hidden else "" for name in names}
    entries = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}" r:id="r{i}" {states[name]}/>'
        for i, name in enumerate(names, start=1)
    )
    links = "".join(
        f'<Relationship Id="r{i}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(names) + 1)
    )
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{entries}</sheets></workbook>',
        )
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="r0" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}">{links}</Relationships>',
        )
        for i, name in enumerate(names, start=1):
            rows = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in sheets[name])
            areas = "".join(f'<mergeCell ref="{area}"/>' for area in merged)
            book.writestr(
                f"xl/worksheets/sheet{i}.xml",
                f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>'
                f"<mergeCells>{areas}</mergeCells></worksheet>",
            )


def _cell(value):
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, float | int):
        return f"<c><v>{value!r}</v></c>"
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def write_ods(path, sheets, *, locked=False):
    spaces = {"office": "office", "table": "table", "text": "text", "manifest": "manifest"}
    names = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
        for short, long in spaces.items()
    )
    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(
            "<table:table-row>"
            + "".join(
                f'<table:table-cell office:value-type="float" office:value="{v}"/>'
                if isinstance(v, float)
                else '<table:table-cell office:value-type="string"><text:p>'
                f"{escape(v)}</text:p></table:table-cell>"
                for v in row
            )
            + "</table:table-row>"
            for row in rows
        )
        + "</table:table>"
        for name, rows in sheets.items()
    )
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        secret = (
            '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>'
            "</manifest:file-entry>"
        )
        book.writestr(
            "META-INF/manifest.xml",
            f"<manifest:manifest{names}>{secret if locked else ''}</manifest:manifest>",
        )
        book.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet>{tables}"
            "</office:spreadsheet></office:body></office:document-content>",
        )


def noted(notes, *words):
    return any(all(word in note for word in words) for note in notes)


def test_an_xlsx_sheet_reads_as_its_text_would(tmp_path):
    path = tmp_path / "schools.xlsx"
    write_xlsx(path, {"Ranking": SCHOOLS})
    table = read_table(path, item="School", target="Rank")
    assert table.printed.tolist() == ["1", "=2", "=2"]
    assert table.X["Peers"].tolist()[:2] == [4.8, 4.5]
    assert noted(table.notes, "'Peers' is missing in 1 row (row 4)")
    assert not noted(table.notes, "Sheet")


def test_an_ods_sheet_reads_as_its_text_would(tmp_path):
    path = tmp_path / "schools.ods"
    write_ods(path, {"Ranking": SCHOOLS})
    assert read_table(path, item="School", target="Rank").X["Peers"].tolist()[:2] == [4.8, 4.5]


def test_an_old_xls_sheet_is_read():
    table = read_table(OLD_BOOK, item="School", target="Rank")
    assert table.printed.tolist() == ["1", "T2", "T2", "4-9"]
    assert table.X["Salary"].tolist()[:2] == [149784, 145173]


def test_the_largest_table_is_read_and_said(tmp_path):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"About": WORDS, "Ranking": SCHOOLS})
    assert guess_columns(path).target == "Rank"
    assert noted(as_sheet(path, []).notes, "Sheet 'Ranking' is read", "the largest", "'About'")


def test_of_tables_of_one_size_the_first_is_read_and_said(tmp_path):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"2024": SCHOOLS, "2025": SCHOOLS})
    assert noted(as_sheet(path, []).notes, "'2024' is read, because it is the first of the largest")


@pytest.mark.parametrize("chosen", ["old", "Old", "2"])
def test_a_sheet_is_chosen_by_name_or_number(tmp_path, chosen):
    path = tmp_path / "book.xlsx"
    old = [["Rank", "School", "Peers"], ["1", "Fir", 3.5], ["2", "Yew", 3.1]]
    write_xlsx(path, {"New": SCHOOLS, "Old": old})
    assert list(read_table(path, item="School", target="Rank", sheet=chosen).items) == [
        "Fir",
        "Yew",
    ]


def test_the_columns_asked_for_choose_the_sheet(tmp_path):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"New": SCHOOLS * 3, "Old": [["Place", "Inn", "Stars"], [1, "Fir", 3.5]]})
    assert list(read_table(path, item="Inn", target="Place").items) == ["Fir"]


def test_hidden_sheets_are_not_read(tmp_path):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"Raw": SCHOOLS * 9, "Ranking": SCHOOLS}, hidden=["Raw"])
    assert len(as_sheet(path, []).frame) == 3


def test_merged_cells_hold_the_same_everywhere(tmp_path):
    path = tmp_path / "book.xlsx"
    rows = [
        ["rank", "school", "land", "2015", None, "2016"],
        [None, None, None, "pay", "peers", "pay"],
        [1, "Ash", "north", 9.0, 1.5, 8.0],
        [2, "Oak", None, 7.0, 1.25, 6.0],
    ]
    areas = ["A1:A2", "B1:B2", "C1:C2", "D1:E1", "C3:C4"]
    write_xlsx(path, {"Ranking": rows}, merged=areas)
    frame = as_sheet(path, []).frame
    assert list(frame.columns) == ["rank", "school", "land", "2015 pay", "2015 peers", "2016 pay"]
    assert frame["land"].tolist() == ["north", "north"]


def test_numbers_have_the_digits_a_sheet_shows(tmp_path):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"s": [["a", "b", "c"], ["x", 0.1 + 0.2, True], ["y", 3.0, False]]})
    assert as_sheet(path, []).frame.to_numpy().tolist() == [
        ["x", "0.3", "TRUE"],
        ["y", "3", "FALSE"],
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 cut off", "damaged workbook"),
        (b"\xd0\xcf\x11\xe0 cut off", "damaged workbook"),
    ],
)
def test_a_damaged_workbook_is_refused_in_words(tmp_path, content, message):
    path = tmp_path / "book.xlsx"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        as_sheet(path, [])


def protected(tmp_path, ending):
    """Return the least of a workbook that a password protects."""
    if ending == ".ods":
        write_ods(tmp_path / "locked.ods", {}, locked=True)
        return (tmp_path / "locked.ods").read_bytes()
    content = OLD_BOOK.read_bytes()
    if ending == ".xls":  # of the first records, one whose kind says that the others are secret
        return content.replace(b"\xe1\0\2\0", b"\x2f\0\2\0", 1)
    entry = content.index("Workbook".encode("utf-16-le"))
    name = "EncryptedPackage\0".encode("utf-16-le")
    return content[:entry] + name.ljust(64, b"\0") + bytes([len(name)]) + content[entry + 65 :]


@pytest.mark.parametrize("ending", [".xlsx", ".xls", ".ods"])
def test_a_workbook_with_a_password_is_no_damaged_one(tmp_path, ending):
    pytest.importorskip("python_calamine")
    content = protected(tmp_path, ending)
    assert workbook_cells._answer(content)[workbook_cells.LOCKED]
    (tmp_path / "book").write_bytes(content)
    with pytest.raises(ValueError, match="book is protected by a password; save it without one"):
        as_sheet(tmp_path / "book", [])


def test_a_larger_workbook_has_more_time(tmp_path, monkeypatch):
    pytest.importorskip("python_calamine")
    write_xlsx(tmp_path / "book.xlsx", {"New": SCHOOLS})
    monkeypatch.setattr(workbooks, "SECONDS", 0.0)
    monkeypatch.setattr(workbooks, "SECONDS_FOR_A_MEGABYTE", 1e5)
    assert len(as_sheet(tmp_path / "book.xlsx", []).frame) == 3
    monkeypatch.setattr(workbooks, "SECONDS_FOR_A_MEGABYTE", 0.0)
    with pytest.raises(ValueError, match=r"book\.xlsx is a damaged workbook: it could not be read"):
        as_sheet(tmp_path / "book.xlsx", [])


def test_what_a_workbook_does_not_have_is_named(tmp_path):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"New": SCHOOLS, "Old": SCHOOLS})
    with pytest.raises(ValueError, match=r"no sheet 'Older' with cells; it has 'New', 'Old'"):
        as_sheet(path, [], "Older")
    write_xlsx(path, {"Empty": []})
    with pytest.raises(ValueError, match="no visible sheet with cells"):
        as_sheet(path, [])


def test_text_called_a_workbook_is_read_as_text(tmp_path):
    path = tmp_path / "export.xls"
    path.write_text("rank\tschool\tpay\n1\tAsh\t9\n2\tOak\t8\n")
    assert noted(as_sheet(path, []).notes, "holds text")
    with pytest.raises(ValueError, match="is not a workbook, so it has no sheet 'a'"):
        as_sheet(path, [], "a")


def test_without_calamine_the_error_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"New": SCHOOLS})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(ImportError, match=r"pip install 'rankwright\[excel\]'"):
        as_sheet(path, [])


@pytest.mark.parametrize(
    ("value", "text"),
    [(7.84210014343261719, "7.8421"), (0.1, "0.1"), (0.5, "0.5"), (2.0, "2"), (1e300, "1e+300")],
)
def test_numbers_that_a_program_kept_in_four_bytes_are_written_as_they_were(value, text):
    assert workbook_cells._written(value) == text


def content_of(tmp_path, sheets, **options):
    write_xlsx(tmp_path / "book.xlsx", sheets, **options)
    return (tmp_path / "book.xlsx").read_bytes()


def test_sheets_that_are_shown_are_read_as_texts(tmp_path):
    pytest.importorskip("python_calamine")
    sheets = {"a": [["x ", 1.5, True], [None, 3, ""]], "b": [["y"]], "hidden": [["z"]]}
    content = content_of(tmp_path, sheets, hidden=["hidden"])
    found = workbook_cells._answer(content)["tables"]
    assert found == {"a": [["x", "1.5", "TRUE"], ["", "3", ""]], "b": [["y"]]}


def test_empty_rows_and_columns_before_the_table_are_kept(tmp_path):
    pytest.importorskip("python_calamine")
    content = content_of(tmp_path, {"a": [[None, None], [None, "x"]]})
    assert workbook_cells.tables_of(content) == {"a": [["", ""], ["", "x"]]}


def test_kinds_of_workbooks_that_tell_of_no_merged_cells_are_read(tmp_path):
    pytest.importorskip("python_calamine")
    write_ods(tmp_path / "book.ods", {"a": [["x", "y"], ["z", 1.5]]})
    content = (tmp_path / "book.ods").read_bytes()
    assert workbook_cells.tables_of(content) == {"a": [["x", "y"], ["z", "1.5"]]}


@pytest.mark.parametrize(
    ("area", "rows"),
    [
        ("A1:A3", [["a", "b", "c", "d"], ["a", "", "", "1"], ["a", "", "", ""]]),
        ("B1:C1", [["a", "b", "b", "d"], ["", "", "", "1"], ["", "", "", ""]]),  # half of it
        ("B1:C2", [["a", "b", "b", "d"], ["", "b", "b", "1"], ["", "", "", ""]]),
        ("A1:C1", [["a", "b", "c", "d"], ["", "", "", "1"], ["", "", "", ""]]),  # a title
        ("D1:Z1", [["a", "b", "c", "d"], ["", "", "", "1"], ["", "", "", ""]]),
        ("A1:B99", [["a", "a", "c", "d"], ["a", "a", "", "1"], ["a", "a", "", ""]]),
        ("E1:E2", [["a", "b", "c", "d"], ["", "", "", "1"], ["", "", "", ""]]),
        ("Z1:Z2", [["a", "b", "c", "d"], ["", "", "", "1"], ["", "", "", ""]]),
        ("A4:A5", [["a", "b", "c", "d"], ["", "", "", "1"], ["", "", "", ""]]),
        ("A9:A10", [["a", "b", "c", "d"], ["", "", "", "1"], ["", "", "", ""]]),
    ],
)
def test_a_merged_range_is_its_first_cell_unless_it_is_a_title(tmp_path, area, rows):
    pytest.importorskip("python_calamine")
    sheet = [["a", "b", "c", "d"], [None, None, None, 1], ["", "", "", ""]]
    # The second range shows that one outside of the cells does not end the work.
    content = content_of(tmp_path, {"a": sheet}, merged=[area, "D2:D3"])
    rows[2][3] = "1"
    assert workbook_cells.tables_of(content)["a"] == rows


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime.datetime(2024, 5, 1), "2024-05-01"),
        (datetime.datetime(2024, 5, 1, 13, 30), "2024-05-01 13:30:00"),
        (datetime.date(2024, 5, 1), "2024-05-01"),
        (datetime.time(0, 0), "00:00:00"),
        (" x ", "x"),
        (False, "FALSE"),
        (float(np.float32(7.8421)), "7.8421"),
        (float(np.float32(0.1)), "0.1"),
        (float(np.float32(1008.00006)), "1008.00006"),  # nine digits, as many as it takes
        (float(np.float32(-2.5e-35)), "-2.5e-35"),
        (100.0, "100"),
        (0.1, "0.1"),
        (5.0, "5"),
        (1e-31, "1e-31"),
        (1.5e300, "1.5e+300"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_values_are_written_as_a_sheet_shows_them(value, text):
    assert workbook_cells._written(value) == text


@pytest.mark.parametrize(
    ("soft", "hard", "gigabytes"),
    [(-1, -1, 1.5), (2**40, -1, 1.5), (2**32, 2**33, 1.5), (2**29, -1, 0.5)],
)
def test_a_workbook_of_a_megabyte_may_use_a_gigabyte_and_a_half_or_less(
    monkeypatch, soft, hard, gigabytes
):
    limits = {9: (soft, hard)}
    system = SimpleNamespace(
        RLIMIT_AS=9, RLIM_INFINITY=-1, getrlimit=limits.get, setrlimit=limits.__setitem__
    )
    monkeypatch.setattr(workbook_cells, "resource", system)
    workbook_cells._limit_memory(1_000_000)
    assert (round(limits[9][0] / 1e9, 1), limits[9][1]) == (gigabytes, hard)


def test_where_memory_can_not_be_limited_it_is_not(monkeypatch):
    monkeypatch.setattr(workbook_cells, "resource", None)
    workbook_cells._limit_memory(1_000_000)


def test_what_is_no_workbook_is_an_error_in_words():
    pytest.importorskip("python_calamine")
    answer = workbook_cells._answer(b"PK\x03\x04 nothing")
    assert answer["error"]
    assert not answer[workbook_cells.LOCKED]


def test_a_workbook_with_a_cell_far_away_is_refused_before_memory_is_taken(tmp_path):
    """Three gigabytes of empty cells lie between its two."""
    pytest.importorskip("python_calamine")
    pytest.importorskip("resource")
    write_xlsx(tmp_path / "book.xlsx", {"a": []})
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1000000"><c r="CV1000000"><v>1</v></c>'
    with (
        zipfile.ZipFile(tmp_path / "book.xlsx") as book,
        zipfile.ZipFile(tmp_path / "far.xlsx", "w") as far,
    ):
        for name in book.namelist():
            content = book.read(name).decode()
            far.writestr(name, content.replace("</sheetData>", f"{cells}</row></sheetData>"))
    with pytest.raises(ValueError, match="damaged workbook, or "):
        read_table(tmp_path / "far.xlsx", item="name", target="rank")


TWO = {"First": [["name", "x"], ["a", 1]], "Second": [["name", "y"], ["b", 2], ["c", 3]]}


@pytest.mark.parametrize(
    ("asked", "title"), [("1", "First"), ("2", "Second"), (" second ", "Second"), (None, "Second")]
)
def test_the_sheet_that_is_read_has_its_title_among_all(tmp_path, asked, title):
    pytest.importorskip("python_calamine")
    write_xlsx(tmp_path / "book.xlsx", TWO)
    found = as_sheet(tmp_path / "book.xlsx", [], asked)
    assert (found.title, found.titles) == (title, ("First", "Second"))


@pytest.mark.parametrize("asked", ["0", "3", "-1", "Third"])
def test_a_number_of_no_sheet_is_refused(tmp_path, asked):
    pytest.importorskip("python_calamine")
    write_xlsx(tmp_path / "book.xlsx", TWO)
    with pytest.raises(ValueError, match=r"has no sheet .* it has 'First', 'Second'"):
        as_sheet(tmp_path / "book.xlsx", [], asked)


@pytest.mark.parametrize(
    ("sheets", "wanted", "why"),
    [
        (TWO, [], "it is the largest table; sheet=... takes another: 'First'."),
        (TWO, ["x"], "it has the columns asked for; sheet=... takes another: 'Second'."),
        (TWO, ["name", "x"], "it has the columns asked for; sheet=... takes another: 'Second'."),
        (
            {"Words": [["a"], ["b"], ["c"], ["d"], ["e"]], "Table": [["x", "y"], [1, 2]]},
            [],
            "it is the largest table; sheet=... takes another: 'Words'.",
        ),
        (
            {"A": [["x", "y"], [1, 2]], "B": [["x", "y"], [1, 2]]},
            [],
            "it is the first of the largest tables; sheet=... takes another: 'B'.",
        ),
    ],
)
def test_it_is_said_why_a_sheet_is_read(tmp_path, sheets, wanted, why):
    pytest.importorskip("python_calamine")
    write_xlsx(tmp_path / "book.xlsx", sheets)
    assert why in as_sheet(tmp_path / "book.xlsx", wanted).notes[0]


def test_a_sheet_with_a_gap_in_every_row_has_cells(tmp_path):
    pytest.importorskip("python_calamine")
    write_xlsx(tmp_path / "book.xlsx", {"a": [["x", None], [None, "2"]]})
    assert workbooks._tables((tmp_path / "book.xlsx").read_bytes(), "book") == {
        "a": [["x", ""], ["", "2"]]
    }


def test_formulas_may_be_why_a_column_of_a_workbook_has_no_values(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "book.xlsx"
    write_xlsx(path, {"a": [["name", "rank", "v", "w"], ["A", 1, None, 3], ["B", 2, None, 4]]})
    hint = "; formulas without stored results look empty: open the workbook in Excel and save it"
    assert (
        f"Columns without any value, not used: v{hint}."
        in read_table(path, item="name", target="rank").notes
    )
    with pytest.raises(ValueError, match=f"every value is missing.*{hint}"):
        read_table(path, item="name", target="v")
