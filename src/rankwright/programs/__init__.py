"""Linear and integer programs: the only package that imports highspy."""

from rankwright.programs.program import Program
from rankwright.programs.solution import Solution, Status

__all__ = ["Program", "Solution", "Status"]
