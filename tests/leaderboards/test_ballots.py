import numpy as np
import pytest

import rankwright as rw
from rankwright.aggregation.votes import read_votes
from rankwright.leaderboards.ballots import read_ballots

ORDERS = [["a", ["b", "c"]], ["c", "a"], ["a", ["c", "b"]]]
PLACES = [((0,), (1, 2)), ((2,), (0,))]


def test_equal_rankings_are_one_and_ties_have_no_order():
    ballots = read_ballots(ORDERS)
    assert ballots.items == ["a", "b", "c"]
    assert ballots.rankings == PLACES
    assert ballots.weights.total.tolist() == [2, 1]


def test_all_forms_of_rankings_are_read_alike():
    numbered = [[0, [1, 2]], [2, 0], [0, [2, 1]]]
    voters = rw.VoterOrders(("a", "b", "c"), ((0, (1, 2)), (2, 0)), np.array([2, 1]))
    for form in (rw.Rankings(np.empty((3, 0)), numbered), voters, read_votes(ORDERS)):
        ballots = read_ballots(form)
        assert ballots.rankings == PLACES
        assert ballots.weights.total.tolist() == [2, 1]


def test_stages_choose_from_the_items_that_are_left():
    stages = read_ballots([["a", ["b", "c"], "d"]]).stages
    assert stages.item.tolist() == [0, 1, 2, 3, 1, 2, 3]
    assert stages.chosen.tolist() == [True, False, False, False, True, True, False]


def test_large_ties_at_the_end_only_lack_an_order():
    ballots = read_ballots([["a", ["b", "c", "d", "e", "f"]]])
    assert len(ballots.stages.ranking) == 1
    assert "nothing is learned about their order" in ballots.notes[0]


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ([[["a", "b", "c", "d", "e"], "f"]], "ranking 0 ties 5 items"),
        ([["a", "b", "a"]], "lists item 'a' twice"),
        (["ab"], "ranking 0 is 'ab'"),
        ([["a"], ["b"]], "no ranking compares two items"),
        ([["a"]], "there is one item"),
        ([], "there are no rankings"),
    ],
)
def test_bad_rankings_are_refused(orders, message):
    with pytest.raises(ValueError, match=message):
        read_ballots(orders)


def test_taking_items_shortens_rankings():
    ballots = read_ballots([["a", "b", "c"], ["c", "a"]]).take(np.array([True, True, False]))
    assert ballots.rankings == [((0,), (1,))]
    assert ballots.weights.total.tolist() == [1]


def test_weights_of_rankings_whose_products_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="weights is 1e\\+200 in ranking 1; give weights between"):
        rw.leaderboard([["a", "b"], ["b", "a"]], weights=[1.0, 1e200])
