"""Files that commands write: nothing is overwritten unasked, nothing is left half written."""

from pathlib import Path
from typing import Any

__all__ = ["check_free", "write_json", "write_text"]


def check_free(*paths: Path | None, force: bool) -> None:
    """Check before the work begins that no file is in the way and that folders exist."""
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise ValueError(f"{path} is a folder; give the name of a file")
        if path.exists() and not force:
            raise ValueError(f"{path} exists; pass --force to overwrite it, or choose another name")
        if not path.absolute().parent.is_dir():
            raise ValueError(f"there is no folder {path.absolute().parent} to write {path.name} to")


def write_text(path: Path, text: str) -> None:
    """Write a text file at once: a crash leaves the old file or none."""
    from rankwright.persistence.atomic import write_atomically

    write_atomically(path, text.encode())


def write_json(path: Path, result: Any) -> None:
    """Write a result as JSON, at once."""
    import json

    from rankwright.report import plain

    write_text(path, json.dumps(plain(result), indent=2, ensure_ascii=False) + "\n")
