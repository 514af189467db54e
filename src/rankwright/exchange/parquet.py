"""Rank a Parquet file that is larger than memory, batch by batch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.base import scores_of
from rankwright.data import positions
from rankwright.persistence.atomic import write_stream

__all__ = ["RankedFile", "rank_parquet"]

BATCH_ROWS = 65_536
ADDED = ("position", "score")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RankedFile:
    """What was written: how many rows, of how many groups (None without groups)."""

    rows: int
    groups: int | None


def rank_parquet(
    ranker: Any,
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    factors: Sequence[str],
    group: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RankedFile:
    """Score and rank the rows of a Parquet file into another one.

    With groups, whose rows have to stand together, memory is that of a batch and of the largest
    group; without, sixteen bytes for each row, since a position depends on all scores.

    Parameters
    ----------
    ranker : fitted ranker, pipeline or search
    source, target : path
    factors : sequence of str
        The columns that the ranker reads, in its order; all others are copied.
    group : str, optional
        The column that says which rows are ranked together.
    progress : callable, optional
        Called with the rows done and their total.

    Returns
    -------
    RankedFile
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(source) as file:
        table = _Table(file, Path(source).name, list(factors), group, progress)
        parts = _ungrouped(ranker, table) if group is None else _grouped(ranker, table, group)
        done = _Counts(group is not None)
        write_stream(Path(target), lambda out: _write(pq, out, table.schema, map(done.see, parts)))
    return RankedFile(done.rows, done.groups)


@dataclass(frozen=True)
class _Part:
    """Rows that are written at once: what is copied, and what is added."""

    copied: Any  # a pyarrow table
    scores: Floats
    positions: Floats
    n_groups: int


class _Counts:
    def __init__(self, is_grouped: bool) -> None:
        self.rows, self.groups = 0, 0 if is_grouped else None

    def see(self, part: _Part) -> _Part:
        self.rows += len(part.scores)
        if self.groups is not None:
            self.groups += part.n_groups
        return part


class _Table:
    """The file that is read, in batches."""

    def __init__(
        self,
        file: Any,
        name: str,
        factors: list[str],
        group: str | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.file, self.name, self.factors, self.progress = file, name, factors, progress
        names = file.schema_arrow.names
        wanted = [*factors, *([] if group is None else [group])]
        if absent := [column for column in wanted if column not in names]:
            raise ValueError(f"{name} has no column {absent[0]!r}; it has {', '.join(names)}")
        self.copied = [column for column in names if column not in factors]
        if taken := [column for column in ADDED if column in self.copied]:
            raise ValueError(f"{name} has a column {taken[0]!r} already; rename it")

    @property
    def schema(self) -> Any:
        """The columns of the file that is written."""
        import pyarrow as pa

        kept = [self.file.schema_arrow.field(column) for column in self.copied]
        return pa.schema([*kept, *(pa.field(name, pa.float64()) for name in ADDED)])

    def scored(self, ranker: Any, columns: list[str]) -> Iterator[tuple[Any, Floats]]:
        """Yield some columns of each batch, and its scores."""
        done, total = 0, self.file.metadata.num_rows
        for batch in self.file.iter_batches(BATCH_ROWS):
            X = batch.select(self.factors).to_pandas()
            try:
                scores = scores_of(ranker, X)
            except ValueError as error:
                raise ValueError(
                    f"{self.name}, rows {done + 1:,} to {done + len(X):,}: {error}"
                ) from error
            yield batch.select(columns), scores
            done += len(X)
            if self.progress is not None:
                self.progress(done, total)


def _ungrouped(ranker: Any, table: _Table) -> Iterator[_Part]:
    scores = np.empty(table.file.metadata.num_rows)
    end = 0
    for _, found in table.scored(ranker, []):
        scores[end : end + len(found)] = found
        end += len(found)
    placed = positions(scores)
    end = 0
    for copied in table.file.iter_batches(BATCH_ROWS, columns=table.copied):
        rows = slice(end, end + copied.num_rows)
        yield _Part(_as_table(copied), scores[rows], placed[rows], 1)
        end = rows.stop


def _grouped(ranker: Any, table: _Table, group: str) -> Iterator[_Part]:
    """Yield whole groups: the last one of a batch waits for the next batch."""
    import pyarrow as pa

    finished: set[Any] = set()
    waiting: list[tuple[Any, Floats]] = []
    for copied, scores in table.scored(ranker, table.copied):
        waiting.append((_as_table(copied), scores))
        labels = np.asarray(copied.column(group).to_pandas())
        begins_last = _last_beginning(labels)
        alone = len(waiting) > 1 and begins_last == 0 and _label(waiting[-2][0], group) == labels[0]
        if alone:  # the group goes on
            continue
        rows = pa.concat_tables([part for part, _ in waiting])
        all_scores = np.concatenate([found for _, found in waiting])
        cut = len(all_scores) - (len(labels) - begins_last)
        if cut:
            yield _ranked(rows.slice(0, cut), all_scores[:cut], group, finished, table.name)
        waiting = [(rows.slice(cut), all_scores[cut:])]
    if waiting:
        rows = pa.concat_tables([part for part, _ in waiting])
        yield _ranked(
            rows, np.concatenate([found for _, found in waiting]), group, finished, table.name
        )


def _ranked(rows: Any, scores: Floats, group: str, finished: set[Any], name: str) -> _Part:
    labels = np.asarray(rows.column(group).to_pandas())
    starts = np.flatnonzero(np.r_[True, labels[1:] != labels[:-1]])
    found = labels[starts].tolist()
    again = [label for label in found if label in finished]
    again += [label for place, label in enumerate(found) if label in found[:place]]
    if again:
        raise ValueError(
            f"{name}: the rows of group {again[0]!r} do not stand together; sort the file by "
            f"{group!r} first"
        )
    finished.update(found)
    return _Part(rows, scores, positions(scores, labels), len(found))


def _last_beginning(labels: NDArray[Any]) -> int:
    changes = np.flatnonzero(labels[1:] != labels[:-1])
    return int(changes[-1]) + 1 if changes.size else 0


def _label(rows: Any, group: str) -> Any:
    return rows.column(group)[rows.num_rows - 1].as_py()


def _as_table(batch: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches([batch])


def _write(pq: Any, out: Any, schema: Any, parts: Iterator[_Part]) -> None:
    import pyarrow as pa

    with pq.ParquetWriter(out, schema) as writer:
        for part in parts:
            columns = [*part.copied.columns, pa.array(part.positions), pa.array(part.scores)]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
