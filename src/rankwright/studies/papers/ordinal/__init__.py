"""Decision trees whose impurity counts the pairs of differently labelled rows."""

from rankwright.studies.papers.ordinal.study import STUDY

__all__ = ["STUDY"]
