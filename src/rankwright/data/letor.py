"""Folders of learning-to-rank data: files to train on, to choose by and to test on."""

from os import PathLike
from pathlib import Path
from typing import NamedTuple

from rankwright.data.svmlight import QueryRows, read_svmlight

__all__ = ["LetorFolder", "read_letor"]

# LETOR, MSLR and Istella; Yahoo's challenge; LightGBM's examples.
NAMES = {
    "train": ("train.txt", "set1.train.txt", "set2.train.txt", "rank.train"),
    "validation": ("vali.txt", "valid.txt", "set1.valid.txt", "set2.valid.txt", "rank.valid"),
    "test": ("test.txt", "set1.test.txt", "set2.test.txt", "rank.test"),
}


class LetorFolder(NamedTuple):
    """Hold the rows of a folder; a part that the folder does not have is None.

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
        ``set1.train.txt`` and its kin (Yahoo; of two sets, the first), or ``rank.train`` and
        ``rank.test`` with their ``.query`` files (LightGBM).

    Returns
    -------
    LetorFolder
        ``train``, ``validation`` and ``test``, all with the same columns.

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
    found = {part: _find(Path(folder), names) for part, names in NAMES.items()}
    if not any(found.values()):
        known = ", ".join(name for names in NAMES.values() for name in names)
        raise FileNotFoundError(f"{folder} has none of the files {known}")
    rows = {part: None if path is None else read_svmlight(path) for part, path in found.items()}
    width = max(one.X.shape[1] for one in rows.values() if one is not None)
    for one in rows.values():
        if one is not None:
            one.X.resize((one.X.shape[0], width))
    return LetorFolder(**rows)


def _find(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)
