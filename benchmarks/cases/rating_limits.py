"""Time limits of rating formulas: the seconds asked for, and those taken."""

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Task
from rankwright.kernels.compilation import time_compiling
from rankwright.reverse import RatingFormula

# Ways to fit, with the seconds asked for: those whose last step before the end takes longest of all
# objectives, signs and options are asked for less and for more than one, too. An earlier run over
# all combinations found nothing beyond the limit but reproduced scores of 12 and more factors.
WAYS: list[tuple[dict[str, Any], tuple[float, ...]]] = [
    ({"objective": "top_auc"}, (1.0, 4.0)),
    ({"objective": "top_auc", "signs": "free"}, (1.0,)),
    ({"objective": "positions"}, (1.0,)),
    ({"objective": "scores"}, (1.0,)),
    ({"objective": "scores", "constraints": ["x0 >= x1"]}, (0.5, 1.0, 4.0)),
    ({"selection": "stable"}, (1.0,)),
    ({"value_functions": "piecewise"}, (0.5, 1.0)),
    ({"constraints": ["x0 >= x1"]}, (1.0,)),
]
MOST_FREE = 12  # factors: more are refused
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
    """Fit noisy ratings in the hardest ways, for half a second to four."""
    n, d = (int(number) for number in size.split(" x "))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).round(2)
    y = (X @ rng.random(d) + rng.normal(size=n)).round(2)
    ways = [(way, asked) for way, asked in WAYS if "signs" not in way or d <= MOST_FREE]

    def ours() -> list[Fit]:
        return [_fit(X, y, seconds, way) for way, asked in ways for seconds in asked]

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
        ("300 x 12", "1000 x 8", "3000 x 20", "20000 x 2", "20000 x 5", "20000 x 12", "20000 x 20"),
        ("30 x 3",),
        limits,
        repeats=0,  # limits take all of the time
    ),
]
