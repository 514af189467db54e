"""Where machine code is kept between processes, and when it is used again.

numba's own cache asks whether the file of a kernel has changed, not those of the kernels it calls;
it raises where no folder can be written and where a file is damaged. Here the sources of all
kernels count, and a cache that can't be used is not used. Cache files are pickles, which can run
code, so they are read only where nobody else can write.
"""

import hashlib
import os
import pickle
import stat
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path

from numba.core import caching

__all__ = ["keep_compiled", "kernel_folder", "source_stamp"]

DIGEST_SIZE = hashlib.sha256().digest_size


@cache
def source_stamp() -> str:
    """Return a hash of the sources of all kernels, or an empty string where there are none."""
    folder = Path(__file__).parent
    sources = {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*.py")}
    hashed = hashlib.sha256()
    for name in sorted(sources):
        hashed.update(f"{name.as_posix()} {len(sources[name])}\n".encode() + sources[name])
    return hashed.hexdigest() if sources else ""


@cache
def kernel_folder() -> Path | None:
    """Return the folder that keeps machine code; say so if it does not last or there is none."""
    if not source_stamp():
        return None
    refused = []
    for place in (_chosen, _beside_sources, _in_user_cache):
        try:
            return place()
        except OSError as error:
            refused.append(str(error))
    try:
        folder = _temporary()
        found = f"are kept in {folder}, which may not last"
    except OSError as error:
        folder = None
        refused.append(str(error))
        found = "can't be kept, so every process compiles them again"
    warnings.warn(
        f"compiled kernels {found}; set NUMBA_CACHE_DIR to a folder that you alone can write. "
        f"Tried before: {'; '.join(refused)}",
        stacklevel=2,
    )
    return folder


def _chosen() -> Path:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        raise FileNotFoundError("NUMBA_CACHE_DIR is not set")
    return _private(Path(folder) / _name())


def _beside_sources() -> Path:
    """Return ``__pycache__``: who can write there can also replace the byte code of the sources."""
    return _writable(Path(__file__).parent / "__pycache__")


def _in_user_cache() -> Path:
    variable, folder = {
        "win32": ("LOCALAPPDATA", "~/AppData/Local"),
        "darwin": ("", "~/Library/Caches"),
    }.get(sys.platform, ("XDG_CACHE_HOME", "~/.cache"))
    path = Path(os.environ.get(variable) or os.path.expanduser(folder))
    if not path.is_absolute():
        raise FileNotFoundError(f"{path} is not an absolute path")
    return _private(path / "rankwright" / _name())


def _temporary() -> Path:
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    return _private(Path(tempfile.gettempdir()) / f"rankwright-{user}-{_name()}")


def _name() -> str:
    """Return a name that several installations in one cache do not share."""
    here = os.fsencode(Path(__file__).resolve().parent)
    return f"kernels-{hashlib.sha256(here).hexdigest()[:16]}"


def _private(folder: Path) -> Path:
    """Create a folder if need be, and refuse it unless the user alone can write in it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()  # a link is not followed: it may lead anywhere
        if not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(f"{folder} is not a folder") from None
        if hasattr(os, "getuid") and (
            found.st_uid != os.getuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        ):
            raise PermissionError(f"{folder} can be written by others") from None
    return _writable(folder)


def _writable(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def keep_compiled(dispatcher):
    """Let a lazily compiled function keep its machine code, where there is a place for it."""
    # With NUMBA_DISABLE_JIT a kernel is the plain function.
    if hasattr(dispatcher, "enable_caching") and kernel_folder() is not None:
        dispatcher._cache = _KernelCache(dispatcher.py_func)
    return dispatcher


class _Locator(caching._CacheLocator):
    """Tell numba the folder and the stamp, which are the same for all kernels of a process."""

    def __init__(self, py_func, py_file):
        self._py_file = py_file
        self._line = py_func.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)

    def get_disambiguator(self):
        return str(self._line)

    def get_cache_path(self):
        return str(kernel_folder())

    def get_source_stamp(self):
        return source_stamp()

    def ensure_cache_path(self):
        """Leave it: the folder was tried when it was chosen, and a write may fail later anyway."""


class _Results(caching.CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Files(caching.IndexDataCacheFile):
    """numba's index and data files, each behind a checksum: damaged machine code must not run."""

    def _dump(self, obj):
        content = super()._dump(obj)
        return hashlib.sha256(content).digest() + content

    def _load_data(self, name):
        return self._read(self._data_path(name))

    def _save_index(self, overloads):
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_index(self):
        try:
            *stamps, overloads = self._read(self._index_path)
        except FileNotFoundError:
            return {}
        return overloads if stamps == [self._version, self._source_stamp] else {}

    @staticmethod
    def _read(path):
        content = Path(path).read_bytes()
        if hashlib.sha256(content[DIGEST_SIZE:]).digest() != content[:DIGEST_SIZE]:
            raise ValueError(f"{path} is damaged, or not a file of this cache")
        return pickle.loads(content[DIGEST_SIZE:])  # noqa: S301, from where the user alone can write


class _KernelCache(caching.FunctionCache):
    """numba's cache of a function, but one that never keeps a kernel from running."""

    _impl_class = _Results

    def __init__(self, py_func):
        super().__init__(py_func)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, source_stamp())

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever is wrong with the files, the kernel can be compiled again
            self._write(self.flush)
            return None

    def save_overload(self, sig, data):
        self._write(super().save_overload, sig, data)

    def _write(self, write, *arguments):
        try:
            write(*arguments)
        except OSError as error:
            warnings.warn(f"a compiled kernel could not be kept: {error}", stacklevel=2)
