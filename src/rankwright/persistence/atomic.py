"""Write files at once, one or several.

All contents are written to temporary files beside their targets and synced before the first of them
is renamed. So an error, a crash or Ctrl-C before that leaves every old file; a machine that stops
between two renames leaves some files old and some new, each of them whole. The folder is synced at
the end: then the new files outlast a power cut.

- A file that is replaced keeps its permissions, and its owner and group where that is allowed; a
  new one gets what the umask leaves.
- A symbolic link is followed: the file that it points to is replaced, and the link stays.
- Only regular files are replaced: no device, pipe or folder.
- Temporary files of writers that died are removed by the next write to the same target.
"""

import os
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from types import FrameType
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # no locks on this system
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "interrupts_deferred",
    "replaced_file",
    "write_atomically",
    "write_stream",
    "write_together",
]

SUFFIX = ".rankwright-tmp"
LONGEST_NAME = 255  # in bytes, of most file systems
# Without waiting for who writes into a pipe.
TO_LOOK = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
# A writer locks its temporary file right after creating it.
SECONDS_TO_LOCK = 5
SECONDS_WITHOUT_LOCKS = 86_400


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a crash leaves the old one or none."""
    write_together({path: content})


def write_stream(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a file bit by bit so that a crash leaves the old one or none."""
    _write({path: write})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write files that belong together, in one step but for their renames."""
    _write({path: partial(_write_all, content=content) for path, content in contents.items()})


def _write_all(file: BinaryIO, *, content: bytes) -> None:
    file.write(content)


def _write(writers: Mapping[Path, Callable[[BinaryIO], None]]) -> None:
    targets = [replaced_file(path) for path in writers]
    if len(set(targets)) < len(targets):
        twice = max(targets, key=targets.count)
        raise ValueError(f"two contents are for the file {twice}; give each a name of its own")
    with ExitStack() as stack:
        temporary = []
        for target, write in zip(targets, writers.values(), strict=True):
            _remove_leftovers(target)
            temporary.append(stack.enter_context(_temporary_file(target, write)))
        with interrupts_deferred():
            for written, target in zip(temporary, targets, strict=True):
                written.replace(target)
            for folder in {target.parent for target in targets}:
                _sync_folder(folder)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Let Ctrl-C wait for the end of a block; a second one does not wait."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    caught: list[tuple[int, FrameType | None]] = []

    def remember(number: int, frame: FrameType | None) -> None:
        caught.append((number, frame))
        signal.signal(signal.SIGINT, handler)

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if caught:
        handler(*caught[0])


def replaced_file(path: Path) -> Path:
    """Return the file that a write to a path makes or replaces, links followed.

    What no write could deal with is refused: other things than files, links that lead nowhere,
    folders that are not there or that nobody here may write in.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # what is left where links lead in a circle
        raise ValueError(f"{path} is a symbolic link that leads to itself; give the name of a file")
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} is not a regular file; give the name of a file")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"can't write {path}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(f"can't write {path}: you may not write in {target.parent}")
    return target


@contextmanager
def _temporary_file(target: Path, write: Callable[[BinaryIO], None]) -> Iterator[Path]:
    """Write and sync a temporary file, locked while it exists; remove it unless it was renamed."""
    path = target.with_name(f"{_beginning(target)}{token_hex(4)}{SUFFIX}")
    try:
        with _create(path, target) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if fcntl is not None:
                yield path
        if fcntl is None:  # such systems do not rename open files
            yield path
    finally:
        path.unlink(missing_ok=True)


def _beginning(target: Path) -> str:
    """Return how the names of a target's temporary files begin: with its name where that fits."""
    name = os.fsencode(target.name)
    fits = len(name) + len(f"..{token_hex(4)}{SUFFIX}") <= LONGEST_NAME
    return f".{target.name if fits else sha256(name).hexdigest()}."


def _create(path: Path, target: Path) -> BinaryIO:
    old = target.stat() if target.exists() else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666 if old is None else 0o600)
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if old is not None:
        os.chmod(path, _inherited_mode(descriptor, old))
    return os.fdopen(descriptor, "wb")


def _inherited_mode(descriptor: int, old: os.stat_result) -> int:
    """Give a file the owner and the group of the one it replaces; return the mode it may have.

    Where others keep the group, they get no more through it than everybody has.
    """
    mode = stat.S_IMODE(old.st_mode)
    if not hasattr(os, "fchown"):
        return mode
    for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
        with suppress(OSError):  # for a user of other rights
            os.fchown(descriptor, owner, group)
    new = os.fstat(descriptor)
    if new.st_gid != old.st_gid:
        mode &= ~stat.S_IRWXG | (mode & stat.S_IRWXO) << 3
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    return mode


def _remove_leftovers(target: Path) -> None:
    """Remove temporary files of this target whose writer is gone, as far as that is allowed."""
    with suppress(OSError):
        names = os.listdir(target.parent)
        begin = _beginning(target)
        found = [n for n in names if n.startswith(begin) and n.endswith(SUFFIX)]
        for leftover in map(target.with_name, found):
            with suppress(OSError):
                if _is_abandoned(leftover):
                    leftover.unlink()


def _is_abandoned(path: Path) -> bool:
    descriptor = os.open(path, TO_LOOK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):  # such as a pipe, which no writer leaves
            return False
        age = time.time() - status.st_mtime
        if fcntl is None:
            return age > SECONDS_WITHOUT_LOCKS
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises while the writer lives
        return age > SECONDS_TO_LOCK
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system that can't
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
