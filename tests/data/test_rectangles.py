import csv
import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.data import rectangles, spreadsheet
from rankwright.data.layout import Layout, find_layout
from rankwright.data.rectangles import split_rectangle

CELL = st.text(st.sampled_from('ab1.5é €-%\n"'), max_size=6)


def write(rows, quoting=csv.QUOTE_MINIMAL, newline="\n"):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=",", quoting=quoting, lineterminator=newline).writerows(rows)
    return out.getvalue()


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), min_size=2, max_size=6),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_rectangle_is_split_as_row_by_row_or_left_alone(rows, quoting, newline):
    text = write([("x", "y", "z"), *rows], quoting, newline)
    found = split_rectangle(text, ",", Layout(("x", "y", "z"), 0, 1, ()))
    if found is not None:
        records = list(csv.reader(io.StringIO(text, newline=""), strict=True))[1:]
        assert found.to_numpy().tolist() == [[cell.strip() for cell in row] for row in records]
        assert found.index.tolist() == list(range(2, len(records) + 2))


def test_a_large_table_reads_as_a_small_one_does(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    rows = [(f"{i}.", f'the "{i}" inn', f"${i},000 ", f"{i}%") for i in range(1, 400)]
    path.write_text(write([("rank", "name", "pay", "share"), *rows]))
    small = spreadsheet.read_sheet(path)
    monkeypatch.setattr(spreadsheet, "LARGE", 100)
    large = spreadsheet.read_sheet(path)
    pd.testing.assert_frame_equal(small.frame, large.frame, check_index_type=False)
    assert (small.mark, small.notes) == (large.mark, large.notes)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3\n",
        "a,b\n1,2\n\n3,4\n",
        "a,b\n1,2\n3,4,5\n",
        'a,b\n1,"x\n2,"y\n',
        'a,b\n"x"y,2\n3,4\n',
        'a,b\n"never closed,2\n3,4\n',
    ],
)
def test_what_needs_a_closer_look_is_left_alone(text):
    head = list(csv.reader(io.StringIO(text)))
    assert rectangles.split_rectangle(text, ",", find_layout(head, ["a", "b"])) is None
