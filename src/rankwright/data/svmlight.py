"""Graded rows of queries in the svmlight format, as LETOR and LightGBM write them."""

import re
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.data.textfile import decode, read_bytes

__all__ = ["Lines", "QueryRows", "read_lines", "read_svmlight"]

NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
FORM = "'grade qid:7 1:0.5 2:1 # comment'"
LARGEST_QUERY = 2**63 - 1
LARGEST_FEATURE = 2**31 - 1  # scikit-learn takes sparse matrices whose indices have 32 bits


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
        A file with the number of rows of each query in turn, one per line. By default the file
        beside it with ``.query`` behind the name, as LightGBM has it, if there is one.
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
    lines = read_lines(path, query_sizes)
    return lines.rows(n_features, lines.has_zero if zero_based == "auto" else zero_based)


class Lines(NamedTuple):
    """Rows as they stand in a file: features by their own numbers."""

    name: str
    y: NDArray[np.float64]
    queries: NDArray[np.int64] | None
    starts: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]

    @property
    def has_zero(self) -> bool:
        """Tell whether there is a feature 0."""
        return 0 in self.indices

    def width(self, zero_based: bool) -> int:
        """Return how many columns there are."""
        first = 0 if zero_based else 1
        return int(self.indices.max(initial=first - 1)) + 1 - first

    def rows(self, n_features: int | None, zero_based: bool) -> QueryRows:
        """Return the rows with so many columns, or with as many as there are."""
        from scipy.sparse import csr_matrix

        first, found = 0 if zero_based else 1, self.width(zero_based)
        width = found if n_features is None else n_features
        if found > width:
            highest = found - 1 + first
            raise ValueError(f"n_features={n_features}, but {self.name} has a feature {highest}")
        if first and self.has_zero:
            raise ValueError(f"{self.name} has a feature 0; leave out zero_based=False")
        columns = self.indices - first
        X = csr_matrix((self.values, columns, self.starts), (len(self.y), width))
        return QueryRows(X, self.y, self.queries)


def read_lines(path: str | PathLike[str], query_sizes: str | PathLike[str] | None = None) -> Lines:
    """Read the lines of a file, with their queries."""
    name = Path(path).name
    lines = _parse(_as_utf8(read_bytes(path), name), name)
    beside = Path(f"{path}.query")
    if query_sizes is None and lines.queries is None and beside.exists():
        query_sizes = beside
    if query_sizes is None:
        return lines
    if lines.queries is not None:
        raise ValueError(f"{name} already gives its queries as qid:; leave out query_sizes")
    return lines._replace(queries=_groups_from_sizes(query_sizes, len(lines.y), name))


def _parse(data: bytes, name: str) -> Lines:
    from rankwright.kernels.svmlight import count_words, parse_lines

    text = np.frombuffer(data, dtype=np.uint8)
    n_rows, n_colons = count_words(text)
    if not n_rows:
        raise ValueError(f"{name} holds no rows")
    y, queries = np.empty(n_rows), np.empty(n_rows, dtype=np.int64)
    starts = np.empty(n_rows + 1, dtype=np.int64)
    indices, values = np.empty(n_colons, dtype=np.int32), np.empty(n_colons)
    is_good, n_queries, long = parse_lines(text, y, queries, starts, indices, values)
    if not is_good:
        _find_wrong_line(data, name)
        raise AssertionError(f"{name} is not readable as svmlight")
    _read_long(data, long, y, values)
    n_values = starts[-1]
    if not (np.isfinite(y).all() and np.isfinite(values[:n_values]).all()):
        _find_wrong_line(data, name)
    if n_queries not in (0, n_rows):
        raise ValueError(f"{name}: {n_rows - n_queries:,} of {n_rows:,} rows have no qid:")
    found = queries if n_queries else None
    return Lines(name, y, found, starts, indices[:n_values], values[:n_values])


