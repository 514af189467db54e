"""Write and read model files: a skops document under a header with a checksum.

A file is one line of magic and checksum, one line of JSON (the header), then the skops document::

    rankwright-model 1 <sha256 of everything after this line>
    {"class": "rankwright.linear...", "features": [...], "package": "0.1.0"}
    <skops zip>

skops writes the document; it is read by ``Builder``, which builds what a model can be made of and
nothing else.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

import rankwright
from rankwright.leaderboards import Leaderboard
from rankwright.persistence.archive import Archive
from rankwright.persistence.atomic import write_atomically
from rankwright.persistence.builder import Builder
from rankwright.persistence.classes import full_name
from rankwright.persistence.document import foreign_classes, parse_schema
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.owners import owners_by_name
from rankwright.persistence.work import Work

__all__ = ["FORMAT", "dump", "load", "model_checksum", "read_checksum", "save"]

FORMAT = 1
MAGIC = b"rankwright-model"
LONGEST_FIRST_LINE, LONGEST_HEADER, LONGEST_MESSAGE = 128, 2**24, 2000
LARGEST_FILE = 2**33
# In a text of JSON, the quotation marks would have backslashes before them.
PACKAGE = re.compile(rb'"package": ?"([ !#-\[\]-~]{0,40})')
NOT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def save(model: BaseEstimator | Leaderboard, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, atomically: a crash leaves the old file or none.

    Parameters
    ----------
    model : fitted estimator or Leaderboard
        A ranker of this package, a scikit-learn pipeline or search that holds one, or a result of
        ``leaderboard``.
    path : path
        By convention ``something.rw``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import rankwright as rw
    >>> ranker = rw.ExpectedRankRegressor().fit([[1.0], [2.0], [3.0]], [1, 2, 3])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.rw"
    >>> rw.save(ranker, path)
    >>> rw.load(path).rank([[5.0], [7.0]])
    array([2., 1.])
    """
    write_atomically(Path(path), dump(model))


def dump(model: BaseEstimator | Leaderboard | Work) -> bytes:
    """Return the content of a model file, after a look whether ``load`` will take it."""
    import skops.io

    if isinstance(model, BaseEstimator):
        check_is_fitted(model)
    elif not isinstance(model, Leaderboard | Work):
        raise ValueError(
            f"model is a {type(model).__name__}; save takes a fitted estimator or a leaderboard"
        )
    try:
        with owners_by_name(model):
            document: bytes = skops.io.dumps(model)
        archive = Archive(BytesIO(document), len(document))
        foreign = foreign_classes(schema := parse_schema(archive))
        if not foreign:
            _build(schema, archive)
    except Exception as error:
        raise ValueError(
            f"the {type(model).__name__} can't be saved, since a model file could not be loaded: "
            f"{error}; of a search, best_estimator_ may be saved alone"
        ) from error
    header = {
        "class": full_name(type(model)),
        "features": [str(name) for name in getattr(model, "feature_names_in_", [])],
        "package": rankwright.__version__,
    }
    body = json.dumps(header).encode() + b"\n" + document
    return b" ".join([MAGIC, str(FORMAT).encode(), _checksum(body)]) + b"\n" + body


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def model_checksum(content: bytes) -> str:
    """Return the checksum that a model file carries, by which other files can name it."""
    first_line = content[:LONGEST_FIRST_LINE].split(b"\n")[0]
    return first_line.split(b" ")[-1].decode("ascii", "replace")


def read_checksum(path: Path) -> str:
    """Return the checksum that a model file carries."""
    with _open(path) as file, _readable(path):
        return model_checksum(file.readline(LONGEST_FIRST_LINE))


