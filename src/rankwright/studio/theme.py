"""Light or dark, and the charts that follow."""

from nicegui import ui

from rankwright.palette import DARK, LIGHT
from rankwright.studio import charts
from rankwright.studio.blocks import Chart

__all__ = ["Theme"]


class Theme:
    """The theme of a tab; its charts are drawn here, and again when the theme changes."""

    def __init__(self) -> None:
        self.is_dark = False
        self._drawn: dict[ui.echart, Chart] = {}

    def draw(self, chart: Chart, label: str) -> ui.echart:
        """Draw a chart; screen readers are told its label."""
        element = ui.echart(self._options(chart))
        element.style(f"height: {charts.height(chart)}px").classes("chart")
        element.props["role"] = "img"
        element.props["aria-label"] = label
        self._drawn = {one: kept for one, kept in self._drawn.items() if not one.is_deleted}
        self._drawn[element] = chart
        return element

    def redraw(self, element: ui.echart, chart: Chart) -> None:
        """Let a chart that is there show other numbers, or other colours."""
        self._drawn[element] = chart
        element.options.update(self._options(chart))
        element.update()

    def switch(self, is_dark: bool) -> None:
        """Turn every chart light or dark."""
        self.is_dark = is_dark
        for element, chart in self._drawn.items():
            if not element.is_deleted:
                self.redraw(element, chart)

    def _options(self, chart: Chart) -> charts.Options:
        return charts.options(chart, DARK if self.is_dark else LIGHT)
