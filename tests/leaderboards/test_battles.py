import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.data.sheet import Sheet
from rankwright.leaderboards.battles import Columns, read_battles
from rankwright.leaderboards.columns import resolve

GAMES = pd.DataFrame(
    {
        "left": ["b", "a", "b", "a", "c"],
        "right": ["a", "b", "a", "c", "a"],
        "outcome": ["left", "right", "tie", "left", "left"],
        "n": [1, 2, 3, 4, 5],
        "length": [10.0, -10.0, 10.0, 0.0, 0.0],
    }
)


def read(frame=GAMES, context=None, side_advantage=False, **columns):
    names = {"left": "left", "right": "right", "outcome": "outcome"} | columns
    sheet = Sheet("games", frame)
    return read_battles(
        sheet, Columns(**names), resolve(sheet, context), side_advantage=side_advantage
    )


def given_context(battles):
    return (battles.context * battles.context_units).ravel().tolist()


def test_battles_of_a_pair_are_added_up_from_the_smaller_items_side():
    battles = read(counts="n")
    assert battles.items == ["a", "b", "c"]
    assert list(zip(battles.left, battles.right, strict=True)) == [(0, 1), (0, 2)]
    assert battles.counts.tolist() == [[0, 3, 3], [4, 5, 0]]
    assert battles.appearances().tolist() == [15, 6, 9]


def test_the_context_changes_its_sign_with_the_sides():
    battles = read(context=["length"])
    assert given_context(battles) == [-10, 0]
    assert battles.counts.tolist() == [[0, 2, 1], [1, 1, 0]]


def test_the_side_is_part_of_the_context():
    battles = read(side_advantage=True)
    assert battles.context_names == ["left side"]
    assert given_context(battles) == [-1, 1, -1, 1]


def test_the_context_may_be_the_difference_of_two_columns():
    frame = GAMES.assign(mine=[5, 1, 5, 2, 2], yours=[1, 5, 1, 2, 2])
    battles = read(frame, context={"length": ("mine", "yours")})
    assert given_context(battles) == [-4, 0]


def test_weights_are_kept_with_their_squares_and_counts_are_not_squared():
    counted, weighted = read(counts="n").weights, read(weights="n").weights
    assert counted.total.tolist() == weighted.total.tolist() == [0, 3, 3, 4, 5, 0]
    assert counted.squares.tolist() == [0, 3, 3, 4, 5, 0]
    assert weighted.squares.tolist() == [0, 5, 9, 16, 25, 0]
    assert (counted.are_counts, weighted.are_counts) == (True, False)
    assert (counted.count, weighted.count) == (15, 5)


def test_clusters_keep_the_weights_of_outcomes_apart():
    weights = read(GAMES.assign(judge=["u", "v", "u", "v", "u"]), cluster="judge").weights
    assert weights.clusters.names == ["u", "v"]
    assert weights.clusters.weights.toarray().tolist() == [[0, 1, 1, 0, 1, 0], [0, 1, 0, 1, 0, 0]]


def test_battles_without_an_outcome_are_left_out_and_said():
    battles = read(GAMES.assign(outcome=["left", None, "tie", "left", "left"]))
    assert battles.counts.sum() == 4
    assert battles.notes == ["Left out: 1 battle without an outcome."]


def test_a_row_without_a_judge_is_a_cluster_of_its_own_and_that_is_said():
    battles = read(GAMES.assign(judge=["u", "", "u", None, "v"]), cluster="judge")
    assert len(battles.weights.clusters.names) == 4
    assert battles.notes == ["No judge or other cluster is named in 2 rows: each stands alone."]


def test_taking_items_keeps_their_battles_alone():
    battles = read(counts="n").take(np.array([True, False, True]))
    assert (battles.items, battles.left.tolist(), battles.right.tolist()) == (["a", "c"], [0], [1])
    assert battles.counts.tolist() == [[4, 5, 0]]


@pytest.mark.parametrize(
    ("changes", "columns", "message"),
    [
        ({"right": ["b", "b", "a", "c", "a"]}, {}, "row 0 compares 'b' with itself; remove it"),
        ({"left": ["b", None, "b", "a", "c"]}, {}, "row 1 lacks the name of an item"),
        ({"n": [1, 2, -3, 4, 5]}, {"counts": "n"}, "'n' is '-3' in row 2"),
        ({"n": [1, 2, 3, np.nan, 5]}, {"weights": "n"}, "'n' is '' in row 3"),
        ({}, {"outcome": "result"}, "no column 'result'"),
        ({"outcome": [None] * 5}, {}, "no battle has an outcome"),
    ],
)
def test_bad_battles_are_refused_by_row(changes, columns, message):
    with pytest.raises(ValueError, match=message):
        read(GAMES.assign(**changes), **columns)


def test_preference_pairs_are_battles_that_the_better_item_won():
    board = rw.leaderboard(rw.PreferencePairs(["a", "b", "c", "a"], ["b", "c", "a", "b"]))
    games = pd.DataFrame({"winner": list("abca"), "loser": list("bcab")})
    assert np.allclose(board.strengths, rw.leaderboard(games).strengths)
    assert board.model == "bradley_terry"


def test_tied_preference_pairs_are_ties():
    pairs = rw.PreferencePairs(list("abca"), list("bcab"), tied=[False, False, False, True])
    board = rw.leaderboard(pairs)
    games = pd.DataFrame({"left": list("abca"), "right": list("bcab"), "outcome": [1, 1, 1, 0.5]})
    assert board.model == "davidson"
    assert np.allclose(board.strengths, rw.leaderboard(games).strengths)


@pytest.mark.parametrize("size", [1e200, 1e-320])
@pytest.mark.parametrize("role", ["counts", "weights", "context"])
def test_numbers_whose_squares_are_none_are_refused_by_name(role, size):
    table = pd.DataFrame(
        {"left": [*"xyxy"], "right": [*"yxyx"], "outcome": [1, 1, 0, 1], "size": [1, 2, size, 1]}
    )
    with pytest.raises(ValueError, match=r"'size' is .* in row 2, and its square is needed.*unit"):
        rw.leaderboard(table, **{role: "size"})
