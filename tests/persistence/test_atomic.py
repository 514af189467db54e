import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rankwright.persistence import atomic
from rankwright.persistence.atomic import (
    interrupts_deferred,
    write_atomically,
    write_stream,
    write_together,
)


def test_a_file_is_replaced_at_once(tmp_path):
    path = tmp_path / "result.json"
    path.write_text("old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["result.json"]


@pytest.mark.parametrize("at", [1, 2])
def test_a_crash_leaves_all_old_files_and_nothing_else(tmp_path, monkeypatch, at):
    paths = [tmp_path / name for name in ("report.html", "report.rw")]
    for path in paths:
        path.write_text("old")
    calls = []

    def crash(descriptor):
        calls.append(descriptor)
        if len(calls) == at:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(KeyboardInterrupt):
        write_together(dict.fromkeys(paths, b"new"))
    assert [path.read_text() for path in paths] == ["old", "old"]
    assert sorted(os.listdir(tmp_path)) == ["report.html", "report.rw"]


def test_no_file_is_renamed_before_all_are_synced(tmp_path, monkeypatch):
    steps = []
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (steps.append("sync"), sync(descriptor)))
    monkeypatch.setattr(os, "replace", lambda a, b: (steps.append("rename"), replace(a, b)))
    monkeypatch.setattr(os, "rename", lambda a, b: (steps.append("rename"), replace(a, b)))
    write_together({tmp_path / "one": b"1", tmp_path / "two": b"2"})
    assert steps == ["sync", "sync", "rename", "rename", "sync"]  # the last one is the folder


def test_a_file_is_whole_when_it_is_synced(tmp_path, monkeypatch):
    sizes = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: sizes.append(os.fstat(descriptor).st_size))
    write_atomically(tmp_path / "one", b"content")
    assert sizes[0] == len(b"content")


def test_what_replaces_a_private_file_is_private_from_its_beginning(tmp_path, monkeypatch):
    path = tmp_path / "model.rw"
    path.write_text("old")
    path.chmod(0o600)
    modes, chmod = [], os.chmod

    def record(file, mode):
        modes.append(os.stat(file).st_mode & 0o777)
        chmod(file, mode)

    monkeypatch.setattr(os, "chmod", record)
    write_atomically(path, b"new")
    assert modes == [0o600]


def test_others_may_read_what_the_umask_lets_them(tmp_path):
    path = tmp_path / "report.html"
    previous = os.umask(0o022)
    try:
        write_atomically(path, b"page")
    finally:
        os.umask(previous)
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "model.rw"
    path.write_text("old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert path.stat().st_mode & 0o777 == mode


def test_a_symbolic_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    file, link = tmp_path / "folder" / "model.rw", tmp_path / "link.rw"
    file.write_text("old")
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_link_that_leads_to_no_file_is_refused_or_followed(tmp_path):
    loop, other, waiting = (tmp_path / name for name in ("loop", "other", "waiting"))
    loop.symlink_to(other)
    other.symlink_to(loop)
    with pytest.raises(ValueError, match="loop is a symbolic link that leads to itself"):
        write_atomically(loop, b"new")
    assert loop.is_symlink()
    waiting.symlink_to(tmp_path / "file")
    write_atomically(waiting, b"new")
    assert waiting.is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_file_may_be_written_bit_by_bit(tmp_path):
    path = tmp_path / "table.parquet"
    write_stream(path, lambda file: file.writelines([b"one", b"two"]))
    assert path.read_bytes() == b"onetwo"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files by /proc")
def test_nothing_stays_open_behind_a_write(tmp_path):
    (tmp_path / f".model.rw.0a1b2c3d{atomic.SUFFIX}").touch()  # looked at by every write
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        write_atomically(tmp_path / "model.rw", b"new")
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_only_regular_files_are_replaced(make, tmp_path):
    # No device of the machine: were this to fail, run by root, it would replace it.
    path = tmp_path / "other"
    make(path)
    before = path.stat()
    with pytest.raises(ValueError, match="not a regular file"):
        write_atomically(path, b"new")
    assert path.stat().st_mode == before.st_mode


KILLED = """
import os, signal, sys
from pathlib import Path
from rankwright.persistence.atomic import write_atomically
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
write_atomically(Path(sys.argv[1]), b"new")
"""


def test_what_a_killed_writer_left_is_removed_by_the_next_write(tmp_path, monkeypatch):
    path = tmp_path / "model.rw"
    path.write_text("old")
    run = subprocess.run([sys.executable, "-c", KILLED, path])
    assert run.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    (leftover,) = (entry for entry in tmp_path.iterdir() if entry != path)
    os.utime(leftover, (time.time() - 10,) * 2)
    write_atomically(path, b"new")
    assert os.listdir(tmp_path) == ["model.rw"]


def test_other_files_of_the_folder_stay_whatever_their_names(tmp_path):
    others = ["data.csv", ".model.rw.notes", f".other.rw.0a1b{atomic.SUFFIX}"]
    for name in others:
        (tmp_path / name).write_text("kept")
        os.utime(tmp_path / name, (0, 0))
    write_atomically(tmp_path / "model.rw", b"new")
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "model.rw"])


