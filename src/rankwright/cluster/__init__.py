"""The same rankers on Dask, for rows that outgrow one machine.

The rankers know nothing of Dask: this folder brings them sums over partitions. It is the only one
that imports dask, and does so when one of its names is first used.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankwright.cluster.connection import ClusterError as ClusterError
    from rankwright.cluster.connection import connect as connect
    from rankwright.cluster.evaluation import evaluate as evaluate
    from rankwright.cluster.fitting import fit as fit
    from rankwright.cluster.scoring import predict as predict
    from rankwright.cluster.scoring import rank as rank

_HOMES = {
    "ClusterError": "connection",
    "connect": "connection",
    "evaluate": "evaluation",
    "fit": "fitting",
    "predict": "scoring",
    "rank": "scoring",
}
_NEEDED = ("dask", "distributed", "pyarrow")

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"rankwright.cluster has no {name!r}; its names are {__all__}")
    if missing := [package for package in _NEEDED if find_spec(package) is None]:
        raise ImportError(
            f"rankwright.cluster.{name} needs {' and '.join(missing)}: "
            "pip install 'rankwright[cluster]'"
        )
    return getattr(import_module(f"rankwright.cluster.{_HOMES[name]}"), name)
