import numpy as np
import pandas as pd
import pytest

from rankwright.data import no_factors, read_table
from rankwright.data.no_factors import (
    Agreement,
    Order,
    agreement,
    why_no_factor,
    why_of_other_year,
)

N = 40
RNG = np.random.default_rng(0)
RANKS = np.arange(1.0, N + 1)
ORDER = Order("rank", "rank", -RANKS)
NOISE = RNG.permutation(N) + 0.5


def nearly(share):
    """Return values in the published order but for a share of them."""
    values = 100 - RANKS
    moved = RNG.choice(N, round(share * N), replace=False)
    values[moved] = RNG.permutation(values[moved])
    return values


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("USN Score", 100 - RANKS, "looks like the score behind it"),
        ("total_score", nearly(0.2), "looks like the score behind it"),
        ("merit", 100 - RANKS, "looks like the order itself"),
        ("golf strokes", RANKS * 3, "looks like the order itself"),
        ("national_rank", NOISE, "is another rank beside the rank 'rank'"),
        ("Rank 2014", NOISE, "is another rank"),
        ("last year's rank", NOISE, "is another rank"),
        ("Region Rank", NOISE, "is another rank"),
        ("Last week", NOISE + 0.5, "is another order, of an earlier time"),
        ("Last year's", NOISE + 0.5, "is another order, of an earlier time"),
        ("Previous week", np.where(RANKS == 1, np.nan, NOISE + 0.5), "of an earlier time"),
        ("Rang Vorjahr", NOISE + 0.5, "is another order, of an earlier time"),
        ("Classement précédent", NOISE + 0.5, "is another order, of an earlier time"),
        ("Vorwoche", NOISE + 0.5, "is another order, of an earlier time"),
        ("Last week", NOISE, None),  # fractions are no places
        ("Last year", 1000 * (NOISE + 0.5), None),  # nor are these those of a list
        ("Last week", NOISE - 0.5, None),
        ("Last week's sales", NOISE + 0.5, None),
        ("CountryID", 100 + RNG.permutation(N).astype(float), "identifies the rows"),
        ("id_school", 1 + RANKS * 7 % 13, "holds identifiers"),
        ("id", 1 + RANKS * 7 % 13, "holds identifiers"),
        ("schoolId", 1 + RANKS * 7 % 13, "holds identifiers"),
        ("has_id", RANKS % 2, None),
        ("plaid_shirts", 1 + RANKS * 7 % 13, None),
        ("Humid", 100 + RNG.permutation(N).astype(float), None),
        ("Unnamed: 0", RANKS - 1, "numbers the rows"),
        ("count", RANKS, "numbers the rows"),
        ("year", np.full(N, 2015.0) - (RANKS % 2), "holds years"),
        ("founded", 1900 + NOISE - 0.5, "holds years"),
        ("Year founded", 1900 + NOISE - 0.5, "holds years"),
        ("Gründung", 1900 + NOISE - 0.5, "holds years"),
        ("Année de création", 1900 + NOISE - 0.5, "holds years"),
        ("school_id", 10_000 + RNG.permutation(N).astype(float), "identifies the rows"),
        ("pages", np.full(N, 7.0), "is 7 in every row"),
        ("award", np.where(RANKS > 30, 7, np.nan), "is 7 wherever it is filled (10 of 40 rows)"),
        ("quality score", NOISE, None),
        ("research rank", NOISE, None),
        ("Score N-1", nearly(0.1), "looks like the score behind it"),
        ("2019", nearly(0.1), "looks like the order itself"),
        ("Score evolution", NOISE, "tells how a rank or score changed"),
        ("change in rank", NOISE, "tells how a rank or score changed"),
        ("income rank minus score rank", NOISE, "tells how a rank or score changed or differs"),
        ("is first", (RANKS == 1).astype(float), None),  # in order, but it ties nearly all
        ("climate change", NOISE, None),
        ("changeable rank", NOISE, None),
        ("citations", NOISE, None),
        ("pay", nearly(0.5), None),
    ],
)
def test_a_column_that_is_no_factor_is_known_by_its_name_and_contents(name, values, why):
    found = why_no_factor(name, values, ORDER)
    assert found is None if why is None else why in found


def test_few_rows_in_order_do_not_make_a_column_the_order():
    assert why_no_factor("zoom", np.array([9.0, 7, 4]), Order("rank", "rank", -RANKS[:3])) is None


