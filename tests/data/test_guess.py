import numpy as np
import pandas as pd
import pytest

from rankwright.data import guess_columns, read_table
from rankwright.datasets import load_camera_ratings


def frame(**columns):
    return pd.DataFrame(columns)


def test_the_columns_of_the_bundled_ratings_are_found():
    guess = guess_columns(load_camera_ratings().table)
    assert (guess.item, guess.target, guess.target_is, guess.group, guess.category) == (
        "name", "rank", "rank", "type", None,
    )  # fmt: skip
    assert len(guess.reasons) == 3


def test_ranks_that_run_through_the_table_make_one_group():
    table = frame(name=list("ABCD"), type=list("ppqq"), rank=[1, 2, 3, 4])
    assert guess_columns(table).group is None


def test_tied_ranks_still_show_the_group():
    table = frame(model=list("ABCDEF"), kind=list("pppqqq"), zoom=[1] * 6, rank=[1, 1, 3, 1, 2, 2])
    assert guess_columns(table).group == "kind"


@pytest.mark.parametrize("gone", [[3], [3, 4], [3, 5, 20], [0]])
def test_gaps_in_the_ranks_do_not_hide_the_groups(gone):
    ranks = [place for _ in "pqrs" for place in range(1, 13)]
    table = frame(model=[f"m{i}" for i in range(48)], kind=list("pqrs" * 12), rank=ranks)
    table["kind"] = sorted(table["kind"])
    assert guess_columns(table.drop(index=gone)).group == "kind"


def test_lists_with_many_gaps_are_told_by_ranks_that_begin_anew_and_repeat_in_none():
    ranks = {2019: [1, 4, 9, 30, 31, 80], 2020: [1, 4, 9, 30, 33, 70], 2021: [1, 2, 9, 31, 33, 900]}
    table = pd.DataFrame([(r, y) for y, rs in ranks.items() for r in rs], columns=["rank", "year"])
    table["name"] = [f"m{i}" for i in range(len(table))]
    guess = guess_columns(table)
    assert guess.group == "year"
    assert "begin at 1 in each of its 3 labels, and none repeats within one." in guess.reasons[1]
    table.loc[1, "rank"] = 9  # twice in 2019
    assert guess_columns(table).group is None


def test_a_column_of_1_to_n_is_taken_as_ranks_for_its_contents():
    guess = guess_columns(frame(model=list("ABCD"), zoom=[9, 9, 1, 2], nr=[3, 1, 2, 4]))
    assert (guess.target, guess.target_is) == ("nr", "rank")
    assert "each of 1 to 4 exactly once" in guess.reasons[0]


def test_scores_and_their_queries_are_recognised_by_name_but_not_a_type():
    table = frame(title=list("ABCD"), type=list("ppqq"), size=[1, 2, 3, 4.5], Score=[7, 8, 9, 9])
    guess = guess_columns(table)
    assert (guess.target, guess.target_is, guess.group) == ("Score", "score", None)
    assert guess_columns(table.rename(columns={"type": "query_id"})).group == "query_id"


def test_a_category_holds_whole_groups():
    nested = frame(name=list("ABCD"), type=list("ppqq"), line=list("uuuu"), rank=[1, 2, 1, 2])
    nested = pd.concat([nested, nested.assign(type=list("rrss"), line="v")], ignore_index=True)
    assert guess_columns(nested.assign(name=list("ABCDEFGH"))).category == "line"
    crossing = nested.assign(line=list("uvuvuvuv"), name=list("ABCDEFGH"))
    assert guess_columns(crossing).category is None


def test_what_is_given_is_kept_and_needs_no_reason():
    table = frame(name=list("ABCD"), other=list("WXYZ"), points=[4, 3, 2, 1], rank=[1, 2, 3, 4])
    guess = guess_columns(table, item="other", target="points", target_is="score")
    assert (guess.item, guess.target, guess.target_is) == ("other", "points", "score")
    assert guess.reasons == ()


def test_factors_have_no_other_role():
    table = frame(name=list("ABC"), zoom=[3, 2, 1], rank=[1, 2, 3], points=[1.5, 2, 3])
    assert guess_columns(table, factors=["rank"]).target == "points"


def test_nothing_is_guessed_from_nothing():
    guess = guess_columns(frame(zoom=[1.5, 2.5, 2.5], price=[10, 20, 30]))
    assert (guess.item, guess.target, guess.group) == (None, None, None)


def test_a_column_that_is_not_there_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no column 'nmae'.*did you mean 'name'"):
        guess_columns(frame(name=["A"], rank=[1]), item="nmae")


def test_of_columns_that_fit_alike_the_one_with_fewer_shared_ranks_makes_the_groups():
    frame = pd.DataFrame(
        {
            "name": [f"University {letter}" for letter in "ABCDEFGH"],
            "rank": ["1", "2", "3+", "3+"] * 2,
            "kind": ["a", "b", "a", "b"] * 2,  # two are first of their kind, one of each year
            "year": [2015] * 4 + [2016] * 4,
        }
    )
    assert guess_columns(frame).group == "year"


NESTED = frame(name=list("ABCDEFGH"), type=list("ppqqrrss"), line=list("uuuuvvvv"), rank=[1, 2] * 4)


def test_a_group_or_category_that_is_given_is_not_guessed_again():
    assert guess_columns(NESTED).group == "type"
    guess = guess_columns(NESTED, group="line")
    assert (guess.group, guess.category) == ("line", None)
    other = NESTED.assign(house=list("wwwwxxxx"))
    assert guess_columns(other, category="house").category == "house"


def test_all_rows_may_be_compared_if_that_is_said():
    guess = guess_columns(NESTED, group=False)
    assert guess.group is None
    assert guess.category is None


