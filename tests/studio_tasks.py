"""Tasks for tests of jobs; they run in other processes, which import them from here."""

import os
import signal
import time
import warnings

from rankwright.studio.jobs import Moment, Note, Progress

PATIENCE = 240  # seconds, of a machine that is busy with other things


def until(condition):
    """Wait for a condition; one that never comes is a failure, not a test without an end."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def double(request, tell):
    tell(Progress("Doubling", 0.5))
    tell(Moment(1.0, 0.5, 0.75))
    tell(Note("twice"))
    return 2 * request


def refuse(request, tell):
    raise ValueError(f"{request!r} can't be doubled; give a number")


def break_down(request, tell):
    raise RuntimeError("a defect")


def warn(request, tell):
    warnings.warn("be careful\nat this line", UserWarning, stacklevel=1)


def vanish(request, tell):
    os.kill(os.getpid(), signal.SIGKILL)


def endless(request, tell):
    """Wait for ever; an interruption ends it with what it has."""
    tell(Progress("Waiting"))
    try:
        while True:
            time.sleep(0.05)
    except KeyboardInterrupt:
        if request == "keep":
            return "the best so far"
        raise


def deaf(request, tell):
    """Wait for ever, whatever happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tell(Progress("Waiting"))
    while True:
        time.sleep(0.05)
