"""Generators of the data sets in the papers, and bundled tables."""
