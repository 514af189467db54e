import numpy as np
import pandas as pd
import pytest

from rankwright.data import read_table
from rankwright.data.no_factors import Agreement, Order, agreement, why_no_factor

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
        ("quality score", NOISE, None),
        ("research rank", NOISE, None),
        ("Score N-1", nearly(0.1), "looks like the score behind it"),
        ("2019", nearly(0.1), "looks like the order itself"),
        ("Score evolution", NOISE, "tells how a rank or score changed"),
        ("change in rank", NOISE, "tells how a rank or score changed"),
        ("income rank minus score rank", NOISE, "tells how a rank or score changed or differs"),
        ("is first", (RANKS == 1).astype(float), None),  # in order, but it ties nearly all
        ("climate change", NOISE, None),
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


def test_tied_pairs_do_not_count_as_ordered_and_nothing_is_rounded_up_to_all():
    points = -RANKS
    points[1] = points[2]
    why = why_no_factor("points", points, ORDER)
    assert f"({1000 * 779 // 780 / 10}% of the pairs)" in why  # 780 pairs
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
