import os

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
    answer = plan("--frontier", "--out", "frontier.svg", "--json")
    costs = [entry["cost"] for entry in answer.json["plans"]]
    assert costs == sorted(costs)
    assert costs[0] == 0
    assert "<svg" in (tmp_path / "frontier.svg").read_text()


def test_a_robust_plan_says_what_is_guaranteed(plan):
    answer = plan("--budget", 8, "--robust", "--json")
    (best,) = answer.json["plans"]
    assert 0 < best["guaranteed_gain"] <= best["gain"]
    assert "guaranteed" in plan("--budget", 8, "--robust").out


def test_a_guarantee_says_that_it_holds_for_formulas_with_these_signs(plan):
    answer = plan("--budget", 8, "--robust")
    assert "'guaranteed' covers formulas with these signs that fit as well" in " ".join(
        answer.err.split()
    )
    assert "these signs" in plan("--budget", 8, "--robust", "--json").json["guarantee"]


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


def test_ranges_that_are_not_proved_are_said_before_any_plan(plan, monkeypatch):
    proved = RatingFormula.weight_ranges

    def half_proved(self, *args, **options):
        return proved(self, *args, **options).assign(outer_low=0.0, outer_high=100.0)

    assert "too little time" not in plan("--budget", 8, "--robust").err
    monkeypatch.setattr(RatingFormula, "weight_ranges", half_proved)
    answer = plan("--position", 1, "--robust")
    assert "too little time to prove how far the weights can go" in answer.err


def test_points_given_for_percentages_are_noticed(rankwright, tmp_path):
    table = "name,share,speed,rank\nA,45%,3,1\nB,40%,2,2\nC,20%,2,3\nD,10%,1,4\n"
    (tmp_path / "shares.csv").write_text(table)
    (tmp_path / "more.csv").write_text("change,cost,share\nWiden,3,5\nWiden a little,1,0.05\n")
    rankwright("reverse", "shares.csv", "--no-checks", "--time", 20)
    goal = ["--item", "D", "--changes", "more.csv", "--budget", 5]
    answer = rankwright("improve", "report.rw", "shares.csv", *goal)
    assert answer.code == 0, answer.err
    assert (
        "'Widen' changes 'share' by 5, but the table's values range from 0.1 to 0.45" in answer.err
    )
    assert "write 5% for 5 points" in answer.err
    assert "'Widen a little'" not in answer.err


def test_plans_are_written_as_a_table(plan, tmp_path):
    assert plan("--frontier", "--out", "plans.csv", "--out", "plans.xlsx").code == 0
    header, *rows = (tmp_path / "plans.csv").read_text().splitlines()
    assert header.startswith("changes,cost,gain,score")
    assert "change of photo_quality" in header
    assert len(rows) == len(plan("--frontier", "--json").json["plans"])
    assert (tmp_path / "plans.xlsx").read_bytes()[:2] == b"PK"


@pytest.mark.parametrize(("name", "size"), [("Durchschnitt", 3), ("Average", 3), ("Averix", 4)])
def test_an_average_below_the_items_is_no_competitor(rankwright, model, tmp_path, name, size):
    rows = "A,4,2,1\nB,3,3,2\nC,2,1,3\n"
    text = f"name,photo_quality,resolution,rank\n{rows}{name},3.0,2.0,\n"
    (tmp_path / "items.csv").write_text(text)
    (tmp_path / "changes.csv").write_text(CHANGES)
    options = ["--item", "B", "--changes", "changes.csv", "--budget", 5]
    answer = rankwright("improve", model, "items.csv", *options)
    assert f"one of {size} in its group" in answer.out, answer.err
    assert ("Rows left out as totals" in answer.err) == (size == 3)


def test_a_new_item_called_total_stays(rankwright, model, tmp_path):
    rows = "A,4,2,1\nB,3,3,2\nTotal,9,8,\n"
    (tmp_path / "items.csv").write_text(f"name,photo_quality,resolution,rank\n{rows}")
    (tmp_path / "changes.csv").write_text(CHANGES)
    options = ["--item", "Total", "--changes", "changes.csv", "--budget", 5]
    assert "one of 3 in its group" in rankwright("improve", model, "items.csv", *options).out


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_plan_that_ends_while_it_is_written_leaves_all_old_files(plan, tmp_path, monkeypatch, at):
    names = ["plans.csv", "plans.json", "plans.svg"]
    for name in names:
        (tmp_path / name).write_text("old")
    before, synced = sorted(os.listdir(tmp_path)), []

    def interrupted(descriptor):
        synced.append(descriptor)
        if len(synced) == at:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    answer = plan("--budget", 8, "--force", *(f"--out={name}" for name in names))
    assert answer.code == 130
    assert [(tmp_path / name).read_text() for name in names] == ["old"] * 3
    added = {"changes.csv", "conflicts.csv"}
    assert sorted(set(os.listdir(tmp_path)) - added) == sorted(set(before) - added)
