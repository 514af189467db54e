import json
import re
import shlex
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest

import rankwright as rw

OPTIONS = ["--top", 3, "--time", 600, "--no-checks"]


@pytest.fixture
def small(tmp_path):
    """Return a table of 24 products in two groups, ranked by a formula, with one planted error."""
    rng = np.random.default_rng(0)
    factors = rng.integers(2, 11, (24, 3)) / 2
    table = pd.DataFrame(factors, columns=["photo", "video", "weight"])
    table.insert(0, "name", [f"P{i:02}" for i in range(24)])
    table["kind"] = np.repeat(["compact", "reflex"], 12)
    table["score"] = factors @ [3, 2, -1] + rng.random(24) / 100
    table["rank"] = table.groupby("kind")["score"].rank(ascending=False).astype(int)
    ends = table["rank"].isin([1, 12]) & (table["kind"] == "reflex")
    table.loc[ends, "rank"] = 13 - table.loc[ends, "rank"]
    path = tmp_path / "ratings.csv"
    table.drop(columns="score").to_csv(path, index=False)
    return path


def test_the_formula_is_printed_with_its_proof_and_its_suspects(rankwright, small):
    answer = rankwright("reverse", small, *OPTIONS)
    assert answer.code == 0, answer.err
    questions = [
        "How well does a formula explain the ranking?",
        "The formula",
        "fits better: that is proved",
        "Products that don't fit",
        "In technical words",
        "What now",
    ]
    places = [answer.out.index(question) for question in questions]
    assert places == sorted(places)
    assert "rise_without" not in answer.out
    assert "Guessed: Groups are read from 'kind'" in answer.err


def test_report_result_and_model_are_written(rankwright, small, tmp_path):
    answer = rankwright("reverse", small, *OPTIONS, "--out", "found.html", "--json")
    assert answer.code == 0
    assert (tmp_path / "found.html").read_text().startswith("<!doctype html>")
    assert pd.read_json(tmp_path / "found.json", typ="series")["source"] == "ratings.csv"
    formula = rw.load("found.rw")
    weights = {row["factor"]: row["weight"] for row in answer.json["formula"]}
    own = dict(zip(formula.feature_names_in_, formula.weights_, strict=True))
    assert weights == pytest.approx(own)
    assert weights["photo"] > weights["video"] > 0 > weights["weight"]


def test_none_of_the_three_files_is_overwritten(rankwright, small, tmp_path):
    (tmp_path / "report.json").write_text("precious")
    answer = rankwright("reverse", small, *OPTIONS)
    assert answer.code == 1
    assert "report.json exists" in answer.err
    assert not (tmp_path / "report.html").exists()


def test_checks_tell_chance(rankwright, small):
    answer = rankwright("reverse", small, "--top", 3, "--time", 600, "--json")
    assert 0.5 < answer.json["held_out"]["measures"]["m2"] <= 1
    assert answer.json["held_out"]["guessed"]["m2"] < answer.json["held_out"]["measures"]["m2"]
    assert 0 < answer.json["chance"]["p_value"] <= 1


def test_an_interruption_writes_what_was_found(rankwright, small, tmp_path, monkeypatch):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("rankwright.reverse.ranges.find_good_formulas", stop)
    answer = rankwright("reverse", small, *OPTIONS)
    assert answer.code == 130
    assert "The formula" in answer.out
    assert (
        "The run was interrupted; missing: products that don't fit, ranges of the weights"
        in answer.err
    )
    assert "The run was interrupted; missing:" in (tmp_path / "report.html").read_text()
    assert rw.load("report.rw").objective_ > 0.5


def test_one_product_is_explained_against_another(rankwright, small):
    rankwright("reverse", small, *OPTIONS)
    question = ["explain", "report.rw", small, "--item", "P00", "--above", "P01"]
    answer = rankwright(*question, "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    assert sum(row["contribution"] for row in found["factors"]) == pytest.approx(
        found["difference"]
    )
    assert found["exact"]
    assert {row["factor"] for row in found["factors"]} == {"photo", "video", "weight"}
    shown = rankwright(*question).out
    assert f"{found['difference']:+.4g} points" in shown
    assert rankwright("explain", "report.rw", small, "--item", "P00", "--above", "P1").code == 1


