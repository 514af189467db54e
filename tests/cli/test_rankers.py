import pytest

from rankwright.cli.completion import complete_metrics, complete_rankers
from rankwright.cli.rankers import build
from rankwright.comparison.catalogue import available
from rankwright.linear import ExpectedRankRegressor
from rankwright.metrics import Measure


def test_rankers_are_found_in_the_public_namespace():
    assert available()["expected-rank-regressor"] is ExpectedRankRegressor
    assert all(name == name.lower() and " " not in name for name in available())


def test_parameters_are_set_from_texts():
    assert build("expected-rank-regressor", ["regressor=None"]).regressor is None
    assert build("expected-rank-regressor", ["regressor=3.5"]).regressor == 3.5
    assert build("expected-rank-regressor", ["regressor=ridge"]).regressor == "ridge"


def test_an_unknown_ranker_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no ranker 'forst'; choose from .*expected-rank"):
        build("forst")


def test_an_unknown_parameter_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="has no parameter 'depth'; it has regressor"):
        build("expected-rank-regressor", ["depth=3"])


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(ValueError, match="has no value; give NAME=VALUE"):
        build("expected-rank-regressor", ["regressor"])


def test_the_shell_completes_rankers_and_metrics():
    assert "expected-rank-regressor" in complete_rankers("expected")
    assert complete_metrics("kendall") == ["kendall_tau"]


def test_every_completed_metric_is_one_that_commands_take():
    completed = complete_metrics("")
    assert "ndcg" in completed
    for name in completed:
        assert Measure.read(name).name == name
