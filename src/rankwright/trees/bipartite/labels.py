"""The two classes of a bipartite target: which they are, and which of them is better."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data import as_vector, ordered_categories, refuse_times

__all__ = ["TwoClasses", "number_classes"]


@dataclass(frozen=True)
class TwoClasses:
    """A negative and a positive label; the positive one is the larger."""

    labels: NDArray[Any]

    @classmethod
    def of(cls, labels: NDArray[Any], ranker: str) -> "TwoClasses":
        """Take the sorted labels that occur, if they are two."""
        if labels.size < 2:
            raise ValueError(
                f"y holds one class only, {labels.tolist()}; {ranker} needs rows of two classes "
                "with positive weight"
            )
        if labels.size > 2:
            whole = labels.dtype.kind != "f" or (labels == np.floor(labels)).all()
            raise ValueError(
                f"Only binary classification is supported. y holds {labels.size} "
                f"{'classes' if whole else 'continuous values'}, the first {labels[:3].tolist()}; "
                f"{ranker} ranks two: OrdinalForest takes graded labels"
            )
        return cls(labels)

    def numbers(self, y: Any) -> NDArray[np.float64]:
        """Return 1 for the positive label, 0 for the negative one."""
        given = np.asarray(as_vector(y))
        codes = np.full(given.shape, np.nan)
        for code, label in enumerate(self.labels.tolist()):
            codes[given == label] = code
        if np.isnan(codes).any():
            unknown = given[np.isnan(codes)].tolist()[0]
            raise ValueError(f"y holds {unknown!r}; the classes are {self.labels.tolist()}")
        return codes


def number_classes(y: Any) -> tuple[Any, NDArray[Any] | None]:
    """Turn labels that are not numbers into 0, 1, ... in their order; return the labels as well.

    An ordered categorical keeps its order, one without is refused, other labels are sorted. Numbers
    pass through, with None.
    """
    if (ordered := ordered_categories(y)) is not None:
        grades, categories = ordered
        used = np.unique(grades[~np.isnan(grades)])
        numbers = np.searchsorted(used, grades).astype(np.float64)
        return np.where(np.isnan(grades), np.nan, numbers), categories[used.astype(np.int64)]
    values = np.asarray(y)
    if values.ndim != 1 or values.dtype.kind not in "OSTU":
        return y, None
    refuse_times("y", values)
    missing = pd.isna(values)
    if missing.any():
        raise ValueError(
            f"y holds NaN or None in row {int(np.argmax(missing))}; leave such rows out"
        )
    try:
        labels, codes = np.unique(values, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in values})
        raise ValueError(f"y mixes labels of types {kinds}, which have no common order") from None
    return codes.astype(np.float64), labels
