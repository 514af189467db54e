import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.data import guess_columns, read_table
from rankwright.data.cells import distinct_texts
from rankwright.data.numbers import parse_numbers
from rankwright.data.printed_ranks import read_ranks


def ranks_of(*cells):
    return read_ranks(distinct_texts(cells), parse_numbers(cells))


@pytest.mark.parametrize(
    ("cell", "place", "form"),
    [
        *[("201-225", 201, "band"), ("201–225", 201, "band"), ("1,001 to 1,200", 1001, "band")],
        *[("=201-250", 201, "band"), ("601+", 601.5, "open"), (">100", 100.5, "open")],
        *[("100+", 100.5, "open"), ("≥601", 601, "open"), ("=6", 6, "tie"), ("6=", 6, "tie")],
        *[("T-6", 6, "tie"), ("T6", 6, "tie"), ("t 6", 6, "tie"), ("6 (tie)", 6, "tie")],
        *[("tied 6", 6, "tie"), ("6th (tied)", 6, "tie"), ("12th=", 12, "tie")],
        *[("#1", 1, "numbered"), ("1st", 1, "numbered"), ("4th", 4, "numbered")],
        *[("No. 3", 3, "numbered"), ("№ 3", 3, "numbered"), ("Nr. 7", 7, "numbered")],
        *[("Rank 5", 5, "numbered"), ("#T6", 6, "tie")],
        *[("1 ▲3", 1, "moved"), ("2▼", 2, "moved"), ("3 (+1)", 3, "moved"), ("4 –", 4, "moved")],
        *[("5 (new)", 5, "moved"), ("=6 ▲2", 6, "tie"), ("11-20 ↓", 11, "band")],
        *[("4-May", 4, "dated"), ("5-Apr", 4, "dated"), ("15-Oct", 10, "dated")],
        *[("First", 1, "word"), ("ninth", 9, "word"), (">=601", 601, "open")],
        *[("joint 6", 6, "tie"), ("6 joint", 6, "tie"), ("6 t", 6, "tie"), ("2nd", 2, "numbered")],
        *[("3rd", 3, "numbered"), ("no.3", 3, "numbered"), ("N° 3", 3, "numbered")],
        *[("1.001 bis 1.200", 1001, "band"), ("11 ~ 20", 11, "band"), ("3º", 3, "numbered")],
        *[("1 of 20", 1, "numbered"), ("=3 out of 20", 3, "tie"), ("4:e", 4, "numbered")],
        *[("7 [-2]", 7, "moved"), ("7 (RE)", 7, "moved"), ("7 =", 7, "tie"), ("7●", 7, "moved")],
    ],
)
def test_a_rank_is_read_as_it_is_printed(cell, place, form):
    found = ranks_of(cell)
    assert found.numbers.values.tolist() == [place]
    assert found.forms == {form: (1, 0)}
    assert found.open.tolist() == [form == "open"]


WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"


def test_places_in_words_are_counted_from_one():
    assert ranks_of(*WORDS.split()).numbers.values.tolist() == [*range(1, 13)]


def test_every_month_is_the_number_that_a_spreadsheet_took_it_for():
    cells = [f"20-{month}" for month in MONTHS.split()]
    assert ranks_of(*cells).numbers.values.tolist() == [*range(1, 13)]
    assert ranks_of("5-September", "7.Dec.").numbers.values.tolist() == [5, 7]


def test_forms_tell_how_many_there_are_and_the_first_row():
    found = ranks_of("1", "T2", "see", "=2", "4-5", "4–5", "6+", "6+")
    assert found.forms == {"band": (2, 4), "open": (2, 6), "tie": (2, 1)}
    assert found.open.tolist() == [False] * 6 + [True] * 2
    assert found.numbers.wrong.tolist() == [2]


@pytest.mark.parametrize("cell", ["1", "1.", "12", "1,024", "2.5"])
def test_a_plain_place_needs_no_words(cell):
    assert ranks_of(cell).forms == {}


@pytest.mark.parametrize("cell", ["-", "–", "n/a", "NR", "", "Not ranked", "..."])
def test_a_word_for_no_rank_is_missing(cell):
    found = ranks_of("1", cell)
    assert np.isnan(found.numbers.values[1])
    assert found.numbers.wrong.size == 0


@pytest.mark.parametrize(
    "cell", ["thirds", "5-May", "12-3", "5/6/7", "Total", "1-2-3", "A6", "6%x", "5-5"]
)
def test_what_is_no_rank_is_wrong(cell):
    assert ranks_of("1", cell).numbers.wrong.tolist() == [1]


