"""Plans: the cheapest changes that raise a product's score or position."""

from rankwright.improve.change import Change
from rankwright.improve.files import read_changes, read_conflicts
from rankwright.improve.plan import Plan, UnreachableError
from rankwright.improve.planner import Planner

__all__ = ["Change", "Plan", "Planner", "UnreachableError", "read_changes", "read_conflicts"]
