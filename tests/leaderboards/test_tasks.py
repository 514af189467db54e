import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.leaderboards.tasks import directions

BENCH = pd.DataFrame(
    {
        "Org": ["X", "X", "Y"],
        "Model": ["m1", "m2", "m3"],
        "MMLU": ["81.5%", "70%", "60%"],
        "GSM8K": ["90", "-", "55"],
        "Latency (s)": [1.0, 2.0, 3.0],
        "Average": [80.0, 70.0, 58.0],
    }
)


def test_texts_and_summaries_are_no_tasks_and_that_is_said():
    board = rw.leaderboard(BENCH)
    assert board.items == ["m1", "m2", "m3"]
    assert board.appearances.tolist() == [3, 2, 3]
    said = " ".join(board.notes)
    assert "Left out: 'Org'" in said
    assert "Left out: 'Average'" in said
    assert "Tasks are 'MMLU', 'GSM8K', 'Latency (s)'." in said
    assert "Larger counts as better in 'Latency (s)'" in said


def test_german_names_tell_summaries_and_where_smaller_may_be_better():
    names = {"Latency (s)": "Latenz", "GSM8K": "Start (ms)", "Average": "Schnitt"}
    said = " ".join(rw.leaderboard(BENCH.rename(columns=names)).notes)
    assert "Left out: 'Schnitt'" in said
    assert "Larger counts as better in 'Start (ms)', 'Latenz'" in said


@pytest.mark.parametrize(
    ("task", "is_doubtful"),
    [
        ("latency_ms", True), ("Start (s)", True), ("Antwortzeit", True), ("Preis/Nacht", True),
        ("Fehlerquote", True), ("Question(s)", False), ("Timeline", False), ("Systems", False),
    ],
)  # fmt: skip
def test_it_is_said_where_a_name_sounds_as_if_smaller_were_better(task, is_doubtful):
    assert bool(directions([task], ())[1]) == is_doubtful


def test_tasks_may_be_named_and_smaller_be_better():
    board = rw.leaderboard(BENCH, tasks=["MMLU", "Latency (s)"], smaller_is_better=["Latency (s)"])
    assert board.table().index.tolist() == ["m1", "m2", "m3"]
    assert not any("Larger counts" in note for note in board.notes)


def test_names_are_the_column_that_tells_rows_apart():
    board = rw.leaderboard(BENCH.rename(columns={"Model": "checkpoint"}))
    assert board.items == ["m1", "m2", "m3"]


def test_a_task_of_texts_is_refused():
    with pytest.raises(ValueError, match="task 'Org' holds 'X' in row 0; give numbers"):
        rw.leaderboard(BENCH, tasks=["Org", "MMLU"])


def test_texts_that_name_no_rows_are_refused():
    with pytest.raises(ValueError, match="none names each row"):
        rw.leaderboard(BENCH.drop(columns="Model").assign(Site="Z"))


def test_points_of_both_sides_decide_battles():
    games = pd.DataFrame(
        {
            "home": list("abcab"),
            "away": list("bcaca"),
            "home_goals": [2, 1, 0, 3, 1],
            "away_goals": [1, 1, 2, 0, 2],
        }
    )
    guessed = rw.leaderboard(games, alpha=1)
    given = rw.leaderboard(games, outcome=("home_goals", "away_goals"), alpha=1)
    words = games.assign(outcome=["left", "tie", "right", "left", "right"])
    assert np.allclose(guessed.strengths, given.strengths)
    assert np.allclose(guessed.strengths, rw.leaderboard(words, alpha=1).strengths)


def test_an_arrow_says_where_smaller_is_better():
    frame = pd.DataFrame({"model": ["a", "b"], "loss ↓": [1.0, 2.0], "hits ↑": [3.0, 2.0]})
    board = rw.leaderboard(frame)
    assert board.strengths[0] > board.strengths[1]
    assert "Smaller counts as better in 'loss ↓', by the arrow." in board.notes


def test_descriptions_of_items_are_no_tasks():
    frame = pd.DataFrame(
        {"model": ["a", "b"], "Params (B)": [7, 70], "Votes": [9, 8], "Mean win rate": [0.5, 0.5],
         "x": [1.0, 2.0], "y": [3.0, 2.0]}
    )  # fmt: skip
    assert rw.leaderboard(frame).appearances.tolist() == [2, 2]


def test_a_table_without_numbers_is_told_what_battles_need():
    frame = pd.DataFrame({"Thuis": ["x", "y"], "Uit": ["y", "x"], "Uitslag": ["2:1", "0:0"]})
    with pytest.raises(ValueError, match=r"name those of battles .*--left, --right"):
        rw.leaderboard(frame)


def _scores(**tasks):
    return pd.DataFrame({"model": ["a", "b", "c", "d"], **tasks})


def test_what_sums_up_the_scores_is_no_candidate():
    rows = {"x": [3, 1, 2, 2], "y": [4, 5, 9, 6]}
    board = rw.leaderboard(_scores(**rows).replace({"model": {"d": "Average"}}))
    assert board.items == ["a", "b", "c"]
    assert "Rows left out as totals below the table: row 3 ('Average')." in board.notes


def test_how_scores_were_read_is_said():
    board = rw.leaderboard(_scores(x=["3k", "1k", "2k", "5k"], y=["1%", "2%", "5%", "3%"]))
    assert "Percentages read as fractions (5% is 0.05): y." in board.notes
    assert any("'3k' (row 0, column 'x')" in note for note in board.notes)


@pytest.mark.parametrize("odd", [["51%", "0.62", "73", "84%"], ["$1", "€2", "$3", "$4"]])
def test_scores_that_can_not_be_compared_are_refused(odd):
    with pytest.raises(ValueError, match=r"column 'x': .*; write all of them alike"):
        rw.leaderboard(_scores(x=odd, y=[1, 2, 3, 4]))


def test_a_column_that_is_left_out_as_text_is_shown_by_its_first_text():
    board = rw.leaderboard(_scores(x=["1,5", "2.5", "3", "4"], y=[1, 2, 3, 4], z=[4, 3, 1, 2]))
    assert "Left out: 'x', which hold texts, such as '2.5' in row 1." in board.notes


def test_one_task_beside_columns_that_are_no_numbers_names_these():
    with pytest.raises(ValueError, match=r"one column of scores, 'z', .*'x', 'y' hold texts") as no:
        rw.leaderboard(_scores(x=["70 ± 1.2"] * 4, y=["60±0.8"] * 4, z=[1, 2, 3, 4]))
    assert "such as '70 ± 1.2' in row 0: write the numbers alone" in str(no.value)
