"""The field's own programs give the same numbers on runs without ties."""

import ast

import numpy as np
import pytest

from rankwright.metrics import Measure

ir_measures = pytest.importorskip("ir_measures", reason="needs the peer ir-measures")

PEERS = {
    "ndcg@10": "nDCG@10",
    "ndcg": "nDCG",
    "ndcg(gains=exponential)@10": "nDCG(gains={0: 0, 1: 1, 2: 3, 3: 7, 4: 15})@10",
    "map(relevant=1)": "AP",
    "map(relevant=3)": "AP(rel=3)",
    "mrr": "RR",
    "mrr(relevant=2)@5": "RR(rel=2)@5",
    "p@7": "P@7",
    "p(relevant=2)@3": "P(rel=2)@3",
    "r@7": "R@7",
}


@pytest.fixture(scope="module")
def run():
    rng = np.random.default_rng(0)
    groups = np.repeat([f"q{i}" for i in range(60)], rng.integers(5, 40, 60))
    grades = rng.choice(5, len(groups), p=[0.4, 0.25, 0.15, 0.1, 0.1])
    scores = rng.permutation(len(groups)) / 7
    return grades, scores, groups


@pytest.mark.skipif(not hasattr(ast, "Num"), reason="the peer asks for what Python 3.14 dropped")
@pytest.mark.parametrize("ours", PEERS)
def test_each_list_has_the_value_of_ir_measures(run, ours):
    grades, scores, groups = run
    names = [f"d{i}" for i in range(len(groups))]
    judged = [ir_measures.Qrel(g, d, int(y)) for g, d, y in zip(groups, names, grades, strict=True)]
    listed = [
        ir_measures.ScoredDoc(g, d, float(s)) for g, d, s in zip(groups, names, scores, strict=True)
    ]
    measure = ir_measures.parse_measure(PEERS[ours])
    theirs = {one.query_id: one.value for one in ir_measures.iter_calc([measure], judged, listed)}
    found = Measure.read(ours).by_group(grades, scores, groups)
    defined = dict(zip(found.labels.tolist(), found.values.tolist(), strict=True))
    assert len(theirs) == 60
    for query, value in theirs.items():
        expected = defined[query] if np.isfinite(defined[query]) else 0.0
        assert value == pytest.approx(expected, rel=0, abs=1e-12), query
