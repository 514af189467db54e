from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import rankwright.plots as plots
from rankwright.data import pairwise_transform
from rankwright.datasets import make_blocks, make_ordinal_squares
from rankwright.explanation import Explanation
from rankwright.leaderboards import leaderboard
from rankwright.metrics import roc_curve, roc_envelope
from rankwright.trees import BoostedRanker, OrdinalTree


def roc_of_replications():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    curves = [roc_curve(y, y + spread * rng.standard_normal(120)) for spread in [0.9] * 8]
    optimal = roc_curve(y, y + 0.6 * rng.standard_normal(120))
    named = {"forest": curves[0], "tree": roc_curve(y, np.round(y + rng.standard_normal(120)))}
    return plots.plot_roc(named, envelope=roc_envelope(curves), optimal=optimal)


def slope_of_cameras():
    names = ["Alder C100", "Basalt C110", "Cirrus C120", "Dune C130", "Ember C140", "Fjord C150"]
    published, reproduced = [1, 2, 3, 4, 5, 6], [1, 2, 5, 3, 4, 6]
    return plots.plot_slope(published, reproduced, names, top=3, title="compact")


def slope_of_bands():
    names = ["Oxford", "Delft", "Kyoto", "Accra", "Lima", "Perth", "Quito"]
    return plots.plot_slope(
        [1, 2, 2, 4, 4, 4, 7],
        [1, 3, 2, 6, 3, 5, 7],
        names,
        printed=["1", "=2", "=2", "201-225", "201-225", "201-225", "601+"],
        moved=[0, 0, 0, 0, 1, 0, 0],
    )


def ranking_of_cities():
    names = ["Oxford", "Delft", "Kyoto", "Accra with a name that is far too long for one line"]
    return plots.plot_ranking([81.5, 60, 22, -9.5], names, positions=[1, 2, 3, 4], title="cities")


def map_of_lengths():
    rng = np.random.default_rng(1)
    values = np.outer([0.6, 0.3, 0.12, 0.02], [1, 0.8, 0.5, 0.3, 0.1]) - 0.06 * rng.random((4, 5))
    values[0, 3:] = np.nan
    table = pd.DataFrame(values, index=[2, 5, 10, 50], columns=[0, 1, 3, 5, 17])
    return plots.plot_improvement(
        table.rename_axis(index="length K", columns="spread d"), title="top hotels"
    )


def groups_of_two_rankers():
    groups = ["compact", "mirrorless", "reflex", "rugged", "superzoom"]
    forest, linear = [0.81, 0.7, 0.92, 0.66, 0.85], [0.75, 0.74, 0.8, 0.7, 0.6]
    return plots.plot_by_group(
        {
            "ranking-forest": dict(zip(groups, forest, strict=True)),
            "pairwise-ranker": dict(zip(groups, linear, strict=True)),
        }
    )


def comparison_of_three():
    return plots.plot_comparison(
        {"ranking-forest": (0.78, 0.02), "pairwise-ranker": (0.74, 0.03), "p-rank": (0.6, 0.05)}
    )


def shapes_of_an_additive_ranker():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 3)), columns=["price ($)", "stars", "noise"])
    X["kind"] = pd.Categorical(rng.choice(["hotel", "hostel", "flat"], 400))
    X.loc[::9, "stars"] = np.nan
    y = np.tanh(2 * X["stars"].fillna(0.5)) - X["price ($)"] * (X["kind"] == "flat")
    ranker = BoostedRanker(40, interactions=1, random_state=0).fit(X, y)
    return plots.plot_shapes(ranker, most=4)[0]


