"""Groups that two columns tell together."""

import pandas as pd
import pytest

from rankwright.data.joined import with_joined, with_parts
from rankwright.data.sources import as_sheet

FRAME = pd.DataFrame({"cup": ["n", "s"], "event": ["run", "jump"], "year": [2019, 2020]})


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("cup, event", ["n, run", "s, jump"]),
        ("event,cup", ["run, n", "jump, s"]),
        ("cup, event, year", ["n, run, 2019", "s, jump, 2020"]),
    ],
)
def test_columns_named_together_become_one_of_their_joined_texts(name, texts):
    sheet = as_sheet(FRAME, [name])
    assert sheet.frame[name].tolist() == texts
    assert sheet.frame.columns.tolist() == [*FRAME.columns, name]


@pytest.mark.parametrize("name", ["cup", " cup ", "cup, place", "place", "cup event"])
def test_a_name_that_joins_no_columns_that_are_there_adds_none(name):
    sheet = as_sheet(FRAME, [])
    assert with_joined(sheet, [name]) is sheet


def test_a_column_whose_name_has_a_comma_is_that_column():
    frame = FRAME.rename(columns={"year": "cup, event"})
    assert as_sheet(frame, ["cup, event"]).frame["cup, event"].tolist() == [2019, 2020]


def test_the_parts_of_a_joined_name_are_looked_for_beside_it():
    assert with_parts(["name", "cup, event"]) == ["name", "cup, event", "cup", "event"]
