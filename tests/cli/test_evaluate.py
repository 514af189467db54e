import pytest

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
    answer = rankwright("evaluate", "model.rw", cameras, "--metric", "tau")
    assert answer.code == 1
    assert "metric='tau'; choose from" in answer.err


def test_rankers_are_compared_with_standard_errors_and_a_plot(rankwright, cameras, tmp_path):
    options = ["--ranker", "expected-rank-regressor", "--plot", "comparison.png"]
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


def test_an_interruption_before_the_end_says_so(rankwright, cameras, monkeypatch):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(ExpectedRankRegressor, "fit", stop)
    answer = rankwright("fit", cameras, "--ranker", "expected-rank-regressor")
    assert answer.code == 130
    assert "Stopped before the end: nothing more is printed or written" in answer.err
