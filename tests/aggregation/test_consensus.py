import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.aggregation import Consensus, aggregate, kemeny
from rankwright.aggregation import consensus as consensus_module
from rankwright.aggregation.components import components
from rankwright.aggregation.methods import METHODS
from rankwright.aggregation.pair_costs import pair_costs
from rankwright.aggregation.votes import read_votes
from rankwright.data import Rankings, read_preflib

CYCLE = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]


@pytest.mark.parametrize("method", sorted([*METHODS, "auto"]))
@pytest.mark.parametrize("ties", [True, False])
def test_every_method_follows_voters_who_agree(method, ties):
    votes = [["d", "a", "c", "b"]] * 3
    consensus = aggregate(votes, method, ties=ties)
    assert consensus.order == ["d", "a", "c", "b"]
    assert consensus.cost == consensus.bound == 0
    assert consensus.optimal


@pytest.mark.parametrize("method", sorted(METHODS))
def test_the_cost_is_that_of_the_ranking_and_the_bound_is_below(
    method, kendall, random_votes, every_ranking_cost
):
    votes = random_votes(5, 4, 5, seed=3)
    consensus = aggregate(votes, method, voter_weights=[1, 2, 1, 3])
    distances = [kendall(consensus.positions, vote, np.ones(5), 0.5) for vote in votes.T]
    np.testing.assert_allclose(consensus.disagreement, distances)
    assert consensus.cost == pytest.approx(np.dot([1, 2, 1, 3], distances))
    _, costs = every_ranking_cost(votes, voter_weights=[1, 2, 1, 3])
    assert consensus.bound <= costs.min() + 1e-9
    assert consensus.optimal == (consensus.bound == pytest.approx(consensus.cost))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_without_ties_there_are_none(method, random_votes):
    consensus = aggregate(random_votes(20, 4, 5), method, ties=False)
    np.testing.assert_array_equal(np.sort(consensus.positions), np.arange(1, 21))
    assert not any(isinstance(place, list) for place in consensus.order)


@pytest.mark.parametrize("method", sorted([*METHODS, "auto"]))
def test_the_listing_of_voters_and_items_does_not_matter(method, random_votes):
    votes = random_votes(15, 6, 12)
    rng = np.random.default_rng(1)
    items, voters = rng.permutation(15), rng.permutation(6)
    consensus = aggregate(votes, method)
    shuffled = aggregate(votes[items][:, voters], method)
    np.testing.assert_array_equal(shuffled.positions, consensus.positions[items])
    assert shuffled.cost == consensus.cost


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_the_exact_cost_never_depends_on_the_listing_even_with_equal_items(seed):
    rng = np.random.default_rng(seed)
    votes = rng.integers(0, 3, (6, 3)).astype(float)
    items, voters = rng.permutation(6), rng.permutation(3)
    shuffled = aggregate(votes[items][:, voters], "kemeny", random_state=seed)
    assert shuffled.cost == aggregate(votes, "kemeny").cost


def test_a_seed_fixes_the_result(random_votes):
    votes = random_votes(40, 5, 10)
    for method in ("kwiksort", "local_search"):
        first, second = (aggregate(votes, method, random_state=7) for _ in range(2))
        assert first.order == second.order


def test_auto_says_what_it_picked(random_votes, noisy_votes):
    assert aggregate(random_votes(30, 9, 30)).method == "kemeny"
    assert aggregate(random_votes(120, 20, 120)).method == "local_search"
    easy = aggregate(noisy_votes(60, 20, 0.15))
    assert (easy.method, easy.optimal) == ("kemeny", True)
    assert aggregate(CYCLE, all_optima=True).method == "kemeny"


def test_auto_stops_at_its_work_and_says_what_was_proved(random_votes, monkeypatch):
    votes = random_votes(40, 9, 40)
    proved = aggregate(votes)
    assert (proved.method, proved.optimal) == ("kemeny", True)
    monkeypatch.setattr(consensus_module, "AUTO_STEPS", 100)
    first, second = aggregate(votes), aggregate(votes)
    assert (first.method, first.optimal) == ("kemeny", False)
    assert first.bound < proved.cost <= first.cost
    assert (first.order, first.bound) == (second.order, second.bound)


def test_auto_proves_a_hundred_items_that_local_search_leaves_seven_above(noisy_votes):
    votes = noisy_votes(100, 20, 0.5)
    found, proved = aggregate(votes, "local_search"), aggregate(votes)
    assert (proved.method, proved.optimal) == ("kemeny", True)
    assert (proved.cost, found.cost) == (30888.5, 30897.5)


