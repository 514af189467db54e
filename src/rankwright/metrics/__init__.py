"""Measures of rankings: pure functions of arrays."""
