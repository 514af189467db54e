"""Rankers that learn which of two items is preferred, and then let the pairs vote."""

from rankwright.preference.preference_ranker import PreferenceRanker

__all__ = ["PreferenceRanker"]
