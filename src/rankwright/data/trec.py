"""Judgements and runs as TREC writes them: qrels, and lists that a system returned."""

from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.textfile import lines_of, read_text

__all__ = ["JudgedRun", "read_trec"]

QRELS = ("topic", "iteration", "document", "grade")
RUN = ("topic", "Q0", "document", "rank", "score", "system")


class JudgedRun(NamedTuple):
    """Hold a run with its judgements: ``rw.metrics.evaluate(run.y, run.scores, run.groups)``.

    Parameters
    ----------
    y : (n,) float64
        Grades, larger is better; 0 for documents that were not judged.
    scores : (n,) float64
        Of the run; one less than a topic's least for judged documents that it did not return, or
        the next smaller number where that is as large.
    groups : (n,) array of str
        The topic of each row.
    documents : (n,) array of str
        The document of each row.
    returned : (n,) bool
        Whether the run has the document.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> one = np.array(["a"], dtype=object)
    >>> rw.JudgedRun(np.ones(1), np.ones(1), one, one, np.array([True])).y.tolist()
    [1.0]
    """

    y: NDArray[np.float64]
    scores: NDArray[np.float64]
    groups: NDArray[Any]
    documents: NDArray[Any]
    returned: NDArray[np.bool_]


def read_trec(qrels: str | PathLike[str], run: str | PathLike[str]) -> JudgedRun:
    r"""Read a run and its judgements.

    Topics without judgements are left out, as by trec_eval. Relevant documents that the run did not
    return stand at the end of their topic's list, so that ideal lists and recall count them; a
    measure of more places than the run has documents sees them there.

    Parameters
    ----------
    qrels : path
        Lines ``topic iteration document grade``; grades below 0 count as 0.
    run : path
        Lines ``topic Q0 document rank score system``; documents are ordered by score.

    Returns
    -------
    JudgedRun

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import rankwright as rw
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "qrels.txt"), Path(folder, "run.txt")
    ...     _ = qrels.write_text("1 0 d1 2\n1 0 d2 0\n1 0 d3 1\n")
    ...     _ = run.write_text("1 Q0 d2 1 9.5 me\n1 Q0 d1 2 7.0 me\n")
    ...     judged = rw.read_trec(qrels, run)
    >>> judged.documents.tolist(), judged.y.tolist(), judged.scores.tolist()
    (['d2', 'd1', 'd3'], [0.0, 2.0, 1.0], [9.5, 7.0, 6.0])
    """
    grades = _read(qrels, QRELS, "grade")
    listed = _read(run, RUN, "score")
    listed = listed[listed["topic"].isin(set(grades["topic"]))]
    if listed.empty:
        raise ValueError(f"no topic of {Path(run).name} is judged in {Path(qrels).name}")
    merged = listed.merge(grades, how="outer")  # on topic and document, which both have
    merged = merged[merged["topic"].isin(set(listed["topic"]))]
    least = merged.groupby("topic")["score"].transform("min")
    last = np.minimum(least - 1, np.nextafter(least, -np.inf))  # large numbers less 1 are the same
    returned = merged["score"].notna()
    merged = merged.assign(returned=returned, score=merged["score"].where(returned, last))
    merged = merged.sort_values(["topic", "score"], ascending=[True, False])
    return JudgedRun(
        merged["grade"].fillna(0.0).clip(lower=0.0).to_numpy(),
        merged["score"].to_numpy(),
        merged["topic"].to_numpy(dtype=object),
        merged["document"].to_numpy(dtype=object),
        merged["returned"].to_numpy(),
    )


def _read(path: str | PathLike[str], columns: tuple[str, ...], value: str) -> pd.DataFrame:
    """Read topics and documents as text, and the value as a number."""
    name = Path(path).name
    words = [line.split() for line in lines_of(read_text(path)[0])]
    wrong = next((n for n, row in enumerate(words) if row and len(row) != len(columns)), None)
    if wrong is not None:
        raise ValueError(
            f"{name}, line {wrong + 1:,}: expected {' '.join(columns)!r}, found "
            f"{' '.join(words[wrong])[:60]!r}"
        )
    frame = pd.DataFrame([row for row in words if row], columns=list(columns))
    numbers = pd.to_numeric(frame[value], errors="coerce").astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        found = frame[value].iloc[bad[0]]
        raise ValueError(f"{name}: {found!r} is no {value}; give a number in every line")
    frame[value] = numbers
    twice = frame.duplicated(["topic", "document"])
    if twice.any():
        first = frame[twice].iloc[0]
        raise ValueError(
            f"{name}: document {first['document']!r} is there twice for topic {first['topic']!r}; "
            "keep one line for each"
        )
    return frame[["topic", "document", value]]