def test_agreement_counts_pairs_within_groups():
    y = np.array([3.0, 2, 1, 9, 8])
    values = np.array([1.0, 2, 2, 5, np.nan])
    order = Order("rank", "rank", y, np.array(list("aaabb")))
    assert agreement(values, order) == Agreement(alike=0, turned=2, tied=1)
    assert agreement(values, Order("rank", "rank", y)) == Agreement(alike=3, turned=2, tied=1)


def test_tied_pairs_are_not_compared_and_nothing_is_rounded_up_to_all():
    points = -RANKS
    points[1] = points[2]
    assert "(100.0% of the pairs that it does not tie)" in why_no_factor("points", points, ORDER)
    points[[5, 6]] = points[[6, 5]]
    why = why_no_factor("points", points, ORDER)
    assert f"({1000 * 778 // 779 / 10}% of the pairs that it does not tie)" in why  # of 780
    assert Agreement(alike=99_999, turned=1, tied=0).percent == 99.9


def test_the_score_behind_the_rank_is_left_out_and_taken_when_asked_for():
    frame = pd.DataFrame({"name": [f"i{k}" for k in range(N)], "pay": NOISE, "USN Score": -RANKS})
    frame["rank"] = RANKS.astype(int)
    table = read_table(frame, item="name", target="rank")
    assert list(table.X.columns) == ["pay"]
    why = "'USN Score' is not used as a factor: it orders the items as the rank does (100.0%"
    assert any(note.startswith(why) for note in table.notes)
    asked = read_table(frame, item="name", target="rank", factors=["pay", "USN Score"])
    assert list(asked.X.columns) == ["pay", "USN Score"]
    assert list(read_table(frame, item="name", target="rank", exclude=["pay"]).X) == ["USN Score"]


def test_another_rank_that_is_printed_in_bands_is_no_text():
    places = [str(i) if i < 20 else "20-40" for i in range(1, N + 1)]
    frame = pd.DataFrame({"rank": RANKS, "name": [f"n{i}" for i in range(N)], "x": NOISE})
    bands = [places[i] if i % 2 else "5-9" for i in range(N)]
    table = read_table(frame.assign(national_rank=bands), item="name", target="rank")
    assert "'national_rank' is not used as a factor: it is another rank." in table.notes
    assert list(table.X.columns) == ["x"]


def test_columns_of_another_year_are_left_out_where_the_year_of_the_rank_has_them():
    frame = pd.DataFrame({"name": [f"P{i}" for i in range(N)], "2016 rank": RANKS})
    for name in ("2015 teaching", "2016 teaching", "2014 survey"):
        frame[name] = RNG.permutation(N) + 0.5
    table = read_table(frame, item="name", target="2016 rank")
    assert list(table.X.columns) == ["2016 teaching", "2014 survey"]
    assert any("'2015 teaching' is not used as a factor: it is of 2015" in n for n in table.notes)


def test_columns_that_are_all_the_order_are_used_and_said():
    frame = pd.DataFrame({"name": [f"P{i}" for i in range(N)], "rank": RANKS, "2024": 99 - RANKS})
    table = read_table(frame, item="name", target="rank")
    assert list(table.X.columns) == ["2024"]
    assert any("No column of numbers looks like a factor" in note for note in table.notes)


NAN = float("nan")


def mixed(n):
    """Return an order that no column of these tests is in."""
    return Order("rank", "rank", np.random.default_rng(7).permutation(n).astype(float))


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("pages", [7], None),
        ("pages", [7, NAN, 7], "is 7 wherever it is filled (2 of 3 rows)"),
        ("pages", [7, NAN, 8], None),
        ("row", [3, 4, 5], "numbers the rows"),
        ("row", [3], None),
        ("row", [3, 4], "numbers the rows"),
        ("row", [3, 4, 6], None),
        ("row", [3, 5, 6], None),
        ("row", [3, NAN, 5], None),
        ("size", range(1, 10), None),  # nine may be so by chance
        ("size", range(1, 11), "numbers the rows"),
        ("size", range(10), "numbers the rows"),
        ("size", range(2, 12), None),
        ("year", [1800, 2100, 1900], "holds years"),
        ("year", [1799, 2100, 1900], None),
        ("year", [1800, 2101, 1900], None),
        ("year", [1800.5, 2100, 1900], None),
        ("year", [NAN, NAN], None),
        ("pages", [1900, 1960] * 5, "holds years"),
        ("pages", [1900, 1961] * 5, None),
        ("pages", ([1900, 1960] * 5)[:9], None),
        ("pages", [1900, 1910, 1920, 1930, 1940] * 2, "holds years"),
        ("pages", [1900, 1910, 1920, 1930, 1940] * 2 + [1950], None),
        ("school_id", [105, 103, 109], "identifies the rows"),
        ("school_id", [105, 103], None),
        ("school_id", [105, 103.5, 109], None),
        ("school_id", [105, 103, 109, 105], "holds identifiers"),
        ("school_id", [105, 103, 105], None),
        ("zip code", [105, 103, 109], "identifies the rows"),
        ("zip code", [105, 103, 109, 105], None),
    ],
)
def test_what_numbers_count_or_name_is_told_by_few_of_them(name, values, why):
    values = np.array([*values], dtype=float)
    found = why_no_factor(name, values, mixed(len(values)))
    assert found is None if why is None else why in found


