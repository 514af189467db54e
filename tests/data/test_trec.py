import ast

import numpy as np
import pytest

from rankwright.data import read_trec
from rankwright.metrics import Measure

QRELS = "401 0 a 2\n401 0 b 0\n401 0 c 1\n402 0 a 1\n402 0 d -2\n403 0 a 1\n"
RUN = """401 Q0 b 1 3.5 me
401 Q0 a 2 3.0 me
401 Q0 x 3 1.0 me
402 Q0 d 1 9 me
402 Q0 a 2 8 me
499 Q0 a 1 1 me
"""


@pytest.fixture
def save(tmp_path):
    def write(qrels=QRELS, run=RUN):
        (tmp_path / "qrels").write_text(qrels)
        (tmp_path / "run").write_text(run)
        return tmp_path / "qrels", tmp_path / "run"

    return write


def test_a_run_gets_its_grades_and_what_it_missed_stands_last(save):
    judged = read_trec(*save())
    assert judged.groups.tolist() == ["401"] * 4 + ["402"] * 2
    assert judged.documents.tolist() == ["b", "a", "x", "c", "d", "a"]
    assert judged.y.tolist() == [0, 2, 0, 1, 0, 1]
    assert judged.returned.tolist() == [True, True, True, False, True, True]
    assert judged.scores[3] < judged.scores[2]


@pytest.mark.parametrize("score", ["1e17", "-1e300", "0", "5"])
def test_what_a_run_missed_is_below_its_scores_however_large_they_are(save, score):
    judged = read_trec(*save(run=f"401 Q0 b 1 {score} me\n401 Q0 a 2 {score} me\n"))
    assert judged.returned.tolist() == [True, True, False]
    assert judged.scores[2] < judged.scores[1] == judged.scores[0]


@pytest.mark.skipif(not hasattr(ast, "Num"), reason="the peer asks for what Python 3.14 dropped")
def test_measures_of_the_places_that_the_run_has_are_those_of_ir_measures(tmp_path):
    ir_measures = pytest.importorskip("ir_measures", reason="needs the peer ir-measures")
    rng = np.random.default_rng(0)
    qrels, run = [], []
    for topic in range(20):
        documents = rng.permutation(60)
        qrels += [f"{topic} 0 d{d} {rng.integers(0, 4)}" for d in documents[:30]]
        run += [f"{topic} Q0 d{d} 0 {60 - i} me" for i, d in enumerate(rng.permutation(60)[:40])]
    (tmp_path / "qrels").write_text("\n".join(qrels))
    (tmp_path / "run").write_text("\n".join(run) + "\n")
    judged = read_trec(tmp_path / "qrels", tmp_path / "run")
    theirs = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels")))
    listed = list(ir_measures.read_trec_run(str(tmp_path / "run")))
    for ours, name in (("ndcg@10", "nDCG@10"), ("r@20", "R@20"), ("mrr", "RR"), ("p@5", "P@5")):
        found = Measure.read(ours).by_group(judged.y, judged.scores, judged.groups)
        peer = ir_measures.calc_aggregate([ir_measures.parse_measure(name)], theirs, listed)
        assert found.mean == pytest.approx(next(iter(peer.values())), rel=0, abs=1e-12)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"run": "401 Q0 a 1 3.5\n"}, "run, line 1: expected 'topic Q0 document rank score system"),
        ({"qrels": "401 0 a\n"}, "qrels, line 1: expected 'topic iteration document grade', found"),
        (
            {"run": f"\n{RUN}\n7 Q0 b 2\n8 x\n"},
            r"run, line 9: .* rank score system', found '7 Q0 b 2'$",
        ),
        ({"run": "401 Q0 a 1 high me\n"}, "run: 'high' is no score"),
        (
            {"run": "401 Q0 a 1 2 me\n401 Q0 b 2 inf me\n401 Q0 c 3 x me\n"},
            "run: 'inf' is no score",
        ),
        ({"qrels": "401 0 a 2\n401 0 a 1\n"}, "qrels: document 'a' is there twice for topic '401'"),
        (
            {"qrels": "1 0 a 2\n1 0 b 1\n2 0 a 1\n2 0 a 1\n1 0 b 1\n"},
            "document 'a' is .* topic '2'",
        ),
        ({"run": "7 Q0 a 1 1 me\n"}, "no topic of run is judged in qrels"),
    ],
)
def test_what_is_wrong_is_named(save, files, message):
    with pytest.raises(ValueError, match=message):
        read_trec(*save(**files))
