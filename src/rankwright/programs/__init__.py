"""Linear and integer programs: the only package that imports highspy."""

from rankwright.programs.exact import (
    Basis,
    ExactSolution,
    independent_rows,
    invert,
    minimize_exactly,
    null_space,
)
from rankwright.programs.least_squares import nonnegative_least_squares
from rankwright.programs.many_rows import solve_by_rows
from rankwright.programs.program import Program
from rankwright.programs.safe import safe_minimum
from rankwright.programs.solution import NoAnswerError, Solution, Status

__all__ = [
    "Basis",
    "ExactSolution",
    "NoAnswerError",
    "Program",
    "Solution",
    "Status",
    "independent_rows",
    "invert",
    "minimize_exactly",
    "nonnegative_least_squares",
    "null_space",
    "safe_minimum",
    "solve_by_rows",
]