def turned(m, swaps=0, n=20):
    """Return n values in order but for the first m, which are turned around, and some swaps."""
    values = np.arange(n, 0.0, -1)
    values[:m] = values[:m][::-1].copy()
    for k in range(swaps):
        at = n - 2 - 2 * k
        values[[at, at + 1]] = values[[at + 1, at]]
    return values


@pytest.mark.parametrize(
    ("name", "out_of_order", "looks"),
    [  # of 190 pairs
        ("merit", (0, 2), "the order itself"),
        ("merit", (0, 3), None),
        ("style score", (0, 9), "the score behind it"),
        ("style score", (0, 10), None),
        ("score", (8, 0), "the score behind it"),
        ("score", (8, 1), None),
        ("2019", (8, 0), "the order itself"),
    ],
)
def test_a_column_looks_like_the_order_by_the_share_of_its_pairs(name, out_of_order, looks):
    order = Order("rank", "rank", np.arange(20, 0.0, -1))
    found = why_no_factor(name, turned(*out_of_order), order)
    assert found is None if looks is None else f"looks like {looks};" in found


@pytest.mark.parametrize(
    ("name", "sign", "target_is", "said"),
    [
        ("style score", 1, "rank", "as the rank does (100.0% of the pairs) and looks like the sc"),
        ("style score", -1, "rank", "first (100.0% of the pairs) and looks like the order itself;"),
        ("style score", 1, "score", "as the score does (100.0% of the pairs) and looks like the o"),
        ("merit", -1, "score", "as the score does turned around (100.0%"),
        ("merit", -1, "rank", "as the rank does, its smallest values first (100.0%"),
    ],
)
def test_it_is_said_whether_a_column_is_the_order_or_the_score_behind_it(
    name, sign, target_is, said
):
    order = Order("it", target_is, np.arange(20, 0.0, -1))
    assert said in why_no_factor(name, sign * turned(0), order)


def test_beside_scores_a_named_score_has_to_be_the_order():
    order = Order("it", "score", np.arange(20, 0.0, -1))
    assert why_no_factor("style score", turned(0, 9), order) is None
    assert "another rank beside the score 'it'" in why_no_factor("rank", turned(0, 9), order)


@pytest.mark.parametrize(
    ("values", "is_order"),
    [
        ([9.0] * 10 + [8.0] * 10, True),  # it orders 100 of 190 pairs
        ([9.0] * 14 + [8.0] * 6, False),  # 84
        ([9.0] * 6 + [8.0] * 10, True),  # 60 of 120
        ([NAN] * 10 + list(np.arange(10, 0.0, -1)), True),
        ([NAN] * 11 + list(np.arange(9, 0.0, -1)), False),
    ],
)
def test_a_column_is_the_order_if_it_tells_most_of_ten_rows_apart(values, is_order):
    order = Order("r", "rank", np.arange(len(values), 0.0, -1))
    found = why_no_factor("merit", np.array(values), order)
    assert (found is not None) == is_order


@pytest.mark.parametrize(
    ("name", "target", "why"),
    [
        ("2015 pay", "rank 2016", "is of 2015, and '2016 pay' is of the year of 'rank 2016'"),
        ("2016 pay", "rank 2016", None),
        ("2015 peers", "rank 2016", None),  # there is none of 2016
        ("pay", "rank 2016", None),
        ("20155 pay", "rank 2016", None),
        ("2015 pay", "rank", None),
    ],
)
def test_a_column_of_another_year_is_none_where_there_is_one_of_the_year(name, target, why):
    order = Order(target, "rank", np.zeros(2))
    assert why_of_other_year(name, order, ["2016 pay", "2015 peers", "20165 pay"]) == why


