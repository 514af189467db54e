"""From what the caller gives to a rating problem; everything that can be wrong with it is said."""

import warnings
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import Rows
from rankwright.metrics.top_auc import tops_of
from rankwright.reverse.problem.whole_numbers import read_whole
from rankwright.reverse.problem.whole_problem import Objective, RatingProblem

__all__ = ["RatingData", "fill_missing", "read_rating"]

OBJECTIVES = ("positions", "top_auc")


@dataclass(frozen=True)
class RatingData:
    """The products that count, in canonical order, and the problem made of them.

    Attributes
    ----------
    X, y : (n, d), (n,) float64
    groups, categories : (n,) array of labels
    rows : (n,) int64
        The caller's row of each product.
    names : list of str
        The products' names: the frame's index, or row numbers.
    factor_names : list of str
    problem : RatingProblem
        With every factor counted as the more the better.
    """

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    groups: NDArray[Any]
    categories: NDArray[Any]
    rows: NDArray[np.int64]
    names: list[str]
    factor_names: list[str]
    problem: RatingProblem


def read_rating(
    rows: Rows,
    *,
    names: list[str],
    factor_names: list[str],
    objective: str,
    top: int | Mapping[Any, int],
    emphasis: float,
    categories: ArrayLike | None,
    category_weights: Mapping[Any, float] | None,
) -> RatingData:
    """Build the problem of fitting a rating."""
    if objective not in OBJECTIVES:
        raise ValueError(f"objective={objective!r}; choose from {sorted(OBJECTIVES)}")
    if not 0 <= emphasis < np.inf:
        raise ValueError(f"emphasis={emphasis!r}; choose a finite number of 0 or more")
    n = len(rows.y)
    if n < 2:
        raise ValueError(f"n_samples = {n}: a rating needs at least two products to compare")
    order = np.arange(n) if rows.order is None else rows.order
    sizes = np.diff(rows.offsets)
    group_of_row = np.repeat(np.arange(len(sizes)), sizes)
    labels = _categories_of_groups(categories, order, rows)
    weights = _weights_of_categories(labels, category_weights, categories, order)
    counted = np.array([weights[label] > 0 for label in labels])[group_of_row]
    # One order of the products, whatever order they came in: ties among formulas break alike.
    keys = [*(column for column in rows.X.T[::-1]), rows.y, _canonical(rows.labels)[group_of_row]]
    kept = np.lexsort(keys)
    kept = kept[counted[kept]]
    starts = np.flatnonzero(np.r_[True, np.diff(group_of_row[kept]) != 0])
    group_order = group_of_row[kept][starts]
    offsets = np.append(starts, len(kept)).astype(np.int64)
    y = rows.y[kept]
    levels = np.concatenate([_levels(y[b:e]) for b, e in pairwise(offsets)])
    tops = tuple(tops_of(top, rows.labels[group_order]))
    aim = Objective(objective == "positions", tops, Fraction(repr(float(emphasis))))
    if not (levels > 0).any():
        raise ValueError(
            "no pair of products of a group has different y, so there is no order to explain; "
            "check y and groups"
        )
    factors = read_whole(rows.X[kept])
    d = rows.X.shape[1]
    problem = RatingProblem(
        factors=factors,
        directions=np.ones(d, dtype=np.int64),
        free=np.zeros(d, dtype=bool),
        offsets=offsets,
        levels=levels,
        objective=aim,
        categories=tuple(labels[g] for g in group_order),
        category_weights=weights,
    )
    _warn_of_constant_groups(problem, rows.labels[group_order])
    return RatingData(
        X=rows.X[kept],
        y=y,
        groups=rows.labels[group_of_row[kept]],
        categories=np.array([labels[g] for g in group_of_row[kept]], dtype=object),
        rows=order[kept].astype(np.int64),
        names=[names[i] for i in order[kept]],
        factor_names=factor_names,
        problem=problem,
    )


def fill_missing(
    X: NDArray[np.float64], names: list[str], factor_names: list[str], missing: str
) -> NDArray[np.float64]:
    """Refuse missing factors, naming the products, or put the factor's median there."""
    if missing not in ("impute", "refuse"):
        raise ValueError(f"missing={missing!r}; choose from ['impute', 'refuse']")
    absent = np.isnan(X)
    if not absent.any():
        return X
    if missing == "refuse":
        products = [names[i] for i in np.flatnonzero(absent.any(axis=1))]
        factors = [factor_names[j] for j in np.flatnonzero(absent.any(axis=0))]
        shown = ", ".join(products[:10]) + (", ..." if len(products) > 10 else "")
        raise ValueError(
            f"Input X contains NaN: factors {factors} are missing for {len(products)} products "
            f"({shown}); leave these products out, or use missing='impute' for medians"
        )
    return np.where(absent, np.nanmedian(X, axis=0), X)


def _levels(y: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.unique(y, return_inverse=True)[1].astype(np.int64)


def _canonical(labels: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each label among all, sorted as text."""
    return np.argsort(np.argsort([str(label) for label in labels], kind="stable"))


def _categories_of_groups(
    categories: ArrayLike | None, order: NDArray[np.int64], rows: Rows
) -> list[Hashable]:
    if categories is None:
        return [0] * len(rows.labels)
    given = np.asarray(categories)
    if given.shape != (len(order),):
        raise ValueError(
            f"categories has shape {given.shape} but there are {len(order)} rows; "
            "give the category of each row"
        )
    labels: list[Hashable] = []
    for g, label in enumerate(rows.labels.tolist()):
        found = set(given[order][rows.offsets[g] : rows.offsets[g + 1]].tolist())
        if len(found) > 1:
            raise ValueError(
                f"group {label!r} is in the categories {sorted(map(str, found))}; "
                "a subcategory is in one category: make its label unique"
            )
        labels.append(found.pop())
    return labels


def _weights_of_categories(
    labels: list[Hashable],
    weights: Mapping[Any, float] | None,
    categories: ArrayLike | None,
    order: NDArray[np.int64],
) -> dict[Hashable, float]:
    first = labels[0] if categories is None else np.asarray(categories).tolist()[0]
    chosen = {label: float(label == first) for label in labels}
    for name, weight in (weights or {}).items():
        if name not in chosen:
            raise ValueError(f"category_weights names {name!r}; the categories are {[*chosen]}")
        if not 0 <= weight < np.inf:
            raise ValueError(f"category_weights[{name!r}] is {weight!r}; choose 0 or more")
        chosen[name] = float(weight)
    if not any(chosen.values()):
        raise ValueError(f"category_weights={weights!r} leaves no category; give one a weight")
    return chosen


def _warn_of_constant_groups(problem: RatingProblem, labels: NDArray[Any]) -> None:
    bounds = zip(problem.offsets[:-1], problem.offsets[1:], labels.tolist(), strict=True)
    whole = problem.factors.whole
    silent = [label for b, e, label in bounds if e - b > 1 and not np.ptp(whole[b:e], axis=0).any()]
    if silent:
        warnings.warn(
            f"all factors are constant in the groups {silent}, which therefore tell nothing; "
            "check their factors",
            UserWarning,
            stacklevel=4,
        )
