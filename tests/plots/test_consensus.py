import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

from rankwright.aggregation import aggregate
from rankwright.plots import plot_consensus

VOTES = [["c", "a", "b"], ["b", ["a", "c"]], ["c", "a", "b"], ["a", "c"]]


def test_jurors_look_like_the_stored_picture(looks_like):
    rng = np.random.default_rng(1)
    matrix = np.arange(24)[:, None] + rng.normal(0, 1, (24, 16)) * np.linspace(1, 9, 16)
    matrix[rng.random(matrix.shape) < 0.08] = np.nan
    votes = pd.DataFrame(matrix.round(), index=[f"item {chr(65 + i)}" for i in range(24)])
    ax = plot_consensus(aggregate(votes), votes, voters=[f"juror {i + 1}" for i in range(16)])
    assert looks_like(ax, "consensus") is None


def test_items_are_in_consensus_order_and_voters_by_distance():
    consensus = aggregate(VOTES)
    ax = plot_consensus(consensus, VOTES, voters=["v0", "v1", "v2", "v3"])
    assert consensus.order == ["c", "a", "b"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["c", "a", "b"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["v0", "v2", "v3", "v1"]
    (bars,) = ax.child_axes
    np.testing.assert_allclose([bar.get_height() for bar in bars.patches], [0, 0, 1, 2.5])
    shown = np.ma.filled(ax.images[0].get_array(), np.nan)
    np.testing.assert_array_equal(shown[:, 3], [2.5, 2.5, 1])
    assert np.isnan(shown[2, 2])


def test_it_draws_on_the_axes_given():
    _, (left, right) = pyplot.subplots(1, 2)
    assert plot_consensus(aggregate(VOTES), VOTES, ax=right) is right
    assert not left.images


def test_many_items_are_drawn_without_labels():
    votes = np.random.default_rng(0).random((80, 70))
    ax = plot_consensus(aggregate(votes, "borda"), votes)
    assert len(ax.get_yticks()) == len(ax.get_xticks()) == 0


def test_other_rankings_than_those_of_the_consensus_are_refused():
    with pytest.raises(ValueError, match="rankings hold 2 voters and 3 items, the consensus 4"):
        plot_consensus(aggregate(VOTES), VOTES[:2])