@pytest.mark.parametrize(
    ("counts", "share", "percent"),
    [
        ((1, 0, 0), 1.0, 100.0),
        ((3, 1, 0), 0.5, 75.0),
        ((1, 3, 0), -0.5, 75.0),
        ((0, 0, 4), 0.0, 0.0),
        ((2, 1, 0), 1 / 3, 66.6),
    ],
)
def test_an_agreement_is_a_share_of_pairs(counts, share, percent):
    found = Agreement(*counts)
    assert (found.share, found.percent) == (share, percent)


def test_of_many_rows_some_from_end_to_end_are_compared(monkeypatch):
    monkeypatch.setattr(no_factors, "MOST_COMPARED", 5)
    y = np.arange(9.0)
    assert agreement(y, Order("r", "rank", y)) == Agreement(10, 0, 0)
    for end, value in ((0, 100.0), (8, -100.0)):
        values = y.copy()
        values[end] = value
        assert agreement(values, Order("r", "rank", y)) == Agreement(6, 4, 0)
    few = Order("r", "rank", y[:5])
    assert agreement(y[:5], few) == Agreement(10, 0, 0)


def test_of_many_rows_those_without_a_value_are_not_compared(monkeypatch):
    monkeypatch.setattr(no_factors, "MOST_COMPARED", 5)
    y = np.arange(18.0)
    values = np.where(y % 2, y, NAN)
    assert agreement(values, Order("r", "rank", y)) == Agreement(10, 0, 0)


def test_of_many_groups_the_first_are_compared(monkeypatch):
    monkeypatch.setattr(no_factors, "MOST_COMPARED", 4)
    groups = np.array([*"bbbaaa"])
    y = np.array([1.0, 2, 3, 3, 2, 1])
    found = agreement(np.array([1.0, 2, 3, 1, 2, 3]), Order("r", "rank", y, groups))
    assert found == Agreement(0, 3, 0)  # all of a, and one of b


def test_a_share_at_the_limit_is_enough():
    order = Order("rank", "rank", np.arange(16, 0.0, -1))
    assert "behind it" in why_no_factor("style score", turned(0, 6, 16), order)  # 0.9 of 120 pairs


def test_a_score_that_mostly_falls_with_the_rank_is_not_behind_it():
    kinds = {"rank": "does, its smallest values first (98", "score": "does turned around (98"}
    for target_is, said in kinds.items():
        order = Order("it", target_is, np.arange(20, 0.0, -1))
        found = why_no_factor("style score", -turned(0, 2), order)
        assert said in found
        assert "looks like the order itself" in found


@pytest.mark.parametrize(
    ("name", "target"), [("2015", "2016"), ("HDI rank 2015", "HDI rank"), ("2015_pay", "pay 2016")]
)
def test_the_target_of_another_year_is_no_factor(name, target):
    found = why_of_other_year(name, Order(target, "rank", np.zeros(2)), [])
    assert found == f"is {target!r} of another year; factors=[...] includes it anyway"


@pytest.mark.parametrize(("name", "target"), [("pay 2016", "pay 2016"), ("2015 pay", "HDI rank")])
def test_columns_that_say_something_else_are_not_the_target_of_another_year(name, target):
    assert why_of_other_year(name, Order(target, "rank", np.zeros(2)), []) is None


@pytest.mark.parametrize(
    ("name", "target_is", "is_asked"),
    [
        ("Total", "rank", True),
        ("Total score", "rank", True),
        ("points", "rank", True),
        ("merit", "rank", False),
        ("Gesamtnote", "rank", False),  # 1 is best in it
        ("Total", "score", False),
    ],
)
def test_a_total_that_runs_against_the_rank_asks_whether_the_largest_rank_is_best(
    name, target_is, is_asked
):
    order = Order("place", target_is, -RANKS)
    why = why_no_factor(name, RANKS * 2, order)
    asked = "; factors=[...] includes it anyway; if 40 is best in 'place', pass target_is='score'"
    assert why.endswith(asked) is is_asked


def medals(n=30, seed=4):
    """Return a table ordered by gold, then silver, then bronze, with their sum."""
    rng = np.random.default_rng(seed)
    parts = {"Gold": np.arange(2 * n, 0, -2), "Silver": rng.integers(0, 40, n)}
    parts["Bronze"] = rng.integers(0, 40, n)
    frame = pd.DataFrame({"Nation": [f"n{i}" for i in range(n)], **parts})
    return frame.assign(rank=range(1, n + 1), Total=sum(parts.values()))


