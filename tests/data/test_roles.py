"""Which column has which role, by its name and by what it holds."""

import numpy as np
import pandas as pd
import pytest

from rankwright.data import guess_columns, roles
from rankwright.data.sources import as_sheet

NAMES = [f"m{i}" for i in (*range(5, 40), *range(5))]  # not in the order of the alphabet
RNG = np.random.default_rng(5)
LOOSE = [float(one) for one in RNG.integers(1, 90, 40)]  # neither sorted nor a sum of others
OTHER = [float(one) for one in RNG.integers(1, 90, 40)]


def guessed(columns, **given):
    return guess_columns(pd.DataFrame(columns), **given)


def target_of(columns, **given):
    guess = guessed(columns, **given)
    return guess.target, guess.target_is


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"zoom": [9, 7, 8.5]}, None),  # numbers alone are no scores
        ({"score": ["good", "bad", "fair"]}, None),
        ({"relevance": [3, 0, 1]}, "relevance"),
        ({"grade": [3, 0, 1], "style score": [1, 5, 2]}, "grade"),
        ({"quality score": [3, 0, 1]}, "quality score"),
        ({"score 2015": [3, 0, 1], "score": [1, 5, 2]}, "score"),
        ({"style points": [1, 5, 2], "score 2015": [3, 0, 1]}, "score 2015"),
        ({"style score": [3, 4, 2], "jump points": [9, 9, 7]}, "jump points"),  # sorted
        ({"style score": [3, 4, None], "jump points": [9, None, 7]}, "jump points"),
        ({"style score": [3, 4], "jump points": [9, 7]}, None),  # two rows tell no order
        ({"style score": [3, 4, 2], "overall quality score": [3, 5, 4]}, "overall quality score"),
        ({"style score": [3, 4, 2], "overalls score": [3, 5, 4]}, None),
        (
            {"style score": [3, 4, 2], "overall quality score": [3, 5, 4], "overall m": [1, 5, 3]},
            "overall quality score",
        ),
        ({"overall": [3, 5, 4]}, "overall"),
        ({"overall": ["good", "bad", "fair"]}, None),
        ({"overall height": [3, 5, 4]}, None),
        ({"overall": [3, 5, 4], "overall height": [3, 4, 1]}, "overall"),
        ({"overall": [3, 5, 4], "total": [3, 4, 1]}, None),  # either may be it
        ({"style score": [3, 4, 2], "jump points": [3, 5, 4], "overall": [3, 5, 1]}, None),
    ],
)
def test_a_score_is_known_by_its_name_or_by_the_order_of_the_rows(columns, target):
    found = target_of({"name": list("CAB")[: len(next(iter(columns.values())))], **columns})
    assert found == (target, "rank" if target is None else "score")


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"research rank": [3, 2, 2, 1]}, "research rank"),
        ({"worldrank": [3, 2, 2, 1]}, "worldrank"),
        ({"rank z": [1, 1, 2, 2], "rank b": [1, 2, 3, 4]}, "rank b"),  # that tells most rows apart
        ({"national_rank": [1, 2, 3, 4], "school_rank": [1, 2, 2, 4]}, "school_rank"),
        ({"World Rank 2016": [1, 2, 3, 4], "Rank": [1, 2, 2, 4]}, "Rank"),
        ({"research rank": [1, 2, 3, 4], "world rank": [1, 2, 2, 4]}, "world rank"),
        ({"Rank 2015": [1, 2, 3, 4], "Rank 2014-2016": [1, 2, 2, 4]}, "Rank 2014-2016"),
        # A rank without a year is of this year, and the one beside it of an earlier one.
        ({"World Rank 2016": [1, 2, 2, 4], "World Rank": [1, 2, 3, 4]}, "World Rank"),
        ({"This year": [1, 2, 3, 4], "Last year": [3, 1, 2, 4]}, "This year"),
        ({"Vorjahr": [3, 1, 2, 4], "2. Quartal": [2, 1, 3, 4]}, "2. Quartal"),
        ({"Last year": [3, 1, 2, 4], "zoom": [5, 1, 2, 9]}, None),
        ({"2023": [3, 1, 2, 4], "2024": [1, 2, 3, 4]}, "2024"),
        ({"2024": [3, 1, 2, 4], "2023": [1, 2, 3, 4]}, "2024"),
        ({"rank": [0, 1, 2, 5]}, None),  # the first place is 1
        ({"rank": ["gold", "silver", "gold", "none"]}, None),
        ({"rank": ["1", "x", "y", "2"]}, None),
        ({"rank": [1, None, 2, 2]}, "rank"),
        ({"nr": [3, 1, 2, 4]}, "nr"),
        ({"nr": [1, 2, 3, 4]}, "nr"),
        ({"Unnamed: 0": [3, 1, 2, 4]}, "Unnamed: 0"),
        ({"Unnamed: 0": [1, 2, 3, 4]}, None),
        ({"row_number": [1, 2, 3, 4]}, None),
    ],
)
def test_a_rank_is_known_by_its_name_or_by_counting_the_rows(columns, target):
    assert target_of({"name": list("CADB"), **columns}) == (target, "rank")


