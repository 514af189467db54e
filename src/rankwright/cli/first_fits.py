"""Small work for everything that is compiled: the first fit of each estimator, and what is like it.

``rankwright warm-up`` does all of it ahead, and the benchmarks measure what each takes.
"""

import logging
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["FIRST_FITS", "OTHER_KERNELS", "time_work"]

N_ROWS = 1500  # enough rows in one group for the kernels of long lists


def _fit(name: str, target: str = "y", **settings: Any) -> Callable[[], Any]:
    """Return a function that fits a ranker to generated rows."""

    def fit() -> Any:
        import rankwright as rw

        return getattr(rw, name)(**settings).fit(*_rows(target))

    return fit


def _rows(target: str) -> tuple[Any, ...]:
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 3))
    y = X @ [3.0, 2.0, 1.0] + rng.normal(size=N_ROWS)
    groups = np.minimum(np.arange(N_ROWS) // 10, 50)  # fifty short lists and a long one
    targets = {
        "y": (X, y, groups),
        "labels": (X, np.digitize(y, [-3.0, 0.0, 3.0])),
        "classes": (X, (y > 0).astype(int)),
    }
    return targets[target]


def _rating(objective: str, power: float = 1.0) -> Callable[[], Any]:
    """Return a function that finds a formula behind ranks that no formula reproduces.

    Whole powers leave factors of few digits. Others give them all the digits that floating point
    has, and products of those outgrow 53 bits.
    """

    def fit() -> Any:
        import rankwright as rw

        ratings = rw.datasets.make_product_ratings(
            24, n_factors=3, n_subcategories=2, noise=0.2, random_state=0
        )
        formula = rw.RatingFormula(objective=objective, top=5, random_state=0)
        return formula.fit(ratings.X**power, ratings.y, ratings.groups)

    return fit


def _large_rating() -> Any:
    """Find a formula among more pairs of products than are listed."""
    import numpy as np

    import rankwright as rw

    rng = np.random.default_rng(0)
    X = rng.integers(0, 11, size=(300, 6)) / 2
    y = X @ rng.random(6) + rng.normal(size=len(X))
    return rw.RatingFormula(top=5, time_limit=1.0, random_state=0).fit(X, y)


def _leaderboard() -> Any:
    import numpy as np
    import pandas as pd

    import rankwright as rw

    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 5, size=(2, 300))
    apart = first != second
    battles = pd.DataFrame({"model_a": first[apart], "model_b": second[apart]})
    battles = battles.map("item {}".format)
    battles["winner"] = rng.choice(["model_a", "model_b", "tie"], size=len(battles))
    return rw.leaderboard(battles)


def _consensus() -> Any:
    import numpy as np

    import rankwright as rw

    rng = np.random.default_rng(0)
    return rw.aggregate([[f"item {i}" for i in rng.permutation(12)] for _ in range(7)])


def _large_consensus() -> Any:
    """Look for a consensus of more items than can be tried subset by subset."""
    import numpy as np

    import rankwright as rw

    rng = np.random.default_rng(0)
    return rw.aggregate([rng.permutation(16).tolist() for _ in range(9)], method="kemeny")


def _footrule() -> Any:
    import rankwright as rw

    return rw.aggregate([["a", "b", "c"], ["b", "a", "c"]], method="footrule")


def _top_auc() -> Any:
    import rankwright as rw

    return rw.metrics.top_auc([3, 2, 1], [3, 1, 2], top=1)


def _forest_scores() -> Any:
    """Grow trees of pairs inside groups, and score rows by both kinds of forest."""
    import rankwright as rw

    X, y, groups = _rows("y")
    ordinal = rw.OrdinalForest(2, random_state=0).fit(X, y.round(), groups)
    bipartite = rw.RankingForest(2, random_state=0).fit(*_rows("classes"))
    return ordinal.decision_function(X), bipartite.decision_function(X)


def _weighted_agreement() -> Any:
    import rankwright as rw

    distances = rw.aggregate([["a", "b"], ["b", "a", "c"]], method="footrule", distance="footrule")
    return distances, rw.metrics.kendall_tau([1, 2, 2], [2, 1, 1], sample_weight=[1, 2, 1])


def _frame_scores() -> Any:
    """Score and explain rows that can't be written to, as those of frames are."""
    import rankwright as rw

    fits: dict[str, tuple[str, dict[str, Any]]] = {
        "BoostedRanker": ("y", {"n_estimators": 3}),
        "OrdinalTree": ("labels", {"splitter": "exact"}),
        "TreeRank": ("classes", {"max_depth": 3}),
    }
    found = []
    for name, (target, settings) in fits.items():
        X, *rest = _rows(target)
        ranker = getattr(rw, name)(**settings).fit(X[:200], *(part[:200] for part in rest))
        X.flags.writeable = False
        found += [ranker.predict(X), ranker.explain(X[0], X[1])]
    return found


