import numpy as np
import pytest
from scipy.stats import rankdata

from rankwright.kernels import voters


@pytest.fixture(params=["compiled", "python"])
def kernel(request):
    def get(name):
        function = getattr(voters, name)
        return function if request.param == "compiled" else function.py_func

    return get


@pytest.fixture
def profile():
    rng = np.random.default_rng(1)
    ranks = rng.integers(0, 6, (8, 9)).astype(float)
    ranks[rng.random(ranks.shape) < 0.2] = np.nan
    positions = rankdata(ranks, axis=1, nan_policy="omit")
    ranking = rankdata(rng.integers(0, 5, 9))
    return positions, ranking, rng.integers(1, 4, 9).astype(float)


def test_kendall_distances_count_every_pair(kernel, profile):
    positions, ranking, weights = profile
    found = kernel("kendall_distances")(np.argsort(ranking), ranking, positions, weights, 0.25)
    for vote, value in zip(positions, found, strict=True):
        expected = 0.0
        for i in range(9):
            for j in range(i):
                ours, theirs = np.sign(ranking[i] - ranking[j]), np.sign(vote[i] - vote[j])
                if not np.isnan(theirs):
                    charge = 1.0 if ours * theirs < 0 else 0.25 * (ours != theirs)
                    expected += charge * weights[i] * weights[j]
        assert value == expected


def test_places_are_counted_among_the_items_that_a_voter_ranks(kernel, profile):
    positions, ranking, _ = profile
    found = kernel("places_among_ranked")(np.argsort(ranking), ranking, positions)
    for vote, places in zip(positions, found, strict=True):
        ranked = ~np.isnan(vote)
        np.testing.assert_array_equal(places[ranked], rankdata(ranking[ranked]))
        assert np.isnan(places[~ranked]).all()


def test_borda_shares_are_the_weight_ahead_of_the_others(kernel, profile):
    positions, _, weights = profile
    found = kernel("borda_shares")(positions, weights)
    for vote, shares in zip(positions, found, strict=True):
        for i in range(9):
            if np.isnan(vote[i]):
                assert np.isnan(shares[i])
                continue
            others = [j for j in range(9) if j != i and not np.isnan(vote[j])]
            ahead = sum(
                weights[j] * ((vote[j] < vote[i]) + (vote[j] == vote[i]) / 2) for j in others
            )
            assert shares[i] == pytest.approx(ahead / weights[others].sum())