@pytest.mark.parametrize(("n", "target"), [(2, None), (3, "nr")])
def test_two_rows_count_nothing(n, target):
    assert guessed({"name": list("CAB")[:n], "nr": [2, 1, 3][:n]}).target == target


def test_other_ranks_are_named_in_the_reason():
    columns = {"name": list("CADB"), "rank": [1, 2, 2, 4]}
    assert guessed(columns).reasons[0] == "Ranks are read from 'rank', judging by its name."
    more = guessed(columns | {"world rank": [1, 2, 2, 3]}).reasons[0]
    assert more == (
        "Ranks are read from 'rank', judging by its name ('world rank' may be ranks too)."
    )


@pytest.mark.parametrize(
    ("given", "target"),
    [(None, ("rank", "rank")), ("rank", ("rank", "rank")), ("score", ("score", "score"))],
)
def test_the_kind_of_target_that_is_said_is_looked_for(given, target):
    columns = {"name": list("CADB"), "score": [9, 8, 7, 9], "rank": [1, 2, 2, 4]}
    assert target_of(columns, target_is=given) == target


def test_a_kind_that_is_not_there_is_not_replaced_by_the_other():
    names = {"name": list("CADB")}
    assert target_of(names | {"score": [9, 8, 7, 9]}, target_is="rank") == (None, "rank")
    assert target_of(names | {"nr": [3, 1, 2, 4]}, target_is="score") == (None, "score")
    assert target_of(names | {"zoom": [3, 1, 1, 4]}) == (None, "rank")


def summed(seed=0):
    """Return columns one of which is the sum of others."""
    rng = np.random.default_rng(seed)
    columns = {one: [float(n) for n in rng.integers(1, 90, 40)] for one in ("a", "b", "c")}
    return columns | {"sum": np.sum(list(columns.values()), axis=0)}


def test_places_are_ranks_where_no_scores_are_asked_for():
    columns = {"name": NAMES, "nr": range(1, 41)} | summed()
    assert target_of(columns) == ("sum", "score")
    assert target_of(columns, target_is="rank") == ("nr", "rank")


def test_a_sum_among_the_columns_called_scores_comes_before_other_sums():
    one, other = summed(), summed(1)
    columns = {"name": NAMES} | {f"{name} points": values for name, values in one.items()}
    columns |= {f"{name} m": values for name, values in other.items()}
    assert target_of(columns) == ("sum points", "score")


def test_sums_are_not_looked_for_in_tables_of_many_cells(monkeypatch):
    columns = {"name": NAMES} | summed()
    monkeypatch.setattr(roles, "MOST_CELLS", 160)  # texts do not count
    assert target_of(columns) == ("sum", "score")
    monkeypatch.setattr(roles, "MOST_CELLS", 159)
    assert target_of(columns) == (None, "rank")


def test_it_is_said_whether_a_score_is_a_sum_or_a_mean():
    columns = {"name": NAMES} | summed()
    assert "it is the sum of" in guessed(columns).reasons[0]
    columns["sum"] = np.round(np.asarray(columns["sum"]) / 3, 2)
    assert "it is a weighted mean of" in guessed(columns).reasons[0]


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"team": sorted(NAMES)[:10]}, None),
        ({"team": sorted(NAMES), "motto": NAMES}, None),  # one column by the alphabet is enough
        ({"team": sorted(NAMES)[:9]}, "nr"),  # so few may be in order by chance
        ({"team": NAMES, "size": range(11, 51)}, "nr"),  # numbers have no alphabet
        ({"team": NAMES, "land": sorted("abcd" * 10)}, "nr"),  # neither have groups
        ({"team": [name.upper() if name < "m2" else name for name in sorted(NAMES)]}, None),
    ],
)
def test_numbers_of_rows_are_ranks_unless_the_rows_stand_by_the_alphabet(columns, target):
    n = len(next(iter(columns.values())))
    assert guessed({"nr": range(1, n + 1), **columns}).target == target


