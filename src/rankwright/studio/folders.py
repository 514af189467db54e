"""Folders of the studio's own in the temporary directory, which nobody leaves behind.

A studio that is killed can't delete its folders, and they hold somebody's tables. So a folder is
locked as long as its process lives, and the next studio deletes those that nobody holds.
"""

import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # no locks on this system
    fcntl = None  # type: ignore[assignment]

__all__ = ["Folder", "remove_abandoned"]

PREFIX = "rankwright-studio-"
SECONDS_TO_LOCK = 5  # between the making of a folder and its lock


class Folder:
    """A new folder that this user alone can read, held until it is removed."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._held: int | None = None
        if fcntl is not None:
            self._held = os.open(self.path, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def remove(self) -> None:
        """Delete the folder and all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._held is not None:
            os.close(self._held)
            self._held = None


def remove_abandoned() -> None:
    """Delete the folders whose studio was killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # somebody else's, or gone meanwhile
            if _is_abandoned(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path) -> bool:
    status = path.lstat()
    if fcntl is None or not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        return False
    if time.time() - status.st_mtime < SECONDS_TO_LOCK:
        return False
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises while its process lives
    finally:
        os.close(descriptor)
    return True
