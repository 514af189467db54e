"""Formulas that hold for new products: steady ones, and blends that held-out products choose."""

from rankwright.reverse.stable.choice import Trial
from rankwright.reverse.stable.stable_formula import StableFormula, stabilise
from rankwright.reverse.stable.words import stable_words, trial_words

__all__ = ["StableFormula", "Trial", "stabilise", "stable_words", "trial_words"]
