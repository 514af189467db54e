import numpy as np
import pandas as pd
import pytest

from rankwright.data import factors, read_items, read_table
from rankwright.data.factors import category_factors, read_factors
from rankwright.data.sources import as_sheet

FRAME = pd.DataFrame(
    {
        "name": list("ABCDEF"),
        "type": ["hot", "cold", "cold", "warm", "cold", "n/a"],
        "zoom": ["5", "3.5", "see note", "2", "7", "1"],
        "rank": [1, 2, 3, 4, 5, 6],
    }
)


def read(**options):
    return read_table(FRAME, item="name", target="rank", **options)


def noted(table, *words):
    return any(all(word in note for word in words) for note in table.notes)


def test_texts_of_few_values_are_offered_and_not_used():
    frame = pd.DataFrame({"name": list("ABCDEF"), "type": list("hhhccc"), "zoom": range(6)})
    table = read_table(frame.assign(rank=range(1, 7)), item="name", target="rank")
    assert list(table.X.columns) == ["zoom"]
    assert noted(table, "Column 'type' holds 2 texts ('c', 'h')", "category_factors=['type']")


def test_categories_become_factors_of_0_and_1_but_the_most_frequent():
    table = read(category_factors=["type"])
    assert list(table.X.columns) == ["zoom", "type = hot", "type = warm"]
    np.testing.assert_array_equal(table.X["type = hot"], [1, 0, 0, 0, 0, np.nan])
    assert noted(table, "'type' counts as 0/1 factors, compared with 'cold'")


def test_a_factor_of_a_category_is_found_in_another_table():
    items = read_items(FRAME, item="name", factors=["type = warm", "zoom"])
    np.testing.assert_array_equal(items.X["type = warm"], [0, 0, 0, 1, 0, np.nan])


def test_a_few_cells_that_are_no_numbers_are_missing_and_named():
    table = read()
    assert np.isnan(table.X["zoom"].iloc[2])
    assert noted(table, "'zoom': 1 cell is not a number and counts as missing: 'see note' in row 2")


def test_names_are_no_categories():
    with pytest.raises(ValueError, match=r"'name' holds 6 different texts in 6 rows"):
        read(category_factors=["name"])


def test_a_column_of_measures_that_can_not_be_read_shows_a_cell_and_the_remedy():
    frame = pd.DataFrame({"name": list("ABCDEFG"), "zoom": [5, 4, 2, 6, 3, 1, 7]})
    frame["rank"] = [3, 1, 2, 5, 4, 7, 6]
    frame["size"] = [f"{k},5 Zoll" for k in range(7)]
    frame["maker"] = [f"Maker {k}" for k in range(7)]
    notes = read_table(frame, item="name", target="rank").notes
    assert any(
        note.startswith("Column 'size' is not used") and "'0,5 Zoll' in row 0" in note
        for note in notes
    )
    assert "Columns of text, not used as factors: maker." in notes


def frame_of(**columns):
    """Return ranked rows that no column of numbers orders."""
    n = len(next(iter(columns.values())))
    names = [f"item {chr(97 + i)}" for i in range(n)]
    zoom = np.random.default_rng(3).permutation(n) + 0.5
    return pd.DataFrame({"name": names, "rank": range(1, n + 1), "zoom": zoom, **columns})


def notes_of(**columns):
    table = read_table(frame_of(**columns), item="name", target="rank")
    return list(table.X.columns), table.notes


@pytest.mark.parametrize(
    ("texts", "usual", "made"),
    [
        (["p", "q", "q", "p"], "p", {"x = q": [0, 1, 1, 0]}),  # of equals the first is usual
        (["q", "p", "q", "-"], "q", {"x = p": [0, 1, 0, np.nan]}),
        ([*"rqqpqq"], "q", {"x = p": [0, 0, 0, 1, 0, 0], "x = r": [1, 0, 0, 0, 0, 0]}),
    ],
)  # fmt: skip
def test_a_factor_tells_each_text_but_the_usual_one(texts, usual, made):
    table = read_table(
        frame_of(x=texts), item="name", target="rank", category_factors=["x"], factors=["zoom"]
    )
    assert list(table.X.columns) == ["zoom", *made]
    for name, values in made.items():
        np.testing.assert_array_equal(table.X[name], values)
    assert noted(table, f"'x' counts as 0/1 factors, compared with {usual!r}.")


