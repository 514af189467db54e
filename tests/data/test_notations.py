import numpy as np
import pandas as pd
import pytest

from rankwright.data import read_table
from rankwright.data.notations import is_clock, is_notation, read_notations
from rankwright.data.numbers import parse_numbers


@pytest.mark.parametrize(
    ("cells", "values", "notation"),
    [
        (["34 : 66", "50 : 50", ""], [0.34, 0.5, np.nan], "share"),
        (["1:9", "1:3"], [0.1, 0.25], "share"),
        (["4.5/5", "3/5", "4 out of 5"], [4.5, 3, 4], "points"),
        (["★★★½", "★★★★☆", "☆☆☆☆☆"], [3.5, 4, 0], "stars"),
        (["3.5★", "4 stars"], [3.5, 4], "stars"),
        (["7.197 T€", "1,5 TEUR", "12 T EUR"], [7_197_000, 1500, 12_000], "magnitude"),
        (["3k", "1.2 million", "$3.4M", "2 bn"], [3000, 1.2e6, 3.4e6, 2e9], "magnitude"),
        (["95.3*", "12[1]", "80†", "81.0 (e)", "~7"], [95.3, 12, 80, 81, 7], "remark"),
        (["3½", "½", "2¼"], [3.5, 0.5, 2.25], "fraction"),
        (["1¾", "⅓", "2⅔"], [1.75, 1 / 3, 8 / 3], "fraction"),
        (["3 kg", "4 kg", "5", "6", "7"], [3, 4, 5, 6, 7], "unit"),
        (["2e3k", "5"], [2e6, 5], "magnitude"),
        (["96.2 km", "7km", "1,200 km"], [96.2, 7, 1200], "unit"),
    ],
)
def test_a_column_is_read_in_its_notation_and_says_so(cells, values, notation):
    found = parse_numbers(cells)
    np.testing.assert_allclose(found.values, values)
    assert found.wrong.size == 0
    assert found.notations == {notation: 0}


@pytest.mark.parametrize(
    "cells",
    [
        ["12:30", "11:45"],
        ["2:05:33"],
        ["1/2", "3/4"],
        ["5/6/2021"],
        ["7/5"],
        ["★ x"],
        ["3m", "4m"],
        ["3 kg"],
        ["3 kg", "4 g"],
    ],
)
def test_times_dates_and_units_are_no_numbers(cells):
    assert len(parse_numbers(cells).wrong) == len(cells)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        *[("$149,784 ", 149784), ("€1.234,50", 1234.5), ("20,152", 20152), ("25%", 0.25)],
        *[("−3.5", -3.5), ("\u00a05\u202f000 ", 5000), ("US$ 5", 5), ("CHF 12.50", 12.5)],
        *[("₹1,200", 1200), ("1.5e2%", 1.5), ("2e3k", 2e6)],
    ],
)
def test_dressed_numbers_need_no_words(cell, value):
    found = parse_numbers([cell])
    assert found.values.tolist() == [value]


def test_a_column_with_few_cells_that_are_no_numbers_is_mostly_read():
    assert parse_numbers(["1", "2", "3", "4", "see note"]).is_mostly_read
    assert not parse_numbers(["1", "2", "3", "see note"]).is_mostly_read
    assert not parse_numbers(["", "x"]).is_mostly_read
    assert parse_numbers(["", "4"]).is_mostly_read


def test_rounded_percentages_sum_to_99_or_101_and_one_in_five_may_be_wrong():
    found = parse_numbers(["33:66", "50:51", "60:40", "70:30", "12:30"])
    np.testing.assert_allclose(found.values[:4], [33 / 99, 50 / 101, 0.6, 0.7])
    assert found.wrong.tolist() == [4]


def test_a_few_times_of_day_that_sum_to_100_are_no_shares():
    assert len(parse_numbers(["60:40", "10:30", "11:45", "12:15", "9:30"]).wrong) == 5


def test_all_against_nothing_is_a_share_of_one():
    assert parse_numbers(["1:0", "1:4"]).values.tolist() == [1.0, 0.2]


def test_points_out_of_another_whole_or_beyond_it_are_no_numbers():
    found = parse_numbers(["4/5", "3/5", "5/5", "2/5", "3/4"])
    assert found.values[:4].tolist() == [4, 3, 5, 2]
    assert found.wrong.tolist() == [4]
    assert parse_numbers(["4/5", "6/5", "3/5"]).wrong.tolist() == [1]
    assert parse_numbers(["1/1", "0/1"]).values.tolist() == [1, 0]
    assert len(parse_numbers(["0/0", "0 / 0"]).wrong) == 2


