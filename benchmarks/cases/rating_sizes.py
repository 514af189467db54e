"""Rating formulas of thousands of products: what a minute proves, and what it finds."""

import time
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata
from sklearn.linear_model import LinearRegression

from benchmarks.case import Case, Task
from rankwright.reverse import RatingFormula

# Counts a game of eight kinds that go together, as players' statistics do, and the worth of each.
RATES = np.array([9.0, 4.0, 2.5, 0.8, 0.5, 3.5, 1.2, 2.0])
WORTH = np.array([1.0, 1.2, 1.5, 2.0, 2.0, 0.4, 0.5, 0.3])
GAMES = 60
MINUTE = 60.0


@dataclass(frozen=True)
class Fit:
    """A fitted formula, or a regression: its error or statistic, and what is proved of it."""

    value: float
    bound: float
    proved: bool
    wall: float
    processor: float


def make_players(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return statistics a game, to one decimal, and a rating that is not linear in them."""
    rng = np.random.default_rng(seed)
    rates = rng.gamma(2.0, 0.5, size=(n, 1)) * RATES[:d] * rng.gamma(4.0, 0.25, size=(n, d))
    minutes = np.minimum(40.0, 6.0 + 2.0 * rates.sum(axis=1))
    X = (rng.poisson(rates * GAMES) / GAMES).round(1)
    return X, minutes * (X @ WORTH[:d]) / (1.0 + 0.02 * X[:, 0])


def _position_error(scores: np.ndarray, y: np.ndarray, top: int) -> float:
    places = rankdata(-y, "min")
    return float(np.abs(rankdata(-scores, "min") - places)[places <= top].sum())


def _timed(X: np.ndarray, y: np.ndarray, objective: str, top: int) -> Fit:
    begin, worked = time.perf_counter(), time.process_time()
    formula = RatingFormula(
        objective, top=top, signs="positive", time_limit=MINUTE, n_jobs=2, random_state=0
    ).fit(X, y)
    return Fit(
        formula.objective_,
        formula.bound_,
        formula.status_ == "optimal",
        time.perf_counter() - begin,
        time.process_time() - worked,
    )


def _measures(name: str) -> dict:
    return {
        name: lambda fit: fit.value,
        "bound": lambda fit: fit.bound,
        "proved": lambda fit: float(fit.proved),
        "s": lambda fit: fit.wall,
        "processor s": lambda fit: fit.processor,
    }


def positions(size: str) -> Task:
    """The position error of the top, proved as far as a minute goes."""
    n, d, top = (int(number.replace(",", "")) for number in size.replace(" top ", " x ").split("x"))
    X, y = make_players(n, d)

    def regression() -> Fit:
        places = rankdata(-y, "min")
        scores = LinearRegression(positive=True).fit(X, -places).predict(X)
        return Fit(_position_error(scores, y, top), np.nan, False, np.nan, np.nan)

    def agree(_: str, ours: Fit, theirs: Fit) -> None:
        assert ours.bound <= ours.value <= theirs.value

    return Task(
        ours=lambda: _timed(X, y, "positions", top),
        peers={"non-negative regression": regression},
        agree=agree,
        measures=_measures("position error"),
    )


def statistic(size: str) -> Task:
    """The top-weighted statistic, of more products than pairs can be listed of."""
    n, d = (int(number.replace(",", "")) for number in size.split("x"))
    X, y = make_players(n, d)
    return Task(
        ours=lambda: _timed(X, y, "top_auc", 25),
        peers={},
        agree=lambda *_: None,
        measures=_measures("statistic"),
    )


CASES = [
    Case(
        "rating-many-positions",
        "Find and prove the least position error among thousands (a minute), by size and top",
        tuple(
            f"{n} x {d} top {top}"
            for n in ("100,000", "1,000,000")
            for d in (4, 6, 8)
            for top in (2, 6)
        ),
        ("2,000 x 3 top 3",),
        positions,
        repeats=0,
    ),
    Case(
        "rating-many-products",
        "Find a formula of the top-weighted statistic among thousands in a minute, by size",
        ("22,840 x 6", "1,000,000 x 6"),
        (),
        statistic,
        repeats=0,
    ),
]