@pytest.mark.parametrize("texts", [["p", "p", "p", "p"], ["p", "q", "r", "p", "q"], ["p", "-"]])
def test_factors_are_made_of_several_texts_that_repeat(texts):
    with pytest.raises(ValueError, match="0/1 factors need at least two, each used repeatedly"):
        read_table(frame_of(x=texts), item="name", target="rank", category_factors=["x"])


@pytest.mark.parametrize(
    ("texts", "offered"),
    [
        (list("pq") * 3, True),
        (list("pq") * 2 + ["p"], False),  # five rows are too few for two texts
        ([*"pppqqq", ""], True),
        (["p"] * 6, False),
        ([*map(str.__add__, "abcdefghijkl" * 3, "x" * 36)], True),
        ([*map(str.__add__, "abcdefghijklm" * 3, "x" * 39)], False),  # thirteen
    ],
)
def test_few_texts_that_repeat_are_offered_as_groups_and_factors(texts, offered):
    chosen, notes = notes_of(x=texts)
    assert chosen == ["zoom"]
    assert any("category_factors=['x']" in note for note in notes) == offered
    assert ("Columns of text, not used as factors: x." in notes) == (not offered)


@pytest.mark.parametrize(
    ("factor", "values"),
    [
        ("type = cold", [0, 1, 1, 0, 1, np.nan]),
        ("type = nowhere", [0, 0, 0, 0, 0, np.nan]),
        ("type = cold is missing", [0, 0, 0, 0, 0, 1]),
        ("zoom is missing", [0, 0, 1, 0, 0, 0]),
    ],
)
def test_a_name_without_a_column_asks_for_a_factor_of_0_and_1(factor, values):
    found = read_items(FRAME, item="name", factors=[factor, "rank"]).X
    assert list(found.columns) == [factor, "rank"]
    np.testing.assert_array_equal(found[factor], values)
    assert found[factor].dtype == np.float64


def test_a_column_that_is_called_like_an_answer_is_that_column():
    frame = FRAME.assign(**{"type = cold": range(6)})
    assert read_items(frame, item="name", factors=["type = cold"]).X.iloc[:, 0].tolist() == [
        0, 1, 2, 3, 4, 5,
    ]  # fmt: skip


@pytest.mark.parametrize("factor", ["kind = cold", "kind is missing", "kind = x is missing"])
def test_a_factor_of_no_column_is_refused(factor):
    with pytest.raises(ValueError, match="the frame has no column"):
        read_items(FRAME, item="name", factors=[factor])


@pytest.mark.parametrize(
    ("column", "is_factor", "said"),
    [
        (["", "", "", "", "", ""], False, "Columns without any value, not used: x."),
        (["5", "3", "8", "1", "7", "see"], True, "1 cell is not a number"),
        (["5", "3", "8", "1", "see", "note"], False, "2 of 6 cells are not numbers, such as 'see'"),
        (["50%", "3", "8", "5", "7", "2%"], False, "'50%' in row 0 has a percent sign and"),
        (["5%", "3%", "8%", "1%", "7%", "2%"], True, "Percentages read as fractions"),
        (["5k", "3k", "8k", "1k", "7k", "2k"], True, "'5k' (row 0, column 'x') and others like it"),
        (["7 kg", "5 m", "1 cm", "3 m", "", ""], False, "such as '7 kg' in row 0; write"),
        (["", "5 m", "1 cm", "3 kg", "", ""], False, "such as '5 m' in row 1; write the numbers"),
    ],
)  # fmt: skip
def test_a_column_is_a_factor_if_nearly_all_of_its_cells_are_numbers(column, is_factor, said):
    chosen, notes = notes_of(x=column)
    assert ("x" in chosen) == is_factor
    assert any(said in note for note in notes)


