"""Folders of learning-to-rank data: files to train on, to choose by and to test on."""

from os import PathLike
from pathlib import Path
from typing import NamedTuple

from rankwright.data.svmlight import QueryRows, read_lines

__all__ = ["LetorFolder", "read_letor"]

# The files of a folder belong to one collection: columns of another one mean something else.
LAYOUTS = (
    ("train.txt", "vali.txt", "test.txt"),  # LETOR, MSLR and Istella
    ("train.txt", "valid.txt", "test.txt"),
    ("set1.train.txt", "set1.valid.txt", "set1.test.txt"),  # Yahoo's challenge
    ("set2.train.txt", "set2.valid.txt", "set2.test.txt"),
    ("rank.train", "rank.valid", "rank.test"),  # LightGBM's examples
)


class LetorFolder(NamedTuple):
    """Hold the rows of a folder; a part that the folder does not have is None.

    Attributes
    ----------
    train, validation, test : QueryRows or None
        Its parts, all with the same columns.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.LetorFolder(None, None, None)._fields
    ('train', 'validation', 'test')
    """

    train: QueryRows | None
    validation: QueryRows | None
    test: QueryRows | None


def read_letor(folder: str | PathLike[str]) -> LetorFolder:
    r"""Read a folder of LETOR, MSLR, Istella, Yahoo's challenge or LightGBM's examples.

    Parameters
    ----------
    folder : path
        With ``train.txt``, ``vali.txt`` and ``test.txt`` (a fold of LETOR or MSLR, Istella),
        ``set1.train.txt`` and its kin (Yahoo; of two sets, the first unless the second has more
        files), or ``rank.train`` and ``rank.test`` with their ``.query`` files (LightGBM).

    Returns
    -------
    LetorFolder
        ``train``, ``validation`` and ``test``, all with the same columns: where one file has a
        feature 0, it is the first column of all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import rankwright as rw
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "train.txt").write_text("2 qid:1 1:0.5 3:1\n0 qid:1 2:1\n")
    ...     _ = Path(folder, "test.txt").write_text("1 qid:2 1:0.1\n")
    ...     rows = rw.read_letor(folder)
    >>> rows.train.X.shape, rows.validation, rows.test.X.shape
    ((2, 3), None, (1, 3))
    """
    paths = _find(Path(folder))
    parts = zip(LetorFolder._fields, paths, strict=True)
    read = {part: read_lines(path) for part, path in parts if path}
    zero_based = any(lines.has_zero for lines in read.values())
    width = max(lines.width(zero_based) for lines in read.values())
    rows = {part: lines.rows(width, zero_based) for part, lines in read.items()}
    return LetorFolder(*(rows.get(part) for part in LetorFolder._fields))


def _find(folder: Path) -> list[Path | None]:
    """Return the files of the collection of which there are most, of equals the first."""
    layouts = [
        [path if path.is_file() else None for path in map(folder.joinpath, names)]
        for names in LAYOUTS
    ]
    found = max(layouts, key=lambda paths: sum(path is not None for path in paths))
    if not any(found):
        known = ", ".join(dict.fromkeys(name for names in LAYOUTS for name in names))
        raise FileNotFoundError(f"{folder} has none of the files {known}")
    return found
