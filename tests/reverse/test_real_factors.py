"""Factors with all the digits that floating point has, beside the enumeration of all cells."""

import numpy as np
import pytest

from rankwright.reverse import RatingFormula
from rankwright.reverse.whole_numbers import read_whole

KINDS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "of all sizes": lambda rng, shape: 10.0 ** rng.uniform(-6, 6, shape),
    "sixths": lambda rng, shape: rng.integers(0, 9, shape) / 6,
    "nearly tied": lambda rng, shape: rng.integers(0, 3, shape) + 1e-9 * rng.random(shape),
    "long and short": lambda rng, shape: np.where(
        np.arange(shape[1]) % 2, rng.integers(0, 4, shape), rng.random(shape)
    ),
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", KINDS)
def test_the_proved_position_error_of_real_factors_equals_the_enumeration(
    best_by_enumeration, kind, seed
):
    rng = np.random.default_rng([seed, len(kind)])
    n, d, top = int(rng.integers(4, 8)), 2 + seed % 2, int(rng.integers(1, 5))
    X, y = KINDS[kind](rng, (n, d)), rng.integers(0, n, n)
    formula = RatingFormula("positions", top=top, signs="positive", random_state=0).fit(X, y)
    whole = read_whole(X).whole.tolist()  # all twelve digits that are read
    best = -best_by_enumeration(whole, y.tolist(), [0] * n, {0: top}, by_position=True)
    assert formula.objective_ == formula.bound_ == best
