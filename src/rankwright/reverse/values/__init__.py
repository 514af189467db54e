"""Factors that do not count evenly: monotone value functions of few pieces, and levels."""

from rankwright.reverse.values.choosing import choose_functions, suggest_forms
from rankwright.reverse.values.functions import ValueFunctions, given_functions

__all__ = ["ValueFunctions", "choose_functions", "given_functions", "suggest_forms"]
