import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime

import rankwright as rw
from rankwright.trees.boosted.cumulative import CumulativeLogit, label_shares
from rankwright.trees.boosted.team import Team


@pytest.fixture(scope="module")
def squares():
    return rw.datasets.make_ordinal_squares(600, random_state=0)


def likelihood(n=40, k=4, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.append(np.arange(k), rng.integers(0, k, n - k))
    return CumulativeLogit(codes, rng.uniform(0.5, 2.0, n), k), rng.normal(size=n)


def test_derivatives_are_those_of_the_likelihood():
    loss, scores = likelihood()
    found = loss.derivatives(scores, np.ones(40, bool), Team(1))
    slope = approx_fprime(scores, lambda at: -loss.log_likelihood(at), 1e-6)
    np.testing.assert_allclose(found.gradient, slope, atol=1e-4)
    # A second step of thresholds would move the slopes: they have converged.
    loss.fit_thresholds(scores, 30)
    before = loss.derivatives(scores, np.ones(40, bool), Team(1)).gradient
    assert before == pytest.approx(found.gradient, abs=1e-6)


def test_thresholds_make_the_labels_most_probable():
    loss, scores = likelihood(200, 5, 1)
    loss.fit_thresholds(scores, 50)
    best, found = loss.log_likelihood(scores), loss.thresholds
    assert (np.diff(found) > 0).all()
    for c in range(4):
        for step in (-0.05, 0.05):
            loss.thresholds = found + step * (np.arange(4) == c)
            assert loss.log_likelihood(scores) < best


def test_a_label_that_no_row_of_weight_has_keeps_the_thresholds_in_order():
    loss = CumulativeLogit(np.array([0, 1, 2, 0, 2]), np.array([1.0, 0.0, 1.0, 1.0, 1.0]), 3)
    loss.fit_thresholds(np.array([0.0, 0.0, 1.0, -1.0, 0.5]), 20)
    assert np.diff(loss.thresholds)[0] > 0


def test_shares_are_a_distribution_whose_median_is_predicted(squares):
    ranker = rw.BoostedOrdinal(40, random_state=0).fit(squares.X, squares.y)
    shares = ranker.predict_proba(squares.X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares >= 0).all()
    median = np.argmax(np.cumsum(shares, axis=1) >= 0.5 - 1e-12, axis=1)
    np.testing.assert_array_equal(ranker.predict(squares.X), ranker.labels_[median])


def test_unseen_rows_get_labels_close_to_their_own(squares):
    new = rw.datasets.make_ordinal_squares(600, random_state=1)
    ranker = rw.BoostedOrdinal(200, random_state=0).fit(squares.X, squares.y)
    forest = rw.OrdinalForest(random_state=0).fit(squares.X, squares.y)
    assert ranker.rank_loss(new.X, new.y) < forest.rank_loss(new.X, new.y) + 0.05


def test_labels_come_back_as_they_were_given(squares):
    names = np.array(["poor", "fair", "good", "great"])
    y = pd.Categorical(names[np.minimum(squares.y.astype(int), 4) - 1], names, ordered=True)
    ranker = rw.BoostedOrdinal(20, random_state=0).fit(squares.X, y)
    assert set(ranker.predict(squares.X)) <= set(names)
    assert ranker.classes_.tolist() == names[np.isin(names, list(y))].tolist()
    assert ranker.score(squares.X, y) > 0.7


def test_early_stopping_keeps_the_trees_that_make_held_out_labels_most_probable(squares):
    noise = np.random.default_rng(0).permutation(squares.y)
    ranker = rw.BoostedOrdinal(200, early_stopping=True, n_iter_no_change=5, random_state=0)
    ranker.fit(squares.X, noise)
    assert ranker.n_iter_ == np.argmax(ranker.validation_scores_) + 1 < 100


def test_a_warm_start_continues_to_the_same_model(squares):
    at_once = rw.BoostedOrdinal(12, random_state=0).fit(squares.X, squares.y)
    grown = rw.BoostedOrdinal(5, warm_start=True, random_state=0).fit(squares.X, squares.y)
    grown.set_params(n_estimators=12).fit(squares.X, squares.y)
    np.testing.assert_allclose(
        at_once.predict_proba(squares.X), grown.predict_proba(squares.X), atol=0.02
    )


def test_two_labels_are_told_apart(squares):
    y = squares.y > 2
    assert rw.BoostedOrdinal(30, random_state=0).fit(squares.X, y).score(squares.X, y) > 0.5


def test_one_label_is_always_predicted():
    ranker = rw.BoostedOrdinal(3).fit([[1.0], [2.0]], [4, 4])
    assert ranker.predict([[9.0]]).tolist() == [4]
    assert label_shares(np.zeros(1), ranker.thresholds_).tolist() == [[1.0]]


def test_groups_are_refused_with_the_remedy():
    with pytest.raises(ValueError, match="BoostedRanker learns the order inside groups"):
        rw.BoostedOrdinal().fit([[1.0], [2.0]], [1, 2], [0, 0])


def test_stages_end_in_the_scores(squares):
    ranker = rw.BoostedOrdinal(6, random_state=0).fit(squares.X, squares.y)
    stages = list(ranker.staged_decision_function(squares.X))
    assert len(stages) == 6
    np.testing.assert_allclose(stages[-1], ranker.decision_function(squares.X), atol=1e-12)
    part = rw.BoostedOrdinal(3, random_state=0).fit(squares.X, squares.y)
    np.testing.assert_allclose(stages[2], part.decision_function(squares.X), atol=1e-12)
