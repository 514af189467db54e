"""Reverse-engineer a published rating, and prove that no formula fits better."""

from rankwright.reverse.certificate import Certificate
from rankwright.reverse.formula import RatingFormula
from rankwright.reverse.investigation import Investigation, Step, investigate
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.questions import ChanceCheck, HeldOut, what_if

__all__ = [
    "Certificate",
    "ChanceCheck",
    "FitStatus",
    "HeldOut",
    "Investigation",
    "RatingFormula",
    "State",
    "Step",
    "investigate",
    "what_if",
]
