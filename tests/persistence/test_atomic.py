import os

import pytest

from rankwright.persistence.atomic import write_atomically


def test_a_file_is_replaced_at_once(tmp_path):
    path = tmp_path / "result.json"
    path.write_text("old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["result.json"]


def test_a_crash_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "result.json"
    path.write_text("old")

    def crash(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["result.json"]


def test_others_may_read_what_the_umask_lets_them(tmp_path):
    path = tmp_path / "report.html"
    previous = os.umask(0o022)
    try:
        write_atomically(path, b"page")
    finally:
        os.umask(previous)
    assert path.stat().st_mode & 0o777 == 0o644
