"""Results as pages, figures and plain values; nothing new is computed here."""

from rankwright.report.figures import inline_svg, write_figure
from rankwright.report.plain_values import plain

__all__ = ["inline_svg", "plain", "write_figure"]
