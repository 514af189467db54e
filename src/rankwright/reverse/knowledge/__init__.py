"""What people know of a rating's weights before it is explained: constraints, and their cone."""

from rankwright.reverse.knowledge.cone import Cone, allowed_cone
from rankwright.reverse.knowledge.parsing import parse_requirements, read_requirements
from rankwright.reverse.knowledge.requirement import AtMost, Requirement

__all__ = [
    "AtMost",
    "Cone",
    "Requirement",
    "allowed_cone",
    "parse_requirements",
    "read_requirements",
]
