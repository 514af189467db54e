"""A published score and the columns that it is made of."""

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.data import guess_columns
from rankwright.data.score_parts import ScoreParts, find_index, score_parts, without_part


@pytest.fixture
def columns() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {name: np.round(100 * rng.random(120), 1) for name in ("a", "b", "c", "d", "e")}


def test_the_parts_of_a_rounded_sum_are_found_with_their_weights(columns):
    score = np.round(0.6 * columns["a"] - 0.3 * columns["c"] + 7, 2)
    found = score_parts(score, columns)
    assert sorted(found.names) == ["a", "c"]
    np.testing.assert_allclose(sorted(found.weights), [-0.3, 0.6], atol=1e-3)
    assert (found.n_reproduced, found.rounded) == (120, False)


@pytest.mark.parametrize("times", [1, 1000])
def test_parts_may_be_rounded_themselves(columns, times):
    rng = np.random.default_rng(1)
    exact = {name: values + rng.uniform(-0.05, 0.05, 120) for name, values in columns.items()}
    score = np.round(times * (0.5 * exact["a"] + 0.3 * exact["b"] + 0.2 * exact["d"]), 1)
    found = score_parts(score, columns)
    assert sorted(found.names) == ["a", "b", "d"]
    assert found.rounded
    assert found.is_mean is (times == 1)


def test_parts_count_as_printed_where_a_mean_is_no_simpler_as_rounded(columns):
    score = np.round(0.5 * columns["a"] + 0.3 * columns["b"] + 0.2 * columns["d"], 4)
    found = score_parts(score, columns)
    assert (sorted(found.names), found.rounded) == (["a", "b", "d"], False)


def test_parts_count_as_printed_where_fewer_are_no_mean_as_rounded():
    rng = np.random.default_rng(12)
    columns = {name: np.round(100 * rng.random(24), 1) for name in "abc"}
    score = np.round(columns["a"] + columns["b"] + 0.008 * columns["c"])
    found = score_parts(score, columns)
    assert (found.names, found.rounded) == (("a", "b", "c"), False)


def test_a_part_too_small_for_any_one_score_is_told_by_many():
    rng = np.random.default_rng(9)
    columns = {name: np.round(100 * rng.random(1000), 1) for name in "abcde"}
    score = np.round(0.5 * columns["a"] + 0.5 * columns["b"] + 0.001 * columns["c"], 1)
    assert sorted(score_parts(score, columns).names) == ["a", "b", "c"]


def test_a_column_that_only_resembles_the_score_is_no_part(columns):
    rng = np.random.default_rng(1)
    like = (columns["a"] + columns["b"]) / 2 + 3 * rng.standard_normal(120)
    score = np.round(0.5 * columns["a"] + 0.5 * columns["b"], 2)
    found = score_parts(score, columns | {"like": np.round(like, 1)})
    assert sorted(found.names) == ["a", "b"]


def test_parts_are_found_among_many_columns_of_any_size():
    rng = np.random.default_rng(2)
    columns = {f"c{j}": np.round(1e9 * rng.standard_normal(100)) for j in range(25)}
    columns |= {"year": rng.integers(1900, 2000, 100).astype(float)}
    columns |= {"share": np.round(1e-5 * rng.random(100), 8)}
    score = np.round((columns["year"] - 1900) / 1000 + 1e4 * columns["share"], 3)
    assert sorted(score_parts(score, columns).names) == ["share", "year"]


def test_a_column_that_varies_in_a_row_that_is_not_looked_at_first_is_no_part():
    columns, score = made(4001, 2)
    columns["rare"] = np.eye(1, 4001, 1)[0]
    assert sorted(score_parts(score, {"rare": columns["rare"]} | columns).names) == ["c0", "c1"]


def test_what_is_the_same_for_all_is_a_sum_of_nothing(columns):
    assert score_parts(np.full(120, 7.0), columns) is None


def test_scores_of_many_digits_have_to_be_given_in_all_of_them(columns):
    score = np.random.default_rng(3).random(120) * 1e-6
    assert score_parts(score, columns) is None
    assert sorted(score_parts(columns["a"] / 7 - columns["b"] / 3, columns).names) == ["a", "b"]


