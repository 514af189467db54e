"""Formulas that hold for new products."""
