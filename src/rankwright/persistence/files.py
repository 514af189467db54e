"""Write and read model files: a skops document under a header with a checksum.

A file is one line of magic and checksum, one line of JSON (the header), then the skops document::

    rankwright-model 1 <sha256 of everything after this line>
    {"class": "rankwright.linear...", "features": [...], "package": "0.1.0"}
    <skops zip>
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import skops.io
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

import rankwright
from rankwright.persistence.atomic import write_atomically

__all__ = ["FORMAT", "load", "save"]

FORMAT = 1
MAGIC = b"rankwright-model"
# Plain containers of arrays inside scikit-learn's models that skops does not list itself.
CONTAINERS = ("sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",)


def save(model: BaseEstimator, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, atomically: a crash leaves the old file or none.

    Parameters
    ----------
    model : fitted estimator
        A ranker of this package, or a scikit-learn pipeline or search that holds one.
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
    if not isinstance(model, BaseEstimator):
        raise ValueError(f"model is a {type(model).__name__}; save takes a fitted estimator")
    check_is_fitted(model)
    header = {
        "class": f"{type(model).__module__}.{type(model).__qualname__}",
        "features": [str(name) for name in getattr(model, "feature_names_in_", [])],
        "package": rankwright.__version__,
    }
    body = json.dumps(header).encode() + b"\n" + skops.io.dumps(model)
    checksum = hashlib.sha256(body).hexdigest().encode()
    write_atomically(Path(path), b" ".join([MAGIC, str(FORMAT).encode(), checksum]) + b"\n" + body)


def load(path: str | os.PathLike[str], *, trusted: tuple[str, ...] = ()) -> Any:
    """Read a model that ``save`` wrote; nothing in the file is executed.

    Parameters
    ----------
    path : path
    trusted : tuple of str
        Types beyond this package, scikit-learn, NumPy and SciPy that the file may hold, such as
        ``"lightgbm.sklearn.LGBMRegressor"``; the error lists them.

    Returns
    -------
    estimator

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.load("cameras.rw")
    Traceback (most recent call last):
    ValueError: there is no file cameras.rw; rw.save(model, path) writes one
    """
    body = _checked_body(Path(path))
    header, document = body.split(b"\n", 1)
    unknown = skops.io.get_untrusted_types(data=document)
    own = [name for name in unknown if name.startswith("rankwright.") or name in CONTAINERS]
    foreign = sorted(set(unknown) - set(own) - set(trusted))
    if foreign:
        raise ValueError(
            f"{path} holds {', '.join(foreign)}, which this package does not know; if you trust "
            f"the file's author, pass trusted={tuple(foreign)!r}"
        )
    written_by = json.loads(header)["package"]
    try:
        return skops.io.loads(document, trusted=[*own, *trusted])
    except (AttributeError, ImportError, TypeError) as error:
        raise ValueError(
            f"{path} was written by rankwright {written_by} and does not fit "
            f"rankwright {rankwright.__version__} ({error}); fit and save the model again"
        ) from error


def _checked_body(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ValueError(f"there is no file {path}; rw.save(model, path) writes one") from None
    first_line, _, body = content.partition(b"\n")
    fields = first_line.split(b" ")
    if len(fields) != 3 or fields[0] != MAGIC or not fields[1].isdigit():
        raise ValueError(f"{path} is not a rankwright model file; rw.save(model, path) writes one")
    if int(fields[1]) > FORMAT:
        raise ValueError(
            f"{path} has format {int(fields[1])}, newer than format {FORMAT} of rankwright "
            f"{rankwright.__version__}; upgrade rankwright to read it"
        )
    if hashlib.sha256(body).hexdigest().encode() != fields[2]:
        raise ValueError(f"{path} is truncated or corrupted: its checksum does not match")
    return body
