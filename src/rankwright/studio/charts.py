"""Charts of ECharts, drawn from their tables in the colours of ``plots``.

Options whose names begin with a colon are run by the page, and texts of tooltips are HTML: so no
name of an option is the user's, and every text of a tooltip goes through ``_tip``.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from rankwright.studio.blocks import Cell, Chart, Drawing, Grid

__all__ = ["height", "options"]

Palette = Mapping[str, str]
Options = dict[str, Any]

ROW, ROOM, USUAL = 24, 90, 340  # pixels of a row, of the axes, and of charts without rows
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
LONGEST = 28  # letters of a name on an axis
# Of matplotlib's viridis, reversed: place 1 is the lightest.
VIRIDIS = ["#fde725", "#7ad151", "#22a884", "#2a788e", "#414487", "#440154"]


def options(chart: Chart, palette: Palette) -> Options:
    """Return the options of a chart in the colours of a palette."""
    text = {"color": palette["ink"], "fontFamily": FONT, "fontSize": 13}
    shared: Options = {
        "animation": False,
        "textStyle": text,
        "grid": {"containLabel": True, "left": 16, "right": 24, "top": 24, "bottom": 40},
        "tooltip": {
            "confine": True,
            "extraCssText": "max-width: 20rem; white-space: normal;",
        },
    }
    return shared | DRAWN[chart.drawing](chart.grid, palette)


def height(chart: Chart) -> int:
    """Return how many pixels high a chart is."""
    if chart.drawing in (Drawing.PROGRESS, Drawing.FRONTIER):
        return USUAL
    room = 2 * ROOM if chart.drawing is Drawing.PLACES else ROOM
    return room + ROW * max(len(chart.grid.rows), 2)


def _tip(*lines: object) -> Options:
    """Return a tooltip that shows texts as texts; braces would be taken for variables."""
    shown = "<br>".join(escape(str(line)) for line in lines if line not in ("", None))
    return {"formatter": shown.replace("{", "&#123;").replace("}", "&#125;")}


def _short(name: Cell) -> str:
    text = " ".join(str(name).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _number(value: Cell) -> str:
    return f"{value:.4g}" if isinstance(value, float | int) else str(value)


def _names(rows: Sequence[Sequence[Cell]], palette: Palette) -> Options:
    return {
        "type": "category",
        "inverse": True,
        "data": [_short(row[0]) for row in rows],
        "axisTick": {"show": False},
        "axisLabel": {"color": palette["ink"], "interval": 0},
        "axisLine": {"lineStyle": {"color": palette["muted"]}},
    }


def _values(name: str, palette: Palette, **more: Any) -> Options:
    return {
        "type": "value",
        "name": name,
        "nameLocation": "middle",
        "nameGap": 30,
        "nameTextStyle": {"color": palette["ink"]},
        "axisLabel": {"color": palette["ink"], "hideOverlap": True},
        "splitLine": {"lineStyle": {"color": palette["grid"]}},
        **more,
    }


def _bars(grid: Grid, palette: Palette, value: int, unit: str, tips: list[Options]) -> Options:
    colours = [palette["accent" if _float(row[value]) >= 0 else "contrast"] for row in grid.rows]
    data = [
        {"value": row[value], "itemStyle": {"color": colour}, "tooltip": tip}
        for row, colour, tip in zip(grid.rows, colours, tips, strict=True)
    ]
    return {
        "xAxis": _values(unit, palette),
        "yAxis": _names(grid.rows, palette),
        "series": [{"type": "bar", "data": data, "barMaxWidth": 16}],
    }


def _weights(grid: Grid, palette: Palette) -> Options:
    has_ranges = len(grid.columns) == 5
    tips = [
        _tip(
            row[0],
            f"{_number(row[1])}% of the sum",
            f"from {_number(row[2])}% to {_number(row[3])}%" if has_ranges else "",
        )
        for row in grid.rows
    ]
    drawn = _bars(grid, palette, 1, "percent of the sum of all weights", tips)
    series = drawn["series"][0]
    series["itemStyle"] = {"opacity": 0.65}
    if has_ranges:
        spans = [(row[2], row[3], place) for place, row in enumerate(grid.rows)]
        drawn["series"].append(_spans(spans, palette["ink"]))
    return drawn


def _spans(spans: Sequence[tuple[Cell, Cell, int]], colour: str) -> Options:
    """Return lines from one value to another, each in its row."""
    ends = [
        point
        for low, high, place in spans
        if low is not None and high is not None
        for point in ([low, place], [high, place], ["-", "-"])
    ]
    return {
        "type": "line",
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": colour, "width": 3},
        "data": ends,
    }


def _slope(grid: Grid, palette: Palette) -> Options:
    before, after = (_in_order([row[column] for row in grid.rows]) for column in (1, 2))
    series = []
    for row, left, right in zip(grid.rows, before, after, strict=True):
        name, _, reproduced, moved, printed, why = row
        steps = _float(moved)
        colour = palette["muted" if not steps else "green" if steps > 0 else "contrast"]
        mark = "" if not steps else f"  {'▲' if steps > 0 else '▼'}{abs(steps):g}"
        labels = (f"{_short(name)}  {printed}", f"{_number(reproduced)}  {_short(name)}{mark}")
        said = f"published {printed}, by the formula {_number(reproduced)}"
        series.append(
            {
                "type": "line",
                "symbolSize": 7,
                "lineStyle": {"color": colour, "width": 2 if steps else 1},
                "itemStyle": {"color": colour},
                "tooltip": _tip(name, said, why),
                "triggerLineEvent": True,
                "data": [
                    {"value": [side, place], "label": _label(text, where, palette)}
                    for side, place, text, where in zip(
                        (0, 1), (left, right), labels, ("left", "right"), strict=True
                    )
                ],
            }
        )
    return {
        "grid": {"left": "36%", "right": "40%", "top": 30, "bottom": 10},
        "xAxis": {
            "type": "category",
            "position": "top",
            "boundaryGap": False,
            "data": ["published", "by the formula"],
            "axisLine": {"show": False},
            "axisTick": {"show": False},
            "axisLabel": {"color": palette["ink"], "interval": 0},
        },
        "yAxis": {
            "type": "value",
            "inverse": True,
            "show": False,
            "min": 0,
            "max": len(before) + 1,
        },
        "series": series,
    }


def _label(text: str, where: str, palette: Palette) -> Options:
    return {
        "show": True,
        "position": where,
        "formatter": text.replace("{", "(").replace("}", ")"),
        "color": palette["ink"],
        "width": 130,
        "overflow": "truncate",
    }


def _in_order(places: list[Cell]) -> list[int]:
    """Give every item a row of its own, in the order of the places."""
    order = sorted(range(len(places)), key=lambda item: _float(places[item]))
    rows = [0] * len(places)
    for row, item in enumerate(order, start=1):
        rows[item] = row
    return rows


def _progress(grid: Grid, palette: Palette) -> Options:
    series = [
        {
            "type": "line",
            "name": name,
            "step": "end",
            "symbolSize": 4,
            "lineStyle": {"color": palette[colour], "width": 2},
            "itemStyle": {"color": palette[colour]},
            "data": [[row[0], row[column]] for row in grid.rows],
        }
        for column, name, colour in (
            (1, "best formula so far", "accent"),
            (2, "no formula can do better", "contrast"),
        )
    ]
    return {
        "legend": {"textStyle": {"color": palette["ink"]}, "top": 0},
        "grid": {"containLabel": True, "left": 8, "right": 24, "top": 40, "bottom": 40},
        "tooltip": {"trigger": "axis", "confine": True},
        "xAxis": _values("seconds", palette),
        "yAxis": _values("", palette, scale=True),
        "series": series,
    }


def _frontier(grid: Grid, palette: Palette) -> Options:
    kinds = {
        "plan": ("efficient plans", "accent", "circle", 8),
        "guaranteed": ("guaranteed by every formula that fits as well", "contrast", "rect", 7),
        "chosen": ("chosen", "amber", "diamond", 18),
    }
    series = []
    for kind, (name, colour, symbol, size) in kinds.items():
        rows = [row for row in grid.rows if row[0] == kind]
        if rows:
            series.append(
                {
                    "type": "line",
                    "name": name,
                    "step": "end",
                    "symbol": symbol,
                    "symbolSize": size,
                    "lineStyle": {"color": palette[colour], "width": 1},
                    "itemStyle": {"color": palette[colour], "borderColor": palette["ink"]},
                    "data": [
                        {"value": [row[1], row[2]], "tooltip": _tip(*_plan(row))} for row in rows
                    ],
                }
            )
    return {
        "legend": {"textStyle": {"color": palette["ink"]}, "top": 0},
        "grid": {"containLabel": True, "left": 8, "right": 24, "top": 64, "bottom": 40},
        "xAxis": _values("cost", palette),
        "yAxis": _values(
            "gain in score",
            palette,
            nameLocation="end",
            nameGap=12,
            nameTextStyle={"color": palette["ink"], "align": "left"},
        ),
        "series": series,
    }


def _plan(row: Sequence[Cell]) -> list[str]:
    place = "" if row[3] is None else f", place {_number(row[3])}"
    return [f"cost {_number(row[1])}, gain {_number(row[2])}{place}", str(row[4])]


def _points(grid: Grid, palette: Palette) -> Options:
    tips = [_tip(row[0], f"{row[1]} and {row[2]}: {_number(row[3])} points") for row in grid.rows]
    return _bars(grid, palette, 3, "points", tips)


def _scores(grid: Grid, palette: Palette) -> Options:
    tips = [_tip(row[0], f"place {_number(row[1])}, score {_number(row[2])}") for row in grid.rows]
    return _bars(grid, palette, 2, "score", tips)


def _intervals(grid: Grid, palette: Palette) -> Options:
    ends = [_ends(grid.columns, row) for row in grid.rows]
    data = [
        {"value": [row[1], place], "tooltip": _tip(row[0], _said(row[1], *end))}
        for place, (row, end) in enumerate(zip(grid.rows, ends, strict=True))
        if row[1] is not None
    ]
    spans = [(*end, place) for place, end in enumerate(ends)]
    return {
        "xAxis": _values(grid.columns[1], palette, scale=True),
        "yAxis": _names(grid.rows, palette),
        "series": [
            {
                "type": "scatter",
                "symbolSize": 10,
                "itemStyle": {"color": palette["accent"]},
                "data": data,
            },
            _spans(spans, palette["accent"]),
        ],
    }


def _ends(columns: Sequence[str], row: Sequence[Cell]) -> tuple[Cell, Cell]:
    """Return the ends of an interval: as given, or two standard errors away."""
    if "low" in columns:
        return row[columns.index("low")], row[columns.index("high")]
    if row[1] is None or row[2] is None:
        return None, None
    return _float(row[1]) - 2 * _float(row[2]), _float(row[1]) + 2 * _float(row[2])


def _said(value: Cell, low: Cell, high: Cell) -> str:
    span = "" if low is None or high is None else f", from {_number(low)} to {_number(high)}"
    return f"{_number(value)}{span}"


def _places(grid: Grid, palette: Palette) -> Options:
    cells = [
        {
            "value": [voter, item, place],
            "tooltip": _tip(row[0], f"{grid.columns[voter + 1]}: place {_number(place)}"),
        }
        for item, row in enumerate(grid.rows)
        for voter, place in enumerate(row[1:])
        if place is not None
    ]
    largest = max((_float(place) for row in grid.rows for place in row[1:] if place), default=1.0)
    return {
        "xAxis": {
            "type": "category",
            "position": "top",
            "data": [_short(name) for name in grid.columns[1:]],
            "axisLabel": {"color": palette["ink"], "rotate": 40},
        },
        "yAxis": _names(grid.rows, palette),
        "grid": {"containLabel": True, "left": 8, "right": 24, "top": 30, "bottom": 56},
        "visualMap": {
            "min": 1,
            "max": largest,
            "orient": "horizontal",
            "left": "center",
            "bottom": 0,
            "inRange": {"color": VIRIDIS},
            "textStyle": {"color": palette["ink"]},
            "text": ["last", "place 1"],
        },
        "series": [{"type": "heatmap", "data": cells}],
    }


def _float(value: Cell) -> float:
    return float(value) if isinstance(value, float | int) else 0.0


DRAWN: dict[Drawing, Callable[[Grid, Palette], Options]] = {
    Drawing.WEIGHTS: _weights,
    Drawing.SLOPE: _slope,
    Drawing.PROGRESS: _progress,
    Drawing.FRONTIER: _frontier,
    Drawing.POINTS: _points,
    Drawing.INTERVALS: _intervals,
    Drawing.SCORES: _scores,
    Drawing.PLACES: _places,
}
