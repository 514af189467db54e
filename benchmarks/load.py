"""What else the machine did while a case ran: times beside other work are not to be believed."""

import time
from collections.abc import Callable
from contextlib import suppress

import psutil

# Cores that others may keep busy in a run that counts as quiet: an editor, a clock, the kernel.
QUIET = 0.1


def watch() -> Callable[[], float]:
    """Return a function that says how many cores others kept busy since now, in the mean.

    Others are all processes but this one and those that it started. What a
    hypervisor gave to its other guests counts, too.
    """
    start, busy, own = time.perf_counter(), _busy(), _own()

    def others() -> float:
        elapsed = max(time.perf_counter() - start, 1e-9)
        return max(0.0, (_busy() - busy) - (_own() - own)) / elapsed

    return others


def _busy() -> float:
    times = psutil.cpu_times()
    # Time of guests is counted in user time as well.
    still = times.idle + getattr(times, "iowait", 0.0)
    guests = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
    return float(sum(times) - still - guests)


def _own() -> float:
    """Return the processor time of this process and of those below it, ended ones included."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it ended meanwhile, and its parent counts it
            total += sum(process.cpu_times()[:4])  # user and system, and those of children
    return float(total)
