import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rankwright.kernels import cache
from rankwright.kernels.compile import kernel

CALLER = """
from rankwright.kernels.called import step
from rankwright.kernels.compile import kernel

@kernel
def two_steps(x):
    return step(step(x))
"""
CALLED = """
from rankwright.kernels.compile import kernel

@kernel
def step(x):
    return x + {}
"""
RUN = """
from rankwright.kernels.caller import two_steps
print(two_steps(0), sum(two_steps.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path):
    """Return the folder of a package with the cache of this one and two kernels of its own."""
    folder = tmp_path / "site" / "rankwright" / "kernels"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    for name in (
        "__init__.py",
        "cache.py",
        "compilation.py",
        "compile.py",
        "interruption.py",
        "roomy.py",
    ):
        shutil.copy(Path(cache.__file__).parent / name, folder)
    (folder / "caller.py").write_text(CALLER)
    (folder / "called.py").write_text(CALLED.format(1))
    return folder


def run(package, **environment):
    """Return what a process prints: the result of two steps and whether it came from the cache."""
    variables = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(package.parents[1]),
        "PYTHONDONTWRITEBYTECODE": "1",  # Python's own cache does not see an edit within a second
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=variables, capture_output=True, text=True, check=True
    )
    result, hits = done.stdout.split()
    return int(result), int(hits), done.stderr


def block(package):
    """Make it impossible to keep anything beside the sources, for root as well."""
    (package / "__pycache__").touch()


def test_a_change_in_a_called_kernel_of_another_file_is_noticed(package):
    assert run(package)[:2] == (2, 0)
    assert run(package)[:2] == (2, 1)
    (package / "called.py").write_text(CALLED.format(5))
    assert run(package)[:2] == (10, 0)


def test_without_a_writable_package_or_home_the_temporary_folder_serves_and_is_said_once(
    package, tmp_path
):
    block(package)
    places = {"HOME": "/dev/null", "TMPDIR": str(tmp_path)}
    result, hits, said = run(package, **places)
    assert (result, hits) == (2, 0)
    assert said.count("which may not last; set NUMBA_CACHE_DIR") == 1
    (folder,) = tmp_path.glob("rankwright-*")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert run(package, **places)[:2] == (2, 1)


def test_without_any_safe_folder_kernels_are_compiled_and_this_is_said(package, tmp_path):
    block(package)
    places = {"HOME": "/dev/null", "TMPDIR": str(tmp_path)}
    run(package, **places)
    (folder,) = tmp_path.glob("rankwright-*")
    folder.chmod(0o777)
    result, hits, said = run(package, **places)
    assert (result, hits) == (2, 0)
    assert f"{folder} can be written by others" in said
    assert said.count("every process compiles them again") == 1


def test_a_chosen_folder_comes_first(package, tmp_path):
    assert run(package, NUMBA_CACHE_DIR=str(tmp_path / "mine"))[:2] == (2, 0)
    assert not (package / "__pycache__").exists()
    assert run(package, NUMBA_CACHE_DIR=str(tmp_path / "mine"))[:2] == (2, 1)


def test_a_link_is_not_followed_to_a_cache(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        cache._private(tmp_path / "link")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners are numbers on POSIX alone")
def test_a_folder_of_another_user_is_not_used(tmp_path, monkeypatch):
    folder = cache._private(tmp_path / "mine")
    assert cache._private(folder) == folder
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.raises(PermissionError, match="can be written by others"):
        cache._private(folder)


def triple(x):
    return 3 * x


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a cache that holds one compiled function, `triple`."""
    monkeypatch.setattr(cache, "kernel_folder", lambda: tmp_path)
    assert kernel(triple)(2) == 6
    assert hits(kernel(triple)) == 1
    return tmp_path


def hits(compiled):
    assert compiled(2) == 6
    return sum(compiled.stats.cache_hits.values())


DAMAGES = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "last byte lost": lambda content: content[:-1],
    "one bit flipped": lambda content: (
        content[: len(content) // 2]
        + bytes([content[len(content) // 2] ^ 1])
        + content[len(content) // 2 + 1 :]
    ),
    "foreign": lambda content: b"\x80\x04]\x94." * 100,
    "text": lambda content: b"not a cache file",
}


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_replaced(folder, damage, suffix):
    (path,) = folder.glob(f"*.{suffix}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits(kernel(triple)) == 0
    assert hits(kernel(triple)) == 1


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_a_lost_file_is_written_again(folder, suffix):
    (path,) = folder.glob(f"*.{suffix}")
    path.unlink()
    assert hits(kernel(triple)) == 0
    assert hits(kernel(triple)) == 1


def test_a_cache_that_can_no_longer_be_written_does_not_stop_a_kernel(folder):
    compiled = kernel(triple)
    shutil.rmtree(folder)
    with pytest.warns(UserWarning, match="could not be kept"):
        assert compiled(2) == 6


def test_another_version_of_numba_compiles_again(folder, monkeypatch):
    monkeypatch.setattr("numba.__version__", "0.0")
    assert hits(kernel(triple)) == 0
