"""Reverse-engineer a published rating, and prove that no formula fits better."""

from rankwright.reverse.certificate import Certificate
from rankwright.reverse.formula import RatingFormula
from rankwright.reverse.investigation import Investigation, investigate
from rankwright.reverse.progress import State, Status
from rankwright.reverse.questions.chance import ChanceCheck, HeldOut
from rankwright.reverse.questions.what_if import what_if

__all__ = [
    "Certificate",
    "ChanceCheck",
    "HeldOut",
    "Investigation",
    "RatingFormula",
    "State",
    "Status",
    "investigate",
    "what_if",
]
