import pytest

from rankwright.comparison import catalogue


@pytest.mark.parametrize("name", ["boosted-ranker", "ranking-forest", "bayes-point-perceptron"])
def test_a_ranker_that_is_chosen_by_name_says_the_same_each_time(name):
    assert catalogue.build(name).random_state == catalogue.SEED


def test_a_seed_that_is_asked_for_is_taken():
    settings = catalogue.read_settings(["random_state=7"])
    assert catalogue.build("ranking-forest", settings).random_state == 7


def test_a_ranker_without_chance_has_no_seed():
    assert "random_state" not in catalogue.build("least-squares-ranker").get_params()
