import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from rankwright.studio import folders
from rankwright.studio.folders import Folder, remove_abandoned

KILLED = """
import os, signal
from rankwright.studio.folders import Folder
folder = Folder()
(folder.path / "1.csv").write_text("a table")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Let all temporary folders be made here, long ago."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folders, "SECONDS_TO_LOCK", -1)


def test_what_a_killed_studio_left_is_deleted_by_the_next_one(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", KILLED], env=environment)
    assert run.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert (left / "1.csv").exists()
    remove_abandoned()
    assert not left.exists()


def test_the_folder_of_a_studio_that_lives_stays(tmp_path):
    folder = Folder()
    remove_abandoned()
    assert folder.path.exists()
    folder.remove()
    assert not folder.path.exists()


def test_a_folder_that_was_just_made_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "SECONDS_TO_LOCK", 5)
    made = tmp_path / f"{folders.PREFIX}x"
    made.mkdir()
    remove_abandoned()
    assert made.exists()
    os.utime(made, (time.time() - 10,) * 2)
    remove_abandoned()
    assert not made.exists()


def test_links_and_files_and_other_folders_stay(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / f"{folders.PREFIX}link").symlink_to(tmp_path / "other")
    (tmp_path / f"{folders.PREFIX}file").touch()
    remove_abandoned()
    assert len(list(tmp_path.iterdir())) == 3


def test_folders_of_others_stay(tmp_path, monkeypatch):
    made = tmp_path / f"{folders.PREFIX}x"
    made.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: made.stat().st_uid + 1)
    remove_abandoned()
    assert made.exists()


def test_without_locks_nothing_is_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "fcntl", None)
    made = Folder()
    remove_abandoned()
    assert made.path.exists()
    made.remove()
