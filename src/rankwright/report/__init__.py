"""Results as pages, figures and plain values; nothing new is computed here."""

from rankwright.report.figures import figure_bytes, inline_svg
from rankwright.report.plain_values import json_text, plain
from rankwright.report.spreadsheet import csv_text
from rankwright.report.workbook import xlsx_bytes

__all__ = ["csv_text", "figure_bytes", "inline_svg", "json_text", "plain", "xlsx_bytes"]
