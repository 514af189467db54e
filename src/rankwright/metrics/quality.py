"""The measures M1, M2 and M3 of a reverse-engineered rating."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows
from rankwright.metrics.inputs import Floats, check_length, paired
from rankwright.metrics.top_auc import strictly_below, tops_of, won_pairs

__all__ = ["Measures", "QualityMeasures", "quality_measures"]


@dataclass(frozen=True)
class Measures:
    """Shares of what is right, over all subcategories; NaN where there is nothing to count.

    Attributes
    ----------
    m1 : float
        Pairs ordered correctly among the items at the top.
    m2 : float
        Pairs ordered correctly among all items.
    m3 : float
        Items correctly inside or outside the top.

    Examples
    --------
    >>> import rankwright as rw
    >>> measures = rw.metrics.quality_measures([4, 3, 2, 1], [3, 4, 2, 1], top=2).train
    >>> measures.m1, measures.m3
    (0.0, 1.0)
    """

    m1: float
    m2: float
    m3: float


@dataclass(frozen=True)
class QualityMeasures:
    """The measures of the training items, and of the test items relative to them.

    Attributes
    ----------
    train : Measures
        Of the training items alone.
    test : Measures or None
        Of the pairs with at least one test item, and of the test items; None without test items.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.quality_measures([4, 3, 2, 1], [4, 3, 1, 2], top=2).train
    Measures(m1=1.0, m2=0.8333333333333334, m3=1.0)
    """

    train: Measures
    test: Measures | None


def correct_pairs(y_true: Floats, scores: Floats) -> NDArray[np.int64]:
    """Return the number of strictly ordered pairs that the scores order alike, and of all."""
    return np.array([won_pairs(y_true, scores).sum(), strictly_below(y_true).sum()])


def subcategory_counts(
    y_true: Floats, scores: Floats, test: NDArray[np.bool_], top: int
) -> NDArray[np.int64]:
    """Return numerators and denominators [train or test, measure, part] of one subcategory."""
    train = ~test
    place = -min(top, int(train.sum()))
    # The score in position `top` of the training items; ties with it are at the top.
    truly_top = y_true >= np.sort(y_true[train])[place]
    scored_top = scores >= np.sort(scores[train])[place]
    right = truly_top == scored_top
    counts = np.zeros((2, 3, 2), dtype=np.int64)
    for measure, among in enumerate([truly_top, np.ones_like(truly_top)]):
        counts[0, measure] = correct_pairs(y_true[among & train], scores[among & train])
        counts[1, measure] = correct_pairs(y_true[among], scores[among]) - counts[0, measure]
    for part, members in enumerate([train, test]):
        counts[part, 2] = right[members].sum(), members.sum()
    return counts


def quality_measures(
    y_true: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    top: int | Mapping[Any, int],
    test: ArrayLike | None = None,
) -> QualityMeasures:
    """Return M1, M2 and M3, section 5 of the reverse-engineering paper.

    The top of a subcategory is what reaches the score in position `top` of its training items (of
    the last one, if there are fewer), by y_true and by scores; ties at the cut are included.
    Pairs tied in y_true don't count, pairs tied in scores only are wrong. Numerators and
    denominators are summed over subcategories before they are divided.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    groups : array-like of shape (n_items,), optional
        Subcategories; without them all items are one.
    top : int or mapping
        How many items of a group are its top; a mapping gives it for each group.
    test : array-like of bool of shape (n_items,), optional
        True for test items; without it all items are training items.

    Returns
    -------
    QualityMeasures
        For train, and for test relative to train.

    Examples
    --------
    >>> import rankwright as rw
    >>> test = [False, False, False, True]
    >>> rw.metrics.quality_measures([4, 3, 2, 3.5], [4, 3, 2, 1], top=2, test=test).test
    Measures(m1=0.5, m2=0.3333333333333333, m3=0.0)
    """
    truth, values = paired(y_true, scores)
    in_test = np.zeros(len(truth), dtype=bool) if test is None else np.asarray(test)
    check_length("test", in_test, len(truth))
    if in_test.dtype != bool:
        raise ValueError(f"test has dtype {in_test.dtype}; pass True for test items, else False")
    grouping = group_rows(groups, len(truth))
    counts = np.zeros((2, 3, 2), dtype=np.int64)
    tops = tops_of(top, grouping.labels)
    for label, rows, count in zip(grouping.labels.tolist(), grouping.rows(), tops, strict=True):
        if in_test[rows].all():
            raise ValueError(
                f"group {label!r} has no training item; the top is defined by them: "
                "move one to train, or leave the group out"
            )
        counts += subcategory_counts(truth[rows], values[rows], in_test[rows], count)
    right, all_of_them = counts[..., 0].astype(float), counts[..., 1]
    shares = np.divide(right, all_of_them, out=np.full((2, 3), np.nan), where=all_of_them > 0)
    train, tested = (Measures(*part) for part in shares.tolist())
    return QualityMeasures(train, tested if in_test.any() else None)
