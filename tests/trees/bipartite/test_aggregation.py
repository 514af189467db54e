"""The Kemeny median on the cells of the largest common subpartition."""

import itertools

import numpy as np
import pytest

import rankwright as rw
from rankwright.trees import RankingForest


@pytest.fixture(scope="module")
def data():
    return rw.datasets.make_rf10_sparse(300, random_state=0)


@pytest.fixture(scope="module")
def forest(data):
    model = RankingForest(
        3, max_depth=1, max_depth_leaf=2, min_samples_leaf=20, aggregation="kemeny", random_state=0
    )
    return model.fit(data.X, data.y)


def cost(places, votes, weights):
    """Sum mass-weighted disagreements over trees and pairs of cells, ties at half."""
    total = 0.0
    for k, m in itertools.combinations(range(len(places)), 2):
        for b in range(votes.shape[1]):
            said = np.sign(votes[k, b] - votes[m, b])
            shown = np.sign(places[m] - places[k])
            total += weights[k] * weights[m] * (
                1.0 if said * shown < 0 else 0.5 * (said != shown)
            )  # fmt: skip
    return total


def test_the_consensus_costs_what_it_says_and_no_order_of_its_cells_less(forest):
    median = forest.median_
    consensus, votes = median.consensus, median.votes
    assert 2 <= len(votes) <= 8
    assert cost(median.buckets, votes, median.weights) == pytest.approx(consensus.cost)
    rankings = itertools.product(range(len(votes)), repeat=len(votes))
    if len(votes) <= 6:
        least = min(cost(places, votes, median.weights) for places in rankings)
        assert consensus.cost == pytest.approx(least)
        assert consensus.optimal
    assert consensus.bound <= consensus.cost + 1e-9


def test_training_rows_get_the_place_of_their_cell(forest, data):
    median = forest.median_
    parts = forest.subpartition(data.X)
    places = median.consensus.positions[parts.members]
    scores = forest.predict(data.X)
    for i, j in itertools.combinations(range(0, len(scores), 7), 2):
        assert np.sign(scores[i] - scores[j]) == np.sign(places[j] - places[i])
    np.testing.assert_allclose(parts.masses, median.subpartition.masses)


def test_a_new_cell_is_inserted_and_scores_stay_pointwise(data):
    model = RankingForest(6, max_depth=2, aggregation="kemeny", random_state=0).fit(data.X, data.y)
    new = rw.datasets.make_rf10_sparse(200, random_state=1)
    scores = model.predict(new.X)
    np.testing.assert_array_equal(model.predict(new.X[50:51]), scores[50:51])
    known = {vote.tobytes() for vote in model.median_.votes}
    assert any(row.tobytes() not in known for row in model._tree_values(new.X.to_numpy()).T.copy())
    assert rw.metrics.auc(new.y, scores) > 0.75


def test_the_out_of_bag_auc_of_a_median_is_decided_by_majorities(data):
    model = RankingForest(
        15, max_depth=1, max_depth_leaf=2, aggregation="kemeny", oob_score=True, random_state=0
    ).fit(data.X, data.y)
    assert 0.6 < model.oob_.auc < 0.95
