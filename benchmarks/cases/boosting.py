"""Boosted rankers: quality under the same search, and speed."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import rankwright as rw
from benchmarks.boosters import LEFT_OUT, OURS, PEERS, Fit
from benchmarks.case import Case, Estimate, Task
from benchmarks.ranking_sets import SETS, Lists, at_hand, splits_of
from benchmarks.splits import KEPT_ONLY, engine_version, fingerprint, is_kept, kept
from rankwright.metrics import by_group, kendall_tau, ndcg

RATES = (0.05, 0.1, 0.2)
MOST_TREES, STEP = 300, 20

METRICS: dict[str, Callable[[Lists, np.ndarray], np.ndarray]] = {
    "tau": lambda lists, scores: by_group(kendall_tau, lists.y, scores, lists.groups).values,
    "NDCG@10": lambda lists, scores: (
        by_group(partial(ndcg, k=10), lists.y - lists.y.min(), scores, lists.groups).values
    ),
    "NDCG@10 of 2^y - 1": lambda lists, scores: (
        by_group(
            partial(ndcg, k=10), 2.0 ** (lists.y - lists.y.min()) - 1, scores, lists.groups
        ).values
    ),
}


def search(fit: Fit, lists: Lists, seed: int, rates: tuple[float, ...], n_trees: int) -> np.ndarray:
    """Choose learning rate and number of trees on validation lists; return (metric, test list)."""
    train, validation, test = lists.split(seed)
    best, chosen = -np.inf, np.zeros(len(test.y))
    for rate in rates:
        score = fit(train, rate, n_trees)
        for k in range(STEP, n_trees + 1, STEP):
            tau = np.nanmean(METRICS["tau"](validation, score(validation.X, k)))
            if tau > best:
                best, chosen = tau, score(test.X, k)
    return np.stack([metric(test, chosen) for metric in METRICS.values()])


QUICK = "hotels, one small fit"


@dataclass(frozen=True)
class Reached:
    """What a contender reached: by split, (metric, test list)."""

    by_split: dict[int, np.ndarray]

    def mean(self, row: int) -> float:
        return round(float(np.nanmean(np.hstack(list(self.by_split.values()))[row])), 4)

    def behind(self, ours: "Reached", row: int) -> Estimate | None:
        """Return by how much ours is ahead on the lists of the splits that both have."""
        common = self.by_split.keys() & ours.by_split.keys()
        if self is ours or not common:
            return None
        paired = np.hstack([(ours.by_split[k] - self.by_split[k])[row] for k in common])
        known = paired[np.isfinite(paired)]
        return Estimate(float(known.mean()), float(known.std() / np.sqrt(known.size)))


def quality(name: str) -> Task:
    """Compare all boosters on all splits of a set."""
    quick = name == QUICK
    divided = splits_of("hotels")[:1] if quick else splits_of(name)
    rates, n_trees = ((0.1,), STEP) if quick else (RATES, MOST_TREES)
    names, engine = [fingerprint(lists) for lists in divided], engine_version()
    done: dict[str, Reached] = {}

    def key(contender: str, seed: int) -> str:
        version = engine if contender in OURS else "peer"
        return f"{name}-{names[seed]}/{contender}-{version}-{rates}-{n_trees}/{seed}"

    def work(contender: str, fit: Fit) -> Callable[[], Reached]:
        def run() -> Reached:
            found = {
                seed: kept(key(contender, seed), partial(search, fit, lists, seed, rates, n_trees))
                for seed, lists in enumerate(divided)
                if not KEPT_ONLY or is_kept(key(contender, seed))
            }
            done[contender] = Reached(found)
            return done[contender]

        return run

    def ahead(row: int, result: Reached) -> Estimate | None:
        return result.behind(done["rankwright"], row)

    def is_measured(contender: str) -> bool:
        return not KEPT_ONLY or any(is_kept(key(contender, k)) for k in range(len(divided)))

    left_out = LEFT_OUT.get(name, {})
    works = {
        contender: work(contender, fit)
        for contender, fit in (OURS | PEERS).items()
        if contender not in left_out and is_measured(contender)
    }
    measures: dict[str, Callable[[Any], Any]] = {"splits": lambda result: len(result.by_split)}
    for row, metric in enumerate(METRICS):
        measures[metric] = partial(Reached.mean, row=row)
        measures[f"we are ahead by ({metric})"] = partial(ahead, row)
    return Task(works.pop("rankwright"), works, lambda *_: None, measures, left_out)


N_TREES, MANY_ROWS = 20, 500_000


def _ours(lists: Lists, threads: int, **options: Any) -> Callable[[int], Any]:
    return lambda n_trees=N_TREES: rw.BoostedRanker(
        n_trees, n_jobs=threads, random_state=0, early_stopping=False, **options
    ).fit(lists.X, lists.y, lists.groups)


def _fits(lists: Lists, threads: int) -> dict[str, Callable[[int], Any]]:
    """Return whole fits; of the same work but for the line that says otherwise.

    All rows, all features, 255 bins, trees of 31 leaves or of depth 6.
    """
    everything = {"max_features": None, "row_fraction": 1.0}

    def lightgbm(n_trees: int = N_TREES) -> Any:
        import lightgbm

        parameters = {"verbose": -1, "num_threads": threads, "objective": "lambdarank"}
        data = lightgbm.Dataset(lists.X, lists.y, group=lists.sizes)
        return lightgbm.train(parameters, data, n_trees)

    def xgboost(n_trees: int = N_TREES) -> Any:
        import xgboost

        model = xgboost.XGBRanker(
            objective="rank:ndcg", n_estimators=n_trees, n_jobs=threads, tree_method="hist",
            max_bin=255,
        )  # fmt: skip
        return model.fit(lists.X, lists.y, group=lists.sizes)

    def catboost(n_trees: int = N_TREES) -> Any:
        import catboost

        parameters = {
            "loss_function": "YetiRank", "iterations": n_trees, "thread_count": threads,
            "verbose": False, "allow_writing_files": False,
        }  # fmt: skip
        pool = catboost.Pool(lists.X, lists.y / lists.y.max(), group_id=lists.groups)
        return catboost.CatBoost(parameters).fit(pool)

    return {
        "rankwright": _ours(lists, threads, **everything),
        "rankwright, leaf-wise": _ours(lists, threads, tree="leafwise", **everything),
        "rankwright, as by default": _ours(lists, threads),
        "LightGBM lambdarank": lightgbm,
        "XGBoost ndcg": xgboost,
        "CatBoost YetiRank": catboost,
    }


def speed(size: tuple[int, int, int]) -> Task:
    """Time whole fits; a tree takes what more trees add. The least of all rounds counts."""
    n_rows, n_features, threads = size
    fits = _fits(_lists(n_rows, n_features), threads)
    skipped = {}
    if n_rows > MANY_ROWS:
        del fits["CatBoost YetiRank"]
        skipped["CatBoost YetiRank"] = "takes too long"
    least: dict[str, np.ndarray] = {}

    def work(name: str, fit: Callable[..., Any]) -> Callable[[], str]:
        def run() -> str:
            times = np.concatenate([_clocked(fit, 2), _clocked(fit, 2 + N_TREES)])
            least[name] = np.minimum(least.get(name, np.inf), times)
            return name

        return run

    def per_tree(clock: int, name: str) -> float:
        return float((1e3 * (least[name][2 + clock] - least[name][clock]) / N_TREES).round(2))

    works = {name: work(name, fit) for name, fit in fits.items()}
    return Task(
        works.pop("rankwright"), works, lambda *_: None,
        {
            "ms for a tree": partial(per_tree, 0),
            "ms of processor time for a tree": partial(per_tree, 1),
            "s for the longer fit": lambda name: float(least[name][2].round(3)),
        },
        skipped,
    )  # fmt: skip


def _clocked(fit: Callable[..., Any], n_trees: int) -> list[float]:
    """Return the elapsed time and the processor time of a fit."""
    start = time.perf_counter(), time.process_time()
    fit(n_trees)
    return [time.perf_counter() - start[0], time.process_time() - start[1]]


def _lists(n_rows: int, n_features: int) -> Lists:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    latent = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.normal(size=n_rows)
    grades = np.clip(np.round(latent + 2), 0, 4)
    return Lists(X, grades, np.arange(n_rows) // 100)


def scoring(size: tuple[int, int, int]) -> Task:
    """Time the scores of new rows by a hundred trees."""
    n_rows, n_features, threads = size
    fits = _fits(_lists(20_000, n_features), threads)
    ours, leafwise = fits["rankwright"](100), fits["rankwright, leaf-wise"](100)
    theirs = fits["LightGBM lambdarank"](100)
    X = np.random.default_rng(1).normal(size=(n_rows, n_features))
    return Task(
        lambda: ours.predict(X),
        {
            "rankwright, leaf-wise": lambda: leafwise.predict(X),
            "LightGBM lambdarank": lambda: theirs.predict(X, num_threads=threads),
        },
        lambda *_: None,
    )


# The peak from /proc: a child process inherits its parent's ru_maxrss.
MEMORY_PROGRAM = """
import re, sys
from benchmarks.cases.boosting import _fits, _lists
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
who, n, d = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
_fits(_lists(2000, d), 1)[who](2)
lists = _lists(n, d)
before = peak()
_fits(lists, 1)[who](5)
print((peak() - before) / 1024)
"""


def memory(size: tuple[int, int]) -> Task:
    """Return by how many megabytes a process that holds the data grows while it fits."""

    def grown(who: str) -> Callable[[], float]:
        command = [sys.executable, "-c", MEMORY_PROGRAM, who, *map(str, size)]
        return lambda: float(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout
        )

    names = (
        "rankwright, leaf-wise", "rankwright, as by default", "LightGBM lambdarank", "XGBoost ndcg",
    )  # fmt: skip
    return Task(
        grown("rankwright"),
        {name: grown(name) for name in names},
        lambda *_: None,
        {"MB while fitting": float},
    )


def one_list(n_rows: int) -> Task:
    """Fit one list of very many rows, which LightGBM refuses beyond 10,000."""
    data = _lists(n_rows, 20)
    return Task(
        lambda: rw.BoostedRanker(N_TREES, random_state=0, early_stopping=False).fit(data.X, data.y),
        {},
        lambda *_: None,
        {"tau": lambda ranker: ranker.score(data.X[:10_000], data.y[:10_000])},
        {"LightGBM lambdarank": "refuses more than 10,000 rows"} if n_rows > 10_000 else {},
    )


SEARCH = (
    f"Learning rate ({', '.join(map(str, RATES))}) and number of trees (up to {MOST_TREES}) chosen "
    "by tau on validation lists, alike for all; means over test lists, paired differences over the "
    "*splits* that both have"
)
FITS = (
    "lists of 100 rows, 255 bins, all rows and features for each tree (but in the line that says "
    "otherwise); *seconds* are those of both fits: rows, features, threads"
)
CASES = [
    *(
        Case(
            f"boosting-{name}", f"{SETS[name].__doc__} {SEARCH}",
            (name,), (QUICK,) if name == "hotels" else (), quality, repeats=0, timed=False,
        )
        for name in SETS
        if at_hand(name)
    ),
    Case(
        "boosting-speed",
        f"Whole fits, twice: of 2 and of {N_TREES + 2} trees, {FITS}",
        ((100_000, 50, 1), (100_000, 50, 2)), ((5_000, 20, 1),), speed, repeats=1,
    ),
    Case(
        "boosting-speed-large",
        f"The same without CatBoost, {FITS}",
        ((1_000_000, 136, 1), (1_000_000, 136, 2)), (), speed, repeats=1,
    ),
    Case(
        "boosting-scoring", "Scores by a hundred trees: rows, features, threads",
        ((100_000, 50, 1), (100_000, 50, 2)), ((1_000, 20, 1),), scoring, repeats=3,
    ),
    Case(
        "boosting-memory", "What a fit adds to the memory of a process with data: rows, features",
        ((100_000, 50), (1_000_000, 136)), ((5_000, 20),), memory, repeats=0,
    ),
    Case(
        "boosting-one-list", f"One list of so many rows, 20 features, {N_TREES} trees",
        (10_000, 100_000, 1_000_000), (5_000,), one_list, repeats=0,
    ),
]  # fmt: skip
