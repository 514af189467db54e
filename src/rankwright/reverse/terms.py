"""The terms that a formula adds up: factors, or pieces of them, and the signs asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.knowledge import AtMost, parse_requirements
from rankwright.reverse.problem import Rating
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.search.directions import UNDECIDED, read_signs
from rankwright.reverse.solve import FitOptions, solve
from rankwright.reverse.task import Task
from rankwright.reverse.values import ValueFunctions, choose_functions, given_functions

__all__ = ["Terms", "read_terms"]

Ints = NDArray[np.int64]
# Parts of the time: for directions that constraints and pieces need beforehand, and for knots.
DECIDING, CHOOSING = 0.2, 0.3


@dataclass(frozen=True, eq=False)
class Terms:
    """What a formula of a rating adds up.

    Attributes
    ----------
    rating : Rating
        With a column for each term.
    signs : (d,) int64
        1, -1, 0 (free) or 2 (the data decide) for each.
    functions : ValueFunctions or None
        The pieces that the terms are, None if they are the factors.
    """

    rating: Rating
    signs: Ints
    functions: ValueFunctions | None = None

    def directed(self, task: Task, clock: Clock) -> Ints:
        """Return the signs; where the data decide, those of the best formula without constraints.

        It is found by a search with a part of the time.
        """
        if not (self.signs == UNDECIDED).any():
            return self.signs
        with Clock(max(DECIDING * clock.left, 0.1)) as part:
            options = FitOptions("search", part, 0.0, 0, task.n_threads)
            unconstrained = replace(self.rating, constraints=[]).problem
            found = solve(unconstrained, self.signs, options)
        if found.status == FitStatus.INTERRUPTED:
            raise KeyboardInterrupt("before there was a formula")
        return np.where(self.signs == UNDECIDED, found.problem.directions, self.signs)


def read_terms(rating: Rating, task: Task, clock: Clock) -> Terms:
    """Read the signs and value functions asked for: pieces go in the direction of their factor."""
    factors = Terms(rating, read_signs(task.signs, rating.factor_names))
    if rating.constraints and (factors.signs == 0).any():
        raise ValueError(
            "constraints are about the sizes of weights, so directions must be known; give "
            "signs='auto', 'positive' or a mapping without 'free'"
        )
    if task.value_functions == "linear":
        return factors
    if isinstance(task.value_functions, Mapping):  # what is wrong with it is said at once
        functions = given_functions(task.value_functions, rating.X, rating.factor_names)
        _check_constraints(rating, {*task.value_functions})
        directions = factors.directed(task, clock)
    else:
        _check_constraints(rating, {*rating.factor_names})
        directions = factors.directed(task, clock)
        with Clock(max(CHOOSING * clock.left, 0.1)) as part:
            functions = choose_functions(rating, np.where(directions < 0, -1, 1), part)
    ones = np.ones(len(functions.names), dtype=np.int64)
    pieces = replace(
        rating,
        X=functions.expand(rating.X),
        factor_names=functions.names,
        piece_of=[rating.factor_names[j] for j in functions.factors],
        directions=ones,
        asked=ones,
    )
    return Terms(pieces, directions[functions.factors], functions)


def _check_constraints(rating: Rating, in_pieces: set[str]) -> None:
    """Refuse constraints on weights of factors that have one for each piece; shares add up."""
    for one in parse_requirements(rating.constraints, rating.factor_names):
        if isinstance(one, AtMost):
            raise ValueError(
                f"the constraint {one.text!r} counts factors, but pieces of factors have weights "
                "of their own; leave it out, or use value_functions='linear'"
            )
        named = {name for name, _ in one.coefficients}
        if not one.in_shares and (one.percent or named & in_pieces):
            raise ValueError(
                f"the constraint {one.text!r} is about weights, but a factor in pieces has several;"
                " write share(...) around its factors, for the sum of the shares of their pieces"
            )