def test_scores_of_two_grades_are_whole_numbers(columns):
    score = np.round(0.005 * columns["a"] + 0.005 * columns["b"])
    assert sorted(score_parts(score, columns).names) == ["a", "b"]


def test_a_few_misprints_do_not_hide_the_parts(columns):
    score = np.round(0.5 * columns["a"] + 0.5 * columns["b"] + 40, 2)
    score[[3, 50]] += [9, -4]
    found = score_parts(score, columns)
    assert sorted(found.names) == ["a", "b"]
    assert found.n_reproduced == 118


@pytest.mark.parametrize("noise", [0.5, 5.0])
def test_a_score_that_no_sum_gives_has_no_parts(columns, noise):
    rng = np.random.default_rng(2)
    score = np.round(columns["a"] + columns["b"] + noise * rng.standard_normal(120), 2)
    assert score_parts(score, columns) is None


def test_as_many_columns_as_rows_prove_nothing():
    rng = np.random.default_rng(3)
    columns = {f"c{j}": rng.random(12) for j in range(12)}
    assert score_parts(rng.random(12), columns) is None


def test_a_column_that_may_count_is_not_ruled_out(columns):
    columns["nearly a"] = columns["a"] + np.tile([0.1, -0.1], 60)
    score = np.round(0.5 * columns["a"] + 0.5 * columns["b"])
    found = score_parts(score, columns)
    gone = without_part(score, columns, found)
    assert "nearly a" not in {*found.names, *gone} or "a" not in {*found.names, *gone}
    assert {"c", "d", "e"} <= set(gone)


def test_an_index_is_the_mean_above_all_others(columns):
    columns["health"] = np.round(0.4 * columns["a"] + 0.6 * columns["b"], 2)
    columns["nature"] = np.round(0.5 * columns["c"] + 0.5 * columns["d"], 2)
    columns["EPI"] = np.round(0.5 * columns["health"] + 0.5 * columns["nature"], 2)
    name, parts = find_index(columns)
    assert (name, set(parts.names)) == ("EPI", {"health", "nature"})
    frame = pd.DataFrame(columns).assign(country=[f"land {i}" for i in range(120)])
    guess = guess_columns(frame)
    assert (guess.target, guess.target_is) == ("EPI", "score")


def test_the_score_beside_the_rank_says_which_columns_are_factors(columns):
    frame = pd.DataFrame(columns)
    frame["score"] = np.round(0.7 * frame["a"] + 0.3 * frame["b"], 1)
    frame["rank"] = frame["score"].rank(ascending=False, method="min")
    frame["name"] = [f"item {i}" for i in range(120)]
    frame.loc[:100, "e"] = np.nan  # which costs no row
    table = rw.read_table(frame, item="name", target="rank")
    assert table.X.columns.tolist() == ["a", "b"]
    assert any("'score' is a weighted sum of a, b" in note for note in table.notes)


def test_few_rows_or_factors_are_left_out_for_gaps():
    X = pd.DataFrame({"name": [f"i{i}" for i in range(20)], "rank": range(1, 21)})
    rng = np.random.default_rng(4)
    X["a"], X["b"] = rng.random(20), rng.random(20)
    X["rare"] = [1.5, 2.5] + [np.nan] * 18
    X.loc[4, "a"] = np.nan
    table = rw.read_table(X, item="name", target="rank").complete("few")
    assert table.X.columns.tolist() == ["a", "b"]
    assert len(table) == 19
    assert "'rare' (18 gaps)" in table.notes[-1]
    assert "'i4'" in table.notes[-1]
    X[["a", "b"]] = np.where(np.arange(20)[:, None] % 2 == [0, 1], X[["a", "b"]], np.nan)
    assert len(rw.read_table(X, item="name", target="rank").complete("few")) == 20


def test_an_index_is_made_of_indices_rather_than_of_their_parts():
    rng = np.random.default_rng(5)
    parts = {f"part {j}": np.round(20 + 80 * rng.random(150), 2) for j in range(9)}
    values = list(parts.values())
    indices = {f"index {k}": np.mean(values[3 * k : 3 * k + 3], axis=0) for k in range(3)}
    score = np.round(np.mean(list(indices.values()), axis=0), 2)
    found = score_parts(score, parts | {name: np.round(one, 2) for name, one in indices.items()})
    assert sorted(found.names) == ["index 0", "index 1", "index 2"]