def test_an_explanation_is_drawn(rankwright, small, tmp_path):
    rankwright("reverse", small, *OPTIONS)
    question = ["explain", "report.rw", small, "--item", "P00", "--above", "P01"]
    assert rankwright(*question, "--out", "why.svg").code == 0
    assert "<svg" in (tmp_path / "why.svg").read_text()
    assert rankwright(*question, "--out", "why.svg").code == 1  # nothing is overwritten unasked


def test_names_in_an_explanation_are_text(rankwright, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"mass [kg]": rng.random(12), "cost [/b] $": rng.random(12)})
    table["rank"] = (-table.sum(axis=1)).rank().astype(int)
    table.insert(0, "name", ["[b]bold", "points", *(f"P{i}" for i in range(10))])
    table.to_csv(tmp_path / "odd.csv", index=False)
    rankwright("reverse", "odd.csv", *OPTIONS)
    question = ["explain", "report.rw", "odd.csv", "--item", "[b]bold", "--above", "points"]
    shown = rankwright(*question).out
    assert "mass [kg]" in shown
    assert "cost [/b] $" in shown
    assert "[b]bold is" in shown


def test_a_file_that_belongs_to_the_report_is_not_written_twice(rankwright, small, tmp_path):
    answer = rankwright("reverse", small, *OPTIONS, "--out", "found.html", "--out", "found.json")
    assert answer.code == 1
    assert "found.json is written beside the report anyway" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["ratings.csv"]


def test_a_suffix_without_a_form_is_refused_before_the_work(rankwright, small, tmp_path):
    answer = rankwright("reverse", small, *OPTIONS, "--out", "found.docx")
    assert answer.code == 1
    assert "choose from .html, .htm, .rw, .csv, .xlsx, .json, .png, .svg, .pdf" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["ratings.csv"]


def test_the_result_is_written_in_every_form_by_its_suffix(rankwright, small, tmp_path):
    names = ["f.csv", "f.xlsx", "f.json", "f.png", "f.rw"]
    asked = [part for name in names for part in ("--out", name)]
    answer = rankwright("reverse", small, *OPTIONS, *asked)
    assert answer.code == 0, answer.err
    assert not (tmp_path / "report.html").exists()
    formula = rw.load(tmp_path / "f.rw")
    written = pd.read_csv(tmp_path / "f.csv").set_index("factor")["weight"]
    assert written.to_dict() == pytest.approx(
        dict(zip(formula.feature_names_in_, formula.weights_, strict=True))
    )
    assert (tmp_path / "f.png").read_bytes()[:4] == b"\x89PNG"
    with ZipFile(tmp_path / "f.xlsx") as book:
        sheets = book.read("xl/workbook.xml").decode()
    assert all(f'name="{title}"' in sheets for title in ["formula", "ranking", "suspects"])


def test_a_rating_too_large_for_ranges_of_weights_still_gets_its_files(
    rankwright, small, tmp_path, monkeypatch
):
    monkeypatch.setattr("rankwright.reverse.problem.whole_problem.MOST_ENTRIES", 10)
    answer = rankwright("reverse", small, "--top", 3, "--time", 5, "--no-checks")
    assert answer.code == 0, answer.err
    assert "Left out, ranges of the weights: 24 products with 3 factors are too many" in answer.err
    assert (tmp_path / "report.html").exists()


def test_given_weights_are_judged_beside_the_formula(rankwright, small, tmp_path):
    (tmp_path / "official.csv").write_text("factor,weight\nphoto,3\nvideo,2\nweight,-1\n")
    answer = rankwright("reverse", small, *OPTIONS, "--test-weights", "official.csv", "--json")
    assert answer.code == 0, answer.err
    judged = answer.json["test_weights"]
    ranks = pd.read_csv(small)
    score = ranks[["photo", "video", "weight"]].to_numpy() @ [3, 2, -1]
    lost = pairs = 0
    for rows in ranks.groupby("kind").groups.values():
        for i in rows:
            better = [k for k in rows if ranks["rank"][i] < ranks["rank"][k]]
            pairs += len(better)
            lost += sum(score[i] <= score[k] for k in better)
    assert judged["given"] == {"pairs": pairs, "right": pairs - lost}
    assert {row["factor"] for row in judged["table"]} == {"photo", "video", "weight"}
    answer = rankwright("reverse", small, *OPTIONS, "--test-weights", "official.csv", "--force")
    assert f"The given weights lose {lost} of {pairs} published pairs" in answer.out


