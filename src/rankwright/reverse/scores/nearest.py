"""A formula near most of the published scores: what there is where time is short."""

from fractions import Fraction

import numpy as np

from rankwright.programs import null_space
from rankwright.reverse.scores.polytope import ScorePolytope

__all__ = ["nearest_formula"]

STEPS = 10  # to the products that lie nearest; most end before
MOST = 0.5  # of the products: so many at least are taken to have the scores of a formula


def nearest_formula(polytope: ScorePolytope) -> list[Fraction]:
    """Return the formula of least squares of those products that it comes nearest to.

    Steps alternate between the half of the products that a formula misses least and the formula of
    these, as for least trimmed squares (Rousseeuw and Van Driessen 2006), and then take in all
    whose misses are of the same size: scores of some products that are far off do not draw it
    away. What is known of the weights holds exactly, as an equation where it would not hold else.
    """
    products = np.flatnonzero(polytope.counted)
    scaled = (polytope.design / polytope.scale)[products]
    misses = polytope.misses(polytope.origin, products)
    half = max(int(MOST * len(products)), 1)
    nearest = np.arange(len(products))
    for _ in range(STEPS):
        step = np.linalg.lstsq(scaled[nearest], misses[nearest], rcond=None)[0]
        distances = np.abs(misses - scaled @ step)
        before, nearest = nearest, np.sort(np.argpartition(distances, half - 1)[:half])
        if np.array_equal(before, nearest):
            break
    reach = max(2 * float(distances[nearest].max()), 1.0)
    return _with_what_is_known(polytope, products[distances <= reach])


def _with_what_is_known(polytope: ScorePolytope, products: np.ndarray) -> list[Fraction]:
    """Return the formula of least squares on which every broken condition becomes an equation."""
    known = polytope.known.astype(object)
    binding = np.zeros(len(known), dtype=np.bool_)
    while True:
        x = polytope.least_squares(products, null_space(known[binding]))
        is_broken = known @ np.array(x, dtype=object) < 0
        if not is_broken.any():
            return x
        binding |= is_broken.astype(np.bool_)
