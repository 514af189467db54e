"""What users named is drawn as it is: no mathematics, no hidden entries, one line each."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import rankwright.plots as plots
from rankwright.aggregation import aggregate
from rankwright.improve import Change, Planner
from rankwright.metrics import roc_curve
from rankwright.plots.axes import shortened
from rankwright.trees import OrdinalTree, TreeRank

# Read as mathematics, the first is an error; matplotlib leaves out legends that begin so.
ODD = ["$x^$ [b] <b> &", "_hidden $5 to $10", "two\nlines $\\alpha$", ":smile: $x$"]
SHOWN = [" ".join(name.split()) for name in ODD]
X = pd.DataFrame(np.random.default_rng(0).random((60, 2)), columns=ODD[:2])
NUMBERS = pd.DataFrame(np.eye(4), index=pd.Index(ODD, name=ODD[0]), columns=ODD)


def consensus():
    votes = pd.DataFrame({name: [1, 2, 3, 4] for name in ODD}, index=ODD)
    return plots.plot_consensus(aggregate(votes), votes, voters=ODD)


def frontier():
    changes = [Change(name, 3, {"stars": 1}) for name in ODD]
    plans = Planner({"stars": 1}, changes).frontier({"stars": 1})
    return plots.plot_frontier(plans, marked=plans[-1:], title=ODD[0])


def curve():
    return roc_curve([1, 0, 1, 0], [3, 2, 2, 1])


def tree():
    return OrdinalTree(max_depth=2).fit(X, (4 * X[ODD[0]]).astype(int))


PICTURES = {
    "by_group": lambda: plots.plot_by_group({name: dict.fromkeys(ODD, 0.5) for name in ODD}),
    "comparison": lambda: plots.plot_comparison(dict.fromkeys(ODD, (0.5, 0.1)), metric=ODD[0]),
    "consensus": consensus,
    "curves": lambda: plots.plot_curves(NUMBERS.set_axis([1, 2, 3, 4]), y=ODD[0], title=ODD[1]),
    "frontier": frontier,
    "improvement": lambda: plots.plot_improvement(NUMBERS, title=ODD[0]),
    "pairs": lambda: plots.plot_pairs(X, np.ones(60), title=ODD[2]),
    "partition": lambda: plots.plot_partition(tree(), X, (4 * X[ODD[0]]).astype(int)),
    "points": lambda: plots.plot_points(X, np.ones(60), np.resize(ODD, 60)),
    "ranking_tree": lambda: plots.plot_ranking_tree(
        TreeRank(max_depth=2).fit(X, X[ODD[0]] + X[ODD[1]] > 1)
    ),
    "roc": lambda: plots.plot_roc({name: curve() for name in ODD}),
    "slope": lambda: plots.plot_slope([1, 2, 3, 4], [2, 1, 3, 4], ODD, names=(ODD[0], ODD[1])),
    "stacked": lambda: plots.plot_stacked(NUMBERS, title=ODD[0], y=ODD[1]),
    "tree": lambda: plots.plot_tree(tree()),
    "weights": lambda: plots.plot_weights(dict.fromkeys(ODD, 0.25)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_names_are_text_in_every_picture(name):
    figure = PICTURES[name]().figure
    figure.canvas.draw()
    written = [text for text in figure.findobj(Text) if "$" in text.get_text()]
    own = [text for text in written if not text.get_text().startswith("$\\mathdefault")]
    assert own
    assert not any(text.get_parse_math() for text in own)
    assert not any(line in text.get_text() for text in own for line in ("two\n", "\nlines"))


@pytest.mark.parametrize("name", ["by_group", "curves", "points", "roc", "stacked"])
def test_no_name_is_missing_from_a_legend(name):
    shown = " ".join(text.get_text() for text in PICTURES[name]().get_legend().get_texts())
    assert all(word in shown for word in SHOWN)


def test_control_characters_are_left_out():
    ax = plots.plot_weights({"bell \x07rings": 1.0})
    assert ax.get_yticklabels()[0].get_text() == "bell rings"


def test_points_of_every_group_are_drawn():
    groups = np.arange(60) % 7
    ax = plots.plot_points(X, np.ones(60), groups)
    assert sum(len(drawn.get_offsets()) for drawn in ax.collections) == 60
    markers = {tuple(drawn.get_paths()[0].vertices.ravel()) for drawn in ax.collections}
    assert len(markers) == 7


def test_more_groups_than_markers_are_drawn_and_said():
    groups = np.arange(60) % 15
    with pytest.warns(UserWarning, match="15 groups, 12 markers: they repeat"):
        ax = plots.plot_points(X, np.ones(60), groups)
    assert sum(len(drawn.get_offsets()) for drawn in ax.collections) == 60
    assert "15 groups, 12 markers" in [text.get_text() for text in ax.get_legend().get_texts()]


class TestWithoutColour:
    """Series differ by more than their colour."""

    def test_curves_have_lines_of_their_own(self):
        ax = plots.plot_roc({name: curve() for name in "abcdef"})
        lines = [str(line._unscaled_dash_pattern) for line in ax.get_lines()]
        assert len(set(lines)) == len(lines)

    def test_the_bound_is_dashed(self):
        ax = plots.plot_convergence([(0.1, 0.8, 1.0), (2.0, 0.9, 0.95)])
        bound, _, best, _ = ax.get_lines()
        assert bound.get_linestyle() != best.get_linestyle()

    def test_parts_of_bars_are_hatched(self):
        ax = plots.plot_stacked(pd.DataFrame([[1, 2, 3]], columns=list("abc")))
        assert len({bar.get_hatch() for bar in ax.patches}) == 3

    def test_grades_have_sizes(self):
        ax = plots.plot_points([[0, 1], [1, 0], [2, 2]], [0, 1, 2], [0, 0, 1])
        assert (
            len({tuple(dots.get_sizes()) for dots in ax.collections if len(dots.get_offsets())})
            == 3
        )


def test_names_that_differ_at_their_ends_are_told_apart():
    names = [f"{'A very long name of a university, ' * 3} campus {i}" for i in range(3)]
    assert len({shortened(name, 20) for name in names}) == 3
    assert {len(shortened(name, 20)) for name in names} == {20}


def test_bars_have_room_beside_long_names():
    name = "A factor whose name is a whole sentence about how it was measured"
    ax = plots.plot_weights({name: 0.6, "x": 0.4})
    ax.figure.canvas.draw()
    assert ax.get_position().width > 0.5
    assert " ".join(ax.get_yticklabels()[0].get_text().split("\n")) == name
