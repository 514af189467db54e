"""Tables from files by what they hold, and from frames."""

import json

import pandas as pd
import polars as pl
import pytest

from rankwright.data import guess_columns, read_items, read_numbers, read_table
from rankwright.data.sheet import numbers
from rankwright.data.sources import as_sheet

RECORDS = [{"name": "a", "rank": 1, "code": "007"}, {"name": "b", "rank": 2, "code": "010"}]


def written(tmp_path, name):
    path = tmp_path / name
    if path.suffix.lower() == ".json":
        path.write_text(json.dumps(RECORDS))
    elif path.suffix in {".jsonl", ".ndjson"}:
        path.write_text("\n".join(map(json.dumps, RECORDS)))
    elif path.suffix in {".parquet", ".pq"}:
        pytest.importorskip("pyarrow")
        pd.DataFrame(RECORDS).to_parquet(path)
    else:
        path.write_text("name,rank,code\na,1,007\nb,2,010\n")
    return path


@pytest.mark.parametrize(
    "name", ["t.json", "t.jsonl", "t.ndjson", "t.JSON", "t.parquet", "t.pq", "t.csv", "t.xls"]
)
def test_the_ending_says_how_records_are_written(tmp_path, name):
    frame = as_sheet(written(tmp_path, name), []).frame
    assert list(frame.columns) == ["name", "rank", "code"]
    assert [str(cell) for cell in frame["rank"]] == ["1", "2"]
    assert list(frame["code"]) == ["007", "010"]  # texts stay texts


@pytest.mark.parametrize("ending", ["xlsx", "xlsm", "xlsb", "xls", "ods"])
def test_text_that_is_called_a_workbook_is_read_as_text_and_said(tmp_path, ending):
    notes = as_sheet(written(tmp_path, f"t.{ending}"), []).notes
    assert any("called a workbook but holds text" in note for note in notes)


def test_a_text_file_has_no_sheets(tmp_path):
    with pytest.raises(ValueError, match=r"t\.csv is not a workbook, so it has no sheet 'a'"):
        as_sheet(written(tmp_path, "t.csv"), [], "a")


def test_lines_of_records_are_no_list_of_them(tmp_path):
    path = tmp_path / "t.json"
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    with pytest.raises(ValueError, match="a file with a record in each line is called"):
        as_sheet(path, [])


def test_a_sheet_is_itself(tmp_path):
    sheet = as_sheet(written(tmp_path, "t.csv"), [])
    assert as_sheet(sheet, []) is sheet


def test_columns_of_a_frame_that_share_a_name_are_told_apart_and_said():
    sheet = as_sheet(pd.DataFrame([[1, 2], [3, 4]], columns=["x", "x"]), [])
    assert len(set(sheet.frame.columns)) == 2
    assert sheet.frame.to_numpy().tolist() == [[1, 2], [3, 4]]
    assert sheet.notes


def test_a_polars_frame_is_read_with_the_order_of_its_words():
    stars = pl.Series(["good", "best"], dtype=pl.Enum(["poor", "good", "best"]))
    frame = as_sheet(pl.DataFrame({"film": ["Up", "Her"], "stars": stars}), []).frame
    assert frame["film"].tolist() == ["Up", "Her"]
    assert frame["stars"].cat.ordered
    assert frame["stars"].cat.categories.tolist() == ["poor", "good", "best"]


def test_a_column_of_lists_is_taken_as_it_is():
    frame = pd.DataFrame({"name": ["a", "b"], "tags": [["x"], ["y", "z"]]})
    assert as_sheet(frame, []).frame["tags"].tolist() == [["x"], ["y", "z"]]


def test_a_column_of_arrow_lists_is_taken_as_it_is():
    arrow = pytest.importorskip("pyarrow")
    tags = pd.Series([["x"], ["y", "z"]], dtype=pd.ArrowDtype(arrow.list_(arrow.string())))
    frame = as_sheet(pd.DataFrame({"name": ["a", "b"], "tags": tags}), []).frame
    assert list(map(list, frame["tags"])) == [["x"], ["y", "z"]]


def test_numbers_of_a_frame_do_not_tell_the_decimal_mark_of_its_texts():
    frame = pd.DataFrame({"pay": [1.5, 2.25], "area": ["1,234", "2,345"], "share": ["0,5", "1,2"]})
    assert numbers(as_sheet(frame, []), "area").values.tolist() == [1.234, 2.345]


def test_text_that_is_called_parquet_is_told_from_a_damaged_file(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_text("name,rank\na,1\n")
    with pytest.raises(ValueError, match=r"t\.parquet is not a Parquet file; give a text table"):
        as_sheet(path, [])


@pytest.mark.parametrize("source", [3, None, [["a"]], b"a,b"])
def test_other_things_are_no_tables(source):
    with pytest.raises(ValueError, match="can't read a table from"):
        as_sheet(source, [])


def test_years_above_the_columns_of_a_frame_are_texts_as_in_a_file():
    frame = pd.DataFrame({"film": ["Up", "Her"], 2019: [1, 2], 2020: [2, 1], "2020": [5, 6]})
    sheet = as_sheet(frame, [])
    assert sheet.frame.columns.tolist()[:3] == ["film", "2019", "2020"]
    assert len(set(sheet.frame.columns)) == 4
    assert any("2020" in note for note in sheet.notes)
    nameless = pd.DataFrame([[1, 2, 3]], columns=["a", "a", ""])
    assert as_sheet(nameless, []).frame.columns.tolist() == ["a", "a (2)", "column 3"]
    assert as_sheet(nameless.iloc[:, 1:], []).frame.columns.tolist() == ["a", "column 2"]
    frame = frame[["film", 2019]]
    assert read_numbers(frame)["2019"].tolist() == [1, 2]
    assert read_items(frame, item="film", factors=["2019"]).X["2019"].tolist() == [1, 2]
    assert guess_columns(frame.assign(rank=[1, 2])).columns == ("film", "2019", "rank")
    table = read_table(
        frame, item="film", target="2019", where="2019 > 1", factors=["2019 is missing"]
    )
    assert list(table.items) == ["Her"]


@pytest.mark.parametrize(
    ("index", "columns"),
    [
        (pd.Index(list("abc"), name="model"), ["model", "zoom"]),
        (pd.Index(list("abc")), ["zoom"]),
        (pd.MultiIndex.from_arrays([list("abc"), [3, 1, 2]], names=["model", None]),
         ["model", "zoom"]),
        (pd.Index([3, 1, 2], name="zoom"), ["zoom", "zoom (2)"]),
    ],
)  # fmt: skip
def test_the_named_index_of_a_parquet_file_is_a_column(tmp_path, index, columns):
    frame = pd.DataFrame({"zoom": [5, 3, 1]}, index=index)
    frame.to_parquet(tmp_path / "t.parquet")
    assert as_sheet(tmp_path / "t.parquet", []).frame.columns.tolist() == columns