@pytest.mark.parametrize("total", ["Total", "all medals"])
def test_a_sum_is_left_out_rather_than_the_part_that_looks_like_the_order(total):
    frame = medals().rename(columns={"Total": total})
    table = read_table(frame, item="Nation", target="rank")
    assert list(table.X.columns) == ["Gold", "Silver", "Bronze"]
    said = f"{total!r} is not used as a factor: it is the sum of 'Gold', 'Silver', 'Bronze'"
    assert any(note.startswith(said) for note in table.notes)


def test_a_total_of_other_columns_is_left_out_where_none_is_the_order():
    frame = medals().assign(rank=RNG.permutation(30) + 1)
    table = read_table(frame, item="Nation", target="rank")
    assert list(table.X.columns) == ["Gold", "Silver", "Bronze"]


def test_a_total_that_is_no_sum_stays_and_what_looks_like_the_order_does_not():
    frame = medals()
    frame["Total"] += RNG.integers(1, 60, 30)
    table = read_table(frame, item="Nation", target="rank")
    assert list(table.X.columns) == ["Silver", "Bronze", "Total"]


@pytest.mark.parametrize(
    ("places", "target_is", "is_told"),
    [
        (RANKS, "score", True),
        ([f"{k}." for k in range(1, N + 1)], "score", True),
        (RANKS[::-1], "score", False),
        (RANKS + 1, "score", False),
        (NOISE + 0.5, "score", False),
        (RANKS, "rank", False),
    ],
)
def test_a_rank_that_runs_against_the_score_asks_whether_smaller_scores_are_better(
    places, target_is, is_told
):
    frame = pd.DataFrame({"name": [f"i{k}" for k in range(N)], "zoom": NOISE, "Platz": places})
    frame["note"] = RANKS * 2
    table = read_table(frame, item="name", target="note", target_is=target_is)
    said = "'Platz' (1 is best) runs against 'note' (larger is better): if smaller is better there"
    assert any(note.startswith(said) for note in table.notes) is is_told


@pytest.mark.parametrize(("first", "is_sum"), [(0, True), (2, False)])
def test_a_sum_is_one_in_all_rows_of_a_large_table(first, is_sum):
    n = 4_001  # every other row tells which columns are added up
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({one: rng.integers(0, 1000, n) / 10 for one in "abc"})
    frame = frame.assign(Total=frame.sum(axis=1), name=[f"n{i}" for i in range(n)])
    frame.loc[1 : 2000 * first : 2, "Total"] += 7
    table = read_table(frame.assign(rank=range(1, n + 1)), item="name", target="rank")
    assert ("Total" not in table.X.columns) is is_sum


@pytest.mark.parametrize(
    ("largest", "smallest", "is_earlier"),
    [(400, 1, True), (401, 1, False), (400, 0, False), (400, 2, True)],
)
def test_places_of_an_earlier_time_begin_at_1_and_end_within_ten_times_the_rows(
    largest, smallest, is_earlier
):
    values = NOISE + 0.5
    values[values == 40] = largest
    values[values == 1] = smallest
    assert (why_no_factor("Last week", values, ORDER) is not None) is is_earlier


@pytest.mark.parametrize(
    "name",
    [
        *["last week", "Previous rank", "prev. month", "Prior quarter", "former position"],
        *["letzte Woche", "letzten Monat", "letzter Platz", "letztes Jahr", "Vorherige Saison"],
        *["vorheriger Rang", "Vorwoche", "Vormonat", "Vorjahr", "Vorjahres-Platz"],
        *["précédent classement", "semaine précédente", "dernière année", "mois dernière"],
        *["semana anterior", "mes anterior", "año anterior", "settimana precedente"],
        *["anno precedente", "mese precedente", "föregående år", "forrige plassering"],
        *[
            "föregående plats",
            "forrige placering",
            "posizione precedente",
            "last season",
            "previous edition",
            "last",
            "LAST WEEK'S",
        ],
    ],
)
def test_an_earlier_time_is_known_in_several_languages(name):
    found = no_factors._earlier(name, NOISE + 0.5, NOISE + 0.5, ORDER)
    assert found == "is another order, of an earlier time; factors=[...] includes it anyway"


