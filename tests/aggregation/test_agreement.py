from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

import rankwright as rw
from rankwright.aggregation import aggregate, agreement
from rankwright.aggregation.agreement import MEASURES
from rankwright.aggregation.votes import read_votes


def test_without_ties_the_measures_are_those_of_scipy():
    votes = np.random.default_rng(0).random((30, 4))
    tau, rho = agreement(votes), agreement(votes, measure="spearman")
    for a in range(4):
        for b in range(4):
            assert tau[a, b] == pytest.approx(kendalltau(votes[:, a], votes[:, b]).statistic)
            assert rho[a, b] == pytest.approx(spearmanr(votes[:, a], votes[:, b]).statistic)


@pytest.mark.parametrize("measure", ["kendall", "spearman"])
def test_reversed_rankings_disagree_fully(measure):
    votes = [list("abcde"), list("edcba")]
    np.testing.assert_allclose(agreement(votes, measure=measure), [[1, -1], [-1, 1]])


def test_the_footrule_is_scaled_as_in_appendix_b():
    # Reversing five items moves them by 4 + 2 + 0 + 2 + 4 = 12 places: 1 - 3 * 12 / 24.
    assert agreement([list("abcde"), list("edcba")], measure="footrule")[0, 1] == -0.5


def test_half_of_a_tie_counts_as_agreement():
    assert agreement([["a", "b"], [["a", "b"]]])[0, 1] == 0


def test_the_profile_is_by_voter_over_the_items_they_rank():
    votes = [list("abcd"), list("dcba"), ["b", "a"], ["d"]]
    profile = agreement(votes, aggregate(votes[:1] * 2).positions)
    np.testing.assert_allclose(profile, [1, -1, -1, np.nan])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], {"measure": "cosine"}, "measure='cosine'; choose from"),
        ([[1, 2, 3]], {}, r"reference has shape \(3,\); give a position to each of the 2 items"),
    ],
)
def test_bad_arguments_are_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        agreement([["a", "b"], ["b", "a"]], *arguments, **options)


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_a_measure_of_many_votes_is_the_metric_of_each_pair(measure):
    metric = {
        "footrule": rw.metrics.spearman_footrule,
        "kendall": rw.metrics.probabilistic_kendall_tau,
        "spearman": rw.metrics.spearman_rho,
    }[measure]
    rng = np.random.default_rng(0)
    votes = rng.integers(0, 7, (9, 6)).astype(float)
    votes[rng.random(votes.shape) < 0.2] = np.nan
    found = agreement(votes, measure=measure)
    np.testing.assert_allclose(np.diag(found), 1)
    for a, b in combinations(range(6), 2):
        both = ~np.isnan(votes[:, a] + votes[:, b])
        ranks = read_votes(votes).positions[:, both]
        assert found[a, b] == pytest.approx(metric(ranks[a], ranks[b]))
        assert found[a, b] == pytest.approx(found[b, a])
