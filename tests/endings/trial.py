"""One run of a command, to its end or to a signal."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

__all__ = ["Ended", "Runnable", "run_to_end", "run_until"]

TICK = os.sysconf("SC_CLK_TCK")
LONGEST = 120.0  # seconds before an ending counts as a hang
STARTED = 0.3  # seconds: before that, Python itself is loaded, and answers as it does


class Runnable(Protocol):
    """What can be run: arguments of the program, and a folder to run it in."""

    folder: Path
    arguments: list[str]


@dataclass(frozen=True)
class Ended:
    """How a run ended, and the seconds from the signal to its end."""

    code: int
    seconds: float
    errors: str
    moment: float = 0.0
    was_running: bool = False
    after: float = 0.0
    worked_after: float = 0.0

    def complaints(self, number: signal.Signals) -> list[str]:
        """Return what is wrong with the ending itself."""
        found = []
        if "Traceback" in self.errors:
            found.append("a traceback")
        if not self.was_running:
            return found
        # -2 is what shells call 130; 0 where the command had ended, but not its process.
        allowed = {signal.SIGINT: (130, -signal.SIGINT, 0)}.get(number, (-number, 0))
        if self.code not in allowed:
            found.append(f"exit code {self.code}")
        if self.after >= LONGEST:
            found.append("it did not end")
        return found


def run_to_end(command: Runnable) -> Ended:
    """Run a command undisturbed."""
    begin = time.monotonic()
    process = _start(command)
    _, errors = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{command.arguments} failed: {errors}")
    return Ended(process.returncode, time.monotonic() - begin, errors)


def run_until(command: Runnable, number: signal.Signals, moment: float) -> Ended:
    """Run a command, and send it a signal after so many seconds."""
    begin = time.monotonic()
    process = _start(command)
    moment = max(moment, STARTED)
    try:
        _, errors = process.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        worked, sent = _worked(process.pid), time.monotonic()
        # A machine that stops takes the processes of a study with it; Ctrl-C reaches all as well.
        os.killpg(process.pid, number)
        _, errors, used = _wait(process)
        after = time.monotonic() - sent
        return Ended(
            process.returncode, sent - begin + after, errors, moment, True, after, used - worked
        )
    return Ended(process.returncode, time.monotonic() - begin, errors, moment)


def _start(command: Runnable) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "rankwright.cli", *command.arguments],
        cwd=command.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _wait(process: "subprocess.Popen[str]") -> tuple[str, str, float]:
    """Wait for the end, looking at the processor time until then."""
    used, deadline = _worked(process.pid), time.monotonic() + LONGEST
    while True:
        used = max(used, _worked(process.pid))
        try:
            out, errors = process.communicate(timeout=0.02)
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                process.kill()
            continue
        return out, errors, used


def _worked(pid: int) -> float:
    """Return the processor seconds of a session: its processes, and those that they waited for."""
    return sum(_seconds(path, pid) for path in Path("/proc").glob("[0-9]*/stat"))


def _seconds(path: Path, session: int) -> float:
    try:
        fields = path.read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0
    return sum(map(int, fields[11:15])) / TICK if int(fields[3]) == session else 0.0
