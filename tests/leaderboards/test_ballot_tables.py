import numpy as np
import pandas as pd
import pytest

import rankwright as rw

ORDERS = [["a", "b", "c"], ["b", "a"], ["c", "a", "b"], ["a", "c", "b"]]
WIDE = pd.DataFrame([[*order, ""][:3] for order in ORDERS], columns=["first", "second", "third"])
LONG = pd.DataFrame(
    [(f"judge {k}", item, place) for k, order in enumerate(ORDERS)
     for place, item in enumerate(order, 1)],
    columns=["taster", "wine", "place"],
)  # fmt: skip
CELLS = LONG.pivot(index="taster", columns="wine", values="place").reset_index()


@pytest.mark.parametrize(
    "table",
    [WIDE, WIDE.set_axis(["Rank 1", "Rank 2", "Rank 3"], axis=1), LONG.sample(frac=1), CELLS],
    ids=["ballots", "numbered", "places", "cells"],
)
def test_rankings_are_read_from_every_kind_of_table(table):
    board, expected = rw.leaderboard(table), rw.leaderboard(ORDERS)
    assert (board.items, board.model) == (["a", "b", "c"], "plackett_luce")
    assert np.allclose(board.strengths, expected.strengths)


def test_counts_say_how_often_a_ballot_was_cast():
    board = rw.leaderboard(WIDE.assign(n=[2, 1, 3, 1]))
    repeated = rw.leaderboard(
        [o for o, n in zip(ORDERS, [2, 1, 3, 1], strict=True) for _ in "x" * n]
    )
    assert np.allclose(board.strengths, repeated.strengths)
    assert board.n_comparisons == 7


def test_voters_who_cast_several_ballots_are_clusters():
    assert rw.leaderboard(WIDE.assign(judge=list("uuvw"))).errors == "clustered"
    assert rw.leaderboard(WIDE.assign(judge=list("tuvw"))).errors == "model"


def test_equal_ranks_are_ties():
    table = pd.DataFrame({"judge": [1, 2, 3], "a": [1, 2, 1], "b": [1, 1, 2], "c": [3, 3, 3]})
    board = rw.leaderboard(table, alpha=1)
    expected = rw.leaderboard([[["a", "b"], "c"], ["b", "a", "c"], ["a", "b", "c"]], alpha=1)
    assert np.allclose(board.strengths, expected.strengths)


def test_points_of_judges_are_scores_of_the_items_in_columns():
    table = pd.DataFrame({"judge": ["u", "v", "w"], "a": [90, 85, 70], "b": [80, 88, 60]})
    board = rw.leaderboard(table)
    assert (board.items, board.model) == (["a", "b"], "mean_score")
    assert any("scores of a 'judge'" in note for note in board.notes)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (WIDE.assign(third="a"), "the ballot in row 0 lists 'a' twice"),
        (WIDE.assign(n=[1, -1, 1, 1]), "'n' is '-1' in row 1; give whole numbers"),
        (pd.concat([LONG, LONG.head(1)]), "'judge 0' ranks an item twice"),
    ],
)
def test_bad_ballots_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        rw.leaderboard(table)


def test_a_driver_who_did_not_finish_has_no_place():
    frame = pd.DataFrame(
        {"race": [1, 1, 1, 2, 2, 2], "driver": list("abcabc"),
         "position": ["1", "2", "DNF", "3", "1", "2"]}
    )  # fmt: skip
    board = rw.leaderboard(frame)
    assert board.appearances.tolist() == [2, 2, 1]
    assert "Left out: 1 row without a place in 'position' ('DNF')." in board.notes
