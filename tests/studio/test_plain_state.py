import json
from dataclasses import replace

import pytest

from rankwright.studio.blocks import Chart, Drawing, Grid, Section, Tone, Words
from rankwright.studio.plain_state import decode, encode
from rankwright.studio.state import State
from rankwright.studio.tasks.improve import ChangeRow, ChangeTable
from rankwright.studio.tasks.rank import RankFound
from rankwright.studio.tasks.roles import Role, Roles
from rankwright.studio.tasks.table import File, TableRequest

GRID = Grid("numbers", ("a", "b"), ((1, 2.5), ("x", None), (True, "=cmd()")))
FOUND = RankFound(
    (Section("One", (Words(("a",), Tone.WARNING), GRID, Chart(Drawing.SCORES, GRID)), True),),
    {"a.csv": b"\x00\xff", "b.csv": b""},
)
STATE = State(
    table=TableRequest(File("t.csv", "<b>.csv"), Roles({"x": Role.LESS, "y": Role.ITEM}), "rows"),
    changes=ChangeTable(("f",), (ChangeRow("A", "1,5", ("2",), "B"),)),
    product=3,
    fitted=FOUND,
    budget=2.5,
)


def saved(state):
    files = {}
    return json.loads(json.dumps(encode(state, files))), files


def test_a_state_comes_back_as_it_was():
    assert decode(State, *saved(STATE)) == STATE


def test_an_empty_state_comes_back_as_it_was():
    assert decode(State, *saved(State())) == State()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda values: values.update(product="3"),
        lambda values: values.update(budget=True),
        lambda values: values.update(more=1),
        lambda values: values.pop("view"),
        lambda values: values["table"].update(roles={"by_column": {"x": "eval"}}),
        lambda values: values["table"].update(file="t.csv"),
        lambda values: values["fitted"]["sections"].append({}),
        lambda values: values["fitted"]["sections"][0]["blocks"].append({":on": "alert(1)"}),
        lambda values: values["fitted"].update(files={"a.csv": "/nowhere"}),
        lambda values: values["fitted"].update(files=["a"]),
        lambda values: values["changes"]["rows"][0].update(effects="2"),
    ],
)
def test_anything_else_is_refused(spoil):
    values, files = saved(STATE)
    spoil(values)
    with pytest.raises((ValueError, KeyError)):
        decode(State, values, files)


def test_only_states_are_states():
    for value in (None, [], "x", 3):
        with pytest.raises(ValueError, match="no State"):
            decode(State, value, {})


def test_a_change_of_the_state_is_kept():
    assert decode(State, *saved(replace(STATE, product=None))).product is None
