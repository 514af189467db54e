from types import SimpleNamespace

import pytest

pytest.importorskip("nicegui", reason="needs the extra studio")

from rankwright.studio.edit_table import EditTable
from rankwright.studio.pages.improve import edited
from rankwright.studio.tasks.improve import ChangeRow, ChangeTable


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"row": 1, "column": "c0", "value": "x"}, [(1, 0, "x")]),
        ({"row": 2, "column": "c0", "value": "x"}, []),
        ({"row": -1, "column": "c0", "value": "x"}, []),
        ({"row": True, "column": "c0", "value": "x"}, []),
        ({"row": 0, "column": "c2", "value": "x"}, []),
        ({"row": 0, "column": ["c1"], "value": "x"}, []),
        ({"row": 0, "column": "c1", "value": 3}, []),
        ("nonsense", []),
    ],
)
def test_only_cells_of_the_table_are_taken_from_a_browser(sent, told):
    heard = []
    table = SimpleNamespace(_size=(2, 2), _changed=lambda *cell: heard.append(cell))
    EditTable._take(table, SimpleNamespace(args=sent))
    assert heard == told


def test_a_cell_of_the_changes_is_replaced():
    before = ChangeTable(("zoom",), (ChangeRow("a", "1", ("",)), ChangeRow("b", "2", ("3",))))
    after = edited(before, 1, 2, " 4 ")
    assert after.rows == (before.rows[0], ChangeRow("b", "2", ("4",)))