def test_the_temporary_file_of_a_living_writer_stays(tmp_path):
    path = tmp_path / "model.rw"
    with atomic._temporary_file(path, lambda file: None) as other:
        os.utime(other, (0, 0))
        write_atomically(path, b"new")
        assert other.exists()
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["model.rw"]


@pytest.mark.parametrize(("locks", "seconds"), [(atomic.fcntl, 5), (None, 86_400)])
def test_a_leftover_is_removed_when_it_is_older_than_a_writer_may_be(
    tmp_path, monkeypatch, locks, seconds
):
    now = 10.0**6
    monkeypatch.setattr(atomic, "fcntl", locks)
    monkeypatch.setattr(time, "time", lambda: now)
    ages = {"00000000": seconds, "11111111": seconds + 0.5}
    young, old = (tmp_path / f".model.rw.{name}{atomic.SUFFIX}" for name in ages)
    for path, age in zip((young, old), ages.values(), strict=True):
        path.touch()
        os.utime(path, (now - age,) * 2)
    write_atomically(tmp_path / "model.rw", b"new")
    assert set(tmp_path.iterdir()) == {tmp_path / "model.rw", young}
    assert (tmp_path / "model.rw").read_bytes() == b"new"


def test_a_temporary_file_whose_writer_had_no_time_to_lock_it_stays(tmp_path):
    just_made = tmp_path / f".model.rw.0a1b2c3d{atomic.SUFFIX}"
    just_made.touch()
    write_atomically(tmp_path / "model.rw", b"new")
    assert just_made.exists()


