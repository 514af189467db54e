"""The report of a reverse-engineered rating, section by section, and its result for machines."""

from rankwright.report.rating.report import rating_report
from rankwright.report.rating.result import rating_result, result_tables, weight_picture

__all__ = ["rating_report", "rating_result", "result_tables", "weight_picture"]
