"""What the pages quote of the benchmarks is what was stored."""

import json
import math
import re

import pytest

from benchmarks.__main__ import discover
from benchmarks.quotes import DOCS, QUOTES
from benchmarks.report import RESULTS

PAGES = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}


def stored(case):
    return json.loads((RESULTS / f"{case}.json").read_text(encoding="utf-8"))["measurements"]


@pytest.mark.parametrize("quote", QUOTES, ids=lambda quote: quote.case)
def test_a_quoted_table_is_that_of_the_stored_result(quote):
    page = PAGES[DOCS / quote.page]
    assert quote.placed(page) == page


def test_every_marked_table_is_written_by_the_benchmarks():
    marked = [
        case for page in PAGES.values() for case in re.findall(r"<!-- benchmark: (\S+)", page)
    ]
    assert sorted(marked) == sorted(quote.case for quote in QUOTES)


def test_a_contender_that_was_skipped_is_said_not_to_have_run(tmp_path, monkeypatch):
    (quote,) = (quote for quote in QUOTES if quote.case == "rating-peers")
    rows = [
        {**row, "skipped": "no licence"} if "SITW" in row["contender"] else row
        for row in stored(quote.case)
    ]
    (tmp_path / "rating-peers.json").write_text(json.dumps({"measurements": rows}))
    monkeypatch.setattr("benchmarks.quotes.RESULTS", tmp_path)
    assert quote.table().count("| not run |") == 2


def test_every_case_that_a_page_names_exists():
    # Some are there only beside their data, which can't be shipped; their results are stored.
    known = {*discover(), *(path.stem for path in RESULTS.glob("*.json"))}
    for path, page in PAGES.items():
        for command in re.findall(r"`python -m benchmarks ([a-z0-9\s-]+)`", page):
            names = [word for word in command.split() if not word.startswith("--")]
            assert set(names) <= known, path


def test_all_formulas_beside_the_peers_are_proved():
    ours = [row for row in stored("rating-peers") if row["contender"] == "rankwright"]
    assert [row["measures"]["proved"] for row in ours] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("case", "size", "contender", "least", "most"),
    [
        ("ordinal-tree-20", 100_000, "scikit-learn tree, gini", 8, 15),  # about a tenth
        ("ordinal-tree-2", 100_000, "scikit-learn tree, gini", 8, 15),
        ("ordinal-tree-20", 100_000, "scikit-learn tree, absolute_error", 20, math.inf),
        ("ordinal-tree-2", 100_000, "scikit-learn tree, absolute_error", 20, math.inf),
        ("ordinal-tree-20", 1000, "scikit-learn tree, gini", 0.7, 1.4),  # about as long
        ("ordinal-tree-2", 1000, "scikit-learn tree, gini", 0.7, 1.4),
        ("ordinal-tree-predict", 100_000, "scikit-learn tree, gini", 0.7, 1.4),
        ("ordinal-forest", 1000, "scikit-learn RandomForestClassifier", 0.6, 0.72),  # by half
        ("ordinal-forest", 10_000, "scikit-learn RandomForestClassifier", 0.8, 1.25),  # level
        ("ordinal-forest", 50_000, "scikit-learn RandomForestClassifier", 2.6, 3),
        ("boosting-scoring", [100_000, 50, 1], "LightGBM lambdarank", 5, math.inf),
        ("boosting-scoring", [100_000, 50, 2], "LightGBM lambdarank", 5, math.inf),
    ],
)
def test_what_the_pages_say_of_times_in_words_is_what_was_measured(
    case, size, contender, least, most
):
    (ratio,) = (
        row["ratio"] for row in stored(case) if (row["size"], row["contender"]) == (size, contender)
    )
    assert least < ratio < most


@pytest.mark.parametrize("threads", [1, 2])
def test_a_tree_of_a_booster_takes_the_part_of_the_time_of_lightgbm_that_its_page_says(threads):
    ms = {
        row["contender"]: row["measures"]["ms for a tree"]
        for row in stored("boosting-speed")
        if row["size"] == [100_000, 50, threads] and row["skipped"] is None
    }
    assert ms["rankwright"] < 0.5 * ms["LightGBM lambdarank"]
    assert 0.5 < ms["rankwright, leaf-wise"] / ms["LightGBM lambdarank"] < 0.6


