"""The same rankers on Dask, for rows that outgrow one machine.

The rankers know nothing of Dask: this folder brings them sums over partitions. It is the only one
that imports dask.
"""

from importlib.util import find_spec

if missing := [name for name in ("dask", "distributed", "pyarrow") if find_spec(name) is None]:
    raise ImportError(
        f"rankwright.cluster needs {', '.join(missing)}: pip install 'rankwright[cluster]'"
    )

from rankwright.cluster.connection import ClusterError, connect
from rankwright.cluster.evaluation import evaluate
from rankwright.cluster.fit import fit
from rankwright.cluster.scoring import predict, rank

__all__ = ["ClusterError", "connect", "evaluate", "fit", "predict", "rank"]