def test_weights_of_unknown_factors_are_refused_by_name(rankwright, small, tmp_path):
    (tmp_path / "official.csv").write_text("factor,weight\nphoto,3\nvideo,2\nmass,-1\n")
    answer = rankwright("reverse", small, *OPTIONS, "--test-weights", "official.csv")
    assert answer.code == 1
    assert "weights are given for 'mass'; the factors are" in answer.err


def test_each_group_stands_beside_one_formula_for_all(rankwright, small):
    answer = rankwright("reverse", small, *OPTIONS, "--each-group")
    assert answer.code == 0, answer.err
    assert "each group's own formula orders" in answer.out
    assert "A formula for each group" in answer.out
    assert "lost by its own" in answer.out
    assert "Their weights" in answer.out


def test_items_of_different_groups_are_said_to_be_so(rankwright, small):
    rankwright("reverse", small, *OPTIONS)
    question = ["explain", "report.rw", small, "--item", "P00", "--above", "P20"]
    answer = rankwright(*question, "--group", "kind")
    assert "P00 is in the group compact, P20 in reflex" in answer.out
    same = rankwright(*question[:-1], "P01", "--group", "kind")
    assert "is in the group" not in same.out


def test_an_item_without_a_value_is_named_with_its_factor(rankwright, small, tmp_path):
    rankwright("reverse", small, *OPTIONS)
    table = pd.read_csv(small)
    table.loc[1, "video"] = np.nan
    table.to_csv(tmp_path / "gaps.csv", index=False)
    answer = rankwright("explain", "report.rw", "gaps.csv", "--item", "P00", "--above", "P01")
    assert answer.code == 1
    assert "'P01' has no value for video in gaps.csv" in answer.err


@pytest.fixture
def unprovable(tmp_path):
    """Return a table whose order is half noise: no proof ends within a hundredth of a second."""
    rng = np.random.default_rng(0)
    factors = ["photo", "video", "weight", "zoom", "screen", "battery"]
    table = pd.DataFrame(rng.integers(2, 11, (200, 6)) / 2, columns=factors)
    table.insert(0, "name", [f"P{i:03}" for i in range(200)])
    table["kind"] = np.repeat(["compact", "reflex"], 100)
    score = table[factors].sum(axis=1) + rng.normal(scale=2, size=200)
    table["rank"] = score.groupby(table["kind"]).rank(ascending=False).astype(int)
    table.loc[5, "photo"] = None
    path = tmp_path / "ratings.csv"
    table.to_csv(path, index=False)
    return path


def test_the_next_commands_repeat_the_options_that_made_this_one_work(rankwright, unprovable):
    given = ["--missing", "rows", "--where", "kind = compact", "--exclude", "weight"]
    given += ["--out", "my report.html"]
    answer = rankwright(
        "reverse", unprovable, "--item", "name", *given, "--time", "0.01", "--no-checks"
    )
    assert answer.code == 0, answer.err
    said = [line.strip().partition("    ")[0] for line in answer.out.splitlines()]
    longer, explain, improve = (
        shlex.split(next(line for line in said if line.startswith(f"rankwright {name} ")))
        for name in ("reverse", "explain", "improve")
    )
    for option, value in zip(given[::2], given[1::2], strict=True):
        assert longer[longer.index(option) + 1] == value
    assert "--no-checks" in longer
    assert longer.count("--time") == 1
    for command in (explain, improve):
        assert command[command.index("--where") + 1] == "kind = compact"
        assert command[command.index("--item-column") + 1] == "name"
    assert rankwright(*explain[1:]).code == 0


