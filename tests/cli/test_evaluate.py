import signal

import pandas as pd
import pytest

from rankwright.comparison import Comparison
from rankwright.linear import ExpectedRankRegressor


def test_metrics_come_with_intervals_and_by_group(rankwright, cameras):
    rankwright("fit", cameras)
    answer = rankwright("evaluate", "model.rw", cameras, "--resamples", 50)
    assert answer.code == 0
    assert "kendall_tau" in answer.out
    assert "50 resamples of items" in answer.out
    assert "By group" in answer.out
    assert "superzoom" in answer.out


def test_machines_get_every_group(rankwright, cameras):
    rankwright("fit", cameras)
    options = ["--metric", "kendall_tau", "--resamples", 50, "--json"]
    (found,) = rankwright("evaluate", "model.rw", cameras, *options).json["evaluation"]
    assert found["low"] < found["mean"] < found["high"]
    assert found["groups"]["labels"][0] == "compact"


def test_an_unknown_metric_is_refused_with_those_there_are(rankwright, cameras):
    rankwright("fit", cameras)
    answer = rankwright("evaluate", "model.rw", cameras, "--metric", "tua")
    assert answer.code == 1
    assert "metric='tua'; choose from" in answer.err


def test_rankers_are_compared_with_standard_errors_and_a_plot(rankwright, cameras, tmp_path):
    options = ["--ranker", "expected-rank-regressor", "--out", "comparison.png"]
    answer = rankwright("compare", cameras, *options)
    assert answer.code == 0
    assert "5 lists held out" in answer.out
    assert "± s.e." in answer.out
    assert (tmp_path / "comparison.png").read_bytes().startswith(b"\x89PNG")


def test_an_interrupted_comparison_prints_what_was_found(rankwright, cameras, monkeypatch):
    fit, calls = ExpectedRankRegressor.fit, []

    def fit_twice(self, *args, **options):
        calls.append(self)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return fit(self, *args, **options)

    monkeypatch.setattr(ExpectedRankRegressor, "fit", fit_twice)
    answer = rankwright("compare", cameras, "--ranker", "expected-rank-regressor", "--json")
    assert answer.code == 130
    assert answer.json["table"][0]["lists"] == 2
    assert answer.json["table"][0]["mean"] == pytest.approx(0.8, abs=0.2)


def test_ctrl_c_while_rankers_are_tested_waits_for_what_was_found(
    rankwright, cameras, tmp_path, monkeypatch
):
    tests, calls = Comparison.tests, []

    def interrupted(self):
        calls.append(self)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return tests(self)

    monkeypatch.setattr(Comparison, "tests", interrupted)
    chosen = ["--ranker", "expected-rank-regressor", "--out", "comparison.csv"]
    answer = rankwright("compare", cameras, *chosen)
    assert answer.code == 130
    assert "5 lists held out" in answer.out
    assert len(pd.read_csv(tmp_path / "comparison.csv")) == 1


def test_an_interruption_before_the_end_says_so(rankwright, cameras, monkeypatch):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(ExpectedRankRegressor, "fit", stop)
    answer = rankwright("fit", cameras, "--ranker", "expected-rank-regressor")
    assert answer.code == 130
    assert "Stopped before the end: nothing more is printed or written" in answer.err


def test_an_evaluation_is_written_in_every_form(rankwright, cameras, tmp_path):
    rankwright("fit", cameras, "--group", "type")
    names = ["e.csv", "e.json", "e.xlsx", "e.svg"]
    asked = [part for name in names for part in ("--out", name)]
    options = ["--resamples", 20, "--group", "type"]
    answer = rankwright("evaluate", "model.rw", cameras, *options, *asked)
    assert answer.code == 0, answer.err
    assert all((tmp_path / name).stat().st_size > 0 for name in names)
    assert pd.read_csv(tmp_path / "e.csv").columns.tolist() == ["metric", "mean", "low", "high"]


def test_a_table_without_groups_is_one_called_all(rankwright, cameras, tmp_path):
    rankwright("fit", cameras, "--no-group")
    options = ["--no-group", "--resamples", 10, "--out", "e.xlsx"]
    assert rankwright("evaluate", "model.rw", cameras, *options).code == 0
    groups = pd.read_excel(tmp_path / "e.xlsx", sheet_name="groups", engine="calamine")
    assert groups["group"].tolist() == ["all"]


def test_a_ranking_is_written_in_every_form(rankwright, cameras, tmp_path):
    rankwright("fit", cameras, "--group", "type")
    names = ["r.csv", "r.json", "r.xlsx", "r.png"]
    asked = [part for name in names for part in ("--out", name)]
    answer = rankwright("rank", "model.rw", cameras, "--group", "type", *asked)
    assert answer.code == 0, answer.err
    assert len(pd.read_csv(tmp_path / "r.csv")) == 200
    assert all((tmp_path / name).stat().st_size > 0 for name in names)


def test_what_can_not_be_told_apart_is_said_with_what_could_have_been(rankwright, cameras):
    names = ["--ranker", "expected-rank-regressor", "--ranker", "least-squares-ranker"]
    lists = ["--no-group", "--folds", 8]
    answer = rankwright("compare", cameras, *names, *lists)
    assert answer.code == 0, answer.err
    said = " ".join(answer.out.split())
    assert "Not clearly different from" in said
    assert "would show up in four of five such comparisons." in said
    (test,) = rankwright("compare", cameras, *names, *lists, "--json").json["tests"]
    assert {test["better"], test["worse"]} == set(names[1::2])
    assert test["lists"] == 8


def test_a_model_that_orders_every_published_pair_is_said_to(rankwright, tmp_path):
    rows = [(f"P{i}", 90 - i, "1-5" if i < 5 else str(i + 1)) for i in range(12)]
    pd.DataFrame(rows, columns=["name", "sound", "rank"]).to_csv(tmp_path / "a.csv", index=False)
    rankwright("fit", "a.csv")
    answer = rankwright("evaluate", "model.rw", "a.csv", "--resamples", 5)
    said = " ".join(answer.out.split())
    assert "100% of the 56 pairs that were published in an order are in that order." in said
    assert "Published ties are pairs without an order" in said
