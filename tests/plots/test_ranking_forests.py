"""Pictures of ranking trees and forests."""

import matplotlib as mpl
import pytest

import rankwright as rw
from rankwright.plots import plot_oob_roc, plot_ranking_tree
from rankwright.trees import RankingForest, TreeRank

mpl.use("Agg")


@pytest.fixture(scope="module")
def data():
    return rw.datasets.make_rf10_sparse(200, random_state=0)


def test_a_picture_shows_each_cell_with_its_share(data):
    model = TreeRank(max_depth=2, max_depth_leaf=2, min_samples_leaf=5).fit(data.X, data.y)
    ax = plot_ranking_tree(model)
    texts = [text.get_text() for text in ax.texts]
    assert "50% of 200" in texts
    assert sum(" of " in text for text in texts) == model.tree_.cells.size
    assert any(text.startswith("left if") for text in texts)


def test_cells_below_the_depth_end_in_dots(data):
    model = TreeRank(max_depth=3, max_depth_leaf=2).fit(data.X, data.y)
    texts = [text.get_text() for text in plot_ranking_tree(model, max_depth=1).texts]
    assert "..." in texts
    assert sum(" of " in text for text in texts) == 3


def test_the_better_cell_stands_left(data):
    model = TreeRank(max_depth=1, max_depth_leaf=1).fit(data.X, data.y)
    shares = {
        t.get_text(): t.get_position()[0]
        for t in plot_ranking_tree(model).texts
        if "%" in t.get_text()
    }
    left, right = sorted((x, text) for text, x in shares.items() if not text.endswith("of 200"))
    assert int(left[1].split("%")[0]) > int(right[1].split("%")[0])


def test_the_out_of_bag_curve_names_its_auc(data):
    forest = RankingForest(20, oob_score=True, random_state=0).fit(data.X, data.y)
    ax = plot_oob_roc(forest, n_resamples=5, random_state=0)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert f"out of bag, AUC over pairs {forest.oob_.auc:.3f}" in labels
    with pytest.raises(ValueError, match="oob_score=True"):
        plot_oob_roc(RankingForest(2).fit(data.X, data.y))
