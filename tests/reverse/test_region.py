"""Places over all formulas that reproduce an order, beside all small whole weights."""

from itertools import product

import numpy as np
import pytest

from rankwright.reverse import RatingFormula


def reproducing(X, y, largest):
    """Return all weights up to a size that win every published pair."""
    grid = np.array(list(product(range(largest + 1), repeat=X.shape[1])))
    scores = X @ grid.T
    upper, lower = np.nonzero(y[:, None] > y)
    return grid[(scores[upper] > scores[lower]).all(axis=0)]


def spans(X, weights):
    """Return best and worst place of each product: who is always above it, and who never."""
    gaps = (X[:, None] - X[None]) @ weights.T
    always = (gaps < 0).all(axis=2)
    never_below = (gaps <= 0).all(axis=2)
    above = np.where(always, 1.0, 0.5 * never_below)  # ties share the mean of their places
    np.fill_diagonal(above, 0.0)
    return 1 + above.sum(axis=1), len(X) - above.sum(axis=0)


@pytest.mark.parametrize(("n", "d", "top", "largest"), [(7, 2, 3, 40), (6, 3, 2, 24)])
@pytest.mark.parametrize("seed", range(12))
def test_places_are_those_of_all_formulas_that_reproduce_the_order(seed, n, d, top, largest):
    rng = np.random.default_rng([seed, d])
    X = rng.integers(0, top + 1, (n, d)).astype(float)
    y = np.floor(X @ rng.integers(1, 5, d) / 3)  # coarse, so that products are tied
    weights = reproducing(X, y, largest)
    if len(np.unique(y)) < 2 or not len(weights):
        pytest.skip("no order, or none that a formula reproduces")
    formula = RatingFormula(top=n, emphasis=0.0, signs="positive", random_state=0).fit(X, y)
    ranges = formula.rank_ranges(X)
    best, worst = spans(X, weights)
    assert ranges["best"].tolist() == best.tolist()
    assert ranges["worst"].tolist() == worst.tolist()