def lists(ranks):
    """Return a table of lists that each have the same ranks."""
    n = 2 * len(ranks)
    return {"name": NAMES[:n] if n <= 40 else [f"n{i % 7}{i}" for i in range(n)]} | {
        "kind": ["p"] * len(ranks) + ["q"] * len(ranks), "rank": [*ranks, *ranks]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ranks", "group"),
    [
        ([1, 2, 3, 4], "kind"),
        ([1, 3, 4, 4], "kind"),  # one may be left out of few rows
        ([1, 4, 5, 5], None),
        ([1, *range(5, 15), 14], "kind"),  # of twelve a quarter
        ([1, *range(6, 16), 15], None),
        ([1, *range(6, 17), 16], None),  # thirteen have no more
        ([1, 1, *range(2, 20)], "kind"),  # of twenty one may be before its place
        ([1, 1, *range(2, 19)], None),
        ([1, 2.5, 2.5, 4], "kind"),  # mean places
    ],
)
def test_ranks_that_are_nearly_places_in_each_list_make_it_a_group(ranks, group):
    assert guessed(lists(ranks)).group == group


def test_the_reason_for_a_group_is_where_ranks_begin():
    reason = guessed(lists([1, 2, 3, 4])).reasons[1]
    assert reason == "Groups are read from 'kind': the ranks begin at 1 in each of its 2 labels."


def test_repeated_ranks_without_any_labels_make_no_group():
    assert guessed({"name": list("CADBFE"), "rank": [1, 1, 1, 2, 2, 2]}).group is None


def test_a_target_without_any_value_makes_no_group():
    table = {"name": list("CADB"), "kind": list("ppqq"), "rank": ["n/a"] * 4}
    assert guessed(table, target="rank").group is None


GAPS = [1, 20, 40, 60, 80]


@pytest.mark.parametrize(
    ("ranks", "group"),
    [
        ({"p": GAPS, "q": GAPS}, "kind"),  # ten ranks are there twice
        ({"p": GAPS, "q": [*GAPS[:-1], 90]}, None),  # only eight
        ({"p": GAPS, "q": GAPS, "r": [2, 20, 40, 60, 80]}, None),  # one does not begin at 1
        ({"p": GAPS, "q": GAPS, "r": [None, None]}, None),  # of one no rank is known
        ({"p": [*GAPS, 80], "q": GAPS}, None),  # twice in one
    ],
)
def test_labels_part_ranks_with_gaps_if_they_begin_at_1_and_repeat_in_none(ranks, group):
    rows = [(label, rank) for label, places in ranks.items() for rank in places]
    table = pd.DataFrame(rows, columns=["kind", "rank"])
    table["name"] = NAMES[: len(table)]
    assert guess_columns(table).group == group


SHARED = [1, 1, 1, 2, 2, 2, 2, 3, 3, 4]  # no place is left out behind a shared one
LANDS = [f"land {i}" for i in range(10)]


def years(change=None):
    table = pd.DataFrame(
        {"land": LANDS * 4, "year": np.repeat([2001, 2002, 2003, 2004], 10), "rank": SHARED * 4}
    )
    if change is not None:
        change(table)
    return table


def set_column(name, values):
    def change(table):
        table[name] = values

    return change


def set_cell(row, name, value):
    def change(table):
        table.loc[row, name] = value

    return change


@pytest.mark.parametrize(
    ("change", "group"),
    [
        (None, "year"),
        (lambda table: table.insert(1, "shop", table.pop("year")), None),
        (set_column("motto", NAMES), "year"),  # one column that returns is enough
        (lambda table: table.insert(0, "motto", table.pop("land").map(LANDS.index)), None),
        (set_cell(slice(0, 2), "rank", 2), None),  # one year does not begin at 1
        (set_cell(1, "land", "land 0"), None),  # twice in a year
        (set_column("land", [f"land {i % 30}" for i in range(40)]), None),  # too few return
        (set_column("land", [f"land {i % 29}" for i in range(40)]), "year"),
        (set_column("year", np.repeat([1801, 1901, 2001, 2099], 10)), "year"),
        (set_column("year", np.repeat([1800, 1901, 2001, 2098], 10)), None),
        (set_column("year", np.repeat([1801, 1901, 2001, 2100], 10)), None),
        (set_column("year", np.repeat([1, 2, 3, 4], 10)), None),
    ],
)
def test_years_are_groups_where_ranks_begin_at_1_and_texts_return(change, group):
    assert guess_columns(years(change)).group == group