@pytest.mark.parametrize(
    "gaps",
    [{}, {"e": range(9), "f": range(30, 40)}, {f"other {k}": range(k, 60, 5) for k in range(5)}],
)
def test_an_index_is_taken_in_place_of_the_parts_that_explain_more_at_first(gaps):
    rng = np.random.default_rng(2)
    a, b, e, other = np.round(100 * rng.random((4, 60)), 1)
    d, index = np.round(0.9 * a + 0.1 * other, 1), np.round(300 - 0.7 * a - 0.3 * b, 1)
    score = np.round(0.4 * index - 0.3 * d + 0.3 * e)
    columns = {"a": a, "b": b, "d": d, "e": e, "index": index}
    columns |= {name: rng.random(60) for name in gaps if name not in columns}
    for name, rows in gaps.items():
        columns[name][list(rows)] = np.nan
    assert sorted(score_parts(score, columns).names) == ["d", "e", "index"]


def test_a_column_that_parts_are_made_of_is_not_tried_beside_them_in_too_few_rows():
    columns, score = made(15, 3)
    columns["c0 - c1"] = columns["c0"] - columns["c1"]
    assert len(score_parts(score, columns).names) == 3


def test_two_parts_are_found_among_more_columns_than_few_rows_can_tell_of():
    columns, _ = made(20, 9)
    assert sorted(score_parts(columns["c2"] + columns["c5"], columns).names) == ["c2", "c5"]


@pytest.fixture
def years(columns):
    """Two years of a rating that changed its weights, of which one hides a part."""
    frame = pd.DataFrame(columns)
    frame["year"] = np.repeat(["2011", "2012", "2013"], 40)
    share = np.repeat([0.7, 0.5, 0.5], 40)
    frame["score"] = np.round(share * frame["a"] + (1 - share) * frame["b"], 1)
    frame.loc[:25, "b"] = np.nan
    ranks = frame.groupby("year")["score"].rank(ascending=False, method="min")
    return frame.assign(rank=ranks, name=[f"item {i}" for i in range(120)])


def test_scores_whose_weights_change_say_which_columns_are_factors(years):
    table = rw.read_table(years, item="name", target="rank", group="year")
    assert table.X.columns.tolist() == ["a", "b"]
    assert any("a weighted sum of other columns in 2 of 3 groups" in n for n in table.notes)


def test_scores_that_few_groups_explain_leave_all_columns(years):
    years.loc[40:65, "b"] = np.nan
    table = rw.read_table(years, item="name", target="rank", group="year")
    assert {"a", "b", "c"} <= set(table.X.columns)


def made(n_rows, n_columns, seed=6):
    """Return whole-numbered columns, and their plain sum."""
    rng = np.random.default_rng(seed)
    columns = {f"c{j}": rng.integers(0, 100, n_rows).astype(float) for j in range(n_columns)}
    return columns, np.sum(list(columns.values()), axis=0)


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "found"),
    [(15, 1, True), (14, 1, False), (16, 4, True), (15, 4, False), (19, 5, False), (20, 5, True)],
)
def test_a_sum_needs_fifteen_rows_and_four_for_each_part(n_rows, n_columns, found):
    columns, score = made(n_rows, n_columns)
    parts = score_parts(score, columns)
    assert (parts is not None) == found
    if found:
        assert sorted(parts.names) == sorted(columns)
        assert (parts.n_rows, parts.n_columns) == (n_rows, n_columns)
        assert abs(parts.intercept) < 1e-6


@pytest.mark.parametrize(("n_columns", "found"), [(20, True), (21, False)])
def test_twenty_parts_are_looked_for(n_columns, found):
    columns, score = made(100, n_columns)
    assert (score_parts(score, columns) is not None) == found