def test_boosters_on_a_million_rows_take_the_part_of_lightgbms_time_that_their_page_says():
    page = " ".join(PAGES[DOCS / "boosting.md"].split())
    rows = {
        (row["contender"], row["size"][2]): row["measures"]
        for row in stored("boosting-speed-large")
        if row["skipped"] is None
    }

    def shares(tree, measure):
        one, two = (
            rows[tree, threads][measure] / rows["LightGBM lambdarank", threads][measure]
            for threads in (1, 2)
        )
        return f"{one:.2f} and {two:.2f}"

    trees, fits = "ms for a tree", "s for the longer fit"
    ours, leafwise = "rankwright", "rankwright, leaf-wise"
    assert (
        f"a symmetric tree takes {shares(ours, trees)} of its time, "
        f"a leaf-wise one {shares(leafwise, trees)}, and whole fits of 22 trees "
        f"{shares(ours, fits)}, or {shares(leafwise, fits)} leaf-wise"
    ) in page


def test_the_proofs_of_eight_factors_and_gaps_of_more_are_those_of_the_page():
    ours = {r["size"]: r for r in stored("rating-gaps") if r["contender"] == "rankwright"}
    page = PAGES[DOCS / "reverse.md"]
    assert ours[8]["measures"]["proved"] == 1
    assert f"with eight in {ours[8]['seconds'] / 10:.0f} on average" in page
    gaps = [100 * ours[d]["measures"]["largest gap"] for d in (10, 12)]
    assert f"gaps of at most {gaps[0]:.2f} and {gaps[1]:.2f} %" in page


def test_the_position_errors_that_a_minute_proves_are_those_of_the_page():
    ours = {
        row["size"]: row["measures"]
        for row in stored("rating-many-positions")
        if row["contender"] == "rankwright"
    }
    proved = {size: found["s"] for size, found in ours.items() if found["proved"]}
    many = [f"100,000 x {d} top {top}" for d, top in ((4, 2), (4, 6), (6, 2), (6, 6), (8, 2))]
    assert [*proved] == [*many, "1,000,000 x 8 top 2"]
    assert max(proved[size] for size in many) < 9
    assert ours["1,000,000 x 8 top 2"]["position error"] == 0
    open_one = ours["100,000 x 8 top 6"]
    assert (open_one["position error"], open_one["bound"]) == (12, 8)


@pytest.mark.parametrize(
    ("size", "best"),
    [("20 ratings, scores", "LS1"), ("20 ratings, ranks", "pairwise logistic")],
)
def test_the_stable_choice_is_as_far_ahead_of_the_best_other_as_the_page_says(size, best):
    rows = {r["contender"]: r["measures"] for r in stored("rating-stable") if r["size"] == size}
    others = {name: row["M1"] for name, row in rows.items() if name != "rankwright"}
    assert max(others, key=others.get) == best
    found = [rows[best][f"we are ahead by ({m})"] for m in ("M1", "M2", "M3")]
    quoted = ", ".join(f"{ahead:+.4f} ± {error:.4f}" for ahead, error in found)
    assert quoted in PAGES[DOCS / "reverse.md"]


def test_no_first_fit_takes_the_ten_seconds_of_processor_time_that_its_page_rules_out():
    seconds = {row["size"]: row["measures"]["processor seconds"] for row in stored("first-fit")}
    assert max(seconds, key=seconds.get) == "RatingFormula"
    assert max(seconds.values()) < 10


def test_the_proofs_of_a_consensus_take_as_long_as_its_page_says():
    seconds = {
        row["size"]: row["seconds"]
        for row in stored("consensus-exact")
        if row["contender"] == "rankwright"
    }
    assert seconds["100 noisy (20%)"] < 1
    assert seconds["200 noisy (25%)"] < 2
    assert seconds["70 random"] < 20
