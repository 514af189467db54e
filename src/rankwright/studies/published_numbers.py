"""Our numbers beside the published ones."""

from collections.abc import Sequence
from importlib.resources import files
from io import StringIO

import numpy as np
import pandas as pd

__all__ = ["beside", "mean_and_error", "published"]


def published(name: str) -> pd.DataFrame:
    """Return a table as a paper prints it.

    Parameters
    ----------
    name : str
        Of a file in ``rankwright/studies/published``, without ``.csv``.

    Examples
    --------
    >>> from rankwright.studies import published
    >>> table = published("pairwise-vs-pointwise-table1")
    >>> table.query("scenario == 'uniform' and mean_length == 2").kendall_tau.tolist()
    [0.248, 0.832]
    """
    folder = files("rankwright.studies") / "published"
    return pd.read_csv(StringIO((folder / f"{name}.csv").read_text(encoding="utf-8")))


def mean_and_error(frame: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Return for each combination of ``by`` the mean of a measurement and its standard error.

    Parameters
    ----------
    frame : DataFrame
        One row for each replication, as ``Results.frame`` returns it.
    by : sequence of str
        The columns that tell cells apart.
    value : str
        The column that was measured.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.studies import mean_and_error
    >>> frame = pd.DataFrame({"size": [1, 1, 2, 2], "tau": [0.5, 0.7, 0.8, 0.8]})
    >>> mean_and_error(frame, ["size"], "tau").round(3).to_dict("records")
    [{'size': 1, 'ours': 0.6, 'error': 0.1}, {'size': 2, 'ours': 0.8, 'error': 0.0}]
    """
    grouped = frame.groupby(list(by), dropna=False, sort=False)[value]
    return grouped.agg(ours="mean", error="sem").reset_index()


def beside(
    ours: pd.DataFrame,
    table: pd.DataFrame,
    *,
    on: Sequence[str],
    value: str,
    deviation: str | None = None,
    replications: int = 1,
) -> pd.DataFrame:
    """Put means beside the published values, cell by cell.

    Parameters
    ----------
    ours : DataFrame
        As :func:`mean_and_error` returns it.
    table : DataFrame
        The published table.
    on : sequence of str
        The columns that name a cell.
    value : str
        The published column.
    deviation : str, optional
        The column of published standard deviations over ``replications``; without it the
        published values count as exact.
    replications : int
        How many of them the paper has.

    Returns
    -------
    DataFrame
        One row for each published cell: ``ours``, ``error`` (our standard error), ``published``,
        ``difference`` and ``inside``: whether the difference is within two standard errors.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.studies import beside
    >>> ours = pd.DataFrame({"size": [1, 2], "ours": [0.6, 0.8], "error": [0.1, 0.01]})
    >>> table = pd.DataFrame({"size": [1, 2], "tau": [0.7, 0.9]})
    >>> beside(ours, table, on=["size"], value="tau").inside.tolist()
    [True, False]
    """
    columns = [*on, value, *([deviation] if deviation else [])]
    merged = table[columns].merge(ours, on=list(on), how="left", validate="one_to_one")
    theirs = merged[deviation] / np.sqrt(replications) if deviation else 0.0
    difference = merged["ours"] - merged[value]
    inside = difference.abs() <= 2 * np.hypot(merged["error"].fillna(0.0), theirs)
    return (
        merged[[*on, "ours", "error"]]
        .assign(published=merged[value], difference=difference)
        .assign(inside=inside.where(difference.notna()).astype("boolean"))
    )