@pytest.mark.parametrize(
    "column",
    [
        ["5", "3", "8", "a", "b", "c"],
        ["5", "3", "", "a", "b", "c"],
        ["50%", "3", "8", "x", "y", "z"],
        ["7 kg", "x 5", "1 m", "", "", ""],
    ],
)  # fmt: skip
def test_a_column_with_as_many_words_as_numbers_is_text(column):
    chosen, notes = notes_of(x=column)
    assert chosen == ["zoom"]
    assert "Columns of text, not used as factors: x." in notes


@pytest.mark.parametrize(
    ("name", "column", "is_rank"),
    [
        ("world rank", ["=5", "=3", "T8", "1st", "=7", "=2"], True),
        ("world rank", ["5", "3", "8", "1", "=7", "=2"], True),
        ("grade", ["=5", "=3", "T8", "1st", "=7", "=2"], False),
        ("world rank", ["a", "b", "c", "d", "e", "f"], False),
    ],
)
def test_ranks_as_people_print_them_are_no_texts(name, column, is_rank):
    _, notes = notes_of(**{name: column})
    assert (f"{name!r} is not used as a factor: it is another rank." in notes) == is_rank


def test_many_columns_of_one_value_are_told_at_once():
    n = 6
    few, notes = notes_of(a=[1] * n, b=[2] * n, c=[3] * n)
    assert few == ["zoom"]
    assert "'a' is not used as a factor: it is 1 in every row." in notes
    many, notes = notes_of(a=[1] * n, b=[2] * n, c=[3] * n, d=[4] * n)
    assert many == ["zoom"]
    (note,) = notes
    assert note == "Not used as factors, with one value in every row: 'a', 'b', 'c' and 1 more."


def test_all_columns_are_used_where_none_looks_like_a_factor():
    frame = frame_of(a=[1] * 6).drop(columns="zoom")
    table = read_table(frame, item="name", target="rank")
    assert list(table.X.columns) == ["a"]
    assert noted(table, "so all are used: 'a' is 1 in every row.")


def test_a_table_without_numbers_is_refused_with_a_cell_of_each_column():
    frame = frame_of(a=list("uvwxyz"), b=["5", "3", "x", "y", "z", "w"]).drop(columns="zoom")
    with pytest.raises(ValueError, match="no column of numbers to use as a factor") as refused:
        read_table(frame, item="name", target="rank")
    assert "it has 'a', 'b'." in str(refused.value)
    assert "Column 'a' is text, such as 'u' in row 0." in str(refused.value)
    assert "Column 'b' is text, such as 'x' in row 2." in str(refused.value)
    with pytest.raises(ValueError, match="group and category it has no column"):
        read_table(frame[["name", "rank"]], item="name", target="rank")


def scored(target_is, **more):
    """Return products whose score is the sum of two of their factors."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({name: np.round(90 * rng.random(40), 1) for name in ("a", "b", "c", "d")})
    frame["score"] = np.round(0.7 * frame["a"] + 0.3 * frame["b"], 1)
    frame["rank"] = frame["score"].rank(ascending=False, method="min")
    frame["name"] = [f"item {i}" for i in range(40)]
    return read_table(frame.assign(**more), item="name", target=target_is, target_is=target_is,
                      exclude=["rank"] if target_is == "score" else [])  # fmt: skip


@pytest.mark.parametrize("target_is", ["rank", "score"])
def test_what_is_no_part_of_the_score_is_no_factor(target_is):
    table = scored(target_is)
    assert list(table.X.columns) == ["a", "b"]
    assert noted(
        table, "'score' is a weighted sum of a, b", "'c', 'd'; factors=[...] includes them"
    )


def test_what_may_be_part_of_the_score_is_a_factor():
    rng = np.random.default_rng(9)
    table = scored("score", score=np.round(90 * rng.random(40), 1))
    assert list(table.X.columns) == ["a", "b", "c", "d"]
    assert not noted(table, "weighted sum")


def yearly(parts):
    """Return the factors of years, each scored by a pair of columns or by chance, and the table."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(np.round(90 * rng.random((40 * len(parts), 4)), 1), columns=[*"abcd"])
    frame["year"] = np.repeat(range(2011, 2011 + len(parts)), 40)
    frame["score"] = np.round(90 * rng.random(len(frame)), 1)
    for year, (k, pair) in zip(frame["year"].unique(), enumerate(parts), strict=True):
        if pair:
            weighted = (0.5 + 0.1 * k) * frame[pair[0]] + (0.5 - 0.1 * k) * frame[pair[1]]
            frame.loc[frame["year"] == year, "score"] = np.round(weighted, 1)
    frame["name"] = [f"item {i}" for i in range(len(frame))]
    table = read_table(frame, item="name", target="score", target_is="score", group="year")
    return "".join(table.X.columns), table


