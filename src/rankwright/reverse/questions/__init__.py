"""What a fitted formula is asked: functions of a rating and its solution."""

from rankwright.reverse.questions.agreement import Agreement, agreement, regression_scores
from rankwright.reverse.questions.alike import AlikeFactors, alike_factors
from rankwright.reverse.questions.alternatives import Alternatives, alternatives
from rankwright.reverse.questions.any_signs import AnySignRanges, find_any_signs
from rankwright.reverse.questions.audit import audit
from rankwright.reverse.questions.chance import ChanceCheck, against_chance
from rankwright.reverse.questions.given_weights import GivenWeights, judge_weights, read_weights
from rankwright.reverse.questions.good_formulas import GoodFormulas, find_good_formulas
from rankwright.reverse.questions.held_out import HeldOut, held_out
from rankwright.reverse.questions.ranges import OrderRanges
from rankwright.reverse.questions.resampling import bootstrap, leave_one_out
from rankwright.reverse.questions.shared_formula import SharedFormula, shared_formula
from rankwright.reverse.questions.spreadsheet import excel_formula
from rankwright.reverse.questions.summary import summary
from rankwright.reverse.questions.weight_units import (
    chosen_unit,
    shown_sizes,
    shown_unit,
    weight_table,
)
from rankwright.reverse.questions.what_if import what_if

__all__ = [
    "Agreement",
    "AlikeFactors",
    "Alternatives",
    "AnySignRanges",
    "ChanceCheck",
    "GivenWeights",
    "GoodFormulas",
    "HeldOut",
    "OrderRanges",
    "SharedFormula",
    "against_chance",
    "agreement",
    "alike_factors",
    "alternatives",
    "audit",
    "bootstrap",
    "chosen_unit",
    "excel_formula",
    "find_any_signs",
    "find_good_formulas",
    "held_out",
    "judge_weights",
    "leave_one_out",
    "read_weights",
    "regression_scores",
    "shared_formula",
    "shown_sizes",
    "shown_unit",
    "summary",
    "weight_table",
    "what_if",
]
