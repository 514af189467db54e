"""What a fitted formula is asked: functions of a rating and its solution."""

from rankwright.reverse.questions.audit import audit
from rankwright.reverse.questions.chance import ChanceCheck, against_chance
from rankwright.reverse.questions.good_formulas import GoodFormulas, find_good_formulas
from rankwright.reverse.questions.held_out import HeldOut, held_out
from rankwright.reverse.questions.ranges import rank_ranges, weight_polytope, weight_ranges
from rankwright.reverse.questions.resampling import bootstrap, leave_one_out
from rankwright.reverse.questions.spreadsheet import excel_formula
from rankwright.reverse.questions.summary import summary
from rankwright.reverse.questions.what_if import what_if

__all__ = [
    "ChanceCheck",
    "GoodFormulas",
    "HeldOut",
    "against_chance",
    "audit",
    "bootstrap",
    "excel_formula",
    "find_good_formulas",
    "held_out",
    "leave_one_out",
    "rank_ranges",
    "summary",
    "weight_polytope",
    "weight_ranges",
    "what_if",
]
