"""Work on a cluster: one that runs, or one started on this machine for the time it takes."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rankwright.cli.optional_value import HERE
from rankwright.cli.output import Output
from rankwright.cli.reading import listed
from rankwright.cli.tables import Columns

__all__ = ["connected", "fit_rows", "joblib_on_cluster"]


@contextmanager
def connected(output: Output, cluster: str) -> Iterator[Any]:
    """Yield a client, and say where the cluster's dashboard is."""
    import rankwright as rw

    # What workers log of a run that was stopped is not for whoever stopped it.
    options = {"silence_logs": logging.CRITICAL}
    with rw.cluster.connect(None if cluster == HERE else cluster, **options) as client:
        output.note(f"Dashboard of the cluster: {client.dashboard_link}", wrapped=False)
        yield client


@contextmanager
def joblib_on_cluster(output: Output, cluster: str | None, jobs: int) -> Iterator[int]:
    """Let joblib's workers be those of a cluster; yield how many there are, or ``jobs``."""
    if cluster is None:
        yield jobs
        return
    from joblib import effective_n_jobs, parallel_config

    with connected(output, cluster), parallel_config("dask"):
        yield effective_n_jobs(-1)


def fit_rows(
    output: Output, cluster: str, name: str, model: Any, path: Path, columns: Columns
) -> dict[str, Any]:
    """Fit a ranker on a Parquet data set, and return what can be said of the fit."""
    import rankwright as rw
    from rankwright.cluster.parquet import read_rows

    target_is, target = columns.target_is, columns.rank or columns.score
    if target is None:
        raise ValueError("with --cluster nothing is guessed: give --score or --rank, and --group")
    rows = read_rows(
        path,
        target=target,
        is_rank=target_is == "rank",
        group=columns.group,
        factors=listed(columns.factors, "--factors"),
        left_out=[] if columns.item is None else [columns.item],
    )
    with (
        connected(output, cluster),
        output.progress(f"Fitting {name}", compiling=20) as update,
    ):

        def show(what: str, done: int, total: int | None) -> None:
            of = "" if total is None else f" of {total:,}"
            update(what=f"Fitting {name}: {done:,}{of} {what}")

        rw.cluster.fit(model, rows.X, rows.y, rows.groups, progress=show)
        update(what="Measuring on the same rows")
        found = rw.cluster.evaluate(model, rows.X, rows.y, rows.groups)
    tau = found.loc["kendall_tau"].to_dict()
    return {
        "factors": rows.factors,
        "partitions": rows.X.npartitions,
        "groups": int(tau["groups"] + tau["undefined"]),
        "training_tau": float(tau["mean"]),
    }