@pytest.mark.parametrize("method", ["local_search", "kemeny", "auto"])
@pytest.mark.parametrize("window", [None, 20])
def test_without_time_every_method_returns_a_whole_ranking(method, window, random_votes):
    consensus = aggregate(random_votes(80, 9, 80), method, window=window, time_limit=0)
    assert sorted(consensus.items) == list(range(80))
    assert consensus.bound <= consensus.cost


def test_a_hard_component_takes_no_work_from_a_small_one(random_votes, monkeypatch):
    hard, small = random_votes(40, 9, 40), random_votes(14, 9, 14, seed=1)
    sizes = []

    def solve(costs, start, *_):
        sizes.append(len(costs))
        return kemeny.Exact([start], costs.bound())

    monkeypatch.setattr(kemeny, "_solve", solve)
    aggregate(np.vstack([hard, 100 + small]), "kemeny")
    assert sizes == sorted(sizes)
    assert len(sizes) > 1


def test_positions_are_aligned_with_the_items_and_order_with_the_names():
    frame = pd.DataFrame([[2, 2, 3], [1, 1, 1], [2, 2, 2]], index=["x", "y", "z"])
    consensus = aggregate(frame)
    assert consensus.items == ("x", "y", "z")
    np.testing.assert_array_equal(consensus.positions, [2.5, 1, 2.5])
    assert consensus.order == ["y", ["x", "z"]]
    assert consensus.optima == (["y", ["x", "z"]],)


def test_rankings_and_their_orders_have_one_consensus():
    items = pd.DataFrame({"f": range(3)}, index=["a", "b", "c"])
    orders = [["b", ["a", "c"]], ["c", "b"], ["b", "a"]]
    assert aggregate(Rankings(items, orders)).order == aggregate(orders).order == ["b", ["a", "c"]]


def test_a_preflib_file_loads_and_aggregates(tmp_path):
    path = tmp_path / "drinks.toi"
    path.write_text(
        "# ALTERNATIVE NAME 1: Tea\n# ALTERNATIVE NAME 2: Coffee\n# ALTERNATIVE NAME 3: Milk\n"
        "4: 1,{2,3}\n2: 2,1\n1: 3\n"
    )
    consensus = aggregate(read_preflib(path))
    assert consensus.order == ["Tea", ["Coffee", "Milk"]]
    assert (consensus.cost, consensus.optimal) == (2, True)


def test_items_of_a_preflib_file_that_nobody_ranks_are_left_out_with_a_warning(tmp_path):
    path = tmp_path / "drinks.soi"
    path.write_text(
        "# ALTERNATIVE NAME 1: Tea\n# ALTERNATIVE NAME 2: Rum\n# ALTERNATIVE NAME 3: Milk\n"
        "# ALTERNATIVE NAME 4: Gin\n4: 3,1\n2: 1\n"
    )
    vote = read_preflib(path)
    with pytest.warns(UserWarning, match=r"2 of 4 items are ranked by no voter.*'Rum', 'Gin'"):
        consensus = aggregate(vote, item_weights=[1, 9, 2, 9])
    assert (consensus.items, consensus.order) == (("Tea", "Milk"), ["Milk", "Tea"])
    assert consensus.unranked == ("Rum", "Gin")
    last = aggregate(vote, missing="last")
    assert (last.unranked, last.order[-1]) == ((), ["Rum", "Gin"])


def test_items_of_rankings_that_nobody_ranks_are_left_out_with_a_warning():
    items = pd.DataFrame({"f": range(3)}, index=["a", "b", "c"])
    with pytest.warns(UserWarning, match="1 of 3 items are ranked by no voter"):
        consensus = aggregate(Rankings(items, [["c", "a"], ["c", "a"]]))
    assert (consensus.order, consensus.unranked) == (["c", "a"], ("b",))


def test_scores_are_larger_for_better_items():
    scores = np.array([[0.2, 0.1], [0.9, 0.8], [0.5, 0.9]])
    assert aggregate(scores, "borda", scores=True).order == [[1, 2], 0]


def test_a_cycle_has_its_rotations_and_ties_as_optima():
    consensus = aggregate(CYCLE, all_optima=True)
    assert consensus.cost == 4
    assert sorted(map(str, consensus.optima)) == sorted(map(str, CYCLE))
    assert consensus.order == consensus.optima[0]


