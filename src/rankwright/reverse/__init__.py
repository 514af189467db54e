"""Reverse-engineer a published rating, and prove that no formula fits better."""

from rankwright.reverse.certificate import Certificate
from rankwright.reverse.chance import ChanceCheck
from rankwright.reverse.formula import RatingFormula
from rankwright.reverse.progress import State, Status

__all__ = ["Certificate", "ChanceCheck", "RatingFormula", "State", "Status"]
