"""The rows that the trees of a forest see."""

import numpy as np
import pytest

from rankwright.trees.binning import bin_features
from rankwright.trees.bootstrap import Bag, grow_on_bags
from rankwright.trees.rows import Labels, TrainingRows


def rows(weights=None):
    X = np.arange(20.0)[:, np.newaxis]
    labels = Labels(np.zeros(20, dtype=np.int32), np.array([0.0]))
    bins = bin_features(X, np.array([False]), 255)
    return TrainingRows(X, bins, {}, labels, weights, np.arange(20), 20)


def test_a_seed_finds_its_bag_again():
    bag = Bag(100, 100)
    np.testing.assert_array_equal(bag.counts(5), bag.counts(5))
    assert bag.counts(5).sum() == 100
    assert (bag.counts(5) != bag.counts(6)).any()


def test_without_a_bootstrap_each_row_is_seen_once():
    bag = Bag(20, None)
    assert bag.counts(0).tolist() == [1] * 20
    assert bag.unseen(0).size == 0
    numbers, weights = bag.draw(rows(), 0)
    assert numbers.tolist() == list(range(20))
    assert weights is None


@pytest.mark.parametrize("weights", [None, np.linspace(1.0, 2.0, 20)])
def test_a_row_drawn_twice_weighs_twice(weights):
    bag, own = Bag(20, 20), np.ones(20) if weights is None else weights
    numbers, found = bag.draw(rows(weights), 3)
    np.testing.assert_array_equal(found, bag.counts(3) * own)
    np.testing.assert_array_equal(np.sort(np.append(numbers, bag.unseen(3))), np.arange(20))


def test_trees_come_in_the_order_of_their_seeds_for_every_n_jobs():
    def grow(*, rows, weights, seed):
        return seed, weights[rows].sum()

    found = [grow_on_bags(grow, rows(), Bag(20, 10), [3, 1, 2], n_jobs) for n_jobs in (1, 2)]
    assert found[0] == found[1] == [(3, 10.0), (1, 10.0), (2, 10.0)]