def test_half_stars_may_follow_digits():
    assert parse_numbers(["4½ stars", "3★"]).values.tolist() == [4.5, 3]


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (["4.5/5", "3/5"], {"3/5": (3.0, "points")}),
        (["34.5:66", "40:60"], {"40:60": (0.4, "share")}),
        (["3 kg", "4,5 kg", "1.5 kg"], {"3 kg": (3.0, "unit"), "4,5 kg": (4.5, "unit")}),
    ],
)
def test_a_part_with_the_other_decimal_mark_is_no_number(cells, read):
    assert read_notations(cells, ",") == read


def test_stars_are_read_below_a_cell_that_has_none():
    assert read_notations(["good", "★★★"], ".") == {"★★★": (3.0, "stars")}


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["34 : 66", "50 : 50"], "share"),
        (["4/5", "3/5"], "points"),
        (["★★★", "★"], "stars"),
        (["3k", "2k"], "thousands"),
        (["95*", "12*"], "mark"),
        (["3½", "2¼"], "fraction"),
        (["3 km", "4 km"], "unit"),
        (["good (3)", "fair (2)", "good (4)", "fair (1)"], "in parentheses behind a word"),
    ],
)
def test_what_a_notation_was_read_as_is_said(tmp_path, cells, said):
    path = tmp_path / "table.csv"
    rows = (f"{'ABCD'[i]},{i + 1},{cell}\n" for i, cell in enumerate(cells))
    path.write_text(f"item,rank,x\n{''.join(rows)}", encoding="utf-8")
    notes = read_table(path, item="item", target="rank").notes
    assert any("'x'" in note and said in note for note in notes), notes


def test_a_cell_that_is_no_number_has_no_notation():
    assert parse_numbers(["1", "x"]).notations == {}
    assert parse_numbers(["12:30", "11:45"]).notations == {}


def test_numbers_without_the_sign_of_the_others_are_named(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("item,rank,x\nA,1,72%\nB,2,0.836\nC,3,5%\nD,4,99%\n", encoding="utf-8")
    notes = read_table(path, item="item", target="rank").notes
    assert any("'0.836'" in note and "percent sign" in note for note in notes), notes


def test_a_question_mark_before_a_number_does_not_say_about():
    assert parse_numbers(["?5", "6"]).wrong.tolist() == [0]
    assert parse_numbers(["≈5", "6"]).values.tolist() == [5, 6]


def test_a_column_of_no_rows_holds_no_numbers():
    found = parse_numbers([])
    assert found.values.size == found.wrong.size == 0
    assert not found.percent


def test_one_percent_sign_makes_a_column_of_percents():
    assert parse_numbers(["5%", ""]).percent
    assert not parse_numbers(["1.5e2", ""]).percent


def test_an_empty_column_is_not_mostly_read():
    assert not parse_numbers(["", ""]).is_mostly_read


def test_a_footnote_behind_a_word_for_nothing_is_no_number():
    assert parse_numbers(["5", "n/a*", "*"]).wrong.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["72%", "0.836", "5%", "99%"], [0.72, 0.836, 0.05, 0.99]),
        (["72%", "83.6", "5%", "99%"], [0.72, 0.836, 0.05, 0.99]),
        (["0.3%", "0.5", "0.2%", "0.9%"], [0.003, 0.005, 0.002, 0.009]),
    ],
)
def test_numbers_beside_percents_are_read_as_these_suggest(cells, values):
    found = parse_numbers(cells)
    np.testing.assert_allclose(found.values, values)
    assert found.notations == {"bare": 1}
    assert found.percent
    assert not found.bare.size


@pytest.mark.parametrize("edge", ["0.05", "0.6"])
def test_half_the_least_and_twice_the_largest_percent_are_still_near(edge):
    found = parse_numbers(["10%", "20%", "30%", edge])
    assert found.values[3] == float(edge)
    assert not found.bare.size


def test_the_first_number_without_a_percent_sign_is_the_one_that_is_told():
    assert parse_numbers(["72%", "0.83", "5%", "99%", "0.5"]).notations == {"bare": 1}


@pytest.mark.parametrize(
    "cells",
    [
        ["72%", "0.8"],
        ["1%", "50%", "90%", "1"],
        ["50%"] * 3 + ["7"],
        ["10%", "15%", "20%", "0.7"],  # neither 0.7 nor 0.7% is near them
        ["72%", "80%", "0.75"],  # two percents tell too little
        ["10%", "20%", "30%", "0.2", "0.9"],  # one is near, the other is not
    ],
)
def test_numbers_beside_percents_that_may_be_either_stay_in_doubt(cells):
    assert parse_numbers(cells).bare.size


