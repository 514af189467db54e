"""What other methods make of a rating, as starts of a search."""

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from rankwright.linear import LeastSquaresRanker
from rankwright.reverse.clock import Clock
from rankwright.reverse.search import baselines
from tiny_ratings import a_rating


def test_starts_are_fitted_by_one_thread_of_blas(monkeypatch):
    class Observed(LeastSquaresRanker):
        def fit(self, *args):
            seen.extend(one["num_threads"] for one in blas_threads())
            return super().fit(*args)

    def blas_threads():
        return [one for one in threadpool_info() if one["user_api"] == "blas"]

    seen = []
    monkeypatch.setattr(baselines, "BASELINES", {"LS1": lambda: Observed("score")})
    with threadpool_limits(2, "blas"):
        before = blas_threads()
        baselines.baseline_starts(a_rating(), Clock(np.inf))
        assert blas_threads() == before
    assert set(seen) == {1}
