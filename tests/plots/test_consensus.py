import numpy as np
import pytest

from rankwright.aggregation import aggregate
from rankwright.plots import plot_consensus

VOTES = [["c", "a", "b"], ["b", ["a", "c"]], ["c", "a", "b"], ["a", "c"]]


def test_items_are_in_consensus_order_and_voters_by_distance():
    consensus = aggregate(VOTES)
    figure = plot_consensus(consensus, VOTES, voters=["v0", "v1", "v2", "v3"])
    bars, cells = figure.axes[:2]
    assert consensus.order == ["c", "a", "b"]
    assert [label.get_text() for label in cells.get_yticklabels()] == ["c", "a", "b"]
    assert [label.get_text() for label in cells.get_xticklabels()] == ["v0", "v2", "v3", "v1"]
    np.testing.assert_allclose([bar.get_height() for bar in bars.patches], [0, 0, 1, 2.5])
    shown = np.ma.filled(cells.images[0].get_array(), np.nan)
    np.testing.assert_array_equal(shown[:, 3], [2.5, 2.5, 1])
    assert np.isnan(shown[2, 2])


def test_the_picture_is_written(tmp_path):
    plot_consensus(aggregate(VOTES), VOTES).savefig(tmp_path / "consensus.png")
    assert (tmp_path / "consensus.png").stat().st_size > 5000


def test_many_items_are_drawn_without_labels():
    noisy = np.random.default_rng(0).random((80, 70))
    figure = plot_consensus(aggregate(noisy, "borda"), noisy)
    assert len(figure.axes[1].get_yticks()) == len(figure.axes[1].get_xticks()) == 0


def test_other_rankings_than_those_of_the_consensus_are_refused():
    with pytest.raises(ValueError, match="rankings hold 2 voters and 3 items, the consensus 4"):
        plot_consensus(aggregate(VOTES), VOTES[:2])