def test_gaps_cost_few_rows_and_all_remedies_are_offered(rankwright, small):
    table = pd.read_csv(small)
    table.loc[[3, 5], "photo"] = None
    table.to_csv(small, index=False)
    answer = rankwright("reverse", small, *OPTIONS, "--out", "found.rw")
    assert answer.code == 0, answer.err
    (improve,) = [line for line in answer.out.splitlines() if "rankwright improve" in line]
    assert " --complete " in improve
    for remedy in ("rows", "factors", "medians", "indicators", "few"):
        assert f"--missing {remedy}" in answer.err
    assert "2 rows left out because a factor is missing: 'P03', 'P05'" in answer.err
    assert "NaN" not in answer.err


def test_a_stable_formula_is_kept_in_the_model_and_shown_beside_the_accurate_one(rankwright, small):
    answer = rankwright("reverse", small, *OPTIONS, "--selection", "1", "--out", "report.html")
    assert answer.code == 0, answer.err
    assert "new products" in answer.out
    page = (small.parent / "report.html").read_text(encoding="utf-8")
    assert "For new products" in page
    result = json.loads((small.parent / "report.json").read_text(encoding="utf-8"))
    model = rw.load(small.parent / "report.rw")
    assert model.stable_ is not None
    assert result["stable_excel"] == model.to_excel_formula() != result["excel"]


def test_a_selection_that_means_nothing_is_refused(rankwright, small):
    answer = rankwright("reverse", small, *OPTIONS, "--selection", "steadfast")
    assert answer.code != 0
    assert "steadfast" in answer.err


@pytest.fixture
def scored(tmp_path):
    """Return a table of 20 products whose scores are a weighted sum, rounded."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 100, (20, 2)), columns=["a", "b"])
    table.insert(0, "name", [f"P{i:02}" for i in range(20)])
    table["score"] = (0.37 * table["a"] + 0.63 * table["b"] + 1).round(1)
    table.to_csv(tmp_path / "scored.csv", index=False)
    return tmp_path / "scored.csv"


def test_the_formula_of_scores_is_written_with_its_intercept_and_proved_ranges(
    rankwright, scored, tmp_path
):
    answer = rankwright("reverse", scored, "--out", "found.csv")
    assert answer.code == 0, answer.err
    formula = pd.read_csv(tmp_path / "found.csv", index_col=0)
    values = pd.read_csv(scored).assign(intercept=1)[formula.index] @ formula["weight"]
    published = pd.read_csv(scored)["score"]
    np.testing.assert_allclose(values, published, atol=0.05 + 1e-9)
    exact = {"a": 0.37, "b": 0.63, "intercept": 1.0}
    for name, weight in exact.items():
        assert formula["weight_low"][name] <= weight <= formula["weight_high"][name]
    (line,) = [line for line in answer.out.splitlines() if line.startswith("a ")]
    low, high = map(float, re.search(r"(\S+) to (\S+)", line).groups())
    assert low <= formula["weight_low"]["a"]
    assert high >= formula["weight_high"]["a"]


def test_given_weights_of_scores_are_judged_by_their_ranges(rankwright, scored, tmp_path):
    (tmp_path / "official.csv").write_text("factor,weight\na,37\nb,63\n")
    (tmp_path / "other.csv").write_text("factor,weight\na,50\nb,50\n")
    said = [
        rankwright("reverse", scored, "--test-weights", name, "--force").out
        for name in ("official.csv", "other.csv")
    ]
    assert [one.count("inside") for one in said] == [2, 0]
    assert [one.count("OUTSIDE") for one in said] == [0, 2]


def test_the_report_names_the_options_of_the_command_line(rankwright, small, tmp_path):
    table = pd.read_csv(small)
    table["other rank"], table.loc[5, "photo"] = table["rank"], np.nan
    table.to_csv(small, index=False)
    answer = rankwright("reverse", small, *OPTIONS, "--out", "found.html")
    assert answer.code == 0, answer.err
    said = (tmp_path / "found.html").read_text()
    assert "--factors includes it anyway" in said
    assert "factors=[...]" not in said
    assert "NaN in X" not in said