def crossed(ranks, *more):
    """Return ranks in each of four lists that two columns tell together."""
    table = pd.DataFrame({"name": NAMES, "area": list("xyzzy" * 8)})
    for name in more:
        table[name] = list("xyzzy" * 8)
    table["cup"] = ["north", "south"] * 20
    table["event"] = np.repeat(["run", "jump"], 20)
    table["rank"] = [ranks[i] for i in table.groupby(["cup", "event"]).cumcount()]
    return table


@pytest.mark.parametrize(
    ("table", "group"),
    [
        (crossed(range(1, 11)), "cup, event"),
        (crossed(SHARED), None),
        (crossed(range(2, 12)), None),
        (crossed(range(1, 11), "1", "2", "3"), "cup, event"),  # the fifth and the sixth
        (crossed(range(1, 11), "1", "2", "3", "4"), None),
    ],
)
def test_two_of_few_columns_tell_the_groups_together(table, group):
    assert guess_columns(table).group == group


def test_the_reason_for_two_columns_is_where_ranks_begin():
    reason = guess_columns(crossed(range(1, 11))).reasons[1]
    assert reason.endswith("the ranks begin at 1 in each of its 4 labels.")


@pytest.mark.parametrize(
    ("query", "group"),
    [(list("ppqq"), "query"), (list("pppp"), None), (["p", "p", "n/a", "n/a"], None)],
)
def test_a_group_of_scores_has_labels_that_are_all_there_and_repeat(query, group):
    assert guessed({"title": list("CADB"), "query": query, "score": [7, 8, 9, 9]}).group == group


@pytest.mark.parametrize(("line", "category"), [(list("uuvv"), "line"), (list("uuuu"), None)])
def test_a_category_has_several_labels(line, category):
    table = pd.DataFrame(lists([1, 2, 3, 4]))
    table["line"] = [one for one in line for _ in range(2)]
    found = guess_columns(table.assign(kind=list("ppqqrrss"), rank=[1, 2] * 4))
    assert found.category == category


HALF = [f"b{i % 20}" for i in range(40)]
MORE = [f"b{i % 21}" for i in range(40)]


@pytest.mark.parametrize(
    ("columns", "item"),
    [
        ({"name": ["A", "B"] * 19 + ["A"]}, "name"),  # 39 rows: not quite twenty times each
        ({"name": ["A", "B"] * 20}, None),
        ({"id": [101 + 7 * i for i in range(40)]}, "id"),
        ({"id": [101 + i % 39 for i in range(40)]}, None),
        ({"id": [1.5, *(101 + 7 * i for i in range(39))]}, None),
        ({"brand": HALF, "id": range(101, 141)}, "id"),
        ({"brand": MORE, "id": range(101, 141)}, "brand"),
        ({"title": MORE, "brand": NAMES}, "brand"),
        ({"title": MORE, "motto": NAMES}, "title"),
        ({"motto": NAMES, "name": [*NAMES[:-1], "1.5"]}, "name"),
        ({"model": range(101, 141), "title": [*NAMES[:-1], "m5"]}, "title"),
        ({"school id": NAMES, "title": [*NAMES[:-1], "m5"]}, "title"),
        ({"code": [f"X{i}" for i in range(40)], "who": [f"{one} Inn" for one in NAMES]}, "who"),
        ({"code": [f"X{i}" for i in range(40)], "who": ["USA", *(f"Inn {i}" for i in range(39))]},
         "who"),
        ({"code": [f"X{i}" for i in range(40)], "who": HALF}, "code"),
        ({"link": [f"https://x.org/{i}" for i in range(40)], "who": [*NAMES[:-1], "an Inn"]},
         "who"),
        ({"zzz": [f"an {one}" for one in MORE], "aaa": [f"an {one}" for one in NAMES]}, "aaa"),
        ({"stand": [f"#{k}" for k in range(1, 41)], "who": MORE}, "who"),
        ({"stand": [f"#{k}" for k in range(1, 41)], "model": NAMES}, "model"),
        ({"stand": [f"#{k}" for k in range(1, 41)]}, "stand"),
        ({"name": [f"No. {k}" for k in range(1, 41)], "brand": HALF}, "name"),
        ({"who": [f"an {one}" for one in HALF]}, None),
        ({"who": [f"an {one}" for one in MORE]}, "who"),
        ({"who": [f"an {one}" for one in LANDS * 4], "shop": np.repeat([2001, 2, 3, 4], 10)}, None),
    ],
)  # fmt: skip
def test_items_are_named_by_the_column_whose_name_or_texts_say_so(columns, item):
    n = len(next(iter(columns.values())))
    assert guessed(columns | {"score": LOOSE[:n], "zoom": OTHER[:n]}).item == item


