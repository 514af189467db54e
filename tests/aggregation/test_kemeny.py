import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.aggregation import aggregate, dynamic_program


@st.composite
def profiles(draw, most_items=6):
    """Draw votes with ties and gaps, weights of several kinds, a penalty, and ties or none."""
    n, m = draw(st.integers(2, most_items)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    votes = rng.integers(0, draw(st.integers(2, n + 1)), (n, m)).astype(float)
    if draw(st.booleans()):
        votes[rng.random(votes.shape) < 0.3] = np.nan
        votes[np.isnan(votes).all(axis=1), 0] = 0
    kind = draw(st.sampled_from(["unit", "whole", "real"]))
    voter_weights = {"unit": np.ones(m), "whole": rng.integers(1, 5, m), "real": rng.random(m)}
    item_weights = {"unit": np.ones(n), "whole": rng.integers(1, 4, n), "real": rng.random(n) + 0.1}
    options = {
        "voter_weights": voter_weights[kind].astype(float),
        "item_weights": item_weights[kind].astype(float),
        "penalty": draw(st.sampled_from([0.5, 0.5, 1.0, 0.3, 0.0])),
        "ties": draw(st.booleans()),
    }
    return votes, options


def as_codes(orders, items):
    """Return orders as tuples of bucket numbers."""
    codes = set()
    for order in orders:
        places = [place if isinstance(place, list) else [place] for place in order]
        number = {item: k for k, place in enumerate(places) for item in place}
        codes.add(tuple(number[item] for item in items))
    return codes


@pytest.mark.parametrize("largest", [12, 1], ids=["dynamic program", "branch and cut"])
def test_exact_cost_equals_brute_force(largest, every_ranking_cost):
    @settings(max_examples=60, deadline=None)
    @given(profiles())
    def check(profile):
        votes, options = profile
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dynamic_program, "LARGEST", largest)
            consensus = aggregate(votes, "kemeny", **options)
        _, costs = every_ranking_cost(votes, **options)
        assert consensus.cost == pytest.approx(costs.min(), rel=1e-6, abs=1e-9)
        assert consensus.optimal
        assert consensus.bound <= costs.min() * (1 + 1e-6) + 1e-9

    check()


@pytest.mark.parametrize("largest", [12, 1], ids=["dynamic program", "branch and cut"])
def test_all_optima_are_those_of_brute_force(largest, every_ranking_cost):
    @settings(max_examples=40, deadline=None)
    @given(profiles(most_items=5))
    def check(profile):
        votes, options = profile
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dynamic_program, "LARGEST", largest)
            consensus = aggregate(votes, "kemeny", all_optima=True, **options)
        rankings, costs = every_ranking_cost(votes, **options)
        best = rankings[costs <= costs.min() + 1e-7 * max(1, costs.min())]
        assert len(consensus.optima) == len(best)
        assert as_codes(consensus.optima, consensus.items) == set(map(tuple, best.tolist()))

    check()
