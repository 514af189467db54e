"""Kendall's tau-b beside SciPy's."""

import numpy as np
from scipy.stats import kendalltau

import rankwright as rw
from benchmarks.case import Case, Task


def _task(y: np.ndarray, scores: np.ndarray) -> Task:
    return Task(
        ours=lambda: rw.metrics.kendall_tau(y, scores),
        peers={"scipy.stats.kendalltau": lambda: kendalltau(y, scores).statistic},
        agree=lambda _, ours, theirs: np.testing.assert_allclose(ours, theirs, rtol=1e-12),
        measures={"tau": float},
    )


def without_ties(n: int) -> Task:
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    return _task(y, y + rng.normal(size=n))


def with_ties(n: int) -> Task:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, size=n)
    return _task(y, np.round(y + rng.normal(size=n), 1))


SIZES = (1_000, 10_000, 100_000, 1_000_000)
CASES = [
    Case("kendall", "Kendall's tau-b without ties", SIZES, (10_000,), without_ties),
    Case("kendall-ties", "Kendall's tau-b with ties in both", SIZES, (10_000,), with_ties),
]