def load(path: str | os.PathLike[str], *, trusted: Sequence[str] = ()) -> Any:
    """Read a model that ``save`` wrote; nothing in the file is executed.

    Parameters
    ----------
    path : path
        The file.
    trusted : sequence of str
        Classes beyond this package, scikit-learn and NumPy that the file may hold, such as
        ``"lightgbm.sklearn.LGBMRegressor"``; the error lists them. Their own code runs on what the
        file says, so trust the file's author too.

    Returns
    -------
    estimator or Leaderboard

    Raises
    ------
    ModelFileError
        The file is missing, damaged, not a model file, or holds what is refused.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.load("cameras.rw")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ModelFileError: there is no file cameras.rw; rw.save(model, path) writes one
    """
    path = Path(path)
    with _open(path) as file, _readable(path):
        size = _check_first_line(path, file)
        package = _read_package(path, file)
        try:
            archive = Archive(file, size)
            schema = parse_schema(archive)
            foreign = sorted(foreign_classes(schema) - set(trusted))
            if not foreign:
                return _build(schema, archive)
        # Whatever malformed contents make NumPy, scikit-learn or a trusted class raise.
        except Exception as error:
            what = _plain(str(error) if isinstance(error, ModelFileError) else repr(error))
            raise ModelFileError(
                f"{path} can't be loaded: {what}; it was written by rankwright "
                f"{package}, and this is {rankwright.__version__}"
            ) from error
    named, trust = _plain(", ".join(foreign)), _plain(repr(tuple(foreign)))
    raise ModelFileError(
        f"{path} holds {named}, which this package does not know; if you trust the file's author, "
        f"pass trusted={trust}"
    )


def _plain(text: str) -> str:
    """Return a text of a file's author for a message: without what steers a terminal, and short."""
    shown = text[:LONGEST_MESSAGE]
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)


def _build(schema: Any, archive: Archive) -> Any:
    builder = Builder(archive)
    model = builder.build(schema)
    if isinstance(model, Leaderboard | Work):
        return model
    if not isinstance(model, BaseEstimator):
        raise ModelFileError(f"it holds a {type(model).__name__}, not a ranker")
    if not builder.holds_ranker:
        raise ModelFileError(f"its {type(model).__name__} holds no ranker")
    return model


def _open(path: Path) -> BufferedReader:
    """Open a regular file; a pipe or a device could keep a reader waiting, or never end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | NOT_WAITING)
    except FileNotFoundError:
        raise ModelFileError(f"there is no file {path}; rw.save(model, path) writes one") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(f"can't open {str(path)!r:.200}: {reason}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ModelFileError(f"{path} is not a regular file; give the path of a model file")
    return os.fdopen(descriptor, "rb")


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn what a disk or a strange file system raises while a file is read into its own error."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise ModelFileError(f"can't read {str(path)!r:.200}: {reason}") from error


def _check_first_line(path: Path, file: BufferedReader) -> int:
    """Check the first line, and the checksum of the rest; return the file's size."""
    fields = file.readline(LONGEST_FIRST_LINE).rstrip(b"\n").split(b" ")
    if len(fields) != 3 or fields[0] != MAGIC or not fields[1].isdigit():
        raise ModelFileError(
            f"{path} is not a rankwright model file; rw.save(model, path) writes one"
        )
    if int(fields[1]) > FORMAT:
        raise ModelFileError(
            f"{path} has format {int(fields[1])}, newer than format {FORMAT} of rankwright "
            f"{rankwright.__version__}; upgrade rankwright to read it"
        )
    size = os.fstat(file.fileno()).st_size
    if size > LARGEST_FILE:
        raise ModelFileError(f"{path} has {size:,} bytes; at most {LARGEST_FILE:,} are read")
    start = file.tell()
    if hashlib.file_digest(file, "sha256").hexdigest().encode() != fields[2]:
        raise ModelFileError(f"{path} is truncated or corrupted: its checksum does not match")
    file.seek(start)
    return size


def _read_package(path: Path, file: BufferedReader) -> str:
    """Return the version that wrote the file; parsed as a whole, a header could take any memory."""
    header = file.readline(LONGEST_HEADER)
    found = PACKAGE.search(header) if header.startswith(b"{") else None
    if found is None:
        raise ModelFileError(f"{path} is a model file without a valid header")
    return found[1].decode("ascii")