def leaderboard_of_drinks():
    wins = {
        ("tea", "milk"): (30, 20), ("tea", "water"): (45, 5), ("milk", "water"): (40, 10),
        ("juice", "water"): (41, 9), ("juice", "tea"): (22, 28), ("$oda", "juice"): (3, 0),
    }  # fmt: skip
    rows = [
        (first, second, winner, n)
        for (first, second), counts in wins.items()
        for winner, n in zip((first, second), counts, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["left", "right", "winner", "n"])
    return plots.plot_leaderboard(leaderboard(frame))


SHARES = {"photo_quality": 0.34, "weight": -0.21, "response_time": 0.19, "video": 0.17, "lcd": 0.09}


def weights_with_ranges():
    outer = {name: (share - 0.06, share + 0.05) for name, share in SHARES.items()}
    inner = {name: (share - 0.02, share + 0.02) for name, share in SHARES.items()}
    true = {name: share + 0.01 for name, share in SHARES.items()}
    return plots.plot_weights(SHARES, outer=outer, inner=inner, true=true)


def convergence_to_a_proof():
    history = [(0.0, 0.8, np.inf), (0.2, 0.86, 1.0), (0.5, 0.91, 0.97), (1.4, 0.93, 0.95)]
    return plots.plot_convergence([*history, (3.0, 0.94, 0.94)])


def plan(cost, gain, *changes, position):
    return SimpleNamespace(cost=cost, gain=gain, changes=changes, position=position)


def frontier_of_plans():
    plans = [
        plan(0, 0.0, position=9),
        plan(2, 1.1, "Larger battery", position=8),
        plan(5, 3.3, "Add 2 megapixels", position=6),
        plan(7, 4.4, "Larger battery", "Add 2 megapixels", position=6),
        plan(10, 7.6, "Most modes", position=3),
        plan(15, 10.9, "Most modes", "Add 2 megapixels", position=1),
    ]
    return plots.plot_frontier(plans, marked=[plans[2], plans[4]])


def squares():
    return make_ordinal_squares(300, random_state=0)


def tree_of_squares():
    data = squares()
    return plots.plot_tree(OrdinalTree(max_depth=3).fit(data.X, data.y))


def partition_of_squares():
    data = squares()
    return plots.plot_partition(OrdinalTree(max_depth=5).fit(data.X, data.y), data.X, data.y)


def curves_of_lengths():
    index = pd.Index([2, 5, 10, 50], name="length K")
    table = {"pairwise": [0.8, 0.82, 0.83, 0.84], "pointwise": [0.2, 0.4, 0.6, 0.72]}
    published = {"pointwise, published": [0.25, 0.39, 0.55, 0.7]}
    errors = pd.DataFrame({"pairwise": [0.01] * 4, "pointwise": [0.03] * 4}, index)
    return plots.plot_curves(
        pd.DataFrame(table | published, index),
        errors,
        y="mean tau",
        logarithmic=True,
        dashed=list(published),
    )


def points_of_blocks():
    blocks = make_blocks()
    return plots.plot_points(blocks.X, blocks.y, blocks.groups, direction=blocks.direction)


def pairs_of_blocks():
    blocks = make_blocks()
    pairs = pairwise_transform(blocks.X, blocks.y, blocks.groups)
    return plots.plot_pairs(*pairs, normal=blocks.direction)


def reasons_with_errors():
    return plots.plot_explanation(
        Explanation(
            "Alder C100",
            "Basalt $110",
            np.array(["zoom", "price, $", "colour"], dtype=object),
            contributions=np.array([2.5, -1.1, 0.4]),
            values=np.array([9.5, 340.0, "dark red"], dtype=object),
            other_values=np.array([3.0, np.nan, "blue"], dtype=object),
            score=7.2,
            other_score=5.4,
            standard_errors=np.array([0.2, 0.3, 0.1]),
        )
    )


def stacked_measures():
    table = pd.DataFrame(
        {"M1": [0.0, 0.2, 0.3], "M2": [0.02, 0.0, 0.03], "M3": [0.05, 0.1, 0.0]},
        index=["LS1", "LS2", "MIO-RE"],
    )
    return plots.plot_stacked(table, title="fold 4", y="above the worst")


PICTURES = {
    "comparison": comparison_of_three,
    "convergence": convergence_to_a_proof,
    "curves": curves_of_lengths,
    "explanation": reasons_with_errors,
    "frontier": frontier_of_plans,
    "groups": groups_of_two_rankers,
    "improvement_map": map_of_lengths,
    "leaderboard": leaderboard_of_drinks,
    "shapes": shapes_of_an_additive_ranker,
    "pairs": pairs_of_blocks,
    "partition": partition_of_squares,
    "points": points_of_blocks,
    "roc": roc_of_replications,
    "slope": slope_of_cameras,
    "stacked": stacked_measures,
    "tree": tree_of_squares,
    "weights": weights_with_ranges,
    "slope_bands": slope_of_bands,
    "ranking": ranking_of_cities,
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_looks_like_the_stored_one(name, looks_like):
    assert looks_like(PICTURES[name](), name) is None


def test_another_picture_does_not_look_like_the_stored_one(looks_like):
    other = {"ranking-forest": (0.78, 0.02), "pairwise-ranker": (0.5, 0.03), "p-rank": (0.4, 0.01)}
    assert looks_like(plots.plot_comparison(other), "comparison") is not None


@pytest.mark.parametrize("name", sorted(PICTURES.keys() - {"tree"}))
def test_the_axes_are_labelled(name):
    ax = PICTURES[name]()
    assert ax.get_xlabel() or [label.get_text() for label in ax.get_xticklabels()]


def test_plots_draw_on_the_axes_given():
    from matplotlib import pyplot

    _, (left, right) = pyplot.subplots(1, 2)
    assert plots.plot_comparison({"a": (0.5, 0.1)}, ax=right) is right
    assert not left.lines


def test_names_with_dollar_signs_are_no_formulas():
    ax = plots.plot_slope([1, 2], [2, 1], ["$5 to $10", "x_1 ^ $2"])
    ax.figure.canvas.draw()
    assert {text.get_text() for text in ax.texts} >= {"$5 to $10  1", "x_1 ^ $2  2"}


def test_long_names_are_shortened():
    ax = plots.plot_slope([1, 2], [1, 2], ["A" * 90, "B"])
    assert max(len(text.get_text()) for text in ax.texts) < 50


def test_points_of_more_than_two_features_are_refused():
    with pytest.raises(ValueError, match=r"X has shape \(4, 3\); a plane needs two columns"):
        plots.plot_points(np.zeros((4, 3)), [0, 1, 0, 1])


def test_panels_come_row_by_row():
    axes = plots.panels(2, 3)
    assert [ax.get_subplotspec().num1 for ax in axes] == list(range(6))


def test_several_envelopes_are_bands_with_names():
    curve = roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    bands = {name: roc_envelope([curve]) for name in ("bagging", "forest")}
    ax = plots.plot_roc({}, envelope=bands)
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == ["chance", "bagging", "forest"]
    colours = {tuple(band.get_facecolor()[0]) for band in ax.collections}
    assert len(colours) == 2