@pytest.mark.parametrize(("n_gaps", "found"), [(4, True), (5, False)])
def test_a_part_is_known_for_four_fifths_of_the_scored_rows(n_gaps, found):
    columns, score = made(21, 2)
    columns["c0"][:n_gaps] = np.nan
    score[20] = np.nan
    parts = score_parts(score, columns)
    assert (parts is not None) == found
    if found:
        assert (parts.n_reproduced, parts.n_rows) == (16, 16)


def test_parts_are_known_together_for_four_fifths_of_the_scored_rows():
    columns, score = made(40, 2)
    columns["c0"][:6], columns["c1"][-6:] = np.nan, np.nan
    assert score_parts(score, columns) is None


@pytest.mark.parametrize(("n_wrong", "found"), [(5, True), (6, False)])
def test_one_score_in_twenty_may_be_misprinted(n_wrong, found):
    columns, score = made(100, 2)
    score[:n_wrong] += 37 * (1 + np.arange(n_wrong))
    parts = score_parts(score, columns)
    assert (parts is not None) == found
    if found:
        np.testing.assert_allclose(parts.weights, 1)
        assert parts.n_reproduced == 95


def test_columns_that_are_constant_or_hardly_known_are_none_to_choose_from():
    columns, score = made(40, 2)
    columns |= {"flat": np.ones(40), "rare": np.where(np.arange(40) < 9, np.arange(40), np.nan)}
    assert score_parts(score, columns).n_columns == 2
    assert score_parts(score, {"flat": np.ones(40)}) is None


def test_a_column_that_varies_only_where_a_part_is_missing_is_no_part():
    columns, score = made(40, 2)
    columns["c0"][:4] = np.nan
    columns["rare"] = np.where(np.arange(40) < 4, np.arange(40), 9)
    assert sorted(score_parts(score, columns).names) == ["c0", "c1"]


def test_a_billionth_of_the_range_of_an_exact_sum_is_left_of_it():
    columns, score = made(60, 3)
    left = score_parts(score, columns).mean_square
    assert left == pytest.approx((1e-9 * np.ptp(score)) ** 2, abs=0)


def parts_of(weights, intercept=0.0, **others):
    known = {"n_reproduced": 9, "n_rows": 103, "mean_square": 1.0, "n_columns": 8, "rounded": False}
    names = tuple(f"c{j}" for j in range(len(weights)))
    return ScoreParts(names, np.array(weights), intercept, **(known | others))


@pytest.mark.parametrize(
    ("weights", "intercept", "is_mean"),
    [
        ([0.5, 0.5], 0.0, True),
        ([0.5, 0.508], -0.9, True),
        ([0.5, 0.492], 0.9, True),
        ([0.994, 0.006], 0.0, True),
        ([1.0], 0.0, False),
        ([1.02, -0.02], 0.0, False),
        ([0.996, 0.004], 0.0, False),
        ([0.995, 0.005], 0.0, False),
        ([0.5, 0.512], 0.0, False),
        ([0.5, 0.488], 0.0, False),
        ([0.5, 0.5], 1.0, False),
        ([0.5, 0.5], -1.0, False),
    ],
)
def test_a_mean_has_weights_that_add_up_to_one(weights, intercept, is_mean):
    assert parts_of(weights, intercept).is_mean is is_mean


@pytest.mark.parametrize(
    ("weights", "intercept", "is_total"),
    [
        ([1.0, 1.0, 1.0], 0.0, True),
        ([1.008, 1.0, 0.992], -0.9, True),
        ([1.0, 1.0], 0.0, False),
        ([1.0, 1.012, 1.0], 0.0, False),
        ([1.0, 0.988, 1.0], 0.0, False),
        ([1.0, 1.0, 1.0], 1.0, False),
    ],
)
def test_a_total_has_three_parts_at_least_of_weight_one(weights, intercept, is_total):
    assert parts_of(weights, intercept).is_total is is_total


@pytest.mark.parametrize(
    ("n_columns", "mean_square", "is_worse"),
    [(8, 1.13, True), (8, 1.12, False), (1, 1.072, True), (1, 1.071, False), (2, 1.071, False)],
)
def test_a_part_has_to_explain_more_than_the_best_of_all_columns_would_by_chance(
    n_columns, mean_square, is_worse
):
    for unit in (0.01, 1.0, 100.0):
        fewer = parts_of([1.0], n_columns=n_columns, mean_square=unit * mean_square)
        assert fewer.is_worse_than(parts_of([1.0, 1.0], mean_square=unit)) is is_worse