@pytest.mark.parametrize(
    ("parts", "used"),
    [
        (["ab", "ab"], "ab"),
        (["ab", "ac"], "abc"),  # what is part of the score in one year is a factor
        (["ab", "cd"], "abcd"),
        (["ab", "ab", ""], "ab"),
        (["ab", "ab", "", ""], "abcd"),  # half of the years are too few
    ],
)
def test_what_is_no_part_of_the_score_in_any_year_is_no_factor(parts, used):
    found, table = yearly(parts)
    assert found == used
    said = f"'score' is a weighted sum of other columns in 2 of {len(parts)} groups"
    assert noted(table, said) == (used != "abcd")


@pytest.mark.parametrize(("most", "used"), [(2, "ab"), (1, "abcd")])
def test_scores_of_many_groups_are_not_looked_at_one_by_one(monkeypatch, most, used):
    monkeypatch.setattr(factors, "MOST_GROUPS", most)
    assert yearly(["ab", "ab"])[0] == used


def test_few_rows_without_an_order_have_all_factors():
    found = read_items(FRAME, item="name", factors=["zoom", "rank"])
    assert list(found.X.columns) == ["zoom", "rank"]
    assert noted(found, "Column 'zoom': 1 cell is not a number")


def test_factors_of_categories_stand_beside_those_of_their_rows():
    frame = frame_of(x=[*"ppqqpq"]).set_axis([2, 3, 5, 6, 8, 9])
    table = read_table(frame, item="name", target="rank", category_factors=["x"])
    assert table.X["x = q"].tolist() == [0, 0, 1, 1, 0, 1]
    with pytest.raises(ValueError, match="no column 'y'"):
        category_factors(as_sheet(frame, []), ["y"])


def test_without_an_order_every_column_of_numbers_is_a_factor():
    X, notes = read_factors(as_sheet(frame_of(a=[1] * 6), []), ["name"], None)
    assert list(X.columns) == ["rank", "zoom", "a"]
    assert notes == []


def test_columns_are_told_one_by_one_unless_they_hold_one_value():
    ranks = {f"rank {year}": range(6) for year in (2011, 2012, 2013, 2014)}
    chosen, notes = notes_of(**ranks, a=[1] * 6, b=[2] * 6, c=[3] * 6, d=[4] * 6)
    assert chosen == ["zoom"]
    assert len(notes) == 5
    assert notes[0].startswith("'rank 2011' is not used as a factor: it is 'rank' of another year")


def test_a_number_of_rows_that_happens_to_be_a_sum_rules_no_factor_out():
    rng = np.random.default_rng(4)
    parts = {name: rng.permutation(40).astype(float) for name in "abcd"}
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(40)], "rank": range(1, 41), **parts})
    frame["school_id"] = frame["a"] + 40 * frame["b"]
    table = read_table(frame, item="name", target="rank")
    assert list(table.X.columns) == ["a", "b", "c", "d"]


def test_a_score_of_all_columns_needs_no_note():
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({name: np.round(90 * rng.random(40), 1) for name in ("a", "b")})
    frame["score"] = np.round(0.7 * frame["a"] + 0.3 * frame["b"], 1)
    frame["name"] = [f"item {i}" for i in range(40)]
    table = read_table(frame, item="name", target="score", target_is="score")
    assert list(table.X.columns) == ["a", "b"]
    assert not noted(table, "weighted sum")


