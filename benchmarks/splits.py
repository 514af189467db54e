"""What contenders reached on single splits, kept in a folder: a long comparison can be resumed."""

import ast
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.ranking_sets import Lists

# Nothing is kept without the variable.
FOLDER = os.environ.get("SPLITS")
# Whether to compare what is kept, and measure nothing anew.
KEPT_ONLY = FOLDER is not None and "KEPT_ONLY" in os.environ
SOURCES = Path(__file__).parents[1] / "src" / "rankwright"
ENGINE = ("trees/boosted", "kernels/boosted", "trees/binning.py", "kernels/newton_pairs.py")


def fingerprint(lists: Lists) -> str:
    """Return a name of the data."""
    digest = hashlib.sha256()
    for part in (lists.X, lists.y, lists.groups):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:12]


def engine_version() -> str:
    """Return a name of the engine's sources, so that what an older one reached is not taken."""
    digest = hashlib.sha256()
    for name in ENGINE:
        path = SOURCES / name
        for source in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(_statements(source.read_text()).encode())
    return digest.hexdigest()[:12]


def _statements(source: str) -> str:
    """Return a program without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _is_text(part)]
    return ast.dump(tree)


def _is_text(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def is_kept(key: str) -> bool:
    """Return whether something is kept under the key."""
    return FOLDER is not None and (Path(FOLDER) / f"{key}.npy").exists()


def kept(key: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
    """Return what is kept under the key, or compute and keep it."""
    if FOLDER is None:
        return compute()
    path = Path(FOLDER) / f"{key}.npy"
    if path.exists():
        return np.asarray(np.load(path))
    found = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.save(file, found)
    part.replace(path)
    return found