def _forest_questions() -> Any:
    """Prune, judge forests out of bag, and place new cells in a consensus of trees."""
    from sklearn.base import clone

    import rankwright as rw

    X, y = (part[:200] for part in _rows("classes"))
    small = rw.RankingForest(3, max_depth=2, max_depth_leaf=2, random_state=0)
    forest = clone(small).set_params(oob_score=True).fit(X, y)
    median = small.set_params(aggregation="kemeny").fit(X, y)
    pruned = rw.TreeRank(prune="cv").fit(X, y), rw.OrdinalTree(prune="cv").fit(X, y)
    return forest, median.predict(3 * X), pruned


def _svmlight() -> Any:
    import rankwright as rw

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.svm"
        path.write_text("1 qid:1 1:2.5 3:1e-3\n0 qid:1 2:1\n")
        return rw.read_svmlight(path)


def _large_table() -> Any:
    import rankwright as rw
    from rankwright.data.large_files import LARGE

    row = "item %d,%d,%d.5,text\n"
    n_rows = LARGE // len(row % (0, 0, 0)) + 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.csv"
        lines = (row % (i, i + 1, n_rows - i) for i in range(n_rows))
        path.write_text("name,rank,price,kind\n" + "".join(lines))
        return rw.read_table(path, item="name", target="rank", target_is="rank")


def _boosted_scores() -> Any:
    import numpy as np

    import rankwright as rw

    X, y, groups = _rows("y")
    X = np.column_stack([np.arange(N_ROWS) % 5, X])
    rankers = [
        rw.BoostedRanker(3, tree=tree, categorical_features=[0]).fit(X, y, groups)
        for tree in ("symmetric", "leafwise")
    ]
    return [(ranker.predict(X), ranker.explain(X[0], X[1])) for ranker in rankers]


# What compiles longest stands first, so that processes that share the work end together.
FIRST_FITS: dict[str, Callable[[], Any]] = {
    "RatingFormula": _rating("top_auc"),
    "TreeRank": _fit("TreeRank", "classes"),
    "RankingForest": _fit("RankingForest", "classes", n_estimators=5),
    "BoostedRanker": _fit("BoostedRanker", n_estimators=5),
    "PairwiseRankerCV": _fit("PairwiseRankerCV"),
    "PairwiseRanker": _fit("PairwiseRanker"),
    "PlackettLuceRanker": _fit("PlackettLuceRanker"),
    "PushRanker": _fit("PushRanker", "classes"),
    "ExpectedRankRegressor": _fit("ExpectedRankRegressor"),
    "LeastSquaresRanker": _fit("LeastSquaresRanker"),
    "PreferenceRanker": _fit("PreferenceRanker", "labels"),
    "PRankPerceptron": _fit("PRankPerceptron", "labels"),
    "BayesPointPerceptron": _fit("BayesPointPerceptron", "labels"),
    "OrdinalTree": _fit("OrdinalTree", "labels"),
    "OrdinalForest": _fit("OrdinalForest", "labels", n_estimators=5),
    "BoostedRanker, early stopping": _fit("BoostedRanker", n_estimators=5, early_stopping=True),
    "BoostedOrdinal": _fit("BoostedOrdinal", "labels", n_estimators=5),
    "rw.leaderboard": _leaderboard,
    "rw.aggregate": _consensus,
}
# What other settings than the defaults compile.
OTHER_KERNELS: dict[str, Callable[[], Any]] = {
    "PairwiseRanker, squared hinge": _fit("PairwiseRanker", loss="squared_hinge"),
    "PairwiseRanker, hinge": _fit("PairwiseRanker", loss="hinge"),
    "RatingFormula, positions": _rating("positions"),
    "RatingFormula, many digits": _rating("top_auc", power=0.5),
    "RatingFormula, many products": _large_rating,
    "OrdinalForest with groups, scores of forests": _forest_scores,
    "rw.aggregate of many items": _large_consensus,
    "rw.aggregate by footrule": _footrule,
    "rw.metrics.top_auc": _top_auc,
    "BoostedRanker, scores and explanations": _boosted_scores,
    "weighted agreement": _weighted_agreement,
    "scores and explanations of rows of frames": _frame_scores,
    "pruning, forests out of bag and by consensus": _forest_questions,
    "rw.read_svmlight": _svmlight,
    "rw.read_table of a large file": _large_table,
}


def time_work(name: str) -> tuple[str, float]:
    """Do one of the works; return its name and the processor seconds it took."""
    notices = logging.getLogger("rankwright.compilation")
    was_disabled, notices.disabled = notices.disabled, True  # whoever warms up knows of the wait
    try:
        start = time.process_time()
        (FIRST_FITS | OTHER_KERNELS)[name]()
        return name, round(time.process_time() - start, 2)
    finally:
        notices.disabled = was_disabled
