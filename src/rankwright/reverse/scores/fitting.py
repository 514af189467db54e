"""From a rating with published scores to the formula, its ranges and its contradictions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, nextafter

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import Status
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.scores.digits import Range, plain_formula, write_formula
from rankwright.reverse.scores.intervals import read_scores
from rankwright.reverse.scores.nearest import nearest_formula
from rankwright.reverse.scores.polytope import ScorePolytope
from rankwright.reverse.scores.readings import Reading
from rankwright.reverse.scores.score_fit import ScoreFit
from rankwright.reverse.scores.units import OwnScale
from rankwright.reverse.scores.violations import (
    LeastViolation,
    enough_suspects,
    find_contradictions,
    least_violation,
    missed_by,
)
from rankwright.reverse.whole_numbers import read_whole

__all__ = ["fit_scores", "suggest_signs"]

Ints = NDArray[np.int64]
SHARE = 0.4  # of the time left, to find the fewest contradictions
# Factors are taken to be rounded only where so much of what that does to scores is seen: a few
# scores that are far off, among many that are reproduced to the last digit, have another reason.
PLAUSIBLE = 0.05
MOST_MISSED = 0.5  # of the products: where more are missed, no linear formula explains the scores
NO_RANGE: Range = (None, None)
SCOPES = {False: "linear formula", True: "linear formula with the signs and constraints given"}


def fit_scores(rating: Rating, known: Ints, step: float | None, clock: Clock) -> ScoreFit:
    """Find the formulas that reproduce published scores as rounded.

    Parameters
    ----------
    rating : Rating
        Its ``y`` are the scores; those of categories without weight don't count.
    known : (k, d) int64
        Rows with ``known @ weights >= 0`` for the weights of the whole factors: signs, and more.
    step : float or None
        What scores are rounded to, None to take it from their digits.
    clock : Clock
    """
    counted = rating.counted
    printed = _read(rating, known, step)
    factors, intervals = printed.factors, printed.intervals
    found = _reproduce(printed, clock)
    own = found.reading.own
    polytope = found.reading.polytope
    missed = found.suspects
    was_interrupted = bool(missed) and not found.at_least
    if was_interrupted or len(missed) > MOST_MISSED * len(counted):
        ranges, intercepts = [NO_RANGE] * len(factors.steps), NO_RANGE
        weights, intercept = plain_formula(polytope, own, found.least.x)
        missed = sorted(missed_by(polytope, own.read(weights, intercept)).products)
    else:
        kept = polytope.without(missed)
        ranges, intercepts = _ranges(kept.until(clock.over), own)
        central = (_central(kept.until(clock.over)) if missed else None) or found.x
        weights, intercept = write_formula(kept, own, central, ranges, clock)
    return ScoreFit(
        exact_weights=[str(w) for w in weights],
        exact_intercept=str(intercept),
        step=str(intervals.step),
        clipped_low=found.reading.intervals.clipped_low,
        clipped_high=found.reading.intervals.clipped_high,
        rounded_factors=found.reading.signs is not None,
        low=np.array([_below(low) for low, _ in ranges]),
        high=np.array([_above(high) for _, high in ranges]),
        intercept_low=_below(intercepts[0]),
        intercept_high=_above(intercepts[1]),
        contradicted=rating.rows[counted[missed]],
        misses=_misses(polytope, own.read(weights, intercept), missed, own.half),
        at_least=found.at_least,
        total=float(found.least.total * own.half),
        total_is_proved=found.least.is_proved,
        scope=SCOPES[len(known) > 0],
        n_products=len(counted),
        n_tied=_n_split(polytope, own.read(weights, intercept)),
    )


def suggest_signs(rating: Rating, known: Ints, step: float | None, clock: Clock) -> Ints:
    """Return the signs of a formula that comes near published scores, with what is known."""
    x = _reproduce(_read(rating, known, step), clock).x
    return np.array([-1 if weight < 0 else 1 for weight in x[:-1]], dtype=np.int64)


def _read(rating: Rating, known: Ints, step: float | None) -> Reading:
    """Return scores and factors as they are printed."""
    counted = rating.counted
    return Reading(read_whole(rating.X[counted]), read_scores(rating.y[counted], step), known)


@dataclass(frozen=True)
class _Reproduction:
    """How numbers are read, and products without which the formula x reproduces the scores."""

    reading: Reading
    least: LeastViolation
    suspects: list[int]
    x: list[Fraction]
    at_least: int = 0


def _reproduce(printed: Reading, clock: Clock) -> _Reproduction:
    """Find the fewest products that contradict the rest, in the strictest reading that helps.

    Numbers are first read as printed, then scores as clipped, then factors as rounded, too.
    """
    tried: list[_Reproduction] = []
    for reading in _readings(printed, tried):
        if tried and clock.is_late:
            break
        try:
            with Clock(max(clock.left / 8, 0.1)) as part:
                stop = part.over if tried else clock.over
                found = _try(reading, reading.polytope.until(stop), part)
        except InterruptedError:
            found = _unproved(reading)  # as it is printed, there has to be an answer
        if not found.suspects:
            return found
        tried.append(found)
    # Where no reading explains all scores, a looser one has to leave half as many unexplained.
    fewest = min(len(one.suspects) for one in tried)
    chosen = next(one for one in tried if len(one.suspects) <= 2 * fewest)
    if clock.is_late or len(chosen.suspects) > MOST_MISSED * len(printed.intervals.printed):
        return chosen
    with Clock(max(SHARE * clock.left, 0.05)) as share:
        fewest_found = find_contradictions(chosen.reading.polytope, chosen.suspects, share)
    at_least = max(fewest_found.at_least, chosen.at_least)
    if fewest_found.products != sorted(chosen.suspects):
        products = fewest_found.products
        x = _central(chosen.reading.polytope.until(clock.over).without(products))
        if x is not None:
            return replace(chosen, suspects=products, x=x, at_least=at_least)
    return replace(chosen, suspects=sorted(chosen.suspects), at_least=at_least)


def _try(reading: Reading, polytope: ScorePolytope, clock: Clock) -> _Reproduction:
    """Return the products that a reading leaves unexplained."""
    tightest = polytope.tightest()
    if tightest.excess <= 0:
        nothing = LeastViolation(tightest.x, Fraction(0), True, [])
        return _Reproduction(reading, nothing, [], tightest.x)
    least = least_violation(polytope.until(clock.over), max(clock.left, 0.1))
    if least is None:  # without time for the least sum, a formula says who is missed
        least = _few_missed(polytope, missed_by(polytope, tightest.x))
    return _Reproduction(reading, least, *enough_suspects(polytope, least, clock), at_least=1)


def _few_missed(polytope: ScorePolytope, found: LeastViolation) -> LeastViolation:
    """Return the formula near most scores where it misses fewer than the one that was found."""
    near = missed_by(polytope, nearest_formula(polytope))
    return min(found, near, key=lambda one: len(one.products))


def _unproved(reading: Reading) -> _Reproduction:
    """Return a formula near most scores, and what it misses, without any proof."""
    polytope = reading.polytope
    near = nearest_formula(polytope)
    least = missed_by(polytope, near)
    return _Reproduction(reading, least, sorted(least.products), near)


def _central(polytope: ScorePolytope) -> list[Fraction] | None:
    """Return the tightest formula, None if the time is up."""
    try:
        return polytope.tightest().x
    except InterruptedError:
        return None


def _readings(printed: Reading, tried: Sequence[_Reproduction]) -> Iterator[Reading]:
    """Yield readings, the strictest first; rounded factors with the signs found until then."""
    yield from printed.clipped()
    weights, n_missed = tried[0].least.x[:-1], len(tried[0].suspects)
    expected = printed.share_missed_if_rounded(weights)
    if n_missed >= PLAUSIBLE * expected * len(printed.intervals.printed):
        signs = np.array([-1 if w < 0 else 1 for w in weights])
        yield from printed.with_rounded_factors(signs).clipped()


def _ranges(polytope: ScorePolytope, own: OwnScale) -> tuple[list[Range], Range]:
    """Return the least and the largest weight of each factor, and intercept; None for no limit."""
    m = len(polytope.scale)
    costs = [
        [unit if k == j else Fraction(0) for k in range(m)] for j, unit in enumerate(own.units())
    ]
    ranges = [_range(polytope, one) for one in [*costs, own.intercept_costs()]]
    return ranges[:-1], ranges[-1]


def _range(polytope: ScorePolytope, costs: list[Fraction]) -> Range:
    least, largest = polytope.least(costs), polytope.least([-c for c in costs])
    low = least.objective if least.status is Status.OPTIMAL else None
    high = largest.objective if largest.status is Status.OPTIMAL else None
    return low, None if high is None else -high


def _misses(
    polytope: ScorePolytope, x: list[Fraction], products: list[int], half: Fraction
) -> NDArray[np.float64]:
    """Return by how much some products miss their intervals."""
    excess, common = polytope.whole_excess(x)
    worst = dict.fromkeys(products, 0)
    for row in np.flatnonzero(excess[: polytope.n_limits] < 0).tolist():
        product = polytope.products[row]
        if product in worst:
            worst[product] = min(worst[product], excess[row])
    # Whole numbers are divided as exactly as fractions are, and much quicker.
    size, parts = half.numerator, common * half.denominator
    return np.array([-worst[p] * size / parts for p in products])


def _n_split(polytope: ScorePolytope, x: list[Fraction]) -> int:
    """Count the pairs with one published score that a formula orders all the same."""
    printed = polytope.intervals.printed
    scores = np.unique(polytope.scores(x), return_inverse=True)[1]
    return _n_pairs(printed) - _n_pairs(np.column_stack([printed, scores]))


def _n_pairs(labels: NDArray[np.int64]) -> int:
    """Count the pairs of equal rows."""
    sizes = np.unique(labels, return_counts=True, axis=0)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def _below(value: Fraction | None) -> float:
    """Return the nearest floating-point number that is not larger."""
    if value is None:
        return -inf
    near = float(value)
    return nextafter(near, -inf) if Fraction(near) > value else near


def _above(value: Fraction | None) -> float:
    """Return the nearest floating-point number that is not smaller."""
    return -_below(None if value is None else -value)