def _read_long(
    data: bytes, long: NDArray[np.int64], y: NDArray[np.float64], values: NDArray[np.float64]
) -> None:
    """Fill in the numbers that the kernel left out, which have many digits."""
    read = np.array([data[begin:end] for begin, end, _ in long.tolist()], dtype=bytes)
    numbers, whose = read.astype(np.float64), long[:, 2]
    values[whose[whose >= 0]] = numbers[whose >= 0]
    y[~whose[whose < 0]] = numbers[whose < 0]


def _as_utf8(data: bytes, name: str) -> bytes:
    """Return the text in UTF-8, with a line feed at the end of each line."""
    if not data.isascii() or b"\0" in data:
        data = decode(data, name)[0].encode()
    # Old Macintosh files end their lines with a carriage return alone.
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _find_wrong_line(data: bytes, name: str) -> None:
    """Name the first line that is not of the form, and what is wrong with it."""
    # A carriage return inside a line is a blank, as everywhere here.
    for number, line in enumerate(data.decode(errors="replace").split("\n"), start=1):
        if problem := _problem(line.removesuffix("\r")):
            raise ValueError(f"{name}, line {number:,}: {problem}")


def _problem(line: str) -> str | None:
    """Say what is wrong with a line, word by word."""
    # As bytes: words are separated by blanks of ASCII alone.
    words = [word.decode() for word in line.partition("#")[0].encode().split()]
    if not words:
        return None
    grade, *features = words
    queries = [word for word in features[:1] if word.startswith("qid:")]
    values = [grade]
    indices = []
    for word in features[len(queries) :]:
        index, _, value = word.partition(":")
        indices.append(index)
        values.append(value)
    whole = [*indices, *(query.removeprefix("qid:") for query in queries)]
    if not all(map(NUMBER.fullmatch, values)) or not all(
        w.isascii() and w.isdigit() for w in whole
    ):
        return f"expected {FORM}, found {line[:60]!r}"
    if endless := [value for value in values if not np.isfinite(float(value))]:
        return (
            f"{_short(endless[0])} is larger than any number here; scale the column or correct it"
        )
    if queries and _exceeds(whole[-1], LARGEST_QUERY):
        return (
            f"query {_short(whole[-1])} is larger than {LARGEST_QUERY}; number the queries from 1"
        )
    if large := [index for index in indices if _exceeds(index, LARGEST_FEATURE)]:
        return (
            f"feature {_short(large[0])} is larger than {LARGEST_FEATURE}; "
            "number the features from 1"
        )
    numbers = [int(index.lstrip("0") or "0") for index in indices]
    if numbers != sorted(set(numbers)):
        return "its features are not in increasing order"
    return None


def _exceeds(digits: str, largest: int) -> bool:
    digits = digits.lstrip("0")
    return len(digits) > 19 or int(digits or "0") > largest


def _short(text: str) -> str:
    return text if len(text) <= 24 else f"{text[:21]}..."


def _groups_from_sizes(path: str | PathLike[str], n_rows: int, rows_name: str) -> NDArray[np.int64]:
    name = Path(path).name
    words = _as_utf8(read_bytes(path), name).decode().split()
    for number, word in enumerate(words, start=1):
        if not (word.isascii() and word.isdigit()) or not word.strip("0"):
            raise ValueError(
                f"{name}, query {number}: expected a number of rows, found {_short(word)!r}"
            )
        if _exceeds(word, n_rows):
            raise ValueError(
                f"{name}, query {number}: {_short(word)} rows in one query, "
                f"but {rows_name} has {n_rows:,} rows"
            )
    sizes = np.array([int(word) for word in words], dtype=np.int64)
    if (total := sum(sizes.tolist())) != n_rows:
        raise ValueError(
            f"{name} counts {total:,} rows in {len(sizes):,} queries, "
            f"but {rows_name} has {n_rows:,} rows"
        )
    return np.repeat(np.arange(len(sizes)), sizes)
