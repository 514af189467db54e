"""Rated products of several categories whose factors are published as whole stars."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.datasets.ranking_data import (
    GeneratedData,
    check_count,
    check_counts,
    check_not_negative,
)

__all__ = ["RatingsData", "make_product_ratings"]

STARS = (1.0, 5.0)
# How far the formulas of two categories lie apart: each weight differs by about a fifth.
FORMULA_SPREAD = 0.2


@dataclass(frozen=True, kw_only=True, eq=False)
class RatingsData(GeneratedData):
    """Hold rated products and the formulas behind their ratings.

    Attributes
    ----------
    categories : ndarray of shape (n_items,)
        The category of each item; each group (subcategory) lies in one category.
    weights : DataFrame of shape (n_categories, n_factors)
        Each category's true weights: nonnegative, summing to 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.make_product_ratings((20, 30), n_subcategories=2, random_state=0)
    >>> ratings.weights.index.tolist(), (ratings.categories == "B").sum().item()
    (['A', 'B'], 30)
    """

    categories: NDArray[np.str_]
    weights: pd.DataFrame


def make_product_ratings(
    n_items: int | tuple[int, ...] = (209, 212),
    *,
    n_factors: int = 19,
    n_subcategories: int = 8,
    rounding: float = 1.0,
    exact_share: float = 0.2,
    noise: float = 0.05,
    random_state: int | RandomState | None = None,
) -> RatingsData:
    """Draw rated products, as a rating company publishes them.

    Each factor is a number of stars between 1 and 5, correlated through the product's overall
    quality. A category's formula, a weighted mean of the exact factors, rates its products; what is
    published of most factors is rounded. So with rounding even the true formula need not
    reproduce the published order, and without it and without noise it does. The defaults have the
    shape of the study's confidential data.

    Parameters
    ----------
    n_items : int or tuple of int
        Number of products of each category.
    n_factors : int
        Number of factors.
    n_subcategories : int
        Number of subcategories of each category, of random sizes with at least two products each.
    rounding : float
        Distance between the published values of a rounded factor: 1 for whole stars, 0.5 for half
        stars, 0 for none.
    exact_share : float
        Share of the factors (the last ones) that are published to a hundredth instead.
    noise : float
        Standard deviation of what the rating adds to its formula, in stars.
    random_state : int, RandomState or None
        Seed.

    Returns
    -------
    RatingsData
        `y` is the rating, `groups` the subcategory, `optimal_scores` the rating before noise.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.make_product_ratings(random_state=0)
    >>> ratings.X.shape, len(set(ratings.groups)), ratings.weights.shape
    ((421, 19), 16, (2, 19))

    One ranked list of a hundred products with five factors in half stars and no noise:

    >>> one = rw.datasets.make_product_ratings(
    ...     100, n_factors=5, n_subcategories=1, rounding=0.5, exact_share=0, noise=0,
    ...     random_state=0,
    ... )
    >>> one.X.shape, sorted(set(one.X.to_numpy().ravel().tolist()))[:3]
    ((100, 5), [1.0, 1.5, 2.0])
    """
    check_count("n_factors", n_factors, minimum=1)
    check_count("n_subcategories", n_subcategories, minimum=1)
    sizes = check_counts("n_items", n_items, minimum=2 * n_subcategories)
    check_not_negative("noise", noise)
    if check_not_negative("rounding", rounding) > STARS[1] - STARS[0]:
        raise ValueError(f"rounding={rounding!r}; give at most {STARS[1] - STARS[0]}, the range")
    if not 0 <= exact_share <= 1:
        raise ValueError(f"exact_share={exact_share!r}; give a share between 0 and 1")
    rng = check_random_state(random_state)
    labels = [chr(ord("A") + number) for number in range(len(sizes))]
    factors = [f"factor{number}" for number in range(1, n_factors + 1)]
    weights = _formulas(len(sizes), n_factors, rng)
    category = np.repeat(np.arange(len(sizes)), sizes)
    exact = _stars(len(category), n_factors, rng)
    rating = (exact * weights[category]).sum(axis=1)
    subcategory = np.concatenate([_subcategories(size, n_subcategories, rng) for size in sizes])
    published = _published(exact, rounding, round(exact_share * n_factors))
    return RatingsData(
        X=pd.DataFrame(published, columns=factors),
        y=rating + noise * rng.standard_normal(len(rating)),
        groups=np.array(
            [f"{labels[c]}{s + 1}" for c, s in zip(category, subcategory, strict=True)]
        ),
        optimal_scores=rating,
        categories=np.array(labels)[category],
        weights=pd.DataFrame(weights, index=labels, columns=factors),
    )


def _formulas(n_categories: int, n_factors: int, rng: RandomState) -> NDArray[np.float64]:
    """Draw the first formula at random, and the others close to it."""
    first = rng.dirichlet(np.full(n_factors, 1.5))
    change = FORMULA_SPREAD * rng.standard_normal((n_categories, n_factors))
    change[0] = 0
    weights = first * np.exp(change)
    formulas: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return formulas


def _stars(n: int, n_factors: int, rng: RandomState) -> NDArray[np.float64]:
    """Draw factors between 1 and 5 that share the products' overall quality."""
    quality = rng.standard_normal((n, 1))
    mixed = 0.5 * quality + np.sqrt(0.75) * rng.standard_normal((n, n_factors))
    stars: NDArray[np.float64] = np.clip(3.2 + 0.9 * mixed, *STARS)
    return stars


def _subcategories(size: int, n_subcategories: int, rng: RandomState) -> NDArray[np.int64]:
    """Assign a category's products to its subcategories, at least two to each."""
    certain = np.repeat(np.arange(n_subcategories), 2)
    shares = rng.dirichlet(np.full(n_subcategories, 4.0))
    rest = rng.choice(n_subcategories, size - len(certain), p=shares)
    return np.sort(np.concatenate([certain, rest]))


def _published(exact: NDArray[np.float64], rounding: float, n_exact: int) -> NDArray[np.float64]:
    """Round all factors but the last `n_exact`, which keep two digits, to the grid from 1 up."""
    if rounding == 0:
        return exact
    steps = np.round((exact - 1) / rounding)
    rounded = np.minimum(np.round(1 + rounding * steps, 10), STARS[1])
    kept = np.arange(exact.shape[1]) >= exact.shape[1] - n_exact
    return np.where(kept, np.round(exact, 2), rounded)
