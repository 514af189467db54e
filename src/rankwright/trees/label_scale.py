"""The labels of an ordinal target: which they are, their order and their values."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data import as_array, as_vector, ordered_categories

__all__ = ["LabelScale"]


@dataclass(frozen=True)
class LabelScale:
    """How labels become numbers, larger is better.

    ``names`` is the order of an ordered categorical, worst first, whose labels count 0, 1, 2, ...;
    None when labels are numbers, which count as they are.
    """

    names: tuple[Any, ...] | None = None

    @classmethod
    def of(cls, y: Any) -> "LabelScale":
        """Find the scale of a target, or refuse strings, which have no order of their own."""
        if (ordered := ordered_categories(y)) is not None:
            return cls(tuple(ordered[1].tolist()))
        _refuse_strings(y)
        return cls()

    def to_values(self, y: Any) -> Any:
        """Turn labels into numbers; numbers pass through, to be checked with ``X``."""
        y = as_vector(y)
        if self.names is None:
            return y
        codes = pd.Categorical(y, categories=list(self.names), ordered=True).codes
        if (codes < 0).any():
            row = int(np.argmax(codes < 0))
            raise ValueError(
                f"y holds {np.asarray(y, dtype=object)[row]!r} in row {row}; the labels are "
                f"{list(self.names)}"
            )
        return codes.astype(np.float64)

    def to_labels(self, values: NDArray[np.float64], y: Any) -> NDArray[Any]:
        """Turn numbers back into labels of the kind of ``y``."""
        if self.names is not None:
            return np.asarray(self.names)[values.astype(np.int64)]
        kind = as_array("y", y).dtype
        return values.astype(kind) if kind.kind in "biuf" else values


def _refuse_strings(y: Any) -> None:
    labels = as_array("y", y)
    if labels.dtype.kind not in "OSTU":
        return
    for label in labels.ravel():
        if isinstance(label, str):
            raise ValueError(
                f"y holds {str(label)!r}, and strings have no order; give "
                "pd.Categorical(y, categories=[worst, ..., best], ordered=True), or numbers"
            )
