"""Results as pages, figures and plain values; nothing new is computed here."""

from rankwright.report.figures import inline_svg, write_figure
from rankwright.report.plain_values import plain
from rankwright.report.spreadsheet import csv_text
from rankwright.report.workbook import xlsx_bytes

__all__ = ["csv_text", "inline_svg", "plain", "write_figure", "xlsx_bytes"]
