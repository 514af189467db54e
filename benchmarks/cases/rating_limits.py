"""Time limits of rating formulas: the seconds asked for, and those taken."""

import time
import warnings
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from benchmarks.case import Case, Task
from rankwright.kernels.compilation import time_compiling
from rankwright.reverse import RatingFormula

ASKED = (1.0, 4.0)
OBJECTIVES = ("top_auc", "positions")
SIGNS = ("auto", "positive", "free")
MOST_FREE = 12  # factors: more are refused
# What is asked for beside objectives and signs, one at a time.
MORE: list[dict[str, Any]] = [
    {"objective": "scores"},
    {"selection": "stable"},
    {"value_functions": "piecewise"},
    {"constraints": ["x0 >= x1"]},
]
ALLOWED = 0.5  # seconds, or a tenth of what was asked for if that is more


@dataclass(frozen=True)
class Fit:
    """A fit: what it was asked for, and its seconds on the clock and of the processor."""

    asked: float
    options: dict[str, Any]
    taken: float
    worked: float

    @property
    def excess(self) -> float:
        """Return the seconds beyond the limit, as a multiple of those allowed."""
        return (self.taken - self.asked) / max(ALLOWED, 0.1 * self.asked)


def _fit(X: np.ndarray, y: np.ndarray, asked: float, options: dict[str, Any]) -> Fit:
    formula = RatingFormula(**options, time_limit=asked, random_state=0)
    begin, worked = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(), time_compiling() as compiling:
        warnings.simplefilter("ignore")
        formula.fit(X, y)
    taken = time.perf_counter() - begin - compiling()
    return Fit(asked, options, taken, time.process_time() - worked - compiling())


def limits(size: str) -> Task:
    """Fit noisy ratings in every way that is asked for, for a second and for four."""
    n, d = (int(number) for number in size.split(" x "))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).round(2)
    y = (X @ rng.random(d) + rng.normal(size=n)).round(2)
    signs = [sign for sign in SIGNS if sign != "free" or d <= MOST_FREE]
    ways = [{"objective": o, "signs": s} for o, s in product(OBJECTIVES, signs)] + MORE

    def ours() -> list[Fit]:
        return [_fit(X, y, asked, way) for asked, way in product(ASKED, ways)]

    def worst(fits: list[Fit]) -> Fit:
        return max(fits, key=lambda fit: fit.excess)

    return Task(
        ours=ours,
        peers={},
        agree=lambda *_: None,
        measures={
            "largest excess (1 is allowed)": lambda fits: worst(fits).excess,
            "asked s": lambda fits: worst(fits).asked,
            "taken s": lambda fits: worst(fits).taken,
            "of these, processor s": lambda fits: worst(fits).worked,
        },
    )


CASES = [
    Case(
        "rating-limits",
        "End a fit within the time limit asked for, by products and factors",
        tuple(f"{n} x {d}" for n in (10, 100, 300, 1_000, 3_000, 20_000) for d in (2, 5, 12, 20)),
        ("30 x 3",),
        limits,
        repeats=0,  # limits take all of the time
    ),
]