def test_of_many_columns_of_text_three_are_shown():
    frame = frame_of(**{name: [*"uvwxyz"] for name in "abcd"}).drop(columns="zoom")
    with pytest.raises(ValueError, match="Column 'c' is text") as refused:
        read_table(frame, item="name", target="rank")
    assert "Column 'd'" not in str(refused.value)


def test_numbers_with_both_decimal_marks_are_no_factor_and_two_cells_are_named():
    frame = pd.DataFrame({"name": list("ABCDEFG"), "zoom": [5, 4, 2, 6, 3, 1, 7]})
    frame["rank"] = [3, 1, 2, 5, 4, 7, 6]
    frame["price"] = ["1,5", "2.5", "3,5", "4.5", "5,5", "6.5", "7,5"]
    table = read_table(frame, item="name", target="rank")
    assert list(table.X.columns) == ["zoom"]
    said = "'1,5' in row 0 and '2.5' in row 1 have different decimal marks; write all of them alike"
    assert noted(table, "Column 'price' is not used as a factor", said)


def test_whole_numbers_beside_are_not_named_for_their_decimal_marks():
    frame = pd.DataFrame({"name": list("ABCDEFG"), "zoom": [5, 4, 2, 6, 3, 1, 7]})
    frame["rank"] = [3, 1, 2, 5, 4, 7, 6]
    frame["price"] = ["1", "2.5", "3,5", "4.5", "5,5", "6.5", "7,5"]
    table = read_table(frame, item="name", target="rank")
    assert noted(table, "'2.5' in row 1 and '3,5' in row 2 have different decimal marks")


def test_a_column_of_numbers_with_points_behind_is_shown_where_commas_are_decimal_marks():
    stand = [f"{k}." for k in (3, 1, 2, 7, 5, 6, 4)]
    chosen, notes = notes_of(a=["1,5", "2,5", "3,5", "4,5", "5,5", "6,5", "7,1"], stand=stand)
    assert "stand" not in chosen
    assert any(
        "'stand' is not used as a factor" in note and "'3.' in row 0" in note for note in notes
    )


def test_what_may_be_a_time_or_a_share_is_no_factor_and_both_are_named():
    laps = [f"1:{k}" for k in (25, 19, 31, 22, 45, 38)]
    chosen, notes = notes_of(lap=laps)
    assert chosen == ["zoom"]
    said = "such as '1:25' in row 0, which may be a time or a ratio; write the numbers alone"
    assert any(said in note for note in notes)


@pytest.mark.parametrize("cells", [["2 TB", "256 GB", "3 m"], [{"a": 1}, {"a": 3}, {"a": 2}]])
def test_a_table_without_a_column_of_numbers_names_the_remedy(cells):
    frame = pd.DataFrame({"name": list("abc"), "rank": [1, 2, 3], "size": cells})
    said = r"no column of numbers.*Write the numbers of each factor alone, without words or units"
    with pytest.raises(ValueError, match=said):
        read_table(frame, item="name", target="rank")


def left_without_sums(columns, reasons=()):
    columns = {name: np.array(values, dtype=float) for name, values in columns.items()}
    return factors._without_sums(columns, dict(reasons))


def parts_of(n=40, seed=5):
    rng = np.random.default_rng(seed)
    return {name: rng.integers(0, 60, n).astype(float) for name in "abc"}


def test_a_total_gives_way_to_its_parts_even_to_those_that_look_like_the_order():
    parts = parts_of()
    columns = parts | {"Total": sum(parts.values())}
    said = (
        "is the sum of 'a', 'b', 'c', from which nothing tells its weight apart; factors=[...] "
        "includes it anyway"
    )
    assert left_without_sums(columns) == {"Total": said}
    looks = "orders the items as the rank does and looks like the order itself"
    assert left_without_sums(columns, {"a": looks}) == {"Total": said}
    assert left_without_sums(columns, {"Total": looks}) == {"Total": looks}


