"""Graded rows of queries in the svmlight format, as LETOR and LightGBM write them."""

import re
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.data.textfile import read_bytes

__all__ = ["QueryRows", "read_svmlight"]

NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
LINE = re.compile(rf"\s*(?:{NUMBER}(?:\s+qid:\d+)?(?:\s+\d+:{NUMBER})*\s*)?(?:#.*)?")
FEATURE = re.compile(r"\s(\d+):")


class QueryRows(NamedTuple):
    """Hold rows read for a ranker: ``ranker.fit(*rows)``.

    Parameters
    ----------
    X : sparse CSR matrix of shape (n, d)
        Features; those a line leaves out are 0.
    y : array of shape (n,)
        Relevance, larger is better.
    groups : array of shape (n,) or None
        The query of each row.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> rows = rw.QueryRows(np.eye(2), np.array([1.0, 0.0]), np.array([7, 7]))
    >>> X, y, groups = rows
    >>> groups.tolist()
    [7, 7]
    """

    X: Any
    y: NDArray[np.float64]
    groups: NDArray[np.int64] | None


def read_svmlight(
    path: str | PathLike[str],
    *,
    query_sizes: str | PathLike[str] | None = None,
    n_features: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
) -> QueryRows:
    r"""Read an svmlight file with its queries, from ``qid:`` or from a file of query sizes.

    Parameters
    ----------
    path : path
        Lines ``grade qid:7 1:0.5 9:1 # comment``; the query is optional.
    query_sizes : path, optional
        A file with the number of rows of each query in turn, one per line (LightGBM's ``.query``).
    n_features : int, optional
        The number of columns; give that of the training file when reading the test file.
    zero_based : bool or "auto", default="auto"
        Whether the first feature is number 0; by default it is if the file has a feature 0.

    Returns
    -------
    QueryRows
        ``X, y, groups``; `groups` is None when the file tells of no queries.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import rankwright as rw
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "train.txt")
    ...     _ = path.write_text("2 qid:1 1:0.5 # first\n0 qid:1 2:1\n1 qid:2 1:0.1\n")
    ...     X, y, groups = rw.read_svmlight(path)
    >>> X.toarray()
    array([[0.5, 0. ],
           [0. , 1. ],
           [0.1, 0. ]])
    >>> groups.tolist()
    [1, 1, 2]
    """
    from sklearn.datasets import load_svmlight_file

    name = Path(path).name
    data = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    try:
        X, y, groups = load_svmlight_file(
            BytesIO(data), n_features=n_features, zero_based=zero_based, query_id=True
        )
    except ValueError as error:
        _find_wrong_line(data, name)
        raise ValueError(f"{name} is not readable as svmlight: {error}") from error
    if not len(y):
        raise ValueError(f"{name} holds no rows")
    if not np.isfinite(y).all() or not np.isfinite(X.data).all():
        _find_wrong_line(data, name)
    if len(groups) not in (0, len(y)):
        raise ValueError(f"{name}: {len(y) - len(groups):,} of {len(y):,} rows have no qid:")
    if query_sizes is not None:
        if len(groups):
            raise ValueError(f"{name} has its queries as qid: already; leave out query_sizes")
        groups = _groups_from_sizes(query_sizes, len(y), name)
    return QueryRows(X, y, groups if len(groups) else None)


def _find_wrong_line(data: bytes, name: str) -> None:
    """Name the first line that is not of the form, or whose features are not in order."""
    for number, line in enumerate(data.decode("latin-1").splitlines(), start=1):
        if LINE.fullmatch(line) is None:
            raise ValueError(
                f"{name}, line {number}: expected 'grade qid:7 1:0.5 2:1 # comment', "
                f"found {line[:60]!r}"
            )
        features = [int(index) for index in FEATURE.findall(line.partition("#")[0])]
        if features != sorted(set(features)):
            raise ValueError(f"{name}, line {number}: its features are not in increasing order")


def _groups_from_sizes(path: str | PathLike[str], n_rows: int, rows_name: str) -> NDArray[np.int64]:
    name = Path(path).name
    lines = read_bytes(path).decode("latin-1").split()
    for number, line in enumerate(lines, start=1):
        if not line.isdigit() or int(line) == 0:
            raise ValueError(f"{name}, query {number}: expected a number of rows, found {line!r}")
    sizes = np.array(lines, dtype=np.int64)
    if sizes.sum() != n_rows:
        raise ValueError(
            f"{name} counts {sizes.sum():,} rows in {len(sizes):,} queries, "
            f"but {rows_name} has {n_rows:,} rows"
        )
    return np.repeat(np.arange(len(sizes)), sizes)
