"""Rankers of other packages on the command line."""

import pytest

SMALL = ["--set", "n_estimators=5", "--set", "min_child_samples=2"]


@pytest.fixture
def fitted(rankwright, cameras):
    pytest.importorskip("lightgbm", reason="needs the peer LightGBM")
    answer = rankwright("fit", cameras, "--ranker", "lightgbm", *SMALL)
    assert answer.code == 0, answer.err
    return cameras


def test_a_model_is_read_only_if_its_package_is_trusted(rankwright, fitted):
    refused = rankwright("rank", "model.rw", fitted)
    assert refused.code == 1
    assert "lightgbm.sklearn.LGBMRanker, which this package does not know" in refused.err
    ranked = rankwright("rank", "model.rw", fitted, "--trust", "lightgbm", "--json")
    assert ranked.code == 0, ranked.err
    assert ranked.json["ranking"]
    judged = rankwright("evaluate", "model.rw", fitted, "--trust", "lightgbm", "--resamples", 5)
    assert judged.code == 0, judged.err


def test_only_known_packages_can_be_trusted(rankwright, fitted):
    answer = rankwright("rank", "model.rw", fitted, "--trust", "pickle")
    assert answer.code == 1
    assert "--trust pickle: choose from catboost, lightgbm, xgboost" in answer.err


def test_they_are_compared_with_our_own(rankwright, cameras):
    pytest.importorskip("lightgbm", reason="needs the peer LightGBM")
    names = ["--ranker", "lightgbm", "--ranker", "expected-rank-regressor"]
    answer = rankwright("compare", cameras, *names, "--folds", 2, "--json")
    assert answer.code == 0, answer.err
    assert {one["name"] for one in answer.json["comparison"]["results"]} == {*names[1::2]}


def test_a_package_that_is_missing_is_named(rankwright, cameras, monkeypatch):
    monkeypatch.setattr("rankwright.comparison.catalogue.find_spec", lambda package: None)
    answer = rankwright("fit", cameras, "--ranker", "xgboost")
    assert answer.code == 1
    assert "pip install xgboost" in answer.err