def test_columns_that_are_no_factors_for_another_reason_add_nothing_up():
    parts = parts_of()
    columns = parts | {"Total": sum(parts.values())}
    for name in columns:
        assert left_without_sums(columns, {name: "holds years"}) == {name: "holds years"}


def test_a_sum_that_is_not_called_so_has_a_part_that_looks_like_the_order_below_it_everywhere():
    parts = parts_of()
    columns = parts | {"all": sum(parts.values())}
    looks = {"a": "looks like the order itself"}
    assert left_without_sums(columns) == {}
    assert list(left_without_sums(columns, looks)) == ["all"]
    below = columns | {"b": columns["b"] - 61.0}
    below["all"] = below["a"] + below["b"] + below["c"]
    assert left_without_sums(below, looks) == looks


@pytest.mark.parametrize(("n_off", "is_sum"), [(2, True), (3, False)])
def test_a_sum_may_be_off_in_one_of_twenty_rows(n_off, is_sum):
    parts = parts_of()
    total = sum(parts.values())
    total[:n_off] += 7.0
    assert ("Total" in left_without_sums(parts | {"Total": total})) is is_sum


def test_sums_of_no_columns_are_none():
    assert left_without_sums({}) == {}
    assert left_without_sums({}, {"a": "holds years"}) == {"a": "holds years"}


@pytest.mark.parametrize(("off", "is_sum"), [(0.0, True), (1e-9, True), (1e-4, False)])
def test_a_sum_of_the_rows_looked_at_is_one_in_the_others(off, is_sum):
    parts = parts_of(4_001)
    total = sum(parts.values())
    looked_at = np.linspace(0, 4_000, 2_000).astype(np.int64)
    total[np.setdiff1d(np.arange(4_001), looked_at)] += off
    assert ("Total" in left_without_sums(parts | {"Total": total})) is is_sum


def test_a_rank_that_is_used_for_want_of_factors_does_not_run_against_the_score():
    frame = pd.DataFrame({"name": list("ABCDEFGHIJKL"), "Platz": range(1, 13)})
    frame["note"] = frame["Platz"] * 2
    table = read_table(frame, item="name", target="note", target_is="score")
    assert list(table.X.columns) == ["Platz"]
    assert not noted(table, "runs against")


LOOKS = "orders the items as the rank does and looks like the order itself"


def test_one_of_several_that_look_like_the_order_is_enough_to_look_for_a_sum():
    columns = parts_of()
    columns["b"][0] = columns["c"][0] = 0  # the sum is as large as its part
    columns |= {"d": parts_of(seed=9)["a"] + 200, "all": sum(columns.values())}
    assert list(left_without_sums(columns, {"d": LOOKS, "a": LOOKS})) == ["d", "all"]
    assert list(left_without_sums(columns, {"d": LOOKS})) == ["d"]


def test_a_column_that_is_in_no_sum_keeps_its_reason_and_is_not_named():
    parts = parts_of()
    columns = {"d": np.arange(40.0), **parts, "Total": sum(parts.values())}
    found = left_without_sums(columns, {"d": LOOKS, "b": LOOKS})
    assert found["d"] == LOOKS
    assert found["Total"].startswith("is the sum of 'a', 'b', 'c', from")
    assert list(found) == ["d", "Total"]


def test_a_weighted_sum_stays_and_does_not_hide_a_plain_one():
    parts = parts_of()
    total = sum(parts.values())
    assert left_without_sums(parts | {"Total": total + parts["a"]}) == {}
    noise = {"Total time": parts_of(seed=6)["a"]}
    assert list(left_without_sums(noise | parts | {"Total": total})) == ["Total"]


def test_what_is_a_sum_in_some_rows_only_does_not_hide_one_of_all_rows():
    parts, others = parts_of(4_001), parts_of(4_001, seed=6)
    total = sum(parts.values())
    total[np.setdiff1d(np.arange(4_001), np.linspace(0, 4_000, 2_000).astype(np.int64))] += 7
    columns = parts | {"Total": total} | {name.upper(): one for name, one in others.items()}
    assert list(left_without_sums(columns | {"Sum": sum(others.values())})) == ["Sum"]
