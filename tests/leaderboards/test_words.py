import numpy as np
import pandas as pd
import pytest

from rankwright.leaderboards.words import LOST, TIED, UNKNOWN, WON, read_outcomes

LEFT, RIGHT = np.array([0, 1, 2]), np.array([1, 2, 0])
ITEMS = ["x", "y", "z"]


def read(*outcomes, items=ITEMS):
    return understood(*outcomes, items=items)[0].tolist()


def understood(*outcomes, items=ITEMS):
    return read_outcomes(pd.Series(list(outcomes)), LEFT, RIGHT, items)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (("left", "RIGHT", " Tie "), [WON, LOST, TIED]),
        (("model_a", "model_b", "tie (bothbad)"), [WON, LOST, TIED]),
        (("model_a", "Both bad", "both_bad"), [WON, TIED, TIED]),
        ((1, 0, 0.5), [WON, LOST, TIED]),
        ((1.0, 2.0, 1.5), [WON, LOST, TIED]),
        (("A>B", "B>>A", "A=B"), [WON, LOST, TIED]),
        ((1, -1, 0), [WON, LOST, TIED]),
        (("1", "2", "1"), [WON, LOST, WON]),
        ((True, False, True), [WON, LOST, WON]),
        (("x", "y", "draw"), [WON, WON, TIED]),
        (("y", None, "x"), [LOST, UNKNOWN, LOST]),
        (("left", "", "right"), [WON, UNKNOWN, LOST]),
        (("1", " ", "0"), [WON, UNKNOWN, LOST]),
        (("W", "L", "D"), [WON, LOST, TIED]),
        (("H", "A", "D"), [WON, LOST, TIED]),
        (("l", "r", "t"), [WON, LOST, TIED]),
        (("a", "b", "tie"), [WON, LOST, TIED]),
        (("1-0", "*", "1/2-1/2"), [WON, UNKNOWN, TIED]),
        (("3-1", "0 : 2", "1–1"), [WON, LOST, TIED]),
        (("1/2-1/2", "2-1", "n/a"), [TIED, WON, UNKNOWN]),
        (("1:1 (0:0)", "2:1 [0:1]", "0-3"), [TIED, WON, LOST]),
        (("2-1", "P-P", "w/o"), [WON, UNKNOWN, UNKNOWN]),
    ],
)
def test_outcomes_may_be_words_numbers_or_names(outcomes, expected):
    assert read(*outcomes) == expected


def test_a_winners_name_is_no_word():
    assert read("b", "b", "a", items=["a", "b", "c"]) == [LOST, WON, LOST]


def test_numbers_are_outcomes_where_items_are_numbers_too():
    assert read(1, 0, 1, items=[1, 5, 7]) == [WON, LOST, WON]


def test_outcomes_not_understood_are_listed_with_the_first_row():
    with pytest.raises(ValueError, match=r"'maybe', 'perhaps' \(the first in row 1\)"):
        read("left", "maybe", "perhaps")


def test_the_name_of_an_item_that_was_not_there_is_not_understood():
    with pytest.raises(ValueError, match="'z' "):
        read("z", "y", "x")


def test_only_outcomes_that_are_no_result_are_listed():
    with pytest.raises(ValueError, match=r"understood: '1-1 \(4-3 p\)' \(the first in row 1\)"):
        read("2-1", "1-1 (4-3 p)", "0-3")


def test_results_with_more_than_points_and_games_not_played_are_told():
    assert understood("2:1", "0:0", "1:3")[1] == []
    assert understood("1:1 (0:0)", "v", "P-P")[1] == [
        "The first result counts, the one in parentheses is taken for that at half-time: "
        "'1:1 (0:0)'.",
        "Not played, and left out: 'v', 'P-P'.",
    ]


@pytest.mark.parametrize("outcomes", [("V", "N", "D"), ("V", "V", "V"), ("v", "left", "right")])
def test_a_v_that_stands_beside_no_result_may_be_a_victory(outcomes):
    with pytest.raises(ValueError, match="not understood"):
        read(*outcomes)


def test_more_points_in_parentheses_than_before_them_are_no_half_time():
    with pytest.raises(ValueError, match=r"'1-1 \(4-3\)'"):
        read("2-1", "1-1 (4-3)", "0-3")
