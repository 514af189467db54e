"""A piece of work in one file: written and read by what writes and reads model files."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from rankwright.studio.jobs import Progress, Tell
from rankwright.studio.plain_state import decode, encode
from rankwright.studio.state import State
from rankwright.studio.tasks.table import File, named

__all__ = ["OpenRequest", "open_work", "save_work"]

WRITTEN = (".csv", ".html", ".json", ".rw")  # endings of the files that a work holds
ENDING = re.compile(r"\.[A-Za-z]{1,8}")
MODELS = {"formula_model": ("formula", "formula.rw"), "fitted_model": ("fitted", "model.rw")}


@dataclass(frozen=True)
class OpenRequest:
    """A saved work, and the folder of the session that opens it."""

    file: File
    folder: str


def save_work(state: State, tell: Tell) -> bytes:
    """Return the content of a file that holds a state and the table it rests on."""
    from rankwright.persistence.files import dump
    from rankwright.persistence.work import Work

    tell(Progress("Saving"))
    files: dict[str, bytes] = {}
    kept = replace(state, formula_model="", fitted_model="")
    if state.table is not None:
        files["table"] = Path(state.table.file.path).read_bytes()
        suffix = Path(state.table.file.path).suffix
        kept = _with_table(kept, File(f"table{suffix}", state.table.file.name))
    text = json.dumps(encode(kept, files), allow_nan=False)
    return dump(Work(text, files))


def open_work(request: OpenRequest, tell: Tell) -> State:
    """Return the state of a saved work; its files are written to the session's folder."""
    import rankwright as rw
    from rankwright.persistence.work import Work

    tell(Progress(f"Opening {request.file.name}"))
    with named(request.file):
        work = rw.load(request.file.path)
    if not isinstance(work, Work):
        raise ValueError(
            f"{request.file.name} is a model file ({type(work).__name__}), not a saved work; "
            "open a file that 'Save work' wrote"
        )
    try:
        state: State = decode(State, json.loads(work.state), work.files)
        _refuse_pages(state)
        return _with_files(state, work.files, Path(request.folder))
    except (ValueError, KeyError, TypeError, ArithmeticError) as error:
        raise ValueError(
            f"{request.file.name} was saved by another version of rankwright, or altered: {error}"
        ) from error


def _refuse_pages(state: Any) -> None:
    """Refuse files that could run something: our reports begin with a policy that forbids it."""
    from rankwright.report.page import HEAD

    for part in (getattr(state, one.name) for one in fields(state)):
        held = getattr(part, "files", None) if is_dataclass(part) else None
        for file, content in (held if isinstance(held, Mapping) else {}).items():
            is_page = file.endswith(".html") and not content.startswith(HEAD.encode())
            if is_page or not file.endswith(WRITTEN):
                raise ValueError(f"it holds a file {file!r:.80} that rankwright did not write")


def _with_table(state: State, file: File) -> State:
    """Let the table, and all that was found from it, rest on a file of another path."""
    moved: dict[str, Any] = {"table": replace(state.table, file=file)} if state.table else {}
    for name, found in _found_in_tables(state).items():
        moved[name] = replace(found, table=replace(found.table, file=file))
    return replace(state, **moved)


def _found_in_tables(state: State) -> dict[str, Any]:
    """Return the parts that say in which table they were found, by their names."""
    parts = {one.name: getattr(state, one.name) for one in fields(state)}
    return {n: part for n, part in parts.items() if getattr(part, "table", None) is not None}


def _with_files(state: State, files: Mapping[str, bytes], folder: Path) -> State:
    """Write the files of a work under names of our own: paths in it are somebody else's."""
    state = replace(state, formula_model="", fitted_model="")
    if state.table is not None:
        if "table" not in files:
            raise ValueError("it lacks the table that it rests on")
        suffix = Path(state.table.file.path).suffix
        path = folder / f"opened-table{suffix if ENDING.fullmatch(suffix) else ''}"
        path.write_bytes(files["table"])
        state = _with_table(state, File(str(path), state.table.file.name))
    elif found_in_tables := _found_in_tables(state):
        raise ValueError(f"it lacks the table in which its {next(iter(found_in_tables))} was found")
    models: dict[str, Any] = {}
    for key, (part, name) in MODELS.items():
        found = getattr(state, part)
        if found is not None and name in found.files:
            path = folder / f"opened-{name}"
            path.write_bytes(found.files[name])
            models[key] = str(path)
    return replace(state, **models)
