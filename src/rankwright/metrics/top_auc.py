"""The AUC of a published rating with emphasis on the top, over subcategories."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import Grouping, as_labels, group_rows
from rankwright.metrics.inputs import Floats, UndefinedMetricError, paired, vector

__all__ = [
    "category_of_groups",
    "largest_top_auc",
    "strictly_below",
    "top_auc",
    "tops_of",
    "won_pairs",
]

# Of one subcategory: the number of won pairs, and of those won by an item at the top.
Wins = tuple[int, int]


def strictly_below(values: Floats) -> NDArray[np.int64]:
    """Return for each item the number of items with a smaller value."""
    return np.searchsorted(np.sort(values), values, side="left")


def won_pairs(y_true: Floats, scores: Floats) -> NDArray[np.int64]:
    """Return for each item the number of items that both rankings put strictly below it."""
    from rankwright.kernels.kendall import dominated_weight

    ranks = np.unique(scores, return_inverse=True)[1]
    ones = np.ones(len(y_true))
    return np.asarray(dominated_weight(np.argsort(y_true), y_true, ranks, ones), dtype=np.int64)


def scored_wins(y_true: Floats, scores: Floats, top: int) -> Wins:
    """Count the pairs that the scores win, the inner sums of (2)."""
    won = won_pairs(y_true, scores)
    at_top = strictly_below(scores) >= len(y_true) - top
    return int(won.sum()), int(won[at_top].sum())


def printed_wins(y_true: Floats, top: int) -> Wins:
    """Count the pairs of the normalisation (4): the top beats at least n - top others."""
    won = strictly_below(y_true)
    return int(won.sum()), int(won[won >= len(y_true) - top].sum())


def largest_wins(y_true: Floats, top: int) -> Wins:
    """Count the pairs of the best scores: ties broken, the bonus goes to the `top` largest wins."""
    won = np.sort(strictly_below(y_true))
    return int(won.sum()), int(won[max(len(won) - top, 0) :].sum())


def tops_of(top: int | Mapping[Any, int], labels: NDArray[Any]) -> list[int]:
    """Return how many items are the top of each group."""
    if not isinstance(top, Mapping):
        top = dict.fromkeys(labels.tolist(), top)
    absent = [label for label in labels.tolist() if label not in top]
    if absent:
        raise ValueError(
            f"top has no entry for the group(s) {absent}; name every group or pass one int"
        )
    tops = [top[label] for label in labels.tolist()]
    for label, count in zip(labels.tolist(), tops, strict=True):
        if count != int(count) or count < 1:
            raise ValueError(
                f"top={count!r} for group {label!r}; choose a whole number of 1 or more"
            )
    return [int(count) for count in tops]


def category_of_groups(categories: ArrayLike | None, grouping: Grouping) -> list[Hashable]:
    """Return each group's category, which all its rows must share."""
    n = int(grouping.offsets[-1])
    result: list[Hashable] = []
    chosen = np.zeros(n, dtype=np.int64) if categories is None else categories
    names = as_labels(chosen, n, "categories")
    group_rows(names, n, "categories")
    for label, rows in zip(grouping.labels.tolist(), grouping.rows(), strict=True):
        found = np.unique(names[rows]).tolist()
        if len(found) > 1:
            raise ValueError(
                f"group {label!r} is in the categories {found}; a group is in one category"
            )
        result.append(found[0])
    return result


