"""Whole groups held out of training, by which a model knows when to stop."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwright.data import Rows, take_rows

__all__ = ["HeldOut", "hold_out"]


@dataclass(frozen=True)
class HeldOut:
    """Rows of groups that are not trained on: stop when nothing gets better on them for so long."""

    rows: Rows
    rounds: int


def hold_out(
    rows: Rows, share: float, rounds: int, rng: np.random.RandomState
) -> tuple[Rows, HeldOut]:
    """Return the rows to train on, and about a ``share`` of the groups, drawn at random."""
    n_groups = len(rows.offsets) - 1
    if n_groups < 2:
        raise ValueError(
            "early_stopping holds whole groups out, and there is only one; pass groups, or "
            "early_stopping=None"
        )
    n_out = min(max(1, round(share * n_groups)), n_groups - 1)
    is_out = np.zeros(n_groups, dtype=bool)
    is_out[rng.permutation(n_groups)[:n_out]] = True
    return _of_groups(rows, ~is_out), HeldOut(_of_groups(rows, is_out), rounds)


def _of_groups(rows: Rows, chosen: NDArray[np.bool_]) -> Rows:
    """Return the rows of the chosen groups, which stay sorted by group."""
    numbers = np.flatnonzero(chosen[rows.group_of_row])
    return replace(
        rows,
        X=take_rows(rows.X, numbers),
        y=rows.y[numbers],
        weights=None if rows.weights is None else rows.weights[numbers],
        offsets=np.r_[0, np.cumsum(np.diff(rows.offsets)[chosen])],
        order=None,
        labels=rows.labels[chosen],
    )
