import numpy as np

from rankwright.aggregation.kwiksort import kwiksort
from rankwright.aggregation.votes import read_votes


def test_voters_who_agree_are_followed():
    order = [3, [0, 4], 1, [2, 5]]
    votes = read_votes([order] * 3)
    for seed in range(5):
        bucket = kwiksort(votes, 0.5, True, np.random.default_rng(seed))
        np.testing.assert_array_equal(bucket, [1, 2, 3, 0, 1, 3])


def test_without_ties_every_bucket_has_one_item(random_votes):
    votes = read_votes(random_votes(40, 6, 5))
    bucket = kwiksort(votes, 0.5, False, np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(bucket), np.arange(40))


def test_with_ties_the_buckets_are_numbered_without_gaps(random_votes):
    votes = read_votes(random_votes(40, 6, 5))
    bucket = kwiksort(votes, 0.5, True, np.random.default_rng(0))
    np.testing.assert_array_equal(np.unique(bucket), np.arange(bucket.max() + 1))
    assert bucket.max() < 39
