"""The cluster that does the work: who is there, and what to say when it no longer answers."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Self

import distributed
from distributed import Client, Future, LocalCluster, wait
from distributed.client import ClosedClientError
from distributed.comm import CommClosedError

__all__ = ["Cluster", "ClusterError", "connect"]

Moved = Callable[[int], None]

LOOK = 1.0  # seconds between two looks at a cluster that is working
LOST = 5.0  # seconds without a scheduler after which it is lost
STUCK = 10.0  # seconds in which all workers are paused and do nothing
GONE = 60.0  # seconds without any worker: a batch system may bring new ones
PATIENCE = 20.0  # seconds to wait for a first worker
LEAST = 450_000_000  # bytes of a worker: rankwright itself takes 350 MB, and at 80% it stops
DASK = ("dask", "distributed")
PACKAGES = ("rankwright", *DASK, "numpy", "pandas", "scikit-learn", "numba")


class ClusterError(ConnectionError):
    """The cluster can't do the work: no workers, other versions, a lost scheduler, no room.

    Examples
    --------
    >>> import rankwright as rw
    >>> issubclass(rw.cluster.ClusterError, OSError)
    True
    """


@contextmanager
def connect(address: str | None = None, **options: Any) -> Iterator[Client]:
    """Use the cluster at an address, or start one on this machine.

    Parameters
    ----------
    address : str, optional
        Of a scheduler that runs, such as ``tcp://10.0.0.5:8786``; by default a local cluster is
        started, with a worker for each processor core, and ended.
    **options
        Of ``distributed.LocalCluster``, where one is started: ``n_workers``, ``memory_limit``.

    Yields
    ------
    distributed.Client
        Everything inside uses it, also ``joblib.parallel_config("dask")``.

    Examples
    --------
    >>> import rankwright as rw
    >>> with rw.cluster.connect(processes=False, n_workers=1, dashboard_address=None) as client:
    ...     client.submit(sum, [1, 2]).result()
    3
    """
    if address is None:
        chosen = {"threads_per_worker": 1, "dashboard_address": "localhost:0", **options}
        if chosen.get("processes", True):
            chosen = {"preload": "rankwright.cluster.preload", **chosen}
        with LocalCluster(**chosen) as local, Client(local) as client:
            yield client
        return
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"no scheduler answers at {address} ({type(error).__name__}); start one with "
            "`dask scheduler` there, and check the address and the firewall"
        ) from error
    except TypeError as error:  # what a scheduler is asked has changed between versions
        raise ClusterError(
            f"the scheduler at {address} does not understand this client ({error}); it probably "
            f"has another version of Dask: install {distributed.__version__} there"
        ) from error
    with client:
        yield client


class Cluster:
    """A client of a running cluster whose workers can do the work.

    Inside ``with``, errors of a lost connection and of dying workers become a `ClusterError`.
    """

    def __init__(self, client: Client | None = None) -> None:
        self.client = _current() if client is None else client
        if self.client.status in {"closed", "closing"}:
            raise _lost()
        self._check_workers()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, CancelledError | CommClosedError | ClosedClientError):
            raise _lost() from error
        if isinstance(error, distributed.KilledWorker):
            raise ClusterError(
                f"the task {error.task!r} ended {error.allowed_failures + 1} workers, probably "
                "for want of memory; use smaller partitions (X.repartition), or larger workers"
            ) from error

    @property
    def n_workers(self) -> int:
        """How many workers there are now."""
        return len(self._workers())

    @property
    def memory(self) -> int | None:
        """The memory of the smallest worker in bytes; None where there is no limit."""
        limits = [worker["memory_limit"] for worker in self._workers().values()]
        return min((limit for limit in limits if limit), default=None)

    def results(self, futures: Sequence[Future], moved: Moved | None = None) -> list[Any]:
        """Wait for results, and say within seconds why there will be none.

        ``moved`` is told how many are there.
        """
        watch = _Watch(self.client)
        while True:
            try:
                wait(futures, timeout=LOOK)
                break
            except TimeoutError:
                done = sum(future.done() for future in futures)
                watch.look(done)
                if moved is not None:
                    moved(done)
                if any(future.status in {"error", "cancelled"} for future in futures):
                    break
        found: list[Any] = self.client.gather(list(futures))
        if moved is not None:
            moved(len(futures))
        return found

    def result(self, future: Future) -> Any:
        """Wait for one result."""
        return self.results([future])[0]

    def _workers(self) -> dict[str, Any]:
        workers: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def _check_workers(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ClusterError(
                f"the scheduler at {self.client.scheduler.address} has no workers; start some "
                "with `dask worker ADDRESS`"
            ) from error
        limit = self.memory
        if limit is not None and limit < LEAST:
            raise ClusterError(
                f"the smallest worker has {limit / 1e9:.2g} GB, and rankwright itself takes about "
                f"0.35 GB of it; give every worker at least {LEAST / 1e9:.2g} GB, and better 1 GB"
            )
        found = self.client.get_versions(packages=list(PACKAGES))
        self._check_versions("the scheduler", found["scheduler"], found["client"], DASK)
        for worker, theirs in found["workers"].items():
            self._check_versions(f"worker {worker}", theirs, found["client"], ("python", *PACKAGES))

    def _check_versions(self, who: str, theirs: Any, ours: Any, names: Sequence[str]) -> None:
        there, here = (_without_patch(packages["packages"]) for packages in (theirs, ours))
        if other := [name for name in names if there[name] != here[name]]:
            named = [f"{name} {there[name] or '(not installed)'}" for name in other]
            known = [f"{name}=={here[name]}" for name in other]
            raise ClusterError(
                f"{who} has {', '.join(named)}, and here is {', '.join(known)}; install the same "
                "versions everywhere, or results could differ"
            )


class _Watch:
    """Look whether a cluster that is working can still come to an end."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.done = -1
        self.moved = self.seen = time.monotonic()

    def look(self, done: int) -> None:
        now = time.monotonic()
        if self.client.status == "running":
            self.seen = now
        elif now - self.seen > LOST:
            raise _lost()
        else:
            return
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        idle = [name for name, worker in workers.items() if _stands_still(worker)]
        if done > self.done or len(idle) < len(workers):
            self.done, self.moved = done, now
        elif now - self.moved > (STUCK if workers else GONE):
            raise (
                self._full(idle)
                if workers
                else ClusterError(
                    f"all workers are gone, and none has come back in {GONE:.0f} s; start new ones "
                    "with `dask worker ADDRESS` and repeat the call"
                )
            )

    def _full(self, paused: list[str]) -> ClusterError:
        free = self.client.run(_free_space, workers=paused[:1])
        ((folder, left),) = free.values()
        return ClusterError(
            f"all {len(paused)} workers are out of memory and have stopped taking tasks; {folder}, "
            f"where they put what does not fit, has {left / 1e9:.1f} GB left: use smaller "
            "partitions, larger workers, or another --local-directory"
        )


def _stands_still(worker: Any) -> bool:
    return worker["status"] == "paused" and not worker["metrics"]["task_counts"].get("executing")


def _lost() -> ClusterError:
    return ClusterError(
        "the connection to the scheduler is lost, and with it what was computed: the scheduler "
        "ended, or the client was closed; connect again and repeat the call"
    )


def _current() -> Client:
    try:
        return distributed.get_client()
    except ValueError as error:
        raise ClusterError(
            "there is no cluster; start one first: `from dask.distributed import Client; client = "
            "Client()` on this machine, or Client('tcp://...') for a scheduler that runs"
        ) from error


def _without_patch(packages: dict[str, str | None]) -> dict[str, str | None]:
    """Return versions, of Python without the last number: it changes no results."""
    return packages | {"python": ".".join(str(packages["python"]).split(".")[:2])}


def _free_space(dask_worker: Any) -> tuple[str, int]:
    folder = dask_worker.local_directory
    return folder, shutil.disk_usage(folder).free