def test_names_may_return_from_group_to_group():
    columns = {"who": [f"an {one}" for one in HALF], "query": np.repeat(["p", "q"], 20)}
    columns |= {"score": LOOSE}
    assert guessed(columns).item == "who"
    assert guessed(columns, group=False).item is None


@pytest.mark.parametrize(
    ("columns", "places"),
    [
        ({"nr": [3, 1, 2]}, {"nr": False}),
        ({"nr": [1, 2, 3]}, {"nr": True}),
        ({"2024": [1, 2, 3], "2023": [3, 1, 2]}, {"2024": False}),
        ({"2024": [3, 1, 2], "2023": [1, 2, 3]}, {"2024": False}),
        ({"nr": [1, 2, 3], "last week": [3, 1, 2]}, {"nr": False}),
        ({"nr": [1, 2, 3], "zoom": [3, 1, 4]}, {"nr": True}),
        ({"nr": [1, 2, 3], "of": [3, 1, 2]}, {"nr": True, "of": False}),
        ({"last week": [3, 1, 2]}, {}),
        ({"row number": [1, 2, 3]}, {}),
        ({"row number": [3, 1, 2]}, {"row number": False}),
        ({"nr": [1, 2]}, {}),
    ],
)
def test_places_number_the_rows_unless_they_are_out_of_order_or_have_earlier_ones(columns, places):
    n = len(next(iter(columns.values())))
    sheet = as_sheet(pd.DataFrame({"name": list("CAB")[:n], **columns}), [])
    assert roles._places(sheet, ["name", *columns]) == places


@pytest.mark.parametrize(
    ("name", "others", "is_earlier"),
    [
        ("rank 2014", ["rank 2015"], True),
        ("rank 2015", ["rank 2014"], False),
        ("rank 2015", ["rank 2015"], False),
        ("rank 2015", ["rank"], True),
        ("rank", ["rank 2015"], False),
        ("rank 2014", ["pay 2015"], False),
        ("rank 2014", ["pay"], False),
        ("rank 2013-2016", ["rank 2014-2015"], False),
        ("rank 2014-2015", ["rank 2013-2016"], True),
        ("last rank", [], True),
    ],
)
def test_a_name_is_of_an_earlier_time_beside_the_same_words_of_a_later_one(
    name, others, is_earlier
):
    assert roles._is_earlier(name, [name, *others]) is is_earlier


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"Global Rank 2015": [1, 2, 3, 4], "World Rank 2014-2016": [1, 2, 2, 4]}, "World"),
        ({"Global Rank": [1, 2, 3, 4], "World Rank 2015": [1, 2, 2, 4]}, "World"),
        ({"Global Rank 2015": [1, 2, 3, 4], "World Rank 2014": [1, 2, 2, 4]}, "Global"),
    ],
)
def test_of_ranks_with_other_words_the_one_of_the_last_year_that_is_named_counts(columns, target):
    assert target_of({"name": list("CADB"), **columns})[0].split()[0] == target


@pytest.mark.parametrize(
    ("columns", "left"),
    [
        ({"stand": ["1.", "2."], "who": ["a", "b"]}, ["who"]),
        ({"stand": ["1.", "x"], "who": ["a", "b"]}, ["stand", "who"]),
        ({"name": ["1.", "2."], "who": ["a", "b"]}, ["name", "who"]),
        ({"stand": ["1.", "2."]}, ["stand"]),
        ({"stand": ["1.", "2."], "name": ["#1", "#2"]}, ["name"]),
    ],
)
def test_printed_ranks_name_nothing_unless_they_are_called_names_or_are_all(columns, left):
    sheet = as_sheet(pd.DataFrame(columns), [])
    assert roles._without_places(sheet, list(columns)) == left
