"""Pairwise against pointwise ranking: samples of one list predict the order of others."""

from rankwright.studies.papers.hotels.study import STUDY

__all__ = ["STUDY"]
