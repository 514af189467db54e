"""Which columns a published score is made of: those whose weighted sum it is, as rounded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

__all__ = ["ScoreParts", "find_index", "score_parts", "without_part"]

Floats = NDArray[np.float64]
MOST_PARTS = 20
MOST_ROWS = 2_000  # that choose the parts; all rows judge them
FEWEST_ROWS = 15
ROWS_FOR_A_PART = 4  # a sum of as many parts as rows gives any score
KNOWN = 0.8  # the share of scored rows for which a part is known at least
REPRODUCED = 0.95  # the share of scores that a sum has to give: a few may be misprints
REFITS, FAR = 5, 5.0  # times without rows that are off by so many times the usual
ROOM = 1.2  # of half a digit: the weights of the fit are not quite those of the publisher
NEAR = 10.0  # times that, in the middle: what all columns miss by more, fewer won't give
MOST_DIGITS = 9
BEYOND_CHANCE = 1.5  # standard errors
LEAST_WEIGHT = 0.005  # of a part of a mean
LEAST_SHARE = 0.01  # of a score: what counts for less is no part of it
FEWEST_PARTS = 2  # of a mean: a sum of no more can't be a simpler one
MADE_OF = 0.1  # of its spread that a column may differ from a sum of parts
FINE = 1e-9  # of the range of a column: what its own digits can't tell


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """The columns whose weighted sum is a score, their weights, and in how many rows it is."""

    names: tuple[str, ...]
    weights: Floats
    intercept: float
    n_reproduced: int
    n_rows: int
    mean_square: float  # of what is left unexplained
    n_columns: int  # among which the parts were looked for
    rounded: bool  # whether the parts had to be read as rounded, too

    def __str__(self) -> str:
        closely = "within the rounding of its parts" if self.rounded else "to its last digit"
        return (
            f"a weighted sum of {', '.join(self.names)} (plain least squares gives it {closely} in "
            f"{self.n_reproduced:,} of {self.n_rows:,} rows)"
        )

    @property
    def is_mean(self) -> bool:
        """Whether the score is a weighted mean of several columns, as an index is."""
        count = len(self.names) > 1 and bool((self.weights > LEAST_WEIGHT).all())
        return count and bool(abs(self.weights.sum() - 1) < 0.01) and abs(self.intercept) < 1

    @property
    def is_total(self) -> bool:
        """Whether the score is the plain sum of several columns, as a total is of its points."""
        count = len(self.names) > FEWEST_PARTS and abs(self.intercept) < 1
        return count and bool((np.abs(self.weights - 1) < 0.01).all())

    def is_worse_than(self, other: "ScoreParts") -> bool:
        """Whether the part that another sum has more explains more than chance would."""
        free = other.n_rows - len(other.names) - 1
        chance = np.sqrt(2 * np.log(max(self.n_columns, 2)))  # the largest of so many errors
        gain = free * (self.mean_square - other.mean_square)
        return bool(gain > (chance + BEYOND_CHANCE) ** 2 * other.mean_square)


def score_parts(score: Floats, columns: Mapping[str, Floats]) -> ScoreParts | None:
    """Find few columns whose weighted sum is a score as it is rounded; None if there are none.

    Columns count as printed; as rounded too where no sum of them is the score, or a mean of fewer.
    """
    rows = np.flatnonzero(~np.isnan(score))
    if len(rows) < FEWEST_ROWS:
        return None
    known = {
        name: values[rows]
        for name, values in columns.items()
        if not _is_gappy(values[rows]) and np.nanmax(values[rows]) > np.nanmin(values[rows])
    }
    with threadpool_limits(1, "blas"):  # many small fits, which second threads only slow down
        return _of_few(score[rows], known)


def _of_few(y: Floats, known: Mapping[str, Floats]) -> ScoreParts | None:
    ordered = _in_order(y, known)
    as_printed = _parts(y, known, ordered, rounded=False)
    if as_printed is not None and len(as_printed.names) <= FEWEST_PARTS:
        return as_printed
    as_rounded = _parts(y, known, ordered, rounded=True)
    if as_printed is None or as_rounded is None:  # the latter is where the former is
        return as_rounded
    # The parts of parts may give more digits of a mean, which is one of fewer parts all the same.
    is_simpler = as_rounded.is_mean and len(as_rounded.names) < len(as_printed.names)
    return as_rounded if is_simpler else as_printed


def _parts(
    y: Floats, known: Mapping[str, Floats], ordered: Sequence[str], *, rounded: bool
) -> ScoreParts | None:
    """Take the first columns of an order that reproduce the score, without those not needed."""
    if ordered and not _may_be_a_sum(y, known, ordered, rounded=rounded):
        return None
    chosen: ScoreParts | None = None
    for k in range(1, len(ordered) + 1):
        found = _fitted(y, known, ordered[:k], rounded=rounded)
        if chosen is not None and (found is None or not chosen.is_worse_than(found)):
            break
        chosen = found
    return None if chosen is None else _exchanged(y, known, _reduced(y, known, chosen))


def _may_be_a_sum(
    y: Floats, known: Mapping[str, Floats], ordered: Sequence[str], *, rounded: bool
) -> bool:
    """Tell whether some sum could be the score: fewer columns miss more, where all are known."""
    X = np.column_stack([known[name] for name in ordered])
    if np.isnan(X).any():
        return True
    weights, intercept = _regressed(X, y)
    missed = float(np.median(np.abs(y - X @ weights - intercept)))
    return missed <= NEAR * _allowed(X, y, weights, rounded=rounded)


def _reduced(y: Floats, known: Mapping[str, Floats], chosen: ScoreParts) -> ScoreParts:
    """Leave out the parts that are not needed."""
    for name in chosen.names:
        fewer = [other for other in chosen.names if other != name]
        found = _fitted(y, known, fewer, rounded=chosen.rounded) if fewer else None
        if found is not None and not found.is_worse_than(chosen):
            chosen = found
    return chosen


def _exchanged(y: Floats, known: Mapping[str, Floats], chosen: ScoreParts) -> ScoreParts:
    """Take a column in place of several parts that it is made of, as an index of indices is."""
    if len(chosen.names) <= FEWEST_PARTS:
        return chosen
    for name in _made_of(known, chosen.names):
        more = _fitted(y, known, [*chosen.names, name], rounded=chosen.rounded)
        fewer = chosen if more is None else _reduced(y, known, more)
        if len(fewer.names) < len(chosen.names):
            chosen = fewer
    return chosen


def _made_of(known: Mapping[str, Floats], parts: Sequence[str]) -> list[str]:
    """List the columns that are nearly a sum of others."""
    others = [name for name in known if name not in parts]
    both = np.column_stack([known[name] for name in [*parts, *others]])
    both = both[~np.isnan(both).any(axis=1)]
    if len(both) < ROWS_FOR_A_PART * len(parts):
        return others
    both = both - both.mean(axis=0)
    X, Y = both[:, : len(parts)], both[:, len(parts) :]
    left = Y - X @ np.linalg.lstsq(X, Y)[0]
    return [
        name
        for name, rest, whole in zip(others, left.std(axis=0), Y.std(axis=0), strict=True)
        if rest <= MADE_OF * whole
    ]


def find_index(
    columns: Mapping[str, Floats], among: Iterable[str] | None = None
) -> tuple[str, ScoreParts] | None:
    """Find the column that is a mean or sum of others, of several the one that is above most.

    A part is no such sum of the whole and the other parts: these count against it.
    """
    means = {}
    for name in columns if among is None else among:
        others = {other: found for other, found in columns.items() if other != name}
        parts = score_parts(columns[name], others)
        if parts is not None and (parts.is_mean or parts.is_total):
            means[name] = parts
    sizes = {name: len(_below(name, means)) for name in means}
    best = max(sizes, key=sizes.__getitem__, default=None)
    if best is None or list(sizes.values()).count(sizes[best]) > 1:
        return None
    return best, means[best]


def without_part(score: Floats, columns: Mapping[str, Floats], parts: ScoreParts) -> list[str]:
    """List the columns that are no part of a score and can't count for as much as 1% of it.

    That is what the score leaves each of them, beside its parts, at two standard errors.
    """
    together = np.column_stack([columns[name] for name in parts.names])
    sizes = np.nanstd(together, axis=0) * np.abs(parts.weights)
    missed = score - together @ parts.weights  # but for the intercept, which no column explains
    found = []
    for name, values in columns.items():
        rows = np.flatnonzero(~np.isnan(missed) & ~np.isnan(values))
        if name in parts.names or len(rows) <= len(parts.names) + 2:
            continue
        beside = np.column_stack([together[rows], np.ones(len(rows))])
        new = values[rows] - beside @ np.linalg.lstsq(beside, values[rows])[0]
        length, size = float(new @ new), float(np.std(values[rows]))
        if length <= FINE * len(rows) * size**2:  # a sum of the parts: nothing tells them apart
            continue
        weight = float(new @ missed[rows]) / length
        error = float(np.std(missed[rows])) / np.sqrt(length)
        if (abs(weight) + 2 * error) * size < LEAST_SHARE * sizes.sum():
            found.append(name)
    return found


def _below(name: str, means: Mapping[str, ScoreParts]) -> set[str]:
    """Return the parts of a mean, their parts, and so on."""
    found: set[str] = set()
    new = {name}
    while new:
        found |= new
        new = {part for one in new if one in means for part in means[one].names} - found
    return found


def _is_gappy(values: Floats) -> bool:
    return bool(np.mean(~np.isnan(values)) < KNOWN)


def _in_order(y: Floats, known: Mapping[str, Floats]) -> list[str]:
    """List columns in the order in which each explains most of what the ones before leave."""
    if not known:
        return []
    picked = np.linspace(0, len(y) - 1, min(len(y), MOST_ROWS)).astype(np.int64)
    varied = y[picked] - y[picked].mean()
    names = list(known)
    left = np.column_stack([known[name][picked] for name in names])
    left = np.nan_to_num(left - np.nanmean(left, axis=0))
    sizes = np.linalg.norm(left, axis=0)
    found: list[str] = []
    # What is explained of the score stays in it: no column that is left has anything to do with it.
    for _ in range(MOST_PARTS):
        lengths = np.linalg.norm(left, axis=0)
        new = lengths > 1e-6 * sizes  # not yet a sum of those before
        gains = np.divide(np.abs(varied @ left), lengths, out=np.zeros(len(names)), where=new)
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        found.append(names[best])
        direction = left[:, best] / lengths[best]
        left = left - np.outer(direction, direction @ left)
    return found


def _fitted(
    y: Floats, known: Mapping[str, Floats], chosen: Sequence[str], *, rounded: bool
) -> ScoreParts | None:
    """Fit a sum of some columns; None if it does not give the score as rounded."""
    X = np.column_stack([known[name] for name in chosen])
    rows = np.flatnonzero(~np.isnan(X).any(axis=1))
    if len(rows) < max(ROWS_FOR_A_PART * len(chosen), KNOWN * len(y)):
        return None
    X, y = X[rows], y[rows]
    weights, intercept = _regressed(X, y)
    missed = y - X @ weights - intercept
    given = np.abs(missed) <= ROOM * _allowed(X, y, weights, rounded=rounded)
    n_given = int(given.sum())
    if n_given < REPRODUCED * len(y):
        return None
    # Of an exact sum only rounding errors are left, of which a column by chance explains some.
    square = max(float(missed[given] @ missed[given]) / n_given, (FINE * float(np.ptp(y))) ** 2)
    return ScoreParts(
        tuple(chosen), weights, intercept, n_given, len(y), square, len(known), rounded
    )


def _allowed(X: Floats, y: Floats, weights: Floats, *, rounded: bool) -> float:
    """Return by how much a score may be off for its own rounding, and that of its parts."""
    halves = [_half_digit(column) if rounded else 0.0 for column in X.T]
    return _half_digit(y) + float(np.abs(weights) @ halves)


def _regressed(X: Floats, y: Floats) -> tuple[Floats, float]:
    """Return weights and intercept of the least squares, without a few rows that are far off."""
    sizes = np.ptp(X, axis=0)
    sizes[sizes == 0] = 1.0
    X = X / sizes  # beside billions, shares would count as nothing
    kept = np.ones(len(y), dtype=bool)
    for _ in range(REFITS):
        centre, mean = X[kept].mean(axis=0), y[kept].mean()
        weights = np.linalg.lstsq(X[kept] - centre, y[kept] - mean)[0]
        intercept = float(mean - centre @ weights)
        missed = np.abs(y - X @ weights - intercept)
        far = missed > FAR * np.median(missed)
        if far.mean() > 1 - REPRODUCED or (kept == ~far).all():
            break
        kept = ~far
    return weights / sizes, intercept


def _half_digit(values: Floats) -> float:
    """Return half of the unit of the last digit that a column is written with."""
    for digits in range(MOST_DIGITS):
        scaled = values * 10.0**digits
        whole = np.round(scaled)
        if np.ptp(whole) > 0 and np.abs(scaled - whole).max() <= 1e-6:
            return 0.5 * 10.0**-digits
    return FINE * float(np.ptp(values))
