"""The terms that a formula adds up: factors, or pieces of them, and the signs asked for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.bound import prove
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.knowledge import AtMost, parse_requirements
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.progress import FitStatus, Progress
from rankwright.reverse.refit import refit
from rankwright.reverse.search.directions import UNDECIDED, read_signs
from rankwright.reverse.solve import FitOptions, Outcome, solve
from rankwright.reverse.task import Task
from rankwright.reverse.values import ValueFunctions, choose_functions, given_functions

__all__ = ["Terms", "read_terms"]

Ints = NDArray[np.int64]
# Parts of the time: for directions that constraints and pieces need beforehand, and for knots.
DECIDING, CHOOSING = 0.2, 0.3
SEARCHING = 0.5  # of the time for deciding, for the best formula without constraints
FEW = 5  # undecided factors: all their directions are tried
FEW_ROUNDS = 64  # of a proof, for each of these


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
    suggested : (d,) int64 or None
        For pieces, the directions of the best formula in which factors count evenly.
    """

    rating: Rating
    signs: Ints
    functions: ValueFunctions | None = None
    suggested: Ints | None = None

    def directed(self, task: Task, clock: Clock) -> Ints:
        """Return the signs; where the data decide, those of the best formula that is found.

        Constraints and pieces need them before the proof. With a part of the time, a search finds
        the best formula without constraints; its directions, or all positive ones, are then turned
        factor by factor while a formula that keeps to the constraints gains by it.
        """
        best = self._positive
        if not (self.signs == UNDECIDED).any():
            return best
        try:
            with Clock(max(DECIDING * clock.left, 0.1)) as part:
                for better in self._better(task, part):
                    best = better
        except KeyboardInterrupt:
            clock.interrupt()  # a formula with these directions is still to be found
        return best

    @property
    def _positive(self) -> Ints:
        """Return the signs, positive where the data decide."""
        return np.where(self.signs == UNDECIDED, 1, self.signs)

    def _better(self, task: Task, clock: Clock) -> Iterator[Ints]:
        """Yield directions, each better than those before as far as a search tells."""
        first = self.suggested
        if first is None:
            found = self._without_constraints(task, clock)
            first = np.where(self.signs == UNDECIDED, found.problem.directions, self.signs)
            yield first
            if found.status == FitStatus.INTERRUPTED:
                raise KeyboardInterrupt
        yield from self._turned(first, clock) if self.rating.is_limited else [first]

    def _without_constraints(self, task: Task, clock: Clock) -> Outcome:
        with Clock(max(SEARCHING * clock.left, 0.05)) as part:
            options = FitOptions("search", part, 0.0, 0, task.n_threads)
            unconstrained = replace(self.rating, constraints=[]).problem
            return solve(unconstrained, self.signs, options)

    def _turned(self, first: Ints, clock: Clock) -> Iterator[Ints]:
        """Yield directions up to those that no turn of one factor improves in a short search.

        All of them are tried where they are few.
        """
        most = bound_without_pairs(self.rating.problem)
        members = self._undecided()
        values: dict[tuple[int, ...], int] = {}

        def value(directions: Ints) -> int:
            key = tuple(directions.tolist())
            if key not in values:
                values[key] = refit(self._problem(directions), None, clock).value
            return values[key]

        best = max((first, self._positive), key=value)
        yield best
        improved = True
        while improved and value(best) < most:
            improved = False
            for other in _turns(best, members):
                if clock.is_late:
                    return
                if value(other) > value(best):
                    best, improved = other, True
                    yield best

    def elsewhere(self, decided: Ints, outcome: Outcome, clock: Clock) -> tuple[Ints, int]:
        """Look for a better formula in other directions, by short proofs, where they are few.

        Return the directions of one, or else those decided, and what no formula of any directions
        exceeds.
        """
        members = self._undecided()
        anyhow = bound_without_pairs(self.rating.problem)
        if len(members) > FEW or not self.rating.problem.has_planes or anyhow == outcome.bound:
            return decided, anyhow
        bound = outcome.bound
        with threads(1, clock) as pool:
            for other in _turns(decided, members):
                if clock.is_late:
                    return decided, anyhow
                progress = Progress(self._problem(other), clock, value=outcome.value, bound=anyhow)
                prove(progress, gap=0, pool=pool, rounds=FEW_ROUNDS)
                if progress.weights is not None:
                    return other, anyhow
                bound = max(bound, progress.bound)
        return decided, bound

    def _undecided(self) -> list[Ints]:
        """Return the terms of each factor whose direction the data decide."""
        factors = np.arange(len(self.signs)) if self.functions is None else self.functions.factors
        chosen = dict.fromkeys(factors[self.signs == UNDECIDED].tolist())
        return [np.flatnonzero(factors == j) for j in chosen]

    def _problem(self, directions: Ints) -> RatingProblem:
        """Return the problem with directions, 0 for a sign that is free."""
        is_free = directions == 0
        return self.rating.problem.turned(np.where(is_free, 1, directions)).with_free(is_free)


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
    of_piece = functions.factors
    return Terms(pieces, factors.signs[of_piece], functions, directions[of_piece])


def _turns(directions: Ints, members: list[Ints]) -> Iterator[Ints]:
    """Yield directions with one factor turned, and where factors are few with all sets of them."""
    for size in range(1, len(members) + 1 if len(members) <= FEW else 2):
        for chosen in combinations(members, size):
            turned = directions.copy()
            turned[np.concatenate(chosen)] *= -1
            yield turned


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
