"""Strengths from comparisons, with the certainty of every rank."""

from rankwright.leaderboards.fit import leaderboard
from rankwright.leaderboards.leaderboard import Leaderboard

__all__ = ["Leaderboard", "leaderboard"]
