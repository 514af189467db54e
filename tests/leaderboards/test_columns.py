import pandas as pd
import pytest

import rankwright as rw
from rankwright.data.sheet import Sheet
from rankwright.leaderboards.battles import Columns
from rankwright.leaderboards.columns import guess_battles, resolve

NUMBERS = ("n", "task 1", "task 2", "winner_id", "loser_id", "FTHG", "FTAG", "home_goals",
           "away_goals", "score1", "score2")  # fmt: skip


def guess(columns, **given):
    rows = {name: ["x", "y"] for name in columns}
    rows |= {name: [1, 2] for name in columns if name in NUMBERS}
    return guess_battles(Sheet("the table", pd.DataFrame(rows)), Columns(**given)).columns


@pytest.mark.parametrize(
    ("columns", "left", "right", "outcome"),
    [
        (("left", "right", "outcome"), "left", "right", "outcome"),
        (("model_a", "model_b", "winner"), "model_a", "model_b", "winner"),
        (("home team", "away team", "result"), "home team", "away team", "result"),
        (("player1", "player2", "n", "verdict"), "player1", "player2", "verdict"),
        (("winner", "loser"), "winner", "loser", None),
        (("Datum", "Heim", "Gast", "Ergebnis"), "Heim", "Gast", "Ergebnis"),
        (("Heimteam", "Gastteam", "Resultat"), "Heimteam", "Gastteam", "Resultat"),
        (("date", "White", "Black", "Result"), "White", "Black", "Result"),
        (("winner_id", "winner_name", "loser_id", "loser_name"), "winner_name", "loser_name", None),
        (("winner_id", "loser_id"), "winner_id", "loser_id", None),
        (("HomeTeam", "AwayTeam", "FTHG", "FTAG", "FTR"), "HomeTeam", "AwayTeam", "FTR"),
        (("HomeTeam", "AwayTeam", "FTHG", "FTAG"), "HomeTeam", "AwayTeam", ("FTHG", "FTAG")),
        (
            ("home", "away", "home_goals", "away_goals"),
            "home",
            "away",
            ("home_goals", "away_goals"),
        ),
        (("team1", "team2", "score1", "score2"), "team1", "team2", ("score1", "score2")),
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


@pytest.mark.parametrize("context", ["length", ["length"], {"length": ("length_a", "length_b")}])
def test_what_two_columns_have_in_common_is_short_for_their_difference(context):
    sheet = Sheet("the table", pd.DataFrame({"length_a": [1], "length_b": [2]}))
    assert resolve(sheet, context) == {"length": ("length_a", "length_b")}


def test_a_column_is_itself_before_it_is_short_for_others():
    sheet = Sheet("the table", pd.DataFrame({"length": [1], "length_a": [1], "length_b": [2]}))
    assert resolve(sheet, "length") == {"length": ("length",)}


def test_scores_of_both_sides_are_points_and_no_outcome():
    frame = pd.DataFrame(
        {"home_team": ["x", "y", "x"], "away_team": ["y", "x", "y"], "home_score": [3, 1, 0],
         "away_score": [1, 0, 0]}
    )  # fmt: skip
    notes = rw.leaderboard(frame).notes
    assert "Whoever has more points wins: 'home_score' against 'away_score'." in notes


def test_columns_of_answers_are_not_taken_for_items():
    frame = pd.DataFrame(
        {"output_1": [f"answer {k}" for k in range(6)],
         "output_2": [f"reply {k}" for k in range(6)],
         "generator_1": list("xyxyxy"), "generator_2": list("yxzzyz"),
         "preference": [1.0, 2.0, 1.5, 1.0, 2.0, 2.0]}
    )  # fmt: skip
    assert rw.leaderboard(frame).items == ["x", "y", "z"]


def test_battles_that_are_listed_from_both_sides_are_noticed():
    rows = [("a", "b", "win"), ("a", "c", "loss"), ("b", "c", "draw"), ("a", "b", "loss")]
    mirror = {"win": "loss", "loss": "win", "draw": "draw"}
    both = rows + [(k, i, mirror[outcome]) for i, k, outcome in rows]
    once, twice = (
        rw.leaderboard(pd.DataFrame(table, columns=["player", "opponent", "result"])).notes
        for table in (rows + rows, both)
    )
    assert not any("listed twice" in note for note in once)
    assert any("listed twice" in note for note in twice)


def test_names_may_be_numbers_where_somebody_won():
    frame = pd.DataFrame({"model_a": [1, 2, 3], "model_b": [2, 3, 1], "winner": [1, 2, 3]})
    assert rw.leaderboard(frame).items == [1, 2, 3]
