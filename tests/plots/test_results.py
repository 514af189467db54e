"""Plots draw the package's results as they draw plain values."""

import numpy as np
import pytest
from matplotlib import pyplot
from sklearn.dummy import DummyRegressor

import rankwright as rw
from rankwright.comparison import Comparison, RankerResult

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = X @ [2.0, -1.0] + RNG.normal(size=60)
GROUPS = np.repeat(["a", "b", "c"], 20)


@pytest.fixture(autouse=True)
def _close():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def comparison():
    rankers = {
        "linear": rw.ExpectedRankRegressor(),
        "constant": rw.ExpectedRankRegressor(DummyRegressor()),
        "broken": rw.PairwiseRanker(alpha=-1),
    }
    return rw.compare(rankers, X, Y, GROUPS, metric="spearman_rho", n_folds=3)


@pytest.fixture(scope="module")
def formula():
    return rw.RatingFormula(top=3, signs="free").fit(np.round(X[:12], 1), Y[:12])


def points(ax):
    return [line.get_xydata().tolist() for line in ax.lines]


def names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_comparison_is_drawn_as_its_means_without_what_failed(comparison):
    means = {one.name: (one.mean, one.standard_error) for one in comparison.results[:2]}
    ax, plain = rw.plots.plot_comparison(comparison), rw.plots.plot_comparison(means)
    assert points(ax) == points(plain)
    assert names(ax) == ["linear", "constant"]
    assert ax.get_xlabel() == "spearman_rho, held out"


def test_a_comparison_is_drawn_group_by_group(comparison):
    ax = rw.plots.plot_by_group(comparison)
    assert names(ax) == ["a", "b", "c"]
    assert ax.get_xlabel() == "spearman_rho"
    assert [name.split(" ")[0] for name in legend(ax)] == ["linear", "constant"]


def test_values_of_groups_are_drawn_alone_and_by_ranker():
    found = rw.metrics.by_group(rw.metrics.kendall_tau, Y, X[:, 0], GROUPS)
    plain = dict(zip("abc", found.values, strict=True))
    alone, named = rw.plots.plot_by_group(found), rw.plots.plot_by_group({"all": found})
    assert points(alone) == points(named) == points(rw.plots.plot_by_group({"all": plain}))


def test_a_formula_is_drawn_as_its_history_and_its_shares(formula):
    moments = [(one.seconds, one.objective, one.bound) for one in formula.history_]
    plain = rw.plots.plot_convergence(moments)
    assert points(rw.plots.plot_convergence(formula)) == points(plain)
    assert points(rw.plots.plot_convergence(formula.history_)) == points(plain)
    ax = rw.plots.plot_weights(formula)
    widths = [bar.get_width() for bar in ax.patches]
    assert np.sum(np.abs(widths)) == pytest.approx(1.0)
    signs = dict(zip(names(ax), np.sign(widths), strict=True))
    expected = dict(zip(["x0", "x1"], np.sign(formula.weights_), strict=True))
    assert signs == expected
    assert set(signs.values()) == {1.0, -1.0}


def test_one_curve_and_an_estimate_out_of_the_bag_are_drawn():
    curve = rw.metrics.roc_curve(Y > 0, X[:, 0])
    ax, named = rw.plots.plot_roc(curve), rw.plots.plot_roc({"ranker": curve})
    assert points(ax) == points(named)
    forest = rw.RankingForest(5, oob_score=True, random_state=0).fit(X, Y > 0)
    expected = rw.plots.plot_roc({"forest": forest.oob_.roc_curve()})
    assert points(rw.plots.plot_roc({"forest": forest.oob_})) == points(expected)
    assert legend(rw.plots.plot_roc(forest.oob_)) == ["chance", "out of bag"]


def test_a_consensus_and_a_leaderboard_have_places():
    consensus = rw.aggregate(np.array([[1, 1, 2], [2, 3, 1], [3, 2, 3]]))
    board = rw.leaderboard(rw.PreferencePairs([0, 0, 1, 2], [1, 2, 2, 0]))
    ax = rw.plots.plot_slope(consensus, board, ["A", "B", "C"])
    plain = rw.plots.plot_slope(consensus.positions, board.ranks, ["A", "B", "C"])
    assert points(ax) == points(plain)


def test_rankers_that_can_not_be_told_from_the_best_are_hollow():
    best = np.linspace(0.5, 0.9, 12)
    values = {"best": best, "alike": best - 0.01 * (-1) ** np.arange(12), "worse": best - 0.2}
    results = tuple(RankerResult(name, scores, 1.0) for name, scores in values.items())
    comparison = Comparison("kendall_tau", tuple(map(str, range(12))), results, False)
    ax = rw.plots.plot_comparison(comparison)
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    is_hollow = [mark.get_markerfacecolor() != mark.get_color() for mark in marks]
    assert is_hollow == [False, True, False]
