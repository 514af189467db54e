"""The streams of a process: each test runs the program as a shell would."""

import json
import os
import shlex
import subprocess
import sys

import pandas as pd
import pytest

import rankwright as rw

PROGRAM = f"{shlex.quote(sys.executable)} -m rankwright.cli"
TABLE = "name,größe,rank\nÄpfel,3,1\nBirnen,2,2\nKirschen – süß,1,3\n"


@pytest.fixture
def shell(tmp_path):
    """Return a function that runs a line of shell in which $RW is the program."""
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    sizes = pd.DataFrame({"größe": [3.0, 2.0, 1.0]})
    rw.save(rw.ExpectedRankRegressor().fit(sizes, [3, 2, 1]), tmp_path / "model.rw")

    def run(line, **environment):
        paths = os.pathsep.join(sys.path)
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", line.replace("$RW", PROGRAM)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            capture_output=True,
        )

    return run


def test_characters_that_can_not_be_printed_become_escapes(shell):
    result = shell("$RW rank model.rw table.csv", PYTHONIOENCODING="ascii")
    assert result.returncode == 0, result.stderr
    assert rb"\xc4pfel" in result.stdout
    assert b"Kirschen - s\\xfc\\xdf" in result.stdout


def test_json_stays_json_where_only_ascii_can_be_printed(shell):
    result = shell("$RW rank model.rw table.csv --json", PYTHONIOENCODING="ascii")
    assert json.loads(result.stdout)["ranking"][0]["name"] == "Äpfel"


def test_results_come_in_poor_surroundings(shell):
    result = shell("$RW rank model.rw table.csv", LC_ALL="C", TERM="dumb")
    assert result.returncode == 0, result.stderr
    assert b"Birnen" in result.stdout


@pytest.mark.parametrize("line", ["{} | true", "{} --json | true", "{} >&-"])
def test_what_nobody_reads_keeps_no_file_from_being_written(shell, tmp_path, line):
    result = shell(line.format("$RW rank model.rw table.csv --out ranking.csv"))
    assert result.returncode == 0, result.stderr
    assert b"Traceback" not in result.stderr
    assert (tmp_path / "ranking.csv").exists()


def test_all_streams_may_be_closed(shell):
    assert shell("$RW version <&- >&- 2>&-").returncode == 0
    assert shell("$RW fit nothing.csv <&- >&- 2>&-").returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["version", "version --json", "--help"])
def test_a_full_disk_is_an_error_said_once(shell, command):
    result = shell(f"$RW {command} > /dev/full")
    assert result.returncode == 1
    assert result.stderr.splitlines() == [b"Error: [Errno 28] No space left on device"]


def test_lines_of_a_table_are_not_folded_in_a_pipe(shell, tmp_path):
    long = "a very long name " * 12
    (tmp_path / "long.csv").write_text(
        f"name,größe,rank\n{long},3,1\nshort,2,2\nother,1,3\n", "utf-8"
    )
    printed = shell("unset COLUMNS; $RW rank model.rw long.csv").stdout.decode()
    assert long.strip() in printed


LATE = """
import atexit, signal
from rankwright.cli import main
atexit.register(signal.raise_signal, signal.SIGINT)
main()
"""


def test_ctrl_c_after_the_end_of_a_command_shows_no_traceback(shell):
    result = shell(f"{sys.executable} -c '{LATE}' version; exit $?")
    assert result.returncode == 130
    assert result.stdout.startswith(b"rankwright")
    assert result.stderr == b""
