"""Ranking forests: Tables 1-6 and Figures 3 and 4, beside other forests on the same samples."""

from rankwright.studies.papers.forests.study import STUDY

__all__ = ["STUDY"]
