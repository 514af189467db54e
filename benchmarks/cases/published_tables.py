"""Reading published tables as they are, beside pandas on tables that were cleaned before."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rankwright as rw
from benchmarks.case import Case, Task


def reading(n: int) -> Task:
    """Write one table twice: with plain numbers, and as people publish it."""
    rng = np.random.default_rng(0)
    folder = Path(tempfile.mkdtemp())
    clean = pd.DataFrame({"rank": np.arange(1, n + 1)})
    clean["name"] = [f"University of {i}" for i in range(n)]
    clean["country"] = rng.choice(["Chile", "Peru", "Kenya"], n)
    for name in ("teaching", "research", "citations"):
        clean[name] = np.round(100 * rng.random(n), 1)
    clean["salary"], clean["share"] = rng.integers(20_000, 200_000, n), rng.integers(0, 101, n)
    clean.to_csv(folder / "clean.csv", index=False)
    first = 1000 * (np.arange(n) // 1000) + 1
    bands = [f"{low}-{low + 999}" for low in first.tolist()]
    messy = clean.assign(
        rank=[str(i + 1) if i < 1000 else band for i, band in enumerate(bands)],
        research=[value if i % 1000 else "n/a" for i, value in enumerate(clean["research"])],
        salary=[f"${value:,} " for value in clean["salary"]],
        share=[f"{value}%" for value in clean["share"]],
    )
    messy.to_csv(folder / "messy.csv", index=False)

    def agree(_: str, ours: Any, theirs: pd.DataFrame) -> None:
        np.testing.assert_array_equal(ours.X["salary"], theirs["salary"])
        np.testing.assert_allclose(100 * ours.X["share"], theirs["share"])
        assert len(ours) == len(theirs)

    return Task(
        ours=lambda: rw.read_table(folder / "messy.csv", item="name", target="rank"),
        peers={"pandas, cleaned before": lambda: pd.read_csv(folder / "clean.csv")},
        agree=agree,
    )


CASES = [
    Case(
        "published-tables",
        "Rows of a table as published read, eight columns: bands, currencies, percents, gaps",
        (1_000, 100_000, 1_000_000),
        (1_000,),
        reading,
        # Fresh memory costs now more, now less, on a virtual machine: a median of five swings.
        repeats=15,
    )
]
