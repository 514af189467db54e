import pandas as pd
import pytest

import rankwright as rw
from rankwright.report import plain
from rankwright.report.leaderboard import leaderboard_report, leaderboard_result, leaderboard_words

NAMES = {"x": "<script>", "y": "$5 & more", "z": "Zed"}


def games(**columns):
    pairs = [("x", "y", "left")] * 9 + [("x", "y", "right")] * 3 + [("y", "z", "tie")] * 4
    pairs += [("y", "z", "left")] * 5 + [("y", "z", "right")] * 3 + [("z", "x", "right")] * 6
    rows = [(NAMES[a], NAMES[b], outcome) for a, b, outcome in pairs]
    return pd.DataFrame(rows, columns=["left", "right", "outcome"]).assign(**columns)


def boards():
    yield rw.leaderboard(games(judge=list("abcdef") * 5))
    yield rw.leaderboard([["a", "b"], ["b", "a", "c"]])
    yield rw.leaderboard(pd.DataFrame({"t": [1.0, 2], "u": [2.0, 1]}, index=["a", "b"]))
    yield rw.leaderboard([["a", "b"]])


@pytest.mark.parametrize("board", list(boards()), ids=["judged", "rankings", "scores", "unknown"])
def test_every_leaderboard_has_a_report_and_a_result(board):
    page = leaderboard_report(board, "games.csv")
    assert page.count("<section") >= 3
    assert "nan" not in page.lower().replace("name", "")
    result = plain(leaderboard_result(board, "games.csv"))
    assert [row["item"] for row in result["leaderboard"]] == board.table().index.tolist()


def test_names_are_text_and_no_markup():
    page = leaderboard_report(rw.leaderboard(games()), "<b>.csv")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<b>" not in page


def test_the_words_say_who_may_be_the_best():
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    rows = [pair for pair in pairs for _ in range(90)] + [(b, a) for a, b in pairs] * 10
    sure = rw.leaderboard(pd.DataFrame(rows, columns=["winner", "loser"]))
    assert leaderboard_words(sure) == [
        "a is the best, with 95% confidence.",
        "Taken one by one, 3 of 3 items have a certain rank.",
    ]
    assert leaderboard_words(rw.leaderboard([["a", "b"], ["b", "a"]]))[0] == (
        "2 of 2 items may be the best, with 95% confidence: a, b."
    )


def test_an_item_that_shows_rank_1_outside_the_best_is_explained_everywhere():
    rows = [("a", "b"), ("b", "$c$")] * 57 + [("b", "a"), ("$c$", "b")] * 43
    board = rw.leaderboard(pd.DataFrame(rows, columns=["winner", "loser"]))
    assert board.best == ["a", "b"]
    assert board.table().loc["$c$", "rank_low"] == 1
    words = "is a one-sided test of its own; ranks guard both sides, so $c$ may show rank 1"
    assert words in leaderboard_words(board)[1]
    assert words in leaderboard_report(board, "games.csv")
    label = rw.plots.plot_leaderboard(board).xaxis.label
    assert words in label.get_text().replace("\n", " ")
    assert not label.get_parse_math()
