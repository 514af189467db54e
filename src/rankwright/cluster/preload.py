"""What worker processes on this machine do first."""

import signal
from typing import Any

__all__ = ["dask_setup"]


def dask_setup(worker: Any) -> None:
    """Ignore Ctrl-C, which a terminal sends to all processes: the one that was called answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
