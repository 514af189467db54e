"""Elements of pages, made without a browser."""

import pytest

pytest.importorskip("nicegui", reason="needs the extra studio")

from nicegui import Client, ui
from nicegui.page import page

from rankwright.palette import DARK, LIGHT
from rankwright.studio import charts
from rankwright.studio.blocks import Chart, Drawing, Grid
from rankwright.studio.edit_table import EditColumn, EditTable
from rankwright.studio.theme import Theme

ONE = Chart(Drawing.POINTS, Grid("Why", ("factor", "a", "b", "points"), (("zoom", 1, 2, 3.0),)))
OTHER = Chart(Drawing.POINTS, Grid("Why", ("factor", "a", "b", "points"), (("price", 2, 1, -3.0),)))


@pytest.fixture
def tab():
    with Client(page("/test")) as client:
        yield client


def test_a_chart_has_words_for_those_who_can_not_see_it(tab):
    drawn = Theme().draw(ONE, "why a is above b")
    assert drawn.props["role"] == "img"
    assert drawn.props["aria-label"] == "why a is above b"
    assert drawn.options == ui.echart(charts.options(ONE, LIGHT)).options


def test_charts_follow_the_theme(tab):
    theme = Theme()
    first, second = (theme.draw(chart, "") for chart in (ONE, OTHER))
    theme.redraw(first, OTHER)
    theme.switch(True)
    expected = ui.echart(charts.options(OTHER, DARK)).options
    assert first.options == second.options == expected


def test_a_chart_that_is_gone_is_not_drawn_again(tab):
    theme = Theme()
    gone, kept = (theme.draw(chart, "") for chart in (ONE, OTHER))
    before = dict(gone.options)
    gone.delete()
    theme.switch(True)
    assert gone.options == before
    assert kept.options != before
    theme.draw(ONE, "")
    assert gone not in theme._drawn


def test_cells_of_a_table_to_edit_have_names_of_our_own(tab):
    """A column may be called as it likes: ``__proto__`` would be no key for a browser."""
    table = EditTable("changes", print)
    table.show([EditColumn("__proto__"), EditColumn("kind", options=("a", "b"))], [["x", "a"]])
    assert [column["name"] for column in table.props["columns"]] == ["c0", "c1"]
    assert [column["label"] for column in table.props["columns"]] == ["__proto__", "kind"]
    assert [column.get("options") for column in table.props["columns"]] == [None, ["a", "b"]]
    assert table.props["rows"] == [{"c0": "x", "c1": "a"}]
