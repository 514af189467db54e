"""From what the caller gives to a rating; everything that can be wrong with it is said."""

import warnings
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import Grouping, Rows
from rankwright.data.observations import examples
from rankwright.metrics.top_auc import category_of_groups, tops_of
from rankwright.reverse.problem.rating import Rating
from rankwright.reverse.problem.whole_problem import RatingProblem
from rankwright.reverse.task import Task

__all__ = ["MISSING", "OBJECTIVES", "product_names", "read_rating", "warn_of_ranks"]

OBJECTIVES = ("positions", "scores", "top_auc")
MISSING = ("impute", "refuse")
# Beyond these sizes, a factor or its weight, and sums of them, leave floating point.
SMALLEST, LARGEST = 1e-290, 1e290


def read_rating(
    rows: Rows,
    factor_names: list[str],
    names: list[str] | None,
    categories: ArrayLike | None,
    task: Task,
) -> Rating:
    """Read a rating in which every factor counts as the more the better."""
    n = len(rows.y)
    if n < 2:
        raise ValueError(f"n_samples = {n}: a rating needs at least two products to compare")
    if names is None or len(names) != n:
        names = [str(i) for i in range(n)]
    X = _fill_missing(rows.X, [names[i] for i in rows.given], factor_names, task)
    _check_sizes(X, factor_names)
    category_of_group = category_of_groups(
        categories, Grouping(rows.offsets, rows.order, rows.labels)
    )
    first = category_of_group[0] if categories is None else np.asarray(categories).tolist()[0]
    weights = _weights_of_categories(category_of_group, first, task.category_weights)
    group_of_row = np.repeat(np.arange(len(rows.labels)), np.diff(rows.offsets))
    # One order of the products, whatever order they came in: ties among formulas break alike.
    canonical = np.lexsort([*X.T[::-1], rows.y, _places_as_text(rows.labels)[group_of_row]])
    groups = group_of_row[canonical]
    counted = [g for g in dict.fromkeys(groups.tolist()) if weights[category_of_group[g]] > 0]
    rating = Rating(
        X=X[canonical],
        y=rows.y[canonical],
        groups=rows.labels[groups],
        categories=np.array([category_of_group[g] for g in groups], dtype=object),
        names=[names[i] for i in rows.given[canonical]],
        rows=rows.given[canonical].astype(np.int64),
        factor_names=factor_names,
        objective=task.objective,
        emphasis=float(task.emphasis),
        category_weights=weights,
        tops=tops_of(task.top, rows.labels[counted]),
        directions=np.ones(X.shape[1], dtype=np.int64),
        asked=np.ones(X.shape[1], dtype=np.int64),
        constraints=list(task.constraints),
    )
    _check_order(rating.problem, rows.labels[counted], factor_names)
    return rating


def _check_sizes(X: NDArray[np.float64], factor_names: list[str]) -> None:
    sizes = dict(zip(factor_names, np.abs(X).max(axis=0).tolist(), strict=True))
    extreme = {n: size for n, size in sizes.items() if size and not SMALLEST <= size <= LARGEST}
    if extreme:
        raise ValueError(
            f"the largest absolute values of some factors are {extreme}; sums of numbers so small "
            "or large are lost in floating point: give these factors in another unit"
        )


def product_names(X: Any) -> list[str] | None:
    """Return the index of a pandas frame as text, None for anything else."""
    index = getattr(X, "index", None)
    return None if index is None or callable(index) else [str(name) for name in index]


def _fill_missing(
    X: NDArray[np.float64], names: list[str], factor_names: list[str], task: Task
) -> NDArray[np.float64]:
    """Refuse missing factors, naming the products, or put the factor's usual value there."""
    absent = np.isnan(X)
    if not absent.any():
        return X
    if task.missing == "refuse":
        products = [names[i] for i in np.flatnonzero(absent.any(axis=1))]
        factors = [factor_names[j] for j in np.flatnonzero(absent.any(axis=0))]
        shown = ", ".join(products[:10]) + (", ..." if len(products) > 10 else "")
        counted = f"{len(products)} product{'s' * (len(products) > 1)}"
        raise ValueError(
            f"Input X contains NaN: values of {factors} are missing for {counted} ({shown}); "
            "leave incomplete products out, or use missing='impute' for medians"
        )
    unknown = [factor_names[j] for j in np.flatnonzero(absent.all(axis=0))]
    if unknown:
        raise ValueError(
            f"Input X contains NaN: factors {unknown} are missing for every product, and so have "
            "no median; leave these factors out"
        )
    has_levels = np.array([task.has_levels(name) for name in factor_names])
    return np.where(absent, usual_values(X, has_levels), X)


def usual_values(X: NDArray[np.float64], has_levels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return what stands for a missing factor: the median, or the most frequent of its levels."""
    medians = np.nanmedian(X, axis=0)
    for j in np.flatnonzero(has_levels):
        values, counts = np.unique(X[~np.isnan(X[:, j]), j], return_counts=True)
        medians[j] = values[counts.argmax()]  # between two levels there is none
    return np.asarray(medians)


def _places_as_text(labels: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place of each label among all, sorted as text."""
    return np.argsort(np.argsort([str(label) for label in labels], kind="stable"))


def _weights_of_categories(
    labels: list[Hashable], first: Hashable, weights: Mapping[Any, float] | None
) -> dict[Hashable, float]:
    """Return the weight of each category: without one, 1 for the first and 0 for the others."""
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


def _check_order(problem: RatingProblem, labels: NDArray[Any], factor_names: list[str]) -> None:
    """Refuse a rating without an order or differing factors, and warn of groups without these."""
    if not (problem.levels > 0).any():
        raise ValueError(
            "no two products of a group have different y, so there is no order to explain; "
            "check y and groups"
        )
    whole = problem.factors.whole
    differs = [bool(np.ptp(whole[begin:end], axis=0).any()) for begin, end in problem.bounds]
    if not any(differs):
        raise ValueError(
            f"the factors {factor_names} never differ inside a group, so no formula tells two "
            "products apart; give a factor that does, or check the groups"
        )
    silent = [
        label
        for label, size, speaks in zip(labels.tolist(), problem.sizes, differs, strict=True)
        if size > 1 and not speaks
    ]
    if silent:
        warnings.warn(
            f"all factors are constant in the groups {examples(map(repr, silent), len(silent))}, "
            "so these groups say nothing; check their factors",
            UserWarning,
            stacklevel=5,
        )


def warn_of_ranks(rating: Rating) -> None:
    """Warn if y looks like ranks and the data turned most factors round."""
    for label in dict.fromkeys(rating.groups.tolist()):
        y = rating.y[rating.groups == label]
        if y.min() != 1 or not set(y) <= set(range(1, 1 + len(y))):
            return
    n_turned = int((rating.problem.directions < 0).sum())
    if len(rating.y) > 4 and 2 * n_turned > len(rating.directions):
        warnings.warn(
            "y looks like published ranks (1, 2, ...) and most factors came out negative: "
            "here larger is better; if 1 is the best rank, fit with -y",
            UserWarning,
            stacklevel=4,
        )