@settings(deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_way_places_are_printed(places, random):
    ways = ["{}", "={}", "T{}", "#{}", "No. {}", "{}.", "{}=", "{}*"]
    cells = [random.choice(ways).format(place) for place in places]
    assert ranks_of(*cells).numbers.values.tolist() == places


def test_bands_are_ties_in_their_place(tmp_path):
    path = tmp_path / "world.csv"
    rows = [
        "1,Ash,99",
        "=2,Oak,95",
        "=2,Elm,94",
        "4,Fir,90",
        "5-9,Yew,70",
        "5–9,Box,60",
        "10+,Bay,1",
    ]
    path.write_text("\n".join(["rank,name,pay", *rows]), encoding="utf-8")
    table = read_table(path, item="name", target="rank")
    assert table.y.tolist() == [-1, -2, -2, -4, -5, -5, -10.5]
    assert table.printed.tolist() == ["1", "=2", "=2", "4", "5-9", "5–9", "10+"]
    assert table.places().loc["Box"].tolist() == [5, 6]
    said = next(note for note in table.notes if "read as printed" in note)
    assert "2 such as '5-9' as a band" in said
    assert "2 such as '=2' as a shared place" in said


def test_the_printed_rank_stays_when_rows_are_left_out(tmp_path):
    path = tmp_path / "world.csv"
    path.write_text("rank,name,pay\n1,Ash,9\n2,Oak,\n3,Elm,7\n4-5,Fir,\n4-5,Yew,5\n")
    table = read_table(path, item="name", target="rank").complete()
    assert table.printed.tolist() == ["1", "3", "4-5"]
    assert table.places()["first"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "cell",
    ["5" + " " * 50_000 + "x", "9" * 50_000 + "x", "-" * 50_000, "= " * 30_000, "1-" * 30_000],
)
def test_long_cells_take_no_time(cell):
    assert ranks_of("1", cell).numbers.wrong.tolist() == [1]


def test_empty_cells_that_the_ranks_below_count_share_the_place_above():
    frame = pd.DataFrame({"name": list("ABCDEFG"), "a": range(7)})
    frame["rank"] = ["1", "2", "", "4", "", "6", ""]
    table = read_table(frame, item="name", target="rank")
    assert (-table.y).tolist() == [1, 2, 2, 4, 4, 6]
    assert any("2 rows without a rank share the place above" in note for note in table.notes)
    frame["rank"] = ["1", "2", "", "3", "", "4", ""]
    assert len(read_table(frame, item="name", target="rank")) == 4


@pytest.mark.parametrize("cell", ["2e", "2ème", "2eme", "2re", "2er", "2ª", "2.º"])
def test_places_may_be_french_and_spanish_of_either_gender(cell):
    assert read_ranks(distinct_texts([cell]), parse_numbers([cell])).numbers.values.tolist() == [2]


@pytest.mark.parametrize(
    ("cells", "n_unread"),
    [
        (["1", "2", "Reporter", "reporter", "Reporter"], 0),
        (["1", "2", "Reporter", "Reporter"], 2),  # twice is no custom
        (["1", "2", "Reporter", "Reporter", "Reporter", "Other"], 4),
        (["1", "2", "5x", "5x", "5x"], 3),
        (["1st", *["Reporter"] * 4], 0),
        (["1st", *["Reporter"] * 5], 5),
    ],
)
def test_one_word_that_repeats_in_place_of_ranks_means_unranked(cells, n_unread):
    found = ranks_of(*cells)
    assert len(found.numbers.wrong) == n_unread
    n_words = sum(cell.casefold() == "reporter" for cell in cells)
    assert found.forms.get("unranked", (0,))[0] == (0 if n_unread else n_words)


def test_rows_without_a_rank_are_left_out_and_their_word_is_said():
    ranks = ["1", "2", "3", *["Reporter"] * 4]
    frame = pd.DataFrame({"name": list("abcdefg"), "rank": ranks, "zoom": range(7)})
    assert guess_columns(frame).target == "rank"
    table = read_table(frame, item="name", target="rank")
    assert list(table.items) == ["a", "b", "c"]
    assert "Ranks in 'rank' read as printed: 4 such as 'Reporter' as no place." in table.notes


@pytest.mark.parametrize(
    ("n_ranked", "n_words", "is_word"),
    [(1, 2, False), (1, 3, True), (1, 4, True), (1, 5, False), (2, 8, True), (2, 9, False)],
)
@pytest.mark.parametrize("rank", ["{}", "{}."])
def test_a_word_in_place_of_ranks_stands_in_three_rows_and_in_up_to_four_for_each_rank(
    rank, n_ranked, n_words, is_word
):
    ranks = [rank.format(place) for place in range(1, n_ranked + 1)]
    found = ranks_of(*ranks, *["Reporter"] * n_words)
    assert found.numbers.values[:n_ranked].tolist() == [*range(1, n_ranked + 1)]
    assert np.isnan(found.numbers.values[n_ranked:]).all()
    assert len(found.numbers.wrong) == (0 if is_word else n_words)
    assert found.forms.get("unranked") == ((n_words, n_ranked) if is_word else None)


@pytest.mark.parametrize("cells", [["Reporter"] * 3, ["1", "a", "a", "a", "b", "b", "b"]])
def test_words_are_no_places_where_nothing_is_ranked_or_they_are_several(cells):
    assert len(ranks_of(*cells).numbers.wrong) == len([one for one in cells if one != "1"])


@pytest.mark.parametrize(
    ("cell", "place"),
    [("3:a", 3), ("4:e", 4), ("4 of 20", 4), ("4 out of 20", 4), ("4 von 20", 4), ("4 sur 20", 4)],
)
def test_places_may_be_swedish_or_say_of_how_many(cell, place):
    assert ranks_of(cell).numbers.values.tolist() == [place]


@pytest.mark.parametrize("cell", ["3:b", "3:ab", "4 of", "4of20", "4 off 20"])
def test_what_is_only_like_a_place_of_so_many_is_none(cell):
    assert ranks_of("1", cell).numbers.wrong.tolist() == [1]
