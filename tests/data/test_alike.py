import pandas as pd
import pytest

import rankwright as rw
from rankwright.data import read_table
from rankwright.data.alike import note_alike


def test_names_that_differ_only_by_case_are_noted_and_stay_apart():
    board = rw.leaderboard([["Alpha", "alpha", "b"], ["b", "Alpha", "alpha"], ["alpha", "b"]])
    assert board.items == ["Alpha", "alpha", "b"]
    assert any("only by case or spaces" in note for note in board.notes)
    assert any("'Alpha' and 'alpha';" in note for note in board.notes)


@pytest.mark.parametrize("items", [["a", "b"], [1, 2], ["1", 1]])
def test_names_that_differ_otherwise_need_no_note(items):
    assert note_alike(items) == []


def test_names_that_differ_only_by_spaces_are_noted():
    (note,) = note_alike(["GPT  4", "gpt 4", "other"])
    assert "'GPT  4' and 'gpt 4'" in note


def test_labels_of_groups_that_differ_by_case_are_told():
    frame = pd.DataFrame({"name": list("abcd"), "zoom": [5, 3, 1, 6], "rank": [1, 2, 1, 2]})
    frame["region"] = ["North", "North", "north", "north"]
    table = read_table(frame, item="name", target="rank", group="region")
    said = "Labels in 'region' that differ only by case or spaces are taken for different groups"
    assert any(note.startswith(f"{said}: 'North' and 'north'; spell") for note in table.notes)


def test_what_is_told_of_is_called_items_unless_it_is_said():
    remedy = "'A' and 'a'; spell them alike if they are one."
    said = "that differ only by case or spaces are taken for different"
    assert note_alike([*"Aab"]) == [f"Names {said} items: {remedy}"]
    assert note_alike([*"Aab"], "Labels", "groups") == [f"Labels {said} groups: {remedy}"]


@pytest.mark.parametrize("names", [["New York", "NewYork"], ["a", "b", 1, None]])
def test_names_that_differ_by_more_than_case_and_the_number_of_spaces_need_no_note(names):
    assert note_alike(names) == []


def test_of_many_names_that_are_alike_three_are_shown():
    (note,) = note_alike([*"AaBbCcDdaE", " e"])
    assert "'A' and 'a' and 'a', 'B' and 'b', 'C' and 'c' and 2 more; spell" in note
