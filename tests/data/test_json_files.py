"""Tables from JSON files."""

import json
import random

import pytest

from rankwright.data import read_table
from rankwright.data.sheet import cells
from rankwright.data.sources import as_sheet

RECORDS = [{"name": "A", "rank": 1, "01": 10.5}, {"name": "B", "rank": 2, "01": 8}]
COLUMNS = {key: [record[key] for record in RECORDS] for key in RECORDS[0]}
BY_ROW = {key: {str(i): value for i, value in enumerate(COLUMNS[key])} for key in COLUMNS}


@pytest.fixture
def write(tmp_path):
    def write(content, name="t.json"):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_bytes(text.encode())
        return path

    return write


@pytest.mark.parametrize("content", [RECORDS, COLUMNS, BY_ROW, "\ufeff" + json.dumps(RECORDS)])
def test_records_and_columns_are_the_same_table(write, content):
    table = read_table(write(content), item="name", target="rank")
    assert table.X["01"].tolist() == [10.5, 8]
    assert table.printed.tolist() == ["1", "2"]


def test_a_record_in_each_line_may_have_blank_lines_between(write):
    text = "\n\n".join(map(json.dumps, RECORDS)) + "\r\n \r\n"
    assert len(as_sheet(write(text, "t.jsonl"), []).frame) == 2


def test_numbers_are_those_that_a_text_table_gives(write):
    draw = random.Random(0)
    values = [draw.random() * 10 ** draw.randint(-9, 9) for _ in range(2000)]
    records = [{"name": f"i{i}", "rank": i, "v": one} for i, one in enumerate(values, start=1)]
    for name, content in (
        ("t.json", records),
        ("t.jsonl", "\n".join(map(json.dumps, records))),
        ("t.csv", "\n".join(["name,rank,v", *(f"i{i},{i},{v}" for i, v in enumerate(values))])),
    ):
        table = read_table(write(content, name), item="name", target="rank", factors=["v"])
        assert table.X["v"].tolist() == values


def test_names_are_no_dates_and_long_numbers_are_numbers(write):
    digits = "1" * 30
    text = f'[{{"2019-01-01": {digits}, "at_time": 40}}, {{"2019-01-01": 3, "at_time": 50}}]'
    frame = as_sheet(write(text), []).frame
    assert list(frame.columns) == ["2019-01-01", "at_time"]
    assert cells(frame["2019-01-01"]) == [digits, "3"]
    assert cells(frame["at_time"]) == ["40", "50"]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ('[{"a": 1,},\n{"a": 2}]', "t.json", "line 1, column 1.: .*; correct it there"),
        ('[{"a": 1},\n{"a": }]', "t.json", "line 2, column 7: .*; correct it there"),
        ('{"a": 1}\n{"a": 2}', "t.json", "line 2.*with a record in each line is called .jsonl"),
        ('{"a": 1}\n\n{"a": \n', "t.jsonl", r"t.jsonl holds no .*: line 3, column .*; correct it"),
        ('{"a": 1}\n[2]\n', "t.jsonl", r"entry 2 is '\[2\]'; write a list of records"),
        ({"data": RECORDS, "n": 2}, "t.json", "'data', 'n', of which 'data' is one; save that"),
        ({"data": RECORDS, "more": RECORDS}, "t.json", "of which 'data' is one; save that"),
        ({"n": 2, "data": RECORDS}, "t.json", "'n', 'data', of which 'data' is one; save that"),
        ({"columns": ["a"], "data": [[1]]}, "t.json", "names stand apart from rows"),
        ({"a": [1], "b": 3}, "t.json", "it is an object of 'a', 'b'; write a list"),
        ({"a": "xy", "b": "zw"}, "t.json", "it is an object of 'a', 'b'; write a list"),
        ({"a": {"r1": 1}, "b": [1]}, "t.json", "it is an object of 'a', 'b'; write a list"),
        ({"a": [1], "b": [1, 2]}, "t.json", "it is an object of 'a', 'b'.*; write a list"),
        ([["a", "b"], [1, 2]], "t.json", r"entry 1 is \"\['a', 'b'\]\"; write a list of records"),
        ("3", "t.json", "it is '3'; write a list of records"),
        ("[" * 100_000, "t.json", "t.json holds no list of records: (?!it is).*; write a list"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place_and_a_remedy(write, content, name, message):
    with pytest.raises(ValueError, match=message):
        as_sheet(write(content, name), [])


@pytest.mark.parametrize("name", ["t.json", "t.csv"])
def test_an_encoding_that_is_guessed_is_said_to_be(tmp_path, name):
    path = tmp_path / name
    text = '[{"name": "Élan"}]' if name == "t.json" else "name,rank\nÉlan,1\n"
    path.write_bytes(text.encode("mac-roman"))
    assert as_sheet(path, []).notes[0] == (
        "The file is not in UTF-8; it was read as cp1252; that is a guess: where letters are "
        "wrong, save it in UTF-8."
    )
    path.write_bytes(text.encode("utf-16"))
    assert as_sheet(path, []).notes[0] == "The file is not in UTF-8; it was read as utf-16."


def test_columns_may_be_empty_or_hold_records_among_others(write):
    assert as_sheet(write({"a": [], "b": []}), []).frame.columns.tolist() == ["a", "b"]
    assert len(as_sheet(write({"a": [{"x": 1}, 2], "b": [1, 2]}), []).frame) == 2
