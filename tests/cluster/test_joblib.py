"""What joblib runs gives the same on a cluster's workers."""

import numpy as np
import pandas as pd
import pytest
from distributed import get_task_stream
from joblib import parallel_config

import rankwright as rw
from cluster.conftest import FACTORS

pytestmark = pytest.mark.xdist_group("cluster")


def folds(rows):
    rankers = {"scores": rw.LeastSquaresRanker(), "ranks": rw.LeastSquaresRanker("rank")}
    few = rows.head(200)
    found = rw.compare(rankers, few[FACTORS], few["y"], few["group"], n_folds=3, random_state=0)
    return found.table().drop(columns="seconds").to_csv()


def resamples(rows):
    rng = np.random.default_rng(0)
    better = rng.integers(6, size=300)
    worse = (better + rng.integers(1, 6, size=300)) % 6
    battles = pd.DataFrame({"winner": better, "loser": worse})
    return rw.leaderboard(battles, bootstrap=8, random_state=0).table().to_csv()


def starts(rows):
    few = rows.head(12)
    formula = rw.RatingFormula(solver="search", random_state=0)
    return formula.fit(few[["f0", "f2"]], few["f1"]).weights_.tobytes()


@pytest.mark.parametrize("work", [folds, resamples, starts])
def test_workers_give_the_same_results(client, rows, work):
    alone = work(rows)
    with get_task_stream(client) as tasks, parallel_config("dask"):
        assert work(rows) == alone
    assert tasks.data