@pytest.mark.parametrize(
    "name", ["week", "lasting week", "blast week", "last sales", "everlasting", "weekly", "rank"]
)
def test_what_does_not_say_earlier_or_says_more_is_no_earlier_order(name):
    assert no_factors._earlier(name, NOISE + 0.5, NOISE + 0.5, ORDER) is None


def test_no_values_are_no_earlier_order():
    assert no_factors._earlier("last week", np.full(3, NAN), np.array([]), ORDER) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("HDI rank (2015)", "hdi rank"),
        ("2015_HDI-Rank", "hdi rank"),
        ("2015", ""),
        ("HDI2015Rank", "hdirank"),
        ("1899 rank", "1899 rank"),
        ("20155 rank", "20155 rank"),
        ("rank 1999 to 2001", "rank to"),
    ],
)
def test_the_words_of_a_name_are_those_beside_its_year(name, words):
    assert no_factors.without_year(name) == words


def against(ranks, scores, name="Platz", target_is="score"):
    order = Order("note", target_is, np.array(scores, dtype=float))
    return no_factors.runs_against(name, np.array(ranks, dtype=float), order)


@pytest.mark.parametrize(
    ("ranks", "scores", "is_told"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], True),  # ten pairs
        ([1, 2, 3, 4], [1, 2, 3, 4], False),
        ([1, 2, 3, 4, 4], [1, 2, 3, 4, 5], False),  # nine that are no ties
        ([1, 2, 3, 4, 5, NAN], [1, 2, 3, 4, 5, 6], True),
        ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], False),
        ([2, 3, 4, 5, 6], [1, 2, 3, 4, 5], False),
        ([NAN] * 5, [1, 2, 3, 4, 5], False),
        ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5], False),
        (turned(0, 6, 16), np.arange(16, 0.0, -1), True),  # 0.9 of 120 pairs
        (turned(0, 7, 16), np.arange(16, 0.0, -1), False),
    ],
)
def test_a_rank_runs_against_scores_in_nearly_all_of_ten_pairs(ranks, scores, is_told):
    assert against(ranks, scores) is is_told


@pytest.mark.parametrize(("name", "target_is"), [("Platz", "rank"), ("zoom", "score")])
def test_only_a_rank_runs_against_and_only_against_scores(name, target_is):
    assert against(range(1, 6), range(1, 6)) is True
    assert against(range(1, 6), range(1, 6), name, target_is) is False


@pytest.mark.parametrize(
    ("name", "is_total"),
    [
        *[(name, True) for name in ("total", "Totals", "subtotal", "Sum", "overall", "Summe")],
        *[(name, True) for name in ("gesamt", "Gesamtscore", "Gesamtpunkte", "Gesamtpunktzahl")],
        *[(name, True) for name in ("Gesamtwertung", "Gesamtsumme", "Gesamtergebnis", "totale")],
        *[(name, True) for name in ("somme", "suma", "totaal", "total_score", "sum2", "x total")],
        *[(name, False) for name in ("totally", "sumo", "Gesamtnote", "assume", "overalls")],
    ],
)
def test_a_total_is_known_by_its_word_in_several_languages(name, is_total):
    assert bool(no_factors.TOTAL_WORD.search(name)) is is_total


@pytest.mark.parametrize("name", ["plats", "Placering", "plassering", "Plats 2020"])
def test_ranks_have_names_of_the_north(name):
    assert no_factors.RANK_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["lasting", "priority", "formerly", "blast", "outlast"])
def test_a_word_that_holds_one_for_earlier_is_another(name):
    assert no_factors.EARLIER.search(name) is None


@pytest.mark.parametrize("name", ["plasserin", "placerin", "plat", "platser"])
def test_a_part_of_a_word_for_ranks_is_none(name):
    assert no_factors.RANK_NAME.fullmatch(name) is None


@pytest.mark.parametrize(("first", "is_earlier"), [(1.0, True), (1.5, False), (2.0, True)])
def test_one_fraction_tells_that_numbers_are_no_places_of_an_earlier_time(first, is_earlier):
    values = np.r_[first, 3.0, 2.0, 5.0]
    order = Order("rank", "rank", -RANKS[:4])
    assert (no_factors._earlier("last week", values, values, order) is not None) is is_earlier


def test_a_score_that_falls_with_the_rank_asks_nothing():
    assert "target_is" not in why_no_factor("points", -RANKS, ORDER)
    assert "target_is" in why_no_factor("points", RANKS * 2, ORDER)