def weigh(
    emphasis: float,
    categories: list[Hashable],
    weights: Mapping[Any, float] | None,
    wins: list[Wins],
    normalisation: list[Wins],
) -> float:
    """Return (2): each category's wins over its normalisation (4), times its weight."""
    if not 0 <= emphasis < np.inf:
        raise ValueError(f"emphasis={emphasis!r}; choose an emphasis of 0 or more")
    distinct = list(dict.fromkeys(categories))
    chosen = dict.fromkeys(distinct, 1.0) if weights is None else weights
    absent = [name for name in distinct if name not in chosen]
    if absent:
        raise ValueError(
            f"category_weights has no entry for {absent}; use 0 to leave a category out"
        )
    value = 0.0
    for name in distinct:
        if not 0 <= chosen[name] < np.inf:
            raise ValueError(f"category_weights[{name!r}] is {chosen[name]!r}; choose 0 or more")
        if chosen[name] == 0:
            continue
        members = [s for s, category in enumerate(categories) if category == name]
        won, perfect = (
            sum(part[s][0] for s in members) + emphasis * sum(part[s][1] for s in members)
            for part in (wins, normalisation)
        )
        if perfect == 0:
            raise UndefinedMetricError(f"category {name!r} has no two items of different y_true")
        value += chosen[name] * (won / perfect)
    return value


def top_auc(
    y_true: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    top: int | Mapping[Any, int],
    emphasis: float = 9.0,
    categories: ArrayLike | None = None,
    category_weights: Mapping[Any, float] | None = None,
) -> float:
    """Return the AUC with emphasis on the top, (2) with (4) of the reverse-engineering paper.

    In each group a pair that y_true orders strictly is won if the scores order it strictly the
    same way; it counts 1 + emphasis if its better item is scored strictly above at least n - top
    items of its group, else 1. The sum over the groups of a category is divided by the value of
    y_true itself. With ties in y_true that divisor is too small, and the value may exceed the sum
    of weights; it is never clipped: `largest_top_auc` tells how far it can go. Constant scores
    give 0.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    groups : array-like of shape (n_items,), optional
        Subcategories; without them all items are one.
    top : int or mapping
        How many items of a group are its top; a mapping gives it for each group.
    emphasis : float, default=9.0
        Extra weight of pairs won by a top item.
    categories : array-like of shape (n_items,), optional
        Category of each item's group; without them all groups are in one.
    category_weights : mapping, optional
        Weight C of each category; 1 for each without it.

    Returns
    -------
    float
        0 or more; the sum of the weights for a perfect ranking without ties.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.top_auc([4, 3, 2, 1], [4, 3, 1, 2], top=1, emphasis=9)
    0.9696969696969697
    >>> rw.metrics.top_auc([2, 2, 1], [3, 2, 1], top=1, emphasis=9)
    5.5
    """
    truth, values = paired(y_true, scores)
    grouping = group_rows(groups, len(truth))
    parts = list(zip(grouping.rows(), tops_of(top, grouping.labels), strict=True))
    wins = [scored_wins(truth[rows], values[rows], count) for rows, count in parts]
    printed = [printed_wins(truth[rows], count) for rows, count in parts]
    of_groups = category_of_groups(categories, grouping)
    return weigh(emphasis, of_groups, category_weights, wins, printed)


def largest_top_auc(
    y_true: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    top: int | Mapping[Any, int],
    emphasis: float = 9.0,
    categories: ArrayLike | None = None,
    category_weights: Mapping[Any, float] | None = None,
) -> float:
    """Return the largest value that `top_auc` can take for any scores.

    All pairs won, and the bonus to the `top` largest numbers of won pairs of each group. It is the
    sum of the weights unless y_true has ties.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Larger is better.
    groups, top, emphasis, categories, category_weights
        As for `top_auc`.

    Returns
    -------
    float
        Reached by scores that order y_true and break its ties.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.largest_top_auc([2, 2, 1], top=1, emphasis=9)
    5.5
    """
    truth = vector("y_true", y_true)
    grouping = group_rows(groups, len(truth))
    parts = list(zip(grouping.rows(), tops_of(top, grouping.labels), strict=True))
    wins = [largest_wins(truth[rows], count) for rows, count in parts]
    printed = [printed_wins(truth[rows], count) for rows, count in parts]
    of_groups = category_of_groups(categories, grouping)
    return weigh(emphasis, of_groups, category_weights, wins, printed)
