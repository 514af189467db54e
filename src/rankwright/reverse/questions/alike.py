"""Factors that say the same: their weights can't be told apart, only their sum."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows

__all__ = ["AlikeFactors", "alike_factors"]

Floats = NDArray[np.float64]
NEARLY = 0.95  # of the correlation, from which two factors say the same
DEPENDENT = 1e-9  # of a factor's spread: what others leave unexplained is rounding


@dataclass(frozen=True)
class AlikeFactors:
    """A set of factors whose differences inside groups say the same, or nearly.

    Attributes
    ----------
    factors : tuple of int
        The columns.
    signs : tuple of int
        -1 for those that fall as the first one rises, else 1.
    correlation : float or None
        The weakest correlation that joins them, in size; None where they are linearly dependent.
    """

    factors: tuple[int, ...]
    signs: tuple[int, ...]
    correlation: float | None

    @property
    def are_dependent(self) -> bool:
        """Tell whether one of them follows exactly from the others."""
        return self.correlation is None


def alike_factors(X: ArrayLike, groups: ArrayLike | None = None) -> list[AlikeFactors]:
    """Return the sets of factors that are correlated above 0.95, or linearly dependent.

    Only differences inside a group count: products of different groups are never compared.

    Examples
    --------
    >>> alike_factors([[1, 3, 5], [2, 5, 1], [4, 9, 4], [3, 7, 2]])
    [AlikeFactors(factors=(0, 1), signs=(1, 1), correlation=None)]
    """
    values = np.asarray(X, dtype=np.float64)
    grouping = group_rows(groups, len(values))
    centred = grouping.sort(values).copy()
    for begin, end in zip(grouping.offsets[:-1], grouping.offsets[1:], strict=True):
        centred[begin:end] -= centred[begin:end].mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    used = np.flatnonzero(size > DEPENDENT * np.abs(values).max(axis=0, initial=0.0))
    units = centred[:, used] / size[used]
    dependent = dict.fromkeys(_dependent(units))
    found: dict[tuple[int, ...], float | None] = _correlated(units) | dependent
    return [
        AlikeFactors(tuple(used[list(members)].tolist()), _signs(units[:, list(members)]), weakest)
        for members, weakest in found.items()
    ]


def _signs(units: Floats) -> tuple[int, ...]:
    """Return which way columns go when the first one rises."""
    return tuple(np.where(units.T @ units[:, 0] < 0, -1, 1).tolist())


def _correlated(units: Floats) -> dict[tuple[int, ...], float]:
    """Return sets of columns joined by strong correlations, and the weakest of these."""
    strength = np.abs(units.T @ units)
    is_joined = strength > NEARLY
    found, left = {}, set(range(len(strength)))
    while left:
        members, reached = set(), {min(left)}
        while reached:
            members |= reached
            reached = set(np.flatnonzero(is_joined[list(reached)].any(axis=0)).tolist()) - members
        left -= members
        if len(members) > 1:
            chosen = sorted(members)
            joined = strength[np.ix_(chosen, chosen)][is_joined[np.ix_(chosen, chosen)]]
            found[tuple(chosen)] = float(min(joined.min(), 1.0))
    return found


def _dependent(units: Floats) -> list[tuple[int, ...]]:
    """Return sets of columns of which one is a combination of the others."""
    from scipy.linalg import qr

    if not units.size:
        return []
    _, triangle, order = qr(units, mode="economic", pivoting=True)
    rank = int((np.abs(np.diag(triangle)) > DEPENDENT).sum())
    basis, others = order[:rank], order[rank:]
    mixtures = np.linalg.lstsq(units[:, basis], units[:, others], rcond=None)[0]
    return [
        tuple(sorted([int(other), *basis[np.abs(mixture) > 1e-6].tolist()]))
        for other, mixture in zip(others, mixtures.T, strict=True)
    ]