def test_thin_spaces_separate_thousands():
    assert parse_numbers(["81\u2009000", "1\u2009234\u2009567"]).values.tolist() == [81000, 1234567]


@pytest.mark.parametrize("unit", ["m", "t", "st", "nd", "rd", "th"])
def test_a_unit_that_may_be_a_multiple_or_a_place_is_not_read(unit):
    assert read_notations([f"21 {unit}", f"32 {unit}"], ".") == {}


def test_a_unit_is_that_of_four_in_five_cells():
    measures = [f"{i} kg" for i in range(4)]
    assert len(read_notations([*measures, "heavy"], ".")) == 4
    assert read_notations([*measures, "heavy", "light"], ".") == {}


@pytest.mark.parametrize(
    ("cells", "values"),
    [(["84 kg", "96 kg", "unknown"], [84, 96, np.nan]), (["84 kg", "96 kg", "91*"], [84, 96, 91])],
)
def test_words_and_numbers_beside_measures_do_not_keep_these_from_being_read(cells, values):
    np.testing.assert_array_equal(parse_numbers(cells).values, values)


def test_parts_of_a_hundred_may_be_rounded_but_no_more():
    assert set(read_notations(["60:41", "30:69", "50:50"], ".")) == {"60:41", "30:69", "50:50"}
    assert read_notations(["60:42", "30:68"], ".") == {}
    assert read_notations(["60:60", "70:80"], ".") == {}


def test_a_ratio_with_a_part_that_is_no_number_is_left_out():
    assert read_notations(["1:2", "1:3,4,5"], ".").keys() == {"1:2"}


@pytest.mark.parametrize("cell", ["34 : 66 ", " 34:66", "34 :66"])
def test_spaces_around_a_ratio_are_nothing(cell):
    assert read_notations([cell], ".") == {cell: (0.34, "share")}


@pytest.mark.parametrize("cells", [["1:8", "1:45"], ["1:10", "1:60"], ["1:05", "1:100"]])
def test_odds_are_shares_unless_all_look_like_minutes_and_seconds(cells):
    odds = [1 / (1 + int(cell.split(":")[1])) for cell in cells]
    assert [value for value, _ in read_notations(cells, ".").values()] == odds


@pytest.mark.parametrize("cells", [["1:10", "1:45"], ["1:30", "1:00"], ["1:05", "1:09"]])
def test_minutes_and_seconds_are_no_shares_though_all_begin_with_1(cells):
    assert len(parse_numbers(cells).wrong) == len(cells)


@pytest.mark.parametrize(
    ("cells", "is_one_unit"),
    [
        (["1 mW", "2 MW"], False),
        (["1 mg", "2 Mg"], False),
        (["1 mHz", "2 MHz"], False),
        (["1 kg", "2 KG", "3 Kg"], True),
        (["1 km", "2 Km"], True),
        (["5 min", "6 Min"], True),
        (["5 MW", "6 MW"], True),
        (["1O", "2O"], False),  # the letter
    ],
)
def test_a_unit_is_the_same_whatever_its_case_but_for_milli_and_mega(cells, is_one_unit):
    assert bool(read_notations(cells, ".")) == is_one_unit


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("6kg 2kg 3kg 2", "in all that have one. '2' in row 3 has none."),
        ("6kg 2kg 3kg 5€ B2 1.5", "in all that have one. '1.5' in row 5 has none."),
        ("6kg 2kg 3kg 7kg", "in all that have one."),
        ("4/5 2/5 3/5 2", "the points before the slash."),
    ],
)
def test_a_number_without_the_unit_of_the_others_is_named(cells, said):
    x = cells.split()
    frame = pd.DataFrame({"name": list("abcdef")[: len(x)], "rank": range(1, 1 + len(x)), "x": x})
    notes = read_table(frame, item="name", target="rank").notes
    assert any(note.endswith(said) for note in notes)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ["1", "2", "3*"],
            "'3*' (row 2, column 'rank') and others like it were read as 3: without",
        ),
        (["1/9", "2/9", "3/9"], "'1/9' (row 0, column 'rank') and others like it were read as 1: "),
    ],
)
@pytest.mark.parametrize("target_is", ["rank", "score"])
def test_notations_of_the_target_are_told_as_those_of_factors(cells, said, target_is):
    frame = pd.DataFrame({"name": list("abc"), "rank": cells, "x": [1, 5, 3]})
    table = read_table(frame, item="name", target="rank", target_is=target_is)
    assert any(note.startswith(said) for note in table.notes)


