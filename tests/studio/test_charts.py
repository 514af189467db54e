import json

import pytest

from rankwright.palette import DARK, LIGHT
from rankwright.plots import axes
from rankwright.studio.blocks import Chart, Drawing, Grid
from rankwright.studio.charts import height, options

EVIL = '<img src=x onerror="alert(1)">{a}'
GRIDS = {
    Drawing.WEIGHTS: (
        ("factor", "percent", "low", "high", "weight"),
        [(EVIL, -3.0, -4.0, None, 1)],
    ),
    Drawing.SLOPE: (
        ("product", "published", "by", "moved", "printed", "why"),
        [(EVIL, 1, 2, -1, EVIL, EVIL), ("B", 2, 1, 1, "2", "")],
    ),
    Drawing.PROGRESS: (("seconds", "objective", "bound"), [(0.1, 0.5, 1.0)]),
    Drawing.FRONTIER: (
        ("kind", "cost", "gain", "place", "changes"),
        [("plan", 1.0, 2.0, None, EVIL), ("guaranteed", 1.0, 1.0, 3.0, EVIL)],
    ),
    Drawing.POINTS: (("factor", EVIL, "b", "points"), [(EVIL, EVIL, EVIL, 0.5)]),
    Drawing.INTERVALS: ((EVIL, "mean", "s.e."), [(EVIL, 0.5, 0.1), ("failed", None, None)]),
    Drawing.SCORES: (("item", "position", "score"), [(EVIL, 1.0, -2.0)]),
    Drawing.PLACES: (("item", "consensus", EVIL), [(EVIL, 1.0, None), ("B", 2.0, 1.0)]),
}


def drawn(drawing, palette=LIGHT):
    columns, rows = GRIDS[drawing]
    return options(Chart(drawing, Grid(EVIL, columns, tuple(rows))), palette)


def parts(value, path=()):
    if isinstance(value, dict):
        for key, one in value.items():
            yield from parts(one, (*path, key))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from parts(one, path)
    else:
        yield path, value


@pytest.mark.parametrize("drawing", Drawing)
def test_texts_of_tooltips_are_escaped(drawing):
    for path, value in parts(drawn(drawing)):
        if path[-1] == "formatter" and "tooltip" in path:
            assert "<img" not in value
            assert "{" not in value


@pytest.mark.parametrize("drawing", Drawing)
def test_no_option_is_code_or_named_by_the_user(drawing):
    for path, _ in parts(drawn(drawing)):
        assert not any(key.startswith(":") or "<" in key for key in path)


@pytest.mark.parametrize("drawing", Drawing)
def test_charts_can_be_sent_as_json(drawing):
    json.dumps(drawn(drawing), allow_nan=False)


@pytest.mark.parametrize("drawing", Drawing)
def test_dark_charts_have_the_same_numbers_in_other_colours(drawing):
    light, dark = (
        [value for _, value in parts(drawn(drawing, palette)) if not isinstance(value, str)]
        for palette in (LIGHT, DARK)
    )
    assert light == dark


def test_charts_have_the_colours_of_plots():
    assert LIGHT == axes.COLOURS
    assert LIGHT.keys() == DARK.keys()
    bar = drawn(Drawing.WEIGHTS)["series"][0]["data"][0]
    assert bar["itemStyle"]["color"] == axes.CONTRAST


def test_charts_grow_with_their_rows():
    one, many = (height(Chart(Drawing.SCORES, Grid("", ("a",), (("x",),) * n))) for n in (1, 50))
    assert many > one
