from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.plots import plot_partition, plot_ranking_tree, plot_tree
from rankwright.trees import OrdinalTree

mpl.use("Agg")


@pytest.fixture(scope="module")
def data():
    return rw.datasets.make_ordinal_squares(200, random_state=0)


@pytest.fixture
def ax():
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def test_every_node_has_its_histogram_and_its_text(data, ax):
    tree = OrdinalTree(max_depth=3).fit(data.X, data.y)
    assert plot_tree(tree, ax=ax) is ax
    n_nodes, n_labels = tree.tree_.values.shape
    assert len(ax.texts) == n_nodes
    assert len(ax.patches) == n_nodes * (1 + n_labels)
    assert any(text.get_text().startswith("x1 <= ") for text in ax.texts)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1", "2", "3", "4", "5"]


def test_deeper_nodes_end_in_dots(data, ax):
    plot_tree(OrdinalTree(max_depth=4).fit(data.X, data.y), max_depth=2, ax=ax)
    assert len(ax.texts) == 7
    assert sum("..." in text.get_text() for text in ax.texts) == 4


def test_cells_of_the_partition_have_the_predicted_labels(data, ax):
    tree = OrdinalTree(max_depth=3).fit(data.X, data.y)
    assert plot_partition(tree, data.X, data.y, ax=ax) is ax
    mesh = ax.collections[0]
    edges = mesh.get_coordinates()
    middles = (edges[:-1, :-1] + edges[1:, 1:]) / 2
    frame = type(data.X)(middles.reshape(-1, 2), columns=data.X.columns)
    codes = np.searchsorted(tree.labels_, tree.predict(frame))
    np.testing.assert_array_equal(mesh.get_array().ravel(), codes)
    assert ax.get_xlabel() == "x1"
    assert ax.get_ylabel() == "x2"


@pytest.mark.parametrize("character", ["\0", "\v", "\x1b", "\ufffe"])
@pytest.mark.parametrize(
    ("plot", "tree"), [(plot_tree, OrdinalTree(max_depth=2)), (plot_ranking_tree, rw.TreeRank())]
)
def test_a_name_with_control_characters_is_drawn_as_a_line_that_svg_holds(
    tmp_path, plot, tree, character
):
    X = pd.DataFrame({f"a{character}[31m\n!": range(40), "b": 0.0})
    ax = plot(tree.fit(X, np.arange(40) > 19))
    ax.figure.savefig(tmp_path / "tree.svg")
    assert "a [31m !" in " ".join(text.get_text() for text in ax.texts)
    ElementTree.parse(tmp_path / "tree.svg")
