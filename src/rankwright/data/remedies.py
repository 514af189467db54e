"""What can be done about missing factors: leave out rows or columns, or fill the gaps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.observations import count, examples

__all__ = ["IS_MISSING", "Remedied", "Remedy", "filled_where_marked", "remedied"]

IS_MISSING = " is missing"  # behind a factor's name: the factor that tells where it was missing


class Remedy(StrEnum):
    """A way to a table without gaps."""

    ROWS = "rows"
    FACTORS = "factors"
    MEDIANS = "medians"
    INDICATORS = "indicators"
    FEW = "few"


@dataclass(frozen=True, eq=False)
class Remedied:
    """Factors without gaps, the rows that are left, and what was done, in a sentence."""

    X: pd.DataFrame
    keep: NDArray[np.bool_]
    note: str


def remedied(X: pd.DataFrame, remedy: Remedy | str, source: str) -> Remedied:
    """Return factors without gaps."""
    if remedy not in list(Remedy):
        raise ValueError(f"missing={remedy!r}; choose from {', '.join(Remedy)}")
    return REMEDIES[Remedy(remedy)](X, source)


def filled_where_marked(
    X: pd.DataFrame, known: Mapping[str, float], model: str
) -> tuple[pd.DataFrame, list[str]]:
    """Fill the gaps of factors that have one beside them that tells where they were missing.

    With the value that is known to have stood there in the fit, else with the median of these rows.
    """
    values, notes = dict(known), []
    for factor in _gaps(X):
        if factor + IS_MISSING not in X.columns:
            values.pop(factor, None)
            continue
        n_gaps = count(int(X[factor].isna().sum()), "gap")
        of_fit = factor in known
        value = values.setdefault(factor, float(X[factor].median()))
        if np.isnan(value):
            raise ValueError(
                f"{factor!r} is missing in every row, and {model} does not keep what filled its "
                "gaps in the fit; give a value in at least one row"
            )
        origin = (
            f"as in the fit of {model}"
            if of_fit
            else f"the median of these rows, because {model} does not keep that of its fit"
        )
        notes.append(f"{n_gaps} in {factor!r} filled with {value:g}, {origin}.")
    return (X.fillna(values) if notes else X), notes


def _without_rows(X: pd.DataFrame, source: str) -> Remedied:
    keep = X.notna().all(axis=1).to_numpy()
    if not keep.any():
        raise ValueError(f"every row of {source} has a missing factor; choose other factors")
    gone = X.index[~keep]
    named = examples(map(repr, gone), len(gone))
    note = f"{count(len(gone), 'row')} left out because a factor is missing: {named}."
    return Remedied(X[keep], keep, note)


def _without_factors(X: pd.DataFrame, source: str) -> Remedied:
    gaps = _gaps(X)
    if len(gaps) == X.shape[1]:
        raise ValueError(f"every factor of {source} is missing somewhere; leave out rows instead")
    note = f"{count(len(gaps), 'factor')} left out because of gaps: {examples(gaps, len(gaps))}."
    return Remedied(X.drop(columns=gaps), _all(X), note)


def _without_few(X: pd.DataFrame, source: str) -> Remedied:
    """Leave out factors with many gaps and then rows, so that as many values as possible are left.

    So one factor that hardly anybody has does not cost the rows, nor do rows from before anything
    was measured cost the factors.
    """
    missing = X.isna().to_numpy()
    by_gaps = np.argsort(missing.sum(axis=0), kind="stable")
    # Column k tells which rows are whole in the k + 1 factors with fewest gaps.
    whole = ~np.logical_or.accumulate(missing[:, by_gaps], axis=1)
    n_values = whole.sum(axis=0) * np.arange(1, X.shape[1] + 1)
    if 2 * n_values.max() < (~missing).sum():  # most of what is known would be lost
        return _with_medians(X, source)
    n_left = X.shape[1] - int(n_values[::-1].argmax())
    gone = [
        f"{X.columns[j]!r} ({count(int(missing[:, j].sum()), 'gap')})" for j in by_gaps[n_left:]
    ]
    said = [f"{count(len(gone), 'factor')} left out because of gaps: {examples(gone, len(gone))}."]
    rows = _without_rows(X.iloc[:, np.sort(by_gaps[:n_left])], source)
    return Remedied(
        rows.X, rows.keep, " ".join(said * bool(gone) + [rows.note] * (not rows.keep.all()))
    )


def _with_medians(X: pd.DataFrame, source: str) -> Remedied:
    gaps = _gaps(X)
    n_cells = int(X.isna().to_numpy().sum())
    note = (
        f"{count(n_cells, 'gap')} filled with the factor's median, in {examples(gaps, len(gaps))}."
    )
    return Remedied(X.fillna(X.median()), _all(X), note)


def _with_indicators(X: pd.DataFrame, source: str) -> Remedied:
    gaps = _gaps(X)
    filled = _with_medians(X, source)
    missing = X[gaps].isna().astype(np.float64).add_suffix(IS_MISSING)
    note = f"{filled.note} {count(len(gaps), 'factor')} of 0 and 1 added: where each was missing."
    return Remedied(pd.concat([filled.X, missing], axis=1), filled.keep, note)


REMEDIES: dict[Remedy, Callable[[pd.DataFrame, str], Remedied]] = {
    Remedy.ROWS: _without_rows,
    Remedy.FACTORS: _without_factors,
    Remedy.MEDIANS: _with_medians,
    Remedy.INDICATORS: _with_indicators,
    Remedy.FEW: _without_few,
}


def _gaps(X: pd.DataFrame) -> list[str]:
    return [str(name) for name, gone in X.isna().any().items() if gone]


def _all(X: pd.DataFrame) -> NDArray[np.bool_]:
    return np.ones(len(X), dtype=bool)