def test_how_closely_a_sum_gives_the_score_is_told():
    assert "c0, c1 (plain least squares gives it to its last digit in 9 of 103 rows)" in str(
        parts_of([1.0, 1.0])
    )
    assert "gives it within the rounding of its parts in" in str(parts_of([1.0], rounded=True))


def test_of_two_columns_that_may_be_the_index_none_is_it(columns):
    both = {name: np.round(0.5 * columns["a"] + 0.5 * columns["b"], 2) for name in ("x", "y")}
    assert find_index(columns | both) is None
    name, parts = find_index(columns | {"x": both["x"]}, among=["a", "x"])
    assert (name, sorted(parts.names)) == ("x", ["a", "b"])
    assert find_index(columns | {"x": both["x"]}, among=["a", "b"]) is None
    other = np.round(0.5 * columns["c"] + 0.5 * columns["d"], 2)
    assert find_index(columns | {"x": both["x"], "y": other}) is None


def test_a_total_of_points_is_an_index_and_a_sum_of_two_is_none():
    columns, score = made(60, 4)
    assert find_index(columns | {"total": score})[0] == "total"
    columns, score = made(60, 2)
    assert find_index(columns | {"total": score}) is None


@pytest.mark.parametrize("digits", [0, 1, 3])
def test_a_sum_is_off_by_less_than_a_unit_of_the_last_digit(digits):
    rng = np.random.default_rng(7)
    columns = {name: 100 * rng.random(90) for name in "abc"}
    score = np.round(0.3 * columns["a"] + 0.4 * columns["c"], digits)
    found = score_parts(score, columns)
    assert (sorted(found.names), found.n_reproduced, found.rounded) == (["a", "c"], 90, False)
    assert found.mean_square == pytest.approx(100.0**-digits / 12, rel=0.3)
    assert score_parts(score + np.tile([1.0, -1.0], 45) * 10.0**-digits, columns) is None


@pytest.mark.parametrize(("noise", "is_gone"), [(1.2, True), (2.5, False)])
def test_what_may_count_for_one_percent_of_a_score_is_not_ruled_out(noise, is_gone):
    rng = np.random.default_rng(8)
    columns = {name: 100 * rng.random(100) for name in "abcd"}
    columns["twice a"] = 2 * columns["a"] + 1  # which nothing tells from a
    columns["rare"] = np.where(np.arange(100) < 4, columns["c"], np.nan)
    columns["b"] += 1000
    whole = columns["a"] + columns["b"] + 3 + noise * np.sqrt(2) * rng.standard_normal(100)
    whole[50] = np.nan
    for share in (0.1, 1.0):
        weights = np.full(2, share)
        parts = ScoreParts(("a", "b"), weights, 3 * share, 100, 100, 1.0, 5, rounded=False)
        assert without_part(share * whole, columns, parts) == (["c", "d"] if is_gone else [])


def test_an_exact_score_says_nothing_of_rare_columns_and_of_those_that_repeat_a_part():
    rng = np.random.default_rng(8)
    a, b, c = rng.integers(0, 100, (3, 100)).astype(float)
    columns = {"a": a, "pay": np.round(1e4 * a / 3), "b": b, "people": 1e8 * c, "none": 0 * a}
    columns |= {f"{n} rows": np.where(np.arange(100) < n, c, np.nan) for n in (0, 4, 5)}
    parts = ScoreParts(("a", "b"), np.ones(2), 0.0, 100, 100, 0.0, 7, rounded=False)
    assert without_part(a + b, columns, parts) == ["people", "5 rows"]


def test_a_small_part_that_was_left_out_is_not_ruled_out(columns):
    score = columns["a"] + columns["b"] + 0.02 * columns["c"] - 0.02 * columns["d"]
    parts = ScoreParts(("a", "b"), np.ones(2), 0.0, 120, 120, 1.0, 5, rounded=False)
    assert without_part(score, columns, parts) == ["e"]
