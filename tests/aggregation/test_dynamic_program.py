import numpy as np
import pytest

from rankwright.aggregation.dynamic_program import best_rankings
from rankwright.aggregation.pair_costs import pair_costs
from rankwright.aggregation.votes import read_votes
from rankwright.kernels import subsets


@pytest.mark.parametrize("seed", range(4))
def test_the_kernels_give_the_same_uncompiled(seed, random_votes, every_ranking_cost, monkeypatch):
    votes = random_votes(5, 4, 5, seed)
    costs = pair_costs(read_votes(votes), 0.5, ties=True)
    compiled = best_rankings(costs, 1e-9, 1000)
    monkeypatch.setattr(subsets, "last_bucket_costs", subsets.last_bucket_costs.py_func)
    for name in ("subset_values", "last_buckets"):
        plain = getattr(subsets, name).py_func
        monkeypatch.setattr(f"rankwright.aggregation.dynamic_program.{name}", plain)
    np.testing.assert_array_equal(best_rankings(costs, 1e-9, 1000), compiled)
    _, prices = every_ranking_cost(votes)
    assert [costs.cost_of(bucket) for bucket in compiled] == pytest.approx(
        [prices.min()] * len(compiled)
    )


def test_no_more_rankings_than_the_limit():
    costs = pair_costs(read_votes([[0, 1, 2, 3], [3, 2, 1, 0]]), 0.5, ties=True)
    assert len(best_rankings(costs, 1e-9, 5)) == 5
    assert len(best_rankings(costs, 1e-9, 10_000)) == 75  # all rankings of 4 items cost the same
