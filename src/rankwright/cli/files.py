"""Files that commands write: nothing is overwritten unasked, nothing is left half written."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["check_free", "read_model", "report_files", "write_text"]

PICTURES = (".png", ".svg", ".pdf")


def check_free(
    *paths: Path | None,
    inputs: Iterable[Path | None] = (),
    force: bool,
) -> None:
    """Check before the work begins that no file is in the way and that all can be written.

    A file that the command reads is never written over, not even with ``force``.
    """
    read = [path for path in inputs if path is not None and path.exists()]
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise ValueError(f"{path} is a folder; give the name of a file")
        if path.exists() and any(path.samefile(one) for one in read):
            raise ValueError(
                f"{path} is an input of this command and would be overwritten; choose another name "
                "for the output"
            )
        if path.exists() and not force:
            raise ValueError(f"{path} exists; pass --force to overwrite it, or choose another name")
        if not path.absolute().parent.is_dir():
            raise ValueError(f"can't write {path}: there is no folder {path.absolute().parent}")
        from rankwright.persistence.atomic import replaced_file  # not before an answer needs it

        replaced_file(path)


def report_files(out: Path) -> tuple[Path, Path, Path]:
    """Return the report, the result and the model that belong together."""
    result, model = out.with_suffix(".json"), out.with_suffix(".rw")
    if out.suffix.lower() in (result.suffix, model.suffix):
        raise ValueError(
            f"--out {out}: the report is an HTML page; the result and the model are written "
            f"beside it as {result.name} and {model.name}; give --out {out.with_suffix('.html')}"
        )
    return out, result, model


def write_text(path: Path, text: str) -> None:
    """Write a text file at once: a crash leaves the old file or none."""
    from rankwright.persistence.atomic import write_atomically

    write_atomically(path, text.encode())


def read_model(path: Path, trusted: Sequence[str] = ()) -> Any:
    """Load a model, unless the result beside it (the same name in .json) is of another one."""
    import json

    import rankwright as rw
    from rankwright.persistence.files import read_checksum
    from rankwright.report.bundle import MODEL_STAMP

    model = rw.load(path, trusted=trusted)
    beside = path.with_suffix(".json")
    try:
        result = json.loads(beside.read_bytes()) if beside.is_file() else None
    except (ValueError, OSError, RecursionError):
        return model  # whatever it is, it is no result of ours
    stamp = result.get(MODEL_STAMP) if isinstance(result, dict) else None
    if stamp is not None and stamp != read_checksum(path):
        raise ValueError(
            f"{beside} was written with a different model from {path}; run reverse again, or move "
            "one of them away"
        )
    return model
