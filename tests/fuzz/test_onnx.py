"""Odd models, and what another runtime makes of them: the same scores and the same labels.

Every case fits a small ranker to odd columns (one value, values one rounding apart, tiny and huge
ones, gaps, categories), exports it, and scores rows that lie on both sides of every value. A fit or
an export may be refused by a ValueError. How to run more cases, or one, stands in ``odd_files``.
"""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from fuzz.odd_files import CASES, ONLY, cases, chance, pick
from rankwright.base import scores_of

onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")

LINEAR = {
    "least squares": rw.LeastSquaresRanker,
    "pairwise": rw.PairwiseRanker,
    "perceptron": rw.PRankPerceptron,
    "plackett-luce": rw.PlackettLuceRanker,
}
TREES = {
    "boosted": lambda: rw.BoostedRanker(3, min_samples_leaf=1, random_state=0),
    "boosted leaf by leaf": lambda: rw.BoostedRanker(3, tree="leafwise", random_state=0),
    "boosted labels": lambda: rw.BoostedOrdinal(3, random_state=0),
    "ordinal": rw.OrdinalTree,
    "ordinal forest": lambda: rw.OrdinalForest(3, random_state=0),
    "treerank": rw.TreeRank,
    "ranking forest": lambda: rw.RankingForest(3, random_state=0),
}
BIPARTITE = ("treerank", "ranking forest")
COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "whole": lambda rng, n: rng.integers(-3, 4, n).astype(float),
    "one value": lambda rng, n: np.full(n, rng.normal()),
    "a rounding apart": lambda rng, n: 1.0 + np.spacing(1.0) * rng.integers(0, 6, n),
    "signed zeros": lambda rng, n: rng.choice([-0.0, 0.0, 1.0], n),
    "tiny": lambda rng, n: rng.normal(size=n) * 1e-300,
    "huge": lambda rng, n: rng.normal(size=n) * 1e12,
}


def make_columns(rng, n, with_gaps):
    """Return odd columns, and which of them are categories."""
    frame = pd.DataFrame(
        {f"f{i}": pick(rng, list(COLUMNS.values()))(rng, n) for i in range(rng.integers(1, 4))}
    )
    if with_gaps and chance(rng, 0.4):
        frame = frame.mask(rng.random(frame.shape) < 0.2)
    if with_gaps and chance(rng, 0.4):
        kinds = [f"k{i}" for i in range(rng.integers(1, 7))]
        frame["kind"] = pd.Categorical(rng.choice(kinds, n))
    return frame


def around(rng, numbers):
    """Return rows whose values are those of the columns, and the next ones on both sides."""
    rows = [np.nextafter(numbers, end) for end in (-np.inf, np.inf)]
    mixed = rng.permuted(numbers, axis=0)
    return np.concatenate([numbers, *rows, mixed])


def labels_of(rng, name, n):
    if name in BIPARTITE:
        return rng.permuted(np.arange(n) % 2)
    codes = rng.permuted(np.arange(n) % int(rng.integers(2, 5)))
    if name in ("ordinal", "ordinal forest", "boosted labels") and chance(rng, 0.3):
        return pd.Categorical.from_codes(codes, ["ä", "b b", "", "d"], ordered=True)
    return codes * pick(rng, [1, -1, 0.25]) + pick(rng, [0, -2, 1000])


def test_odd_models_score_alike_in_another_runtime():
    n_alike = 0
    for case, rng in cases(CASES // 4):
        name = pick(rng, [*LINEAR, *TREES, *TREES])
        n = int(rng.integers(6, 40))
        frame = make_columns(rng, n, name in TREES)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ranker = (LINEAR | TREES)[name]().fit(frame, labels_of(rng, name, n))
                exported = rw.to_onnx(ranker)
        except ValueError:
            continue
        n_alike += 1
        numbers = frame.copy()
        if "kind" in frame:
            facts = {fact.key: fact.value for fact in exported.metadata_props}
            (known,) = json.loads(facts["categories"]).values()
            numbers["kind"] = [known.index(kind) for kind in frame["kind"]]
        rows = around(rng, numbers.drop(columns="kind", errors="ignore").to_numpy(float))
        asked = pd.DataFrame(rows, columns=[name for name in frame if name != "kind"])
        if "kind" in frame:
            asked["kind"] = np.tile(frame["kind"].astype(object), 4)
            rows = np.column_stack([rows, np.tile(numbers["kind"].to_numpy(float), 4)])
        session = onnxruntime.InferenceSession(exported.SerializeToString())
        names = [output.name for output in session.get_outputs()]
        found = dict(zip(names, session.run(names, {"X": rows}), strict=True))
        expected = scores_of(ranker, asked)
        room = 1e-9 * max(1.0, float(np.abs(expected).max()))
        where = f"case {case}: {name}"
        np.testing.assert_allclose(found["score"], expected, rtol=1e-9, atol=room, err_msg=where)
        if "label" in found:
            assert found["label"].tolist() == ranker.predict(asked).tolist(), where
    assert ONLY or n_alike > CASES // 8
