import pandas as pd
import pytest

from rankwright.data.spreadsheet import Sheet
from rankwright.leaderboards.columns import guess_battles

NOTHING = dict.fromkeys(("left", "right", "outcome", "counts", "weights", "cluster"))


def guess(columns, **given):
    rows = {name: ["x", "y"] for name in columns}
    rows |= {name: [1, 2] for name in columns if name in ("n", "task 1", "task 2")}
    return guess_battles(Sheet("the table", pd.DataFrame(rows)), NOTHING | given).columns


@pytest.mark.parametrize(
    ("columns", "left", "right", "outcome"),
    [
        (("left", "right", "outcome"), "left", "right", "outcome"),
        (("model_a", "model_b", "winner"), "model_a", "model_b", "winner"),
        (("home team", "away team", "result"), "home team", "away team", "result"),
        (("player1", "player2", "n", "verdict"), "player1", "player2", "verdict"),
        (("winner", "loser"), "winner", "loser", None),
        (("date", "White", "Black", "Result"), "White", "Black", "Result"),
    ],
)
def test_columns_of_battles_are_guessed_from_their_names(columns, left, right, outcome):
    found = guess(columns)
    assert (found.left, found.right, found.outcome) == (left, right, outcome)


def test_counts_and_judges_are_guessed_too():
    found = guess(("left", "right", "outcome", "n", "judge"))
    assert (found.counts, found.cluster) == ("n", "judge")


def test_columns_of_scores_are_no_battles():
    assert guess(("task 1", "task 2")) is None


def test_what_is_given_stays():
    found = guess(("left", "right", "winner", "verdict"), outcome="verdict")
    assert found.outcome == "verdict"


def test_battles_without_an_outcome_column_name_the_remedy():
    with pytest.raises(ValueError, match="looks like an outcome; name it"):
        guess(("left", "right", "day"))
