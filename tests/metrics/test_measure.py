import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from rankwright import metrics
from rankwright.metrics import Measure


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("kendall_tau", Measure("kendall_tau")),
        ("tau", Measure("kendall_tau")),
        ("ERR@20", Measure("expected_reciprocal_rank", {"k": 20})),
        ("P@10", Measure("precision", {"k": 10})),
        ("R@5", Measure("recall", {"k": 5})),
        ("ndcg@10", Measure("ndcg", {"k": 10})),
        (" ndcg ( gains = exponential )@5 ", Measure("ndcg", {"gains": "exponential", "k": 5})),
        ("ndcg(k=5)", Measure("ndcg", {"k": 5})),
        ("MAP(relevant=2, empty=0)", Measure("average_precision", {"relevant": 2}, 0.0)),
        ("ndcg(empty=left out)", Measure("ndcg")),
        (Measure("ndcg", {"k": 5}), Measure("ndcg", {"k": 5})),
        ("rbo(persistence=0.8)", Measure("rank_biased_overlap", {"persistence": 0.8})),
    ],
)
def test_the_notation_is_read(text, read):
    assert Measure.read(text) == read


def test_what_was_read_can_be_read_again():
    text = "ndcg(gains=exponential, empty=0)@10"
    assert str(Measure.read(text)) == text


def test_the_gains_of_ndcg_are_always_said():
    assert str(Measure.read("ndcg@10")) == "ndcg(gains=linear)@10"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndgc", r"metric='ndgc'; choose from \['auc'"),
        ("rank_loss", "metric='rank_loss'; choose from"),
        ("ndcg@", "write a name"),
        ("ndcg(gains)", "option 'gains' of a metric; write option=value"),
        ("auc@10", r"auc has no option 'k'; choose from \['empty'\]"),
        ("ndcg(=5)", "option '=5' of a metric; write option=value"),
        ("ndcg(k=)", "option 'k=' of a metric; write option=value"),
        ("ndcg(K=5)", r"ndcg has no option 'K'; choose from \['k', 'gains', 'empty'\]"),
        ("tau(sample_weight=3)", r"no option 'sample_weight'; choose from \['empty'\]"),
        ("ndcg(empty='0?')", r"empty='0\?'; give a number, or 'left out'"),
        (None, "metric='None'; choose from"),
    ],
)
def test_what_is_not_a_measure_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        Measure.read(text)


@pytest.mark.parametrize(("empty", "mean"), [(None, 1.0), (0, 0.5), (1, 1.0)])
def test_a_list_without_a_gain_counts_as_said(empty, mean):
    y, scores, groups = [1, 0, 0, 0], [2, 1, 2, 1], [0, 0, 1, 1]
    assert metrics.mean_over_groups(metrics.ndcg, y, scores, groups, empty=empty) == mean
    assert Measure("ndcg", empty=empty).by_group(y, scores, groups).mean == mean


def test_a_single_list_counts_as_said_too():
    assert metrics.mean_over_groups(metrics.ndcg, [0, 0], [1, 2], empty=1) == 1.0


def test_a_scorer_reads_the_notation():
    X, y = np.array([[3.0], [2.0], [1.0], [5.0]]), np.array([0, 2, 1, 3])
    model = LinearRegression().fit(X, y)
    expected = metrics.ndcg(y, model.predict(X), k=2, gains="exponential")
    assert metrics.scorer("ndcg(gains=exponential)@2")(model, X, y) == expected