def test_a_target_that_is_given_is_a_rank_unless_it_is_said_to_be_a_score():
    guess = guess_columns(NESTED, target="rank")
    assert (guess.target_is, guess.group) == ("rank", "type")


def test_a_column_has_one_role():
    guess = guess_columns(frame(team=list("ppqq"), rank=[1, 2, 1, 2], zoom=[1, 2, 3, 5]))
    roles = [guess.item, guess.target, guess.group, guess.category]
    given = [role for role in roles if role is not None]
    assert len(given) == len(set(given))


@pytest.mark.parametrize(("gone", "there"), [("name", "target"), ("rank", "item")])
def test_without_an_item_or_a_target_there_is_no_category(gone, there):
    guess = guess_columns(NESTED.drop(columns=gone), group="type")
    assert getattr(guess, there) is not None
    assert guess.category is None


def test_of_ranks_of_several_years_the_last_is_taken():
    frame = pd.DataFrame(
        {"name": list("ABCD"), "Rank 2015": [1, 2, 3, 4], "Rank 2016": [2, 2, 1, 4]}
    )
    assert guess_columns(frame).target == "Rank 2016"


def test_a_position_in_each_season_is_a_rank():
    frame = pd.DataFrame({"Season": ["00-01"] * 3 + ["01-02"] * 3, "Pos": [1, 2, 3] * 2})
    frame["club"], frame["Pts"] = list("ABCACB"), [9, 7, 4, 8, 6, 5]
    guess = guess_columns(frame)
    assert (guess.item, guess.target, guess.group) == ("club", "Pos", "Season")


NAMES = [f"m{i}" for i in (*range(5, 40), *range(5))]  # not in the order of the alphabet


def spread(*places):
    """Return columns of numbers that no other is a sum of."""
    rng = np.random.default_rng(3)
    return {name: rng.integers(1, 90, 40).astype(float) for name in places}


def test_a_standing_tackle_is_no_rank_and_the_overall_rating_is_a_score():
    table = frame(player=NAMES, **spread("standing_tackle", "place_kicks"), overall=range(40, 80))
    guess = guess_columns(table)
    assert (guess.target, guess.target_is, guess.item) == ("overall", "score", "player")


@pytest.mark.parametrize("name", ["league position", "final standing", "pos.", "place 2019"])
def test_words_for_places_tell_ranks_where_they_end_the_name(name):
    assert guess_columns(frame(team=NAMES, **{name: range(1, 41)})).target == name


def test_row_names_are_no_ranks():
    assert guess_columns(frame(rownames=range(1, 41), team=NAMES, **spread("zoom"))).target is None


def test_numbers_of_rows_in_the_order_of_the_alphabet_are_no_ranks():
    table = frame(nr=range(1, 41), team=sorted(NAMES), **spread("zoom"))
    assert guess_columns(table).target is None
    assert guess_columns(table.assign(team=NAMES)).target == "nr"


def test_a_column_that_is_the_sum_of_others_is_the_score():
    parts = spread("attack", "defence", "speed", "luck")
    table = frame(nr=range(1, 41), name=NAMES, **parts, strength=sum(list(parts.values())[:3]))
    guess = guess_columns(table)
    assert (guess.target, guess.target_is) == ("strength", "score")
    assert "it is the sum of" in guess.reasons[0]


def test_of_several_scores_the_one_that_others_add_up_to_is_explained():
    parts = spread("aroma", "body", "cupper points")
    table = frame(farm=NAMES, **parts, cup_points=sum(parts.values()))
    assert guess_columns(table).target == "cup_points"


def test_numbers_that_are_no_codes_are_no_names():
    table = frame(Institutions=np.linspace(3, 9, 40), score=range(40), **spread("zoom"))
    assert guess_columns(table).item is None


def test_titles_name_items_rather_than_their_numbers():
    titles = [*NAMES[:-1], NAMES[0]]  # one of them twice
    table = frame(ID=range(1, 41), title=titles, points=spread("points")["points"])
    assert guess_columns(table).item == "title"


def test_texts_that_return_each_year_are_names():
    table = frame(
        area=[f"land {i}" for i in range(10)] * 4, year=np.repeat([2001, 2002, 2003, 2004], 10),
        score=np.arange(40.0),
    )  # fmt: skip
    guess = guess_columns(table)
    assert guess.item == "area"
    assert "each year in 'year' has each of its texts at most once" in guess.reasons[-1]


def test_years_in_each_of_which_shared_ranks_begin_at_1_and_names_return_are_groups():
    ranks = [1, 1, 1, 2, 2, 2, 2, 3, 3, 4]  # no place is left out behind a shared one
    table = frame(
        country=[f"land {i}" for i in range(10)] * 4, year=np.repeat([2001, 2002, 2003, 2004], 10),
        rank=ranks * 4,
    )  # fmt: skip
    assert guess_columns(table).group == "year"
    table["country"] = NAMES
    assert guess_columns(table).group is None


def test_two_columns_together_tell_the_groups_in_which_ranks_begin_at_1():
    table = frame(
        name=NAMES, cup=["north", "south"] * 20, event=np.repeat(["run", "jump"], 20),
    )  # fmt: skip
    table["rank"] = table.groupby(["cup", "event"]).cumcount() + 1
    guess = guess_columns(table)
    assert (guess.group, guess.item) == ("cup, event", "name")
    table["zoom"] = spread("zoom")["zoom"]
    read = read_table(table, item="name", target="rank", group=guess.group)
    assert sorted(set(read.groups)) == ["north, jump", "north, run", "south, jump", "south, run"]
    assert list(read.X.columns) == ["zoom"]
