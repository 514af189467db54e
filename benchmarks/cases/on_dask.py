"""One worker against two and against threads, beside the Dask rankers of LightGBM and XGBoost.

Everybody begins with the same Parquet files. Where groups are split over partitions, rows were
written in an order drawn at random, four files of them.
"""

import atexit
import os
import tempfile
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import lightgbm
import numpy as np
import pandas as pd
from xgboost import XGBRanker
from xgboost.dask import DaskXGBRanker

import rankwright as rw
from benchmarks.beyond_memory import draw
from benchmarks.case import Case, Task

N_FEATURES = 20
FACTORS = [f"x{j}" for j in range(N_FEATURES)]
N_PARTS = 4
TREES = {"n_estimators": 50, "learning_rate": 0.1, "max_depth": 6}

_open = ExitStack()
atexit.register(_open.close)


@cache
def _client(n_workers: int) -> Any:
    """Return a client of a cluster of its own; workers are processes of one thread."""
    return _open.enter_context(rw.cluster.connect(n_workers=n_workers, memory_limit="4GB"))


@cache
def _files(n_rows: int, *, split: bool) -> Path:
    folder = Path(_open.enter_context(tempfile.TemporaryDirectory()))
    parts = [draw(place, n_rows // N_PARTS, N_FEATURES) for place in range(N_PARTS)]
    if split:
        rows = pd.concat(parts, ignore_index=True).sample(frac=1, random_state=0)
        parts = [rows.iloc[place::N_PARTS].sort_values("query") for place in range(N_PARTS)]
    for place, part in enumerate(parts):
        part.to_parquet(folder / f"part-{place}.parquet")
    return folder


def _read(folder: Path) -> Any:
    # Not `read_parquet`: it may join files, differently for X and y, which LightGBM can't take.
    meta = draw(0, 1, N_FEATURES).iloc[:0]
    return dd.from_map(pd.read_parquet, sorted(folder.glob("*.parquet")), meta=meta)


def _fit_on(n_workers: int, ranker: Any, folder: Path, **options: Any) -> Any:
    client = _client(n_workers)
    with client.as_current(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*shuffled by group once")
        rows = _read(folder)
        return rw.cluster.fit(
            ranker, rows[FACTORS], rows["y"], rows["query"], client=client, **options
        )


def _fit_here(ranker: Any, folder: Path) -> Any:
    rows = pd.read_parquet(folder)
    return ranker.fit(rows[FACTORS], rows["y"], rows["query"])


def _same_scores(_: str, ours: Any, theirs: Any) -> None:
    rows = draw(99, 1000, N_FEATURES)[FACTORS]
    np.testing.assert_allclose(theirs.predict(rows), ours.predict(rows), rtol=1e-6, atol=1e-6)


def _load(_: Any) -> float:
    """Return how many processes wanted to run: beyond two, times by the clock say little."""
    return os.getloadavg()[0]


def linear(n_rows: int) -> Task:
    folder = _files(n_rows, split=False)
    return Task(
        ours=lambda: _fit_on(2, rw.PairwiseRanker(), folder),
        peers={
            "rankwright, one worker": lambda: _fit_on(1, rw.PairwiseRanker(), folder),
            "rankwright, no cluster": lambda: _fit_here(rw.PairwiseRanker(), folder),
        },
        agree=_same_scores,
        measures={"load": _load},
    )


def forest(n_rows: int) -> Task:
    folder = _files(n_rows, split=False)

    def ranker(n_jobs: int | None = None) -> Any:
        return rw.OrdinalForest(20, max_depth=10, random_state=0, n_jobs=n_jobs)

    return Task(
        ours=lambda: _fit_on(2, ranker(), folder),
        peers={
            "rankwright, one worker": lambda: _fit_on(1, ranker(), folder),
            "rankwright, no cluster, one thread": lambda: _fit_here(ranker(), folder),
            "rankwright, no cluster, two threads": lambda: _fit_here(ranker(2), folder),
        },
        agree=_same_scores,
        measures={"load": _load},
    )


def _sizes(groups: pd.Series) -> pd.Series:
    return groups.groupby(groups, sort=False).size()


def _graded(rows: Any) -> Any:
    return (rows["y"] + 2).astype(int)  # LightGBM and XGBoost want grades from 0


def _lightgbm_on_dask(folder: Path) -> Any:
    client = _client(2)
    with client.as_current():
        rows = _read(folder)
        sizes = rows["query"].map_partitions(_sizes, meta=("query", "i8"))
        ranker = lightgbm.DaskLGBMRanker(**TREES, num_leaves=64, verbose=-1, client=client)
        return ranker.fit(rows[FACTORS], _graded(rows), group=sizes).to_local()


def _lightgbm_here(folder: Path) -> Any:
    rows = pd.read_parquet(folder).sort_values("query")
    ranker = lightgbm.LGBMRanker(**TREES, num_leaves=64, verbose=-1, n_jobs=2)
    return ranker.fit(rows[FACTORS], _graded(rows), group=_sizes(rows["query"]))


def _xgboost_on_dask(folder: Path, **options: Any) -> Any:
    client = _client(2)
    with client.as_current():
        rows = _read(folder)
        ranker = DaskXGBRanker(**TREES, tree_method="hist", **options)
        ranker.client = client
        return ranker.fit(rows[FACTORS], _graded(rows), qid=rows["query"]).get_booster()


def _xgboost_here(folder: Path) -> Any:
    rows = pd.read_parquet(folder).sort_values("query")
    ranker = XGBRanker(**TREES, tree_method="hist", n_jobs=2)
    return ranker.fit(rows[FACTORS], _graded(rows), qid=rows["query"])


def _tau(fitted: Any) -> float:
    """Return Kendall's tau on new groups."""
    rows = draw(99, 20_000, N_FEATURES)
    if hasattr(fitted, "inplace_predict"):
        scores = fitted.inplace_predict(rows[FACTORS])
    else:
        scores = fitted.predict(rows[FACTORS])
    return rw.metrics.Measure.read("kendall_tau").by_group(rows["y"], scores, rows["query"]).mean


# XGBoost brings groups together group by group: the time grows with their number.
SMALL = "split groups, 4,000 rows"


def boosted(asked: str) -> Task:
    folder = _files(4_000 if asked == SMALL else 40_000, split=asked.startswith("split"))

    def ranker(n_jobs: int | None = None) -> Any:
        return rw.BoostedRanker(**TREES, random_state=0, n_jobs=n_jobs)

    peers: dict[str, Callable[[], Any]] = {
        "rankwright, no cluster, two threads": lambda: _fit_here(ranker(2), folder),
        "LightGBM, two workers": lambda: _lightgbm_on_dask(folder),
        "LightGBM, no cluster, two threads": lambda: _lightgbm_here(folder),
        "XGBoost, two workers, allow_group_split": lambda: _xgboost_on_dask(
            folder, allow_group_split=True
        ),
        "XGBoost, no cluster, two threads": lambda: _xgboost_here(folder),
    }
    keeping = {"XGBoost, two workers, groups kept whole": lambda: _xgboost_on_dask(folder)}
    return Task(
        ours=lambda: _fit_on(2, ranker(), folder),
        peers=peers | (keeping if asked == SMALL else {}),
        skipped={} if asked == SMALL else dict.fromkeys(keeping, f"see {SMALL}"),
        agree=lambda name, ours, theirs: (
            _same_scores(name, ours, theirs) if name.startswith("rankwright") else None
        ),
        measures={"tau on new groups": _tau, "load": _load},
    )


def _quality(forest: Any, X: pd.DataFrame, y: Any) -> float:
    if isinstance(forest, rw.RankingForest):
        return rw.metrics.auc(y == y.max(), forest.predict(X))
    return rw.metrics.kendall_tau(y, forest.decision_function(X))


FORESTS = {"RankingForest, AUC": rw.RankingForest, "OrdinalForest, tau": rw.OrdinalForest}


def _losses(kind: Any, *, is_sorted: bool) -> np.ndarray:
    """Return the quality of forests on all rows and on partitions, for five draws of rows."""
    found, names = [], [f"x{j}" for j in range(6)]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(rng.normal(size=(6000, 6)), columns=names)
        scores = 2 * X["x0"] + X["x1"] * X["x2"] + rng.logistic(size=len(X))
        y = np.digitize(scores, [0] if kind is rw.RankingForest else [-2, -0.5, 0.5, 2])
        rows, new, truth = X[:4000].assign(y=y[:4000]), X[4000:], y[4000:]
        rows = rows.sort_values("x0", ignore_index=True) if is_sorted else rows
        parts = dd.from_pandas(rows, npartitions=N_PARTS)
        forest = kind(20, random_state=seed).fit(rows[names], rows["y"])
        client = _client(1)
        with client.as_current():
            other = rw.cluster.fit(
                kind(20, random_state=seed), parts[names], parts["y"], tree_rows="partition",
                client=client,
            )  # fmt: skip
        found.append([_quality(one, new, truth) for one in (forest, other)])
    return np.array(found)


def on_partitions(asked: str) -> Task:
    name, order = asked.split("; ")
    return Task(
        ours=lambda: _losses(FORESTS[name], is_sorted=order.startswith("sorted")),
        peers={},
        agree=lambda name, ours, theirs: None,
        measures={
            "on all rows": lambda found: found[:, 0].mean(),
            "on partitions": lambda found: found[:, 1].mean(),
            "loss": lambda found: (found[:, 0] - found[:, 1]).mean(),
            "± standard error": lambda found: (found[:, 0] - found[:, 1]).std(ddof=1) / 5**0.5,
        },
    )


FROM_FILES = "From four Parquet files of groups of 20 rows, 20 features, to a fitted ranker"

CASES = [
    Case(
        name="cluster-linear",
        question=(
            f"{FROM_FILES}: what do two workers gain a pairwise ranker, and what does the cluster "
            "cost? (*rankwright* is two workers of one thread each; one process has one thread.)"
        ),
        sizes=(10_000, 100_000),
        quick=(),
        prepare=linear,
        repeats=3,
    ),
    Case(
        name="cluster-forest",
        question=(
            f"{FROM_FILES}: what do two workers gain an OrdinalForest of 20 trees, beside two "
            "threads? (*rankwright* is two workers of one thread each.)"
        ),
        sizes=(20_000,),
        quick=(),
        prepare=forest,
        repeats=1,
    ),
    Case(
        name="cluster-boosted",
        question=(
            f"{FROM_FILES}: 40,000 rows, 50 trees of depth 6, beside the peers' Dask rankers? "
            "(*rankwright* is a cluster of two workers, one of which fits the whole. Split groups: "
            "every file has rows of most groups, sorted by group inside each file, and LightGBM is "
            "told their sizes there, as its interface asks.)"
        ),
        sizes=("whole groups", "split groups", SMALL),
        quick=(),
        prepare=boosted,
        repeats=1,
    ),
    Case(
        name="cluster-partition-trees",
        question=(
            "What does tree_rows='partition' lose? Forests of 20 trees on 4,000 rows in four "
            "partitions, of rows in any order or sorted by the feature that matters most; quality "
            "on 2,000 new rows, means of five draws. (Seconds are of everything.)"
        ),
        sizes=tuple(f"{name}; {order}" for name in FORESTS for order in ("any order", "sorted")),
        quick=(),
        prepare=on_partitions,
        repeats=0,
    ),
]