def test_ctrl_c_waits_for_the_end_of_a_block():
    reached = []

    def block():
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            reached.append("end")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert reached == ["end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_thread_writes_without_touching_signals():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_enter).result()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_ctrl_c_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def _enter():
    with interrupts_deferred():
        pass


def test_a_second_ctrl_c_does_not_wait():
    reached = []

    def block():
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            reached.append("end")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert not reached


def test_ctrl_c_between_two_renames_leaves_both_files_new(tmp_path, monkeypatch):
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        path.write_text("old")
    replaced = type(paths[0]).replace

    def interrupted(self, target):
        replaced(self, target)
        if target == paths[0]:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(type(paths[0]), "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_together(dict.fromkeys(paths, b"new"))
    assert [path.read_text() for path in paths] == ["new", "new"]


def test_a_folder_that_is_missing_behind_a_link_is_named(tmp_path):
    link = tmp_path / "report.html"
    link.symlink_to(tmp_path / "gone" / "report.html")
    with pytest.raises(FileNotFoundError, match=r"can't write .*report\.html: there is no folder"):
        write_atomically(link, b"new")


@pytest.mark.parametrize("denied", [os.W_OK, os.X_OK])
def test_a_folder_that_nobody_may_write_in_is_named_before_anything_is_written(
    tmp_path, monkeypatch, denied
):
    locked = tmp_path / "locked"
    locked.mkdir()
    may_write = os.access
    monkeypatch.setattr(  # root may write anywhere
        os,
        "access",
        lambda path, mode: not (path == locked and mode & denied) and may_write(path, mode),
    )
    paths = [tmp_path / "one", locked / "two"]
    with pytest.raises(PermissionError, match=r"can't write .*two: you may not write in .*locked"):
        write_together(dict.fromkeys(paths, b"new"))
    assert os.listdir(tmp_path) == ["locked"]


@pytest.mark.parametrize(
    "write", [write_atomically, lambda path, content: write_stream(path, None)]
)
@pytest.mark.parametrize("kind", ["file", "folder", "dangling", "circle", "chain"])
def test_every_writer_deals_with_links_by_one_rule(tmp_path, kind, write):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to({"circle": link, "chain": tmp_path / "middle"}.get(kind, target))
    (tmp_path / "middle").symlink_to(target)
    if kind == "folder":
        target.mkdir()
    elif kind in ("file", "chain"):
        target.write_text("old")
    if kind in ("folder", "circle"):
        with pytest.raises(ValueError, match=r"link is (not a regular file|a symbolic link that)"):
            write(link, b"new")
    elif write is write_atomically:
        write(link, b"new")
        assert target.read_bytes() == b"new"
    assert link.is_symlink()


KILLED_BETWEEN = """
import os, signal, sys
from pathlib import Path
from rankwright.persistence.atomic import write_together
renames, rename = [], os.rename
def killing(source, target):
    renames.append(target)
    if len(renames) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    rename(source, target)
Path.replace = lambda self, target: killing(self, target)
write_together({Path(name): b"new" for name in sys.argv[2:]})
"""


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_writer_killed_at_a_rename_leaves_whole_files_and_the_next_write_cleans_up(tmp_path, at):
    paths = [tmp_path / name for name in ("report.html", "report.json", "report.rw")]
    for path in paths:
        path.write_text("old")
    run = subprocess.run([sys.executable, "-c", KILLED_BETWEEN, str(at), *paths])
    assert run.returncode == -signal.SIGKILL
    assert [path.read_text() for path in paths] == ["new"] * (at - 1) + ["old"] * (4 - at)
    leftovers = set(tmp_path.iterdir()) - set(paths)
    assert len(leftovers) == 4 - at
    for leftover in leftovers:
        os.utime(leftover, (time.time() - 10,) * 2)
    write_together(dict.fromkeys(paths, b"again"))
    assert set(tmp_path.iterdir()) == set(paths)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_under_the_name_of_a_leftover_does_not_keep_a_writer_waiting(tmp_path):
    """The writer is a process of its own, which can be ended."""
    pipe = tmp_path / f".model.rw.00000000{atomic.SUFFIX}"
    os.mkfifo(pipe)
    os.utime(pipe, (0, 0))
    write = "import sys, pathlib; from rankwright.persistence.atomic import write_atomically; "
    write += "write_atomically(pathlib.Path(sys.argv[1]), b'new')"
    subprocess.run([sys.executable, "-c", write, tmp_path / "model.rw"], timeout=120, check=True)
    assert (tmp_path / "model.rw").read_bytes() == b"new"
    assert pipe.exists()


def test_a_link_under_the_name_of_a_leftover_stays_and_so_does_its_file(tmp_path):
    other = tmp_path / "other"
    other.write_text("mine")
    os.utime(other, (0, 0))
    link = tmp_path / f".model.rw.00000000{atomic.SUFFIX}"
    link.symlink_to(other)
    write_atomically(tmp_path / "model.rw", b"new")
    assert link.is_symlink()
    assert other.read_text() == "mine"


def test_a_leftover_is_opened_for_reading_alone_without_waiting_or_following(tmp_path, monkeypatch):
    (tmp_path / f".model.rw.00000000{atomic.SUFFIX}").touch()
    flags, opened = [], os.open

    def record(path, how, *mode):
        flags.append(how)
        return opened(path, how, *mode)

    monkeypatch.setattr(os, "open", record)
    write_atomically(tmp_path / "model.rw", b"new")
    assert flags[0] == os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_that_is_in_use_stays(tmp_path):
    pipe = tmp_path / f".model.rw.00000000{atomic.SUFFIX}"
    os.mkfifo(pipe)
    in_use = os.open(pipe, os.O_RDWR)
    try:
        write_atomically(tmp_path / "model.rw", b"new")
    finally:
        os.close(in_use)
    assert pipe.exists()


def test_a_temporary_file_has_the_name_of_its_target_where_that_fits(tmp_path):
    around = len(f"..00000000{atomic.SUFFIX}")
    longest = "x" * (255 - around)
    assert atomic._beginning(tmp_path / longest) == f".{longest}."
    write_atomically(tmp_path / longest, b"new")
    write_atomically(tmp_path / f"{longest}x", b"new")
    assert set(os.listdir(tmp_path)) == {longest, f"{longest}x"}


@pytest.mark.parametrize("name", ["x" * 230, "x" * 255, "\u00e4" * 127])
def test_a_file_with_a_long_name_is_written_and_its_leftovers_are_removed(tmp_path, name):
    path = tmp_path / name
    leftover = tmp_path / f"{atomic._beginning(path)}00000000{atomic.SUFFIX}"
    leftover.write_text("old")
    os.utime(leftover, (0, 0))
    write_atomically(path, b"new")
    assert os.listdir(tmp_path) == [name]


def test_two_contents_for_one_file_are_refused(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    names = ("another", "file", "link", "other")
    with pytest.raises(ValueError, match=r"two contents are for the file .*file; give each"):
        write_together({tmp_path / name: name.encode() for name in names})
    assert os.listdir(tmp_path) == ["link"]


@pytest.fixture
def others_file(tmp_path, monkeypatch):
    """Return a file that seems to be of another owner and group, and what ``fchown`` is asked."""
    path = tmp_path / "model.rw"
    path.write_text("old")
    path.chmod(0o6764)
    asked = []
    stat = os.stat_result

    def owned(status, owner, group):
        return stat((*status[:4], owner, group, *status[6:]))

    real = type(path).stat
    monkeypatch.setattr(
        type(path),
        "stat",
        lambda self, **options: (
            owned(real(self, **options), 1234, 2345) if self == path else real(self, **options)
        ),
    )
    return path, asked, owned


def test_a_file_keeps_its_owner_and_group(others_file, monkeypatch):
    path, asked, owned = others_file
    fstat = os.fstat
    monkeypatch.setattr(os, "fchown", lambda _, owner, group: asked.append((owner, group)))
    monkeypatch.setattr(os, "fstat", lambda descriptor: owned(fstat(descriptor), 1234, 2345))
    write_atomically(path, b"new")
    assert sorted(asked) == [(-1, 2345), (1234, -1)]
    assert os.stat(path).st_mode & 0o7777 == 0o6764
    assert path.read_bytes() == b"new"


def test_a_group_that_a_file_can_not_keep_is_no_way_in_for_another(others_file, monkeypatch):
    path, _, _ = others_file

    def refused(*_):
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refused)
    write_atomically(path, b"new")
    assert os.stat(path).st_mode & 0o7777 == 0o744


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give")
def test_what_root_writes_over_stays_its_owners(tmp_path):
    path = tmp_path / "model.rw"
    path.write_text("old")
    os.chown(path, 1234, 2345)
    (tmp_path / "link.rw").symlink_to("model.rw")
    write_atomically(tmp_path / "link.rw", b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, path.read_bytes()) == (1234, 2345, b"new")
    assert (tmp_path / "link.rw").is_symlink()


def status(mode, owner, group):
    return os.stat_result((mode, 0, 0, 1, owner, group, 0, 0, 0, 0))


def test_a_new_file_is_given_the_group_and_the_owner_of_the_old_one_by_themselves(monkeypatch):
    asked = []
    monkeypatch.setattr(os, "fchown", lambda *given: asked.append(given), raising=False)
    monkeypatch.setattr(os, "fstat", lambda _: status(0o600, 1234, 2345))
    assert atomic._inherited_mode(7, status(0o100640, 1234, 2345)) == 0o640
    assert asked == [(7, -1, 2345), (7, 1234, -1)]


def test_a_new_file_has_the_mode_of_the_old_one_where_files_have_no_owners(monkeypatch):
    monkeypatch.delattr(os, "fchown", raising=False)
    assert atomic._inherited_mode(7, status(0o100640, 1234, 2345)) == 0o640
