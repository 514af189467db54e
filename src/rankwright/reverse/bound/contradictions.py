"""Published pairs that exclude one another: sets of them of which every formula loses one."""

from dataclasses import dataclass

import numpy as np

from rankwright.reverse.bound.relations import unwinnable
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.search.margin import MOST_NEIGHBOURS, count_neighbours, neighbour_pairs

__all__ = ["Contradictions", "find_contradictions"]


@dataclass(frozen=True)
class Contradictions:
    """How many published pairs every formula loses at least, and what it loses with them.

    Those of products with equal factors apart. Both are proved in whole numbers.
    """

    pairs: int = 0
    worth: int = 0


def find_contradictions(problem: RatingProblem, most: int, clock: Clock) -> Contradictions:
    """Find so many sets of neighbouring pairs, none in two, that no formula wins together.

    Each set costs a formula at least its cheapest pair.
    """
    if problem.objective.by_position or count_neighbours(problem) > MOST_NEIGHBOURS:
        return Contradictions()
    upper, lower = neighbour_pairs(problem)
    whole, unit = problem.factors.whole * problem.directions, problem.aims.unit
    rows = whole[upper] - whole[lower]
    kept = rows.any(axis=1) & (unit[upper] > 0)
    if problem.freed is not None:
        kept &= (upper != problem.freed) & (lower != problem.freed)
    # A free factor counts twice, once each way, so that no weight is negative.
    rows = np.column_stack([rows, -rows[:, problem.free]])[kept]
    spans = np.append(problem.spans, problem.spans[problem.free])
    unit = unit[upper[kept]]
    pairs = worth = 0
    while pairs < most:
        together = unwinnable(rows, spans, clock.over)
        if together is None:
            break
        pairs, worth = pairs + 1, worth + int(unit[together].min())
        rows, unit = np.delete(rows, together, axis=0), np.delete(unit, together)
    return Contradictions(pairs, worth)
