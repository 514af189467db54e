import numpy as np
import pandas as pd
import pytest

from rankwright.cli.signs import read_signs

N = 24


def published(year):
    """Return a made-up table of universities, as such tables are published."""
    rng = np.random.default_rng(year)
    teaching, research = rng.integers(20, 100, (2, N))
    score = 0.6 * teaching + 0.4 * research
    order = np.argsort(-score)
    places = np.empty(N, dtype=int)
    places[order] = np.arange(1, N + 1)
    bands = {place: "11-18" if place <= 18 else "19+" for place in range(11, N + 1)}
    return pd.DataFrame(
        {
            "world_rank": [bands.get(place, str(place)) for place in places.tolist()],
            "university": [
                f"University of {letter}{letter.lower()}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"
            ],
            "national_rank": (places + 1) // 2,
            "teaching": teaching,
            "research": [f"{value:.1f}" for value in research],
            "income": [f"${1000 * int(value):,} " for value in rng.integers(5, 90, N)],
            "type": rng.choice(["public", "private"], N),
            "total_score": [
                f"{value:.1f}" if place <= 10 else "-"
                for value, place in zip(score, places, strict=True)
            ],
            "year": year,
        }
    ).iloc[order]


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "world.csv"
    pd.concat([published(2015), published(2016)]).to_csv(path, index=False)
    return path


def test_a_published_table_needs_no_options(rankwright, world):
    answer = rankwright("fit", world, "--json")
    assert answer.json["items"] == 2 * N
    assert answer.json["factors"] == ["teaching", "research"]
    said = " ".join(answer.err.split())
    assert "'total_score' is a weighted sum of " in said
    assert "Not used as factors: 'income'; --factors includes it anyway" in said
    assert "Groups are read from 'year'" in answer.err
    assert "such as '11-18' as a band, in which all are tied" in answer.err
    assert (
        "'total_score' is not used as a factor: it orders the items as the rank does" in answer.err
    )
    assert "--factors includes it anyway" in answer.err
    assert "--category-factors 'type' makes 0/1 factors" in answer.err


@pytest.mark.parametrize(
    ("options", "items", "factors"),
    [
        (["--where", "year = 2016"], N, ["teaching", "research", "income"]),
        (["--exclude", "income,teaching"], 2 * N, ["research"]),
        (["--factors", "research,total_score", "--complete"], 20, ["research", "total_score"]),
        (["--no-group", "--exclude", "income"], 2 * N, ["teaching", "research"]),
        (["--exclude", "income", "--category-factors", "type"], 2 * N, None),
    ],
)
def test_nothing_has_to_be_cut_by_hand(rankwright, world, options, items, factors):
    answer = rankwright("fit", world, "--json", *options)
    assert answer.code == 0, answer.err
    assert answer.json["items"] == items
    if factors is None:
        assert answer.json["factors"][2] in {"type = public", "type = private"}
    else:
        assert answer.json["factors"] == factors


def test_a_group_and_none_exclude_each_other(rankwright, world):
    assert "give only one" in rankwright("fit", world, "--group", "year", "--no-group").err


@pytest.fixture
def gaps(world):
    table = pd.read_csv(world)
    table.loc[[3, 30], "teaching"] = np.nan
    table.to_csv(world, index=False)
    return world


def test_each_remedy_for_gaps_is_offered_in_numbers(rankwright, gaps):
    answer = rankwright("fit", gaps)
    assert answer.code == 1
    for line in [
        "--missing rows        46 items of 48, 2 factors, tau 0.",
        "--missing factors     48 items of 48, 1 factor, tau 0.",
        "--missing medians     48 items of 48, 2 factors, tau 0.",
        "--missing indicators  48 items of 48, 3 factors, tau 0.",
        "--missing few         46 items of 48, 2 factors, tau 0.",
    ]:
        assert line in answer.err


@pytest.mark.parametrize(("remedy", "items"), [("rows", 46), ("factors", 48), ("indicators", 48)])
def test_a_remedy_is_taken(rankwright, gaps, remedy, items):
    assert rankwright("fit", gaps, "--missing", remedy, "--json").json["items"] == items


def test_a_model_ranks_and_is_measured_on_items_without_gaps(rankwright, gaps):
    rankwright("fit", gaps, "--complete")
    assert len(rankwright("rank", "model.rw", gaps, "--complete", "--json").json["ranking"]) == 46
    filled = rankwright("rank", "model.rw", gaps, "--missing", "medians", "--json")
    assert len(filled.json["ranking"]) == 48
    assert rankwright("evaluate", "model.rw", gaps, "--complete").code == 0
    refused = rankwright("rank", "model.rw", gaps, "--missing", "factors")
    assert "needs those it was fitted on; give --missing rows" in refused.err


def test_a_model_with_factors_of_categories_ranks_other_tables(rankwright, world):
    rankwright("fit", world, "--category-factors", "type")
    assert len(rankwright("rank", "model.rw", world, "--json").json["ranking"]) == 2 * N


@pytest.mark.parametrize(
    ("signs", "less", "expected"),
    [
        ("auto", None, "auto"),
        ("positive", None, "positive"),
        ("auto", "price", {"price": "-"}),
        ("positive", "price", {"zoom": "+", "price": "-"}),
        ("zoom=free, price=-", None, {"zoom": "free", "price": "-"}),
    ],
)
def test_signs_are_given_for_all_or_some_factors(signs, less, expected):
    assert read_signs(signs, less, ["zoom", "price"]) == expected


@pytest.mark.parametrize(
    ("signs", "less", "message"),
    [
        ("auto", "prize", "'prize' is not a factor here; the factors are 'zoom', 'price'"),
        ("zoom", None, "give auto, positive, free, or FACTOR"),
        ("zoom=up", None, "give auto, positive, free, or FACTOR"),
    ],
)
def test_signs_of_no_factor_are_refused(signs, less, message):
    with pytest.raises(ValueError, match=message):
        read_signs(signs, less, ["zoom", "price"])


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.csv"
    zoom, pay = [9, 2, "", 7, 5, 1, "", 3], [3, 9, 6, 4, 7, 1, 2, 8]
    cells = enumerate(zip("ABCDEFGH", zoom, pay, strict=True), start=1)
    rows = [f"{name},{z},{p},{k}" for k, (name, z, p) in cells]
    path.write_text("\n".join(["name,zoom,pay,rank", *rows]) + "\n")
    return path


def test_a_model_that_marks_gaps_is_used_again_on_a_table_with_gaps(rankwright, small):
    reverse = ["reverse", small, "--missing", "indicators", "--no-checks", "--time", "4"]
    assert rankwright(*reverse, "--out", "m.html").code == 0
    changes = small.with_name("changes.csv")
    changes.write_text("change,cost,pay\nmore,5,1\n")
    uses = {
        "rank": ["m.rw", small],
        "evaluate": ["m.rw", small],
        "explain": ["m.rw", small, "--item", "A", "--above", "C"],
        "improve": ["m.rw", small, "--item", "C", "--budget", "9", "--changes", changes],
    }
    for command, arguments in uses.items():
        for again in ([], ["--missing", "indicators"]):
            answer = rankwright(command, *arguments, *again)
            assert answer.code == 0, (command, answer.err)
            assert "2 gaps in 'zoom' filled with 4, as in the fit of m.rw." in answer.err
            assert "can't take missing factors" not in answer.err
    few = small.with_name("few.csv")
    few.write_text("name,zoom,pay\nX,8,1\nY,,5\n")
    assert "1 gap in 'zoom' filled with 4, as in" in rankwright("rank", "m.rw", few).err
