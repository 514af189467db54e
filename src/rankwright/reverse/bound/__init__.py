"""What no formula can exceed: branch and bound over cones of weights and over orders."""

from rankwright.reverse.bound.contradictions import find_contradictions
from rankwright.reverse.bound.proof import cells_within, prove, whole_space

__all__ = ["cells_within", "find_contradictions", "prove", "whole_space"]
