import numpy as np
import pandas as pd
import pytest

import rankwright as rw

WINS = pd.DataFrame([[0, 3, 4], [2, 0, 5], [1, 2, 0]], index=list("abc"), columns=list("abc"))
BATTLES = pd.DataFrame(
    [(i, k, "left", WINS.loc[i, k]) for i in WINS.index for k in WINS.columns if i != k],
    columns=["left", "right", "outcome", "n"],
)


def same(found, expected):
    assert found.items == expected.items
    assert found.n_comparisons == expected.n_comparisons
    assert np.allclose(found.strengths, expected.strengths, atol=1e-9)
    assert np.allclose(found.covariance, expected.covariance, atol=1e-9)


@pytest.mark.parametrize(
    "matrix",
    [
        WINS,
        WINS[["c", "a", "b"]],
        WINS.rename_axis("winner").reset_index(),
        WINS.astype(object).mask(np.eye(3, dtype=bool), "x").reset_index(),
    ],
    ids=["index", "columns in another order", "column of names", "marked diagonal"],
)
def test_a_matrix_counts_how_often_rows_beat_columns(matrix):
    board = rw.leaderboard(matrix)
    same(board, rw.leaderboard(BATTLES))
    assert "how often the row beat the column" in board.notes[0]


def test_an_array_is_a_matrix_of_wins_where_its_diagonal_is_empty():
    board = rw.leaderboard(WINS.to_numpy())
    assert np.allclose(board.strengths, rw.leaderboard(WINS).strengths)
    assert rw.leaderboard(WINS.to_numpy() + np.eye(3)).model == "mean_score"
    assert rw.leaderboard(WINS.to_numpy() / 10).model == "mean_score"


def test_home_and_away_games_are_not_mirror_images():
    rows = [(i, k, WINS.loc[i, k], WINS.loc[k, i] + 1) for i in "abc" for k in "abc" if i != k]
    table = pd.DataFrame(rows, columns=["home", "away", "home_wins", "away_wins"])
    assert not any("listed twice" in note for note in rw.leaderboard(table).notes)


def test_shares_of_wins_are_no_counts():
    with pytest.raises(ValueError, match=r"'0.3' in row a; give how often"):
        rw.leaderboard(WINS / 10)


@pytest.mark.parametrize(
    ("first", "second"), [("wins_a", "wins_b"), ("a_wins", "b_wins"), ("wins1", "wins2")]
)
def test_columns_of_wins_are_counts_not_points(first, second):
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    rows = [(i, k, WINS.loc[i, k], WINS.loc[k, i]) for i, k in pairs]
    board = rw.leaderboard(pd.DataFrame(rows, columns=["left", "right", first, second]))
    same(board, rw.leaderboard(BATTLES))


def test_ties_beside_wins_are_counted():
    table = pd.DataFrame(
        {"left": ["a", "b"], "right": ["b", "a"], "left_wins": [4, 1], "right_wins": [2, 3],
         "draws": [1, 0]}
    )  # fmt: skip
    board = rw.leaderboard(table)
    assert (board.model, board.n_comparisons) == ("davidson", 11)