def test_optima_are_bounded():
    opposed = [list(range(8)), list(range(8))[::-1]]
    assert len(aggregate(opposed, all_optima=True, max_optima=17).optima) == 17


def test_missing_last_counts_against_items_left_out():
    votes = [["a", "b"], ["a", "b"], ["c"]]
    ignored, last = aggregate(votes), aggregate(votes, missing="last")
    assert ignored.cost == 0
    assert last.order[:2] == ["a", "b"]
    assert last.cost > 0


def test_a_heavy_voter_and_heavy_items_decide():
    votes = [["a", "b"], ["b", "a"], ["b", "a"]]
    assert aggregate(votes).order == ["b", "a"]
    assert aggregate(votes, voter_weights=[3, 1, 1]).order == ["a", "b"]
    cycle = aggregate(CYCLE, item_weights=[1, 1, 9])
    # b before c and c before a weigh 9 each, a before b weighs 1: that one gives way.
    assert cycle.order == ["b", "c", "a"]
    assert cycle.cost == 1 * 9 + 1 * 9 + 2 * 1


@pytest.mark.parametrize("scale", [1e-5, 1e5])
def test_the_scale_of_the_weights_does_not_matter(scale, random_votes):
    votes, masses = random_votes(25, 7, 20), np.random.default_rng(0).random(25)
    consensus = aggregate(votes, "kemeny", item_weights=masses)
    scaled = aggregate(votes, "kemeny", item_weights=scale * masses)
    assert scaled.order == consensus.order
    assert scaled.cost == pytest.approx(scale**2 * consensus.cost, rel=1e-6)
    assert scaled.optimal


def test_the_time_limit_gives_a_ranking_with_a_valid_bound(random_votes):
    votes = random_votes(60, 20, 60)
    consensus = aggregate(votes, "kemeny", time_limit=0)
    assert isinstance(consensus, Consensus)
    assert consensus.bound < consensus.cost
    assert not consensus.optimal


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "plurality"}, r"method='plurality'; choose from \['auto', 'borda'"),
        ({"distance": "hamming"}, "distance='hamming'; choose from"),
        ({"penalty": 1.5}, "penalty=1.5; choose a number from 0 to 1"),
        ({"method": "kemeny", "distance": "footrule"}, "minimises distance='kendall'"),
        ({"method": "borda", "all_optima": True}, "all_optima=True goes with method='kemeny'"),
        ({"distance": "footrule", "all_optima": True}, "goes with method='kemeny' and distance"),
        ({"window": 1}, "window=1; choose at least 2"),
        ({"max_optima": 0}, "max_optima=0; choose at least 1"),
        ({"time_limit": -1}, "time_limit=-1; choose a number of seconds, 0 or more"),
        ({"time_limit": np.nan}, "time_limit=nan; choose"),
        ({"penalty": "half"}, "penalty='half'; choose a number"),
        ({"ties": "no"}, "ties='no'; give True or False"),
        ({"scores": "yes"}, "scores='yes'; give True or False"),
        ({"window": "all"}, "window='all'; choose at least 2 items"),
        ({"max_optima": "all"}, "max_optima='all'; choose at least 1"),
        ({"random_state": "a"}, "random_state='a'; give a whole number"),
        ({"random_state": -1}, "random_state=-1; give a whole number"),
        ({"voter_weights": [1, 2, "x"]}, "voter_weights holds .x., which is not a number"),
        ({"voter_weights": [1e308, 1e308, 1]}, "beyond what numbers hold; divide them"),
        ({"item_weights": [1e-300, 1e-300, 1]}, "item_weights from 1e-300 to 1.*divide them"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        aggregate(CYCLE, **options)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.2, 0.3])
def test_a_hundred_items_in_one_component_are_proved(noise):
    rng = np.random.default_rng(9)
    votes = np.round((np.arange(100)[:, None] + rng.normal(0, 100 * noise, (100, 20))) / 5)
    costs = pair_costs(read_votes(votes), 0.5, ties=True)
    assert len(components(costs, strict=False)) == 1
    consensus = aggregate(votes)
    assert (consensus.method, consensus.optimal) == ("kemeny", True)


@pytest.mark.slow
def test_random_votes_on_fifty_items_are_proved(random_votes):
    for levels in (10, 50):
        assert aggregate(random_votes(50, 20, levels), "kemeny").optimal
