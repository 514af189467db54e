import numpy as np
import pytest

from rankwright.reverse import RatingFormula
from rankwright.reverse.clock import Clock
from rankwright.reverse.investigation import QUESTIONS
from rankwright.reverse.questions import chosen_unit, judge_weights, weight_table

RNG = np.random.default_rng(3)
X = np.round(RNG.uniform(0, 100, (40, 3)), 1)
NAMES = ["x0", "x1", "x2"]
WEIGHTS = np.array([50.0, 30.0, 20.0])


@pytest.fixture(scope="module")
def formula():
    return RatingFormula(top=5, random_state=0).fit(X, X @ WEIGHTS)


@pytest.fixture(scope="module")
def ranges(formula):
    with Clock(600.0) as clock:
        return QUESTIONS["weight_ranges"](None, formula, clock)


def test_weights_sum_to_100_in_every_unit():
    table = weight_table(X, np.array([2.0, -1.0, 1.0]), list("abc"))
    for unit in ("percent", "deviation", "share"):
        assert table[unit].abs().sum() == pytest.approx(100)
    assert table.loc["b", "percent"] == pytest.approx(-25)


def test_scores_of_one_scale_are_shown_as_plain_percents():
    assert chosen_unit(X) == "percent"
    assert chosen_unit(X * [1, 1, 30]) == "share"
    assert chosen_unit(X - 50) == "share"


def test_true_weights_lose_no_pair_and_lie_inside_the_proved_ranges(formula, ranges):
    assert ranges["share"].tolist() == pytest.approx(
        weight_table(X, formula.weights_, list("abc"))["percent"].tolist()
    )
    judged = judge_weights(
        formula.rating_, formula.solution_, dict(zip(NAMES, WEIGHTS, strict=True)), ranges
    )
    assert judged.given.lost == judged.found.lost == 0
    assert judged.table["inside"].tolist() == [True, True, True]


def test_wrong_weights_lose_pairs_and_lie_outside(formula, ranges):
    given = {"x0": 20.0, "x1": 30.0, "x2": 50.0}
    judged = judge_weights(formula.rating_, formula.solution_, given, ranges)
    assert judged.given.lost > 0
    assert judged.outside == ["x0", "x2"]


def test_without_ranges_nothing_is_called_inside(formula):
    given = dict.fromkeys(["x0", "x1", "x2"], 1.0)
    judged = judge_weights(formula.rating_, formula.solution_, given)
    assert judged.table["inside"].tolist() == [None, None, None]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"x0": 1, "x1": 1}, "no weight is given for 'x2'"),
        ({"x0": 1, "x1": 1, "x2": 1, "y": 1}, "weights are given for 'y'"),
        ({"x0": 0, "x1": 0, "x2": 0}, "all given weights are 0"),
    ],
)
def test_given_weights_are_checked(formula, given, said):
    with pytest.raises(ValueError, match=said):
        judge_weights(formula.rating_, formula.solution_, given)
