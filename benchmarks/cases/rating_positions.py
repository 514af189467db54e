"""RankHow's objective on its own players: the least position error of the top, and its proof."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.linear_model import LinearRegression

from benchmarks.case import Case, Task
from rankwright.reverse import RatingFormula

# The folder `data` of RankHow's repository, of which `per.csv` has all 22,840 seasons of players.
RANKHOW = Path(os.environ.get("RANKHOW", Path(__file__).parents[3] / "shared" / "data" / "rankhow"))
MINUTE = 60.0


@dataclass(frozen=True)
class Found:
    """A position error, and what is proved of the least one."""

    error: float
    bound: float = np.nan
    proved: bool = False


def _players(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Return statistics of players and their places: a vote's, or by the last column."""
    table = pd.read_csv(RANKHOW / f"{name}.csv", skiprows=1).iloc[:-1]
    table = table.set_index(table.columns[0]).astype(float)
    last = table.iloc[:, -1]
    return table.iloc[:, :-1], rankdata(last if name == "mvp" else -last, "min")


def _absent(name: str) -> Task:
    reason = f"{name}.csv is not in the folder that RANKHOW names"
    return Task(lambda: None, {}, lambda *_: None, skipped={"all": reason})


def _position_errors(X: pd.DataFrame, places: np.ndarray, top: int) -> Task:
    """The least position error beside that of non-negative linear regression."""

    def ours() -> Found:
        formula = RatingFormula(
            "positions", top=top, signs="positive", time_limit=MINUTE, n_jobs=2, random_state=0
        ).fit(X, -places)
        return Found(formula.objective_, formula.bound_, formula.status_ == "optimal")

    def regression() -> Found:
        scores = LinearRegression(positive=True).fit(X, -places).predict(X)
        taken = rankdata(-scores, "min")
        return Found(float(np.abs(taken - places)[places <= top].sum()))

    def agree(_: str, ours: Found, theirs: Found) -> None:
        assert ours.bound <= ours.error <= theirs.error

    return Task(
        ours=ours,
        peers={"non-negative regression": regression},
        agree=agree,
        measures={
            "position error": lambda found: found.error,
            "bound": lambda found: found.bound,
            "proved": lambda found: float(found.proved),
        },
    )


def of_players(size: str) -> Task:
    name, top = size.split(" top ")
    if not (RANKHOW / f"{name}.csv").exists():
        return _absent(name)
    return _position_errors(*_players(name), int(top))


def of_seasons(size: str) -> Task:
    n_statistics, top = (int(number) for number in size.split(" statistics, top "))
    if not (RANKHOW / "per.csv").exists():
        return _absent("per")
    X, places = _players("per")
    return _position_errors(X.iloc[:, :n_statistics], places, top)


CASES = [
    Case(
        "rating-positions",
        "Find the least position error of RankHow's players, by data and top",
        tuple(f"{name} top {top}" for name in ("mvp", "per-1") for top in range(2, 11)),
        ("mvp top 3",),
        of_players,
        repeats=1,
    ),
    Case(
        "rating-seasons",
        "Find and prove the least position error of RankHow's 22,840 seasons of basketball "
        "players, in a minute at most, by the number of statistics and the top",
        tuple(f"{m} statistics, top {top}" for m in range(4, 9) for top in range(2, 7)),
        (),
        of_seasons,
        repeats=0,
    ),
]