@pytest.mark.parametrize("first", ["(12)", "1:05", "1.2.3", "1 mW"])
def test_a_column_of_numbers_in_a_dress_that_is_not_read_is_named_with_a_cell(first):
    frame = pd.DataFrame(
        {"name": list("abc"), "rank": [1, 2, 3], "x": [1, 5, 3], "y": ["7", first, "2:05"]}
    )
    notes = read_table(frame, item="name", target="rank").notes
    assert any(f"can't be read as numbers, such as {first!r} in row 1" in one for one in notes)


GRADES = ["gut (1,9)", "gut (2,3)", "sehr gut (1,2)", "Gut (2,0)"]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (GRADES, [1.9, 2.3, 1.2, 2.0]),
        (["good (7.5)", "fair (5)", "good (8)", "fair (6.5)"], [7.5, 5, 8, 6.5]),
        (["good (7.5)", "fair (5)", "good (8)"], None),  # as many words as that may be names
        (["Up (2009)", "Her (2013)", "Heat (1995)", "Alien (1979)"], None),
        (["Rocky (1976)", "Rocky (2006)", "Alien (1979)", "Alien (1986)"], None),
        (["gut (1,9)", "gut (2,3)", "gut (2,0)"], None),
    ],
)
def test_grades_are_the_numbers_behind_words_that_have_ranges_of_their_own(cells, values):
    found = parse_numbers(cells)
    if values is None:
        assert len(found.wrong) == len(cells)
    else:
        assert found.values.tolist() == values
        assert found.notations == {"grade": 0}


@pytest.mark.parametrize(
    ("cells", "n_read"),
    [
        (["a (1)", "a (2)", "b (3)", "b (4)"], 4),
        (["a (1)", "a (3)", "b (3)", "b (4)"], 0),  # either word may have a 3
        (["a (1)", "a (2.9)", "b (3)", "b (4)"], 4),
        (["a (1)", "b (2)", "a (3)", "b (4)"], 0),
        (["a (1)", "a (3)", "b (3)", "b (4)", "c (5)", "c (6)"], 0),
        (["a (1)", "a (2)", "a (3)", "a (4)"], 0),
        (["a (1)", "a (2)", "b (3)", "c (4)"], 0),
        (["a (1)", "a (2)", "b (3)", "b (4)", "c (5)"], 0),
        (["a (1)", "a (2)", "b (3)", "b (4)", "c (5)", "c (6)"], 6),
        (["a (1)", "a (2)", "b (3)", "b (4)", "c"], 0),
        (["a (1,5)", "a (2.5)", "b (3)", "b (4)"], 0),
        (["a (1)", "A (2)", "B (3)", "b (4)"], 4),
        (["a b(1)", "a b (2) ", " b (3)", "b\u00a0(4)"], 4),
        (["1a (1)", "1a (2)", "b (3)", "b (4)"], 0),
        (["a (-1)", "a (2)", "b (3)", "b (4)"], 0),
        ([], 0),
    ],
)
def test_grades_have_words_of_twice_as_many_numbers_in_ranges_that_do_not_touch(cells, n_read):
    found = read_notations(cells, ".")
    assert len(found) == n_read
    assert {notation for _, notation in found.values()} <= {"grade"}


@pytest.mark.parametrize(
    ("numbers", "mark", "first"),
    [
        ("1,9 2,3 3,1 3,2", ".", 1.9),  # their own mark
        ("1.9 2.3 3.1 3.2", ",", 1.9),
        ("1,234 1,345 2,123 2,345", ".", 1234),
        ("1,234 1,345 2,123 2,345", ",", 1.234),
    ],
)
def test_the_decimal_mark_of_grades_is_their_own_or_that_of_the_table(numbers, mark, first):
    cells = [f"{word} ({one})" for word, one in zip("aabb", numbers.split(), strict=True)]
    assert read_notations(cells, mark)[cells[0]] == (first, "grade")


@pytest.mark.parametrize(
    ("cell", "is_one"),
    [
        *[(cell, True) for cell in ("1:00", "1:05", "1:59", "12:30", "100:30")],
        *[(cell, False) for cell in ("1:60", "1:5", "1:050", ":05", " 1:05", "1:05 ", "1:05:00")],
    ],
)
def test_a_clock_has_two_digits_below_60_behind_its_colon(cell, is_one):
    assert is_clock(cell) is is_one


@pytest.mark.parametrize(
    ("cell", "may_be"), [("a (1)", True), ("a (1) ", True), ("a (b)", False), ("a (1) b", False)]
)
def test_a_number_in_parentheses_at_the_end_may_be_a_notation(cell, may_be):
    assert is_notation(cell) is may_be
