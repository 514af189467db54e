from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize

from rankwright.datasets import make_flex_ratings


def ordered_pairs(y):
    return np.nonzero(y[:, None] > y[None, :])


def top_pairs_ordered(scores, y, top):
    """M1: the share of the pairs within the true top that the scores order alike."""
    best = np.argsort(-y)[:top]
    better, worse = ordered_pairs(y[best])
    return (scores[best][better] > scores[best][worse] + 1e-9).mean()


def least_squares(X, y):
    return np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), y)[0][1:]


def exponential_loss(X, y, p):
    """ℓp-RE with C_high = 0: the p-norm of the products' sums of exp(-(f_i - f_k))."""
    better, worse = ordered_pairs(y)
    differences = (X[better] - X[worse]) / 100

    def loss(w):
        return np.log((np.bincount(worse, np.exp(-differences @ w)) ** p).sum())

    return minimize(loss, np.ones(X.shape[1]), method="BFGS").x


l1_re = partial(exponential_loss, p=1)
l2_re = partial(exponential_loss, p=2)


def statistic(weights, X, y, top, theta=9):
    """Formula (2) up to its constant, for each row of weights."""
    preferred = y[:, None] > y[None, :]
    values = []
    for scores in weights @ X.T:
        above = scores[:, None] > scores[None, :] + 1e-9
        bonus = 1 + theta * (above.sum(axis=1) >= len(y) - top)
        values.append(((above & preferred).sum(axis=1) * bonus).sum())
    return np.array(values)


def searched(X, y, top):
    """Take the best of many random formulas by the statistic."""
    weights = np.random.default_rng(0).dirichlet(np.full(X.shape[1], 0.8), size=3000)
    return weights[statistic(weights, X, y, top).argmax()]


def test_each_factor_follows_the_score_opposes_it_or_is_constant():
    ratings = make_flex_ratings()
    for column in ratings.X:
        factor = ratings.X[column].to_numpy()
        follows, opposes = factor == ratings.y, factor == 100 - ratings.y
        assert follows.sum() >= 25
        assert opposes.sum() >= 25
        assert len(set(factor[~follows & ~opposes])) == 1


def test_halves_share_no_product_and_leave_none_out():
    ratings = make_flex_ratings(random_state=0)
    assert sorted([*ratings.train, *ratings.test]) == list(range(200))
    assert len(ratings.train) == len(ratings.test) == 100


def test_the_seed_divides_the_products():
    first, second = (make_flex_ratings(random_state=seed) for seed in (0, 1))
    assert first.train.tolist() != second.train.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_convex_methods_agree_and_optimising_the_statistic_orders_the_top_better(seed):
    """Reverse-engineering quality rankings, the pattern of M1 in Tables 1-3."""
    ratings = make_flex_ratings(random_state=seed)
    X, y = ratings.X.to_numpy(), ratings.y
    train, test = ratings.train, ratings.test
    convex = [fit(X[train], y[train]) for fit in (least_squares, l1_re, l2_re)]
    for top in (60, 45, 25):
        optimised = searched(X[train], y[train], top)
        for half in (train, test):
            measures = [top_pairs_ordered(X[half] @ w, y[half], top) for w in convex]
            assert max(measures) - min(measures) < 0.005
            assert top_pairs_ordered(X[half] @ optimised, y[half], top) > max(measures) + 0.03


def test_products_must_divide_into_eighths():
    with pytest.raises(ValueError, match="n_items=100; give at least 8, a multiple of 8"):
        make_flex_ratings(100)
