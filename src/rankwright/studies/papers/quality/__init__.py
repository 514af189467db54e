"""Reverse-engineering quality ratings: formulas from published ranks, and the cheapest way up."""

from rankwright.studies.papers.quality.study import STUDY

__all__ = ["STUDY"]
