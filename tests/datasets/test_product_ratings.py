import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from scipy.stats import kendalltau

from rankwright.datasets import make_product_ratings


def list_of_100(seed, **options):
    """Draw the ranked list of the reverse-engineering benchmarks."""
    shape = {"n_factors": 5, "n_subcategories": 1, "exact_share": 0, "noise": 0, "rounding": 0.5}
    return make_product_ratings(100, **{**shape, **options}, random_state=seed)


def some_formula_reproduces_the_order(ratings):
    ordered = ratings.X.to_numpy()[np.argsort(ratings.y)]
    steps = np.diff(ordered, axis=0)
    solution = linprog(np.zeros(steps.shape[1]), A_ub=-steps, b_ub=np.full(len(steps), -1e-6))
    return solution.status == 0


def test_default_has_the_shape_of_the_study():
    """Reverse-engineering quality rankings, section 8."""
    ratings = make_product_ratings(random_state=0)
    assert pd.Series(ratings.categories).value_counts().to_dict() == {"A": 209, "B": 212}
    assert ratings.X.shape == (421, 19)
    sizes = pd.Series(ratings.groups).groupby(ratings.categories).value_counts()
    assert len(sizes) == 16
    assert sizes.min() >= 2


def test_most_factors_are_whole_stars_and_the_rest_hundredths():
    X = make_product_ratings(random_state=0).X
    whole = [column for column in X if X[column].isin([1, 2, 3, 4, 5]).all()]
    assert whole == X.columns[:15].tolist()
    np.testing.assert_array_equal(X, X.round(2))


@pytest.mark.parametrize(("rounding", "grid"), [(0.5, 9), (1.0, 5), (2.0, 3), (0.1, 41)])
def test_published_factors_lie_on_the_grid(rounding, grid):
    values = set(list_of_100(0, rounding=rounding).X.to_numpy().ravel())
    assert values <= set(np.round(1 + rounding * np.arange(grid), 10))


def test_each_category_is_rated_by_its_own_formula():
    ratings = make_product_ratings(noise=0, rounding=0, random_state=0)
    for category, weights in ratings.weights.iterrows():
        rows = ratings.categories == category
        np.testing.assert_allclose(ratings.X[rows] @ weights, ratings.y[rows])


def test_formulas_are_weights_that_lie_close_together():
    weights = make_product_ratings(random_state=0).weights
    assert (weights >= 0).all(axis=None)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert 0 < (weights.loc["A"] - weights.loc["B"]).abs().sum() / 2 < 0.2


@pytest.mark.parametrize("seed", range(10))
def test_exact_noise_free_factors_admit_a_formula_and_half_stars_do_not(seed):
    assert some_formula_reproduces_the_order(list_of_100(seed, rounding=0))
    assert not some_formula_reproduces_the_order(list_of_100(seed))


def test_true_weights_nearly_reproduce_the_order_of_half_stars():
    ratings = list_of_100(0)
    tau = kendalltau(ratings.X @ ratings.weights.loc["A"], ratings.y).statistic
    assert 0.8 < tau < 1


def test_noise_has_its_standard_deviation():
    ratings = make_product_ratings(20_000, noise=0.3, random_state=0)
    assert (ratings.y - ratings.optimal_scores).std() == pytest.approx(0.3, rel=0.03)


@pytest.mark.parametrize(
    "options",
    [
        {"n_factors": 0},
        {"n_subcategories": 0},
        {"rounding": -1},
        {"rounding": 5},
        {"exact_share": 1.1},
        {"noise": -0.1},
    ],
)
def test_a_bad_option_is_named_with_its_value(options):
    ((name, value),) = options.items()
    with pytest.raises(ValueError, match=f"{name}={value}; give"):
        make_product_ratings(**options)


def test_subcategories_need_two_products_each():
    with pytest.raises(ValueError, match="n_items=15; give at least 16"):
        make_product_ratings((209, 15))


def test_no_category_at_all_is_refused():
    with pytest.raises(ValueError, match=r"n_items=\(\); give at least one"):
        make_product_ratings(())
