import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.reverse import RatingFormula

OPTIONS = ["--top", 3, "--time", 60, "--no-checks"]


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
    assert "range of share" in answer.out
    assert "No linear formula with these directions does better: proved" in answer.out
    assert "Suspicious products" in answer.out
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
    answer = rankwright("reverse", small, "--top", 3, "--time", 60, "--json")
    assert 0.5 < answer.json["held_out"]["measures"]["m2"] <= 1
    assert answer.json["held_out"]["guessed"]["m2"] < answer.json["held_out"]["measures"]["m2"]
    assert 0 < answer.json["chance"]["p_value"] <= 1


def test_an_interruption_writes_what_was_found(rankwright, small, tmp_path, monkeypatch):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(RatingFormula, "weight_ranges", stop)
    answer = rankwright("reverse", small, *OPTIONS)
    assert answer.code == 130
    assert "The formula" in answer.out
    assert "The run was interrupted; missing: ranges of the weights." in answer.err
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
    assert rankwright(*question, "--plot", "why.svg").code == 0
    assert "<svg" in (tmp_path / "why.svg").read_text()
    assert rankwright(*question, "--plot", "why.svg").code == 1  # nothing is overwritten unasked


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


@pytest.mark.parametrize("name", ["found.rw", "found.json", "found.RW"])
def test_a_report_that_its_model_or_result_would_overwrite_is_refused(
    rankwright, small, tmp_path, name
):
    answer = rankwright("reverse", small, *OPTIONS, "--out", name, "--force")
    assert answer.code == 1
    assert "give --out found.html" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["ratings.csv"]


def test_a_rating_too_large_for_ranges_of_weights_still_gets_its_files(
    rankwright, small, tmp_path, monkeypatch
):
    monkeypatch.setattr("rankwright.reverse.problem.whole_problem.MOST_ENTRIES", 10)
    answer = rankwright("reverse", small, "--top", 3, "--time", 5, "--no-checks")
    assert answer.code == 0, answer.err
    assert "Left out, ranges of the weights: 24 products with 3 factors are too many" in answer.err
    assert (tmp_path / "report.html").exists()
