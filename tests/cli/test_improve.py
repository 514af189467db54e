import pytest

import rankwright as rw
from rankwright.reverse import RatingFormula

CHANGES = (
    "change,cost,photo_quality,resolution\nBetter lens,7,1,\nMore pixels,3,,2\nBest lens,20,9,\n"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory, ratings):
    """Return the path of a formula of two factors."""
    factors = ["photo_quality", "resolution"]
    formula = RatingFormula(top=10, random_state=0)
    rugged = ratings.groups == "rugged"
    formula.fit(ratings.X.loc[rugged, factors], ratings.y[rugged], ratings.groups[rugged])
    path = tmp_path_factory.mktemp("models") / "model.rw"
    rw.save(formula, path)
    return path


@pytest.fixture
def plan(rankwright, model, cameras, tmp_path, ratings):
    """Return a function that plans for one camera."""
    (tmp_path / "changes.csv").write_text(CHANGES)
    (tmp_path / "conflicts.csv").write_text("set,change\n1,Better lens\n1,Best lens\n")

    def run(*options, item="Basalt R230"):
        files = ["--changes", "changes.csv", "--conflicts", "conflicts.csv"]
        return rankwright("improve", model, cameras, "--item", item, *files, *options)

    return run


def test_the_best_plan_within_a_budget_is_found(plan):
    (best,) = plan("--budget", 8, "--json").json["plans"]
    assert best["changes"] == ["Better lens"]
    assert best["cost"] == 7
    assert best["gain"] > 0


def test_the_cheapest_plan_for_a_position_is_found(plan):
    answer = plan("--position", 3)
    assert answer.code == 0, answer.err
    assert "one of 30 in its group" in answer.out
    (cheapest,) = plan("--position", 3, "--json").json["plans"]
    assert cheapest["position"] <= 3
    assert cheapest["optimal"]


def test_the_frontier_is_a_table_and_a_picture(plan, tmp_path):
    answer = plan("--frontier", "--plot", "frontier.svg", "--json")
    costs = [entry["cost"] for entry in answer.json["plans"]]
    assert costs == sorted(costs)
    assert costs[0] == 0
    assert "<svg" in (tmp_path / "frontier.svg").read_text()


def test_a_robust_plan_says_what_is_guaranteed(plan):
    answer = plan("--budget", 8, "--robust", "--json")
    (best,) = answer.json["plans"]
    assert 0 < best["guaranteed_gain"] <= best["gain"]
    assert "guaranteed" in plan("--budget", 8, "--robust").out


def test_a_goal_that_no_plan_reaches_has_its_own_exit_code(plan):
    answer = plan("--gain", 1000)
    assert answer.code == 3
    assert "the most is" in answer.err


def test_one_goal_has_to_be_given(plan):
    assert plan().code == 2
    assert plan("--budget", 3, "--frontier").code == 2


def test_an_item_that_is_not_there_is_named(plan):
    answer = plan("--frontier", item="Dune R11")
    assert answer.code == 1
    assert "cameras.csv has no item 'Dune R11'; did you mean 'Dune R110'" in answer.err
