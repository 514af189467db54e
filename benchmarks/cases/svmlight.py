"""Reading learning-to-rank text beside scikit-learn's reader."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_file

import rankwright as rw
from benchmarks.case import Case, Task

N_FEATURES = 136  # of MSLR-WEB30K


def reading(n: int) -> Task:
    rng = np.random.default_rng(0)
    path = Path(tempfile.mkdtemp()) / "train.txt"
    with path.open("w") as file:
        for query in range(0, n, 100):
            X = np.round(rng.gamma(1, 5, (min(100, n - query), N_FEATURES)), 6)
            X[:, ::3] = np.round(X[:, ::3])
            for row in X:
                words = " ".join(f"{j}:{value:g}" for j, value in enumerate(row, start=1))
                file.write(f"{rng.integers(5)} qid:{query} {words}\n")

    def agree(_: str, ours: Any, theirs: Any) -> None:
        assert (theirs[0] != ours.X).nnz == 0
        np.testing.assert_array_equal(ours.y, theirs[1])
        np.testing.assert_array_equal(ours.groups, theirs[2])

    return Task(
        ours=lambda: rw.read_svmlight(path),
        peers={"scikit-learn": lambda: load_svmlight_file(str(path), query_id=True)},
        agree=agree,
    )


CASES = [
    Case(
        "svmlight",
        "Rows of MSLR-shaped text read, 136 features each",
        (1_000, 10_000, 100_000, 1_000_000),
        (1_000,),
        reading,
        repeats=1,
    )
]
