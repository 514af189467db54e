"""Train and score on more rows than the workers' memory holds.

``python -m benchmarks.beyond_memory FOLDER``: rows are drawn partition by partition and written to
Parquet, a pairwise ranker is fitted on two worker processes with a low limit, and scores are
written to Parquet. Stored in ``benchmarks/beyond_memory.json``: seconds, each worker's peak memory
beside its limit, and whether the workers of the end are those of the beginning.
"""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd

import rankwright as rw

STORED = Path(__file__).with_suffix(".json")
GROUP_ROWS = 20


def weights(n_features: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=n_features)


def draw(place: int, n_rows: int, n_features: int) -> pd.DataFrame:
    """Draw the rows of one partition, with whole groups."""
    rng = np.random.default_rng([place, n_rows])
    X = rng.normal(size=(n_rows, n_features))
    scores = X @ weights(n_features) + rng.logistic(size=n_rows)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(n_features)])
    frame["y"] = np.clip(np.round(scores / 2), -2, 2)
    frame["query"] = place * n_rows + np.arange(n_rows) // GROUP_ROWS
    return frame


def write(folder: Path, rows: int, features: int, partitions: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for place in range(partitions):
        path = folder / f"part-{place:05d}.parquet"
        if not path.exists():
            draw(place, rows // partitions, features).to_parquet(path, compression=None)


def peak() -> tuple[int, int]:
    """Return the process and its largest resident memory in bytes (Linux)."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return os.getpid(), int(status["VmHWM"].split()[0]) * 1024


def main() -> None:
    import dask.dataframe as dd

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the data and the scores go")
    parser.add_argument("--rows", type=int, default=30_000_000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--partitions", type=int, default=120)
    parser.add_argument("--memory", default="1GB", help="limit of each of the two workers")
    asked = parser.parse_args()
    data = asked.folder / "data"
    write(data, asked.rows, asked.features, asked.partitions)
    factors = [f"x{j}" for j in range(asked.features)]
    with rw.cluster.connect(
        n_workers=2, memory_limit=asked.memory, local_directory=str(asked.folder)
    ) as client:
        before = client.run(peak)
        limit = next(iter(client.scheduler_info()["workers"].values()))["memory_limit"]
        rows = dd.read_parquet(data)
        counts = {}
        start = time.perf_counter()
        ranker = rw.cluster.fit(
            rw.PairwiseRanker(),
            rows[factors],
            rows["y"],
            rows["query"],
            progress=lambda what, done, total: counts.__setitem__(what, done),
        )
        fitted = time.perf_counter()
        rw.cluster.predict(ranker, rows[factors]).to_frame().to_parquet(asked.folder / "scores")
        scored = time.perf_counter()
        after = client.run(peak)
    written = dd.read_parquet(asked.folder / "scores")
    truth = weights(asked.features)
    cosine = ranker.coef_ @ truth / np.linalg.norm(ranker.coef_) / np.linalg.norm(truth)
    result = {
        "rows": asked.rows,
        "features": asked.features,
        "gigabytes_of_numbers": asked.rows * asked.features * 8 / 1e9,
        "partitions": asked.partitions,
        "fit_seconds": fitted - start,
        "counts": counts,
        "score_seconds": scored - fitted,
        "rows_scored": len(written),
        "worker_limit": limit,
        "worker_peaks": [bytes_ for _, bytes_ in after.values()],
        "same_workers": {pid for pid, _ in before.values()} == {pid for pid, _ in after.values()},
        "cosine_with_the_true_weights": float(cosine),
    }
    STORED.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(STORED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
