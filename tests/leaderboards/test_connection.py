import numpy as np
import pandas as pd
from scipy.sparse import csr_array

import rankwright as rw
from rankwright.leaderboards.connection import connection


def board_of(*games, **options):
    return rw.leaderboard(pd.DataFrame(list(games), columns=["winner", "loser"]), **options)


CIRCLE = [("a", "b"), ("b", "c"), ("c", "a")]


def test_an_item_that_won_all_has_no_upper_limit_and_may_have_any_rank():
    board = board_of(*CIRCLE, ("w", "a"))
    row = board.table().loc["w"]
    assert row["strength"] == np.inf
    assert (row["rank"], row["rank_low"], row["rank_high"], row["tier"]) == (1, 1, 4, 0)
    assert "w" in board.best
    assert any(note.startswith("The strength of w has no upper limit") for note in board.notes)


def test_items_that_are_not_finite_widen_the_other_sets():
    strong = [("a", "b")] * 400 + [("b", "a")] * 100
    alone, beside = board_of(*strong), board_of(*strong, ("w", "a"))
    assert alone.table().loc["b", ["rank_low", "rank_high"]].tolist() == [2, 2]
    assert beside.table().loc["b", ["rank_low", "rank_high"]].tolist() == [2, 3]
    assert beside.table().loc["a", ["rank_low", "rank_high"]].tolist() == [1, 2]


def test_finite_strengths_do_not_depend_on_items_that_are_not():
    assert np.allclose(board_of(*CIRCLE, ("w", "a"), ("a", "l")).strengths[:3],
                       board_of(*CIRCLE).strengths)  # fmt: skip


def test_an_item_that_lost_all_has_no_lower_limit():
    assert board_of(*CIRCLE, ("a", "l")).table().loc["l", "strength"] == -np.inf


def test_items_that_nothing_connects_are_unknown():
    board = board_of(*CIRCLE, ("x", "y"), ("y", "x"))
    assert np.isnan(board.strengths[3:]).all()
    assert any("2 parts that were never compared" in note for note in board.notes)
    assert board.table().loc["x", ["rank_low", "rank_high"]].tolist() == [1, 5]


def test_nothing_is_known_of_items_that_met_once():
    board = board_of(("a", "b"))
    assert board.strengths.tolist() == [np.inf, -np.inf]
    assert board.tiers.tolist() == [0, 0]
    assert board.method == "none"


def test_items_that_only_win_downwards_stand_around_one_in_the_middle():
    board = board_of(("x", "y"), ("x", "y"), ("y", "z"))
    table = board.table()
    assert table.index.tolist() == ["x", "y", "z"]
    assert table["strength"].tolist() == [np.inf, 0.0, -np.inf]
    assert table["rank"].tolist() == [1, 2, 3]
    assert (table["rank_high"] - table["rank_low"]).tolist() == [2, 2, 2]
    assert not any("Nothing is known" in note for note in board.notes)


def test_ties_alone_are_no_certainty():
    ties = pd.DataFrame({"left": list("ab") * 20, "right": list("bc") * 20, "outcome": "tie"})
    board = rw.leaderboard(ties)
    assert (board.model, board.errors) == ("bradley_terry", "model")
    assert (board.standard_errors > 0.1).all()


def test_a_prior_makes_all_strengths_finite_and_is_named():
    board = board_of(*CIRCLE, ("w", "a"), ("x", "y"), alpha=1)
    assert np.isfinite(board.strengths).all()
    assert board.alpha == 1
    assert any("prior" in note for note in board.notes)


def test_the_largest_set_of_mutual_wins_is_finite():
    wins = np.zeros((6, 6))
    wins[0, 1] = wins[1, 2] = wins[2, 0] = 1  # a circle of three
    wins[3, 4] = wins[4, 3] = 1  # two more, above it
    wins[3, 0] = 1
    found = connection(csr_array(wins))
    assert found.finite.tolist() == [True, True, True, False, False, False]
    assert found.infinite[3:].tolist()[:2] == [np.inf, np.inf]
    assert np.isnan(found.infinite[5])


def test_rankings_leave_out_items_that_are_always_last():
    orders = [["a", "b", "c", "z"], ["b", "a", "c"], ["c", "b", "a", "z"]]
    board = rw.leaderboard(orders)
    assert board.table().loc["z", "strength"] == -np.inf
    without = rw.leaderboard([[item for item in order if item != "z"] for order in orders])
    assert np.allclose(board.strengths[:3], without.strengths)
