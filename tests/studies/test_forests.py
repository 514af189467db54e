"""The study of ranking forests, on invented measurements and on small samples."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from rankwright.studies import Page, Settings, Verdict, find_study, published
from rankwright.studies.papers.forests import measurements, study
from rankwright.studies.papers.forests.claims import CASES, DATA, DEFAULT, Evidence, judge_claims
from rankwright.studies.papers.forests.page import compare, envelope_change, summarise, width

KEY = ["data", "n_train", "method", "n_trees"]


@pytest.fixture(scope="module")
def table():
    found = published("ranking-forests-tables1-6").fillna({"n_trees": 1})
    return found.astype({"n_trees": int})


def settings_of(data):
    """Return the settings of a data set, best last: trees, bagging, forests, the default."""
    for n_train in study.N_TRAIN:
        yield data, n_train, "treerank", 1
        for method, n_trees in product(["bagging", *CASES], (1, 20, 50, 100)):
            if n_train == 2000 or n_trees == 20:
                yield data, n_train, method, n_trees
        yield data, n_train, "ExtraTreesClassifier", 100
        yield data, n_train, DEFAULT, 100


@pytest.fixture
def invented():
    """Every forest beats the tree, more trees are better, Cases beat bagging on sparse data"""
    rng, rows = np.random.default_rng(0), []
    rates = np.linspace(0, 1, 41)
    for data in DATA:
        for key in settings_of(data):
            _, n_train, method, n_trees = key
            aggregated = 0.05 + 0.0005 * n_trees if n_trees > 1 else 0.0
            drawn = 0.004 * method.startswith("case") * (1 if data == "rf10_sparse" else -1)
            size = (2e-5 if method == "treerank" else 1e-5) * (n_train - 250)
            for replication in range(5):
                noise = rng.normal() / (100 + 10 * n_trees)
                row = dict(zip(KEY, key, strict=True)) | {"replication": replication}
                row["auc"] = 0.6 + aggregated + drawn + size + noise / 100
                row["auc"] += 0.2 * (method == DEFAULT)
                for name in ("average_precision", "hit_ratio_10_pct", "hit_ratio_20_pct"):
                    row[name] = rng.normal()
                row |= {f"{name}_test_error": 0.01 for name in measurements.MEASURES}
                row["dcg"] = 220.0
                row["roc_per_mille"] = (1000 * rates ** (0.5 + noise)).tolist()
                row["order"] = rng.integers(0, 5, 10).tolist()
                rows.append(row)
    return pd.DataFrame(rows)


def verdicts(frame, table, tmp_path):
    widths = {
        key: width(np.array(group.to_list())) for key, group in frame.groupby(KEY)["roc_per_mille"]
    }
    page = Page(tmp_path, "forests")
    judge_claims(Evidence(frame, widths, table), page)
    return {claim.text: (claim.verdict, claim.why) for claim in page.claims}


def test_the_full_plan_has_every_sample_thirty_times():
    methods = next(e for e in find_study("forests").plan(Settings()) if e.name == "methods")
    cells = {(cell["data"], cell["n_train"], cell["shrink"]) for cell in methods.grid}
    assert cells == set(product(DATA, (250, 500, 1000, 2000, 3000), [1]))
    assert methods.replications == 30


def test_one_replication_becomes_two_because_one_curve_has_no_envelope():
    assert study.plan(Settings(replications=1))[0].replications == 2


def test_the_cases_draw_the_published_numbers_of_features(table):
    rows = table[table["method"].str.startswith("case")]
    for row in rows.itertuples():
        assert measurements.CASES[row.data][int(row.method[-1])] == (row.f_t, row.f_l)


@pytest.mark.parametrize(("data", "n_train"), [("rf20", 2000), ("rf10_sparse", 3000)])
def test_every_published_setting_is_measured(table, data, n_train):
    rows = measurements.measure_methods(np.random.default_rng(0), data, n_train, shrink=20)
    here = table[(table["data"] == data) & (table["n_train"] == n_train)]
    wanted = set(zip(here["method"], here["n_trees"], strict=True))
    assert wanted <= {(row["method"], row["n_trees"]) for row in rows}


def test_a_sample_depends_on_its_seed_alone():
    first, again, other = (
        measurements.measure_methods(np.random.default_rng(seed), "rf10", 1000, shrink=20)
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


def test_the_test_error_of_the_auc_is_that_of_fresh_test_samples():
    test = measurements.test_sample("rf10")
    stated = measurements.judge("rf10", test.optimal_scores)["auc_test_error"]
    samples = [measurements.SAMPLES["rf10"](3000, random_state=seed) for seed in range(40)]
    fresh = np.std([measurements.MEASURES["auc"](s.y, s.optimal_scores) for s in samples], ddof=1)
    assert stated == pytest.approx(fresh, rel=0.6)


def test_an_envelope_half_as_wide_is_a_change_of_minus_fifty_percent():
    rates = np.linspace(0, 1, 11)
    plain = np.array([rates, rates + 0.1, rates + 0.2])
    assert width(plain) == pytest.approx(0.2)
    assert envelope_change(plain / 2, plain)[0] == pytest.approx(-50)


def test_every_published_number_has_a_counterpart(invented, table):
    curves = {
        key: np.array(group.to_list()) for key, group in invented.groupby(KEY)["roc_per_mille"]
    }
    compared = compare(summarise(invented, curves), table)
    envelopes = int(table["delta_envelope_pct"].notna().sum())
    assert len(compared) == 4 * len(table) + envelopes
    assert compared["ours"].notna().all()


def test_the_published_deviation_enters_the_comparison_of_aucs(invented, table):
    curves = {
        key: np.array(group.to_list()) for key, group in invented.groupby(KEY)["roc_per_mille"]
    }
    summary = summarise(invented, curves)
    sure, unsure = (compare(summary, table.assign(auc_std=std)) for std in (0.0, 10.0))
    is_auc = sure["measure"] == "auc"
    assert not sure[is_auc]["inside"].all()
    assert unsure[is_auc]["inside"].all()


def test_claims_hold_on_measurements_that_support_them(invented, table, tmp_path):
    found = verdicts(invented, table, tmp_path)
    assert (
        found.pop(next(claim for claim in found if "highly randomised" in claim))[0]
        == "did not hold"
    )
    narrower = found.pop("More trees narrow the envelope of the ROC curves")
    assert narrower[0] in {Verdict.HELD, Verdict.PARTLY}
    every_row = found.pop(next(claim for claim in found if "every published row" in claim))
    assert "194 rows" in every_row[1]
    assert {verdict for verdict, _ in found.values()} == {Verdict.HELD}


def test_a_forest_behind_the_tree_is_named_and_changes_the_verdict(invented, table, tmp_path):
    is_weak = (invented["method"] == "case_6") & (invented["n_trees"] == 20)
    is_weak &= (invented["data"] == "rf20") & (invented["n_train"] == 500)
    invented.loc[is_weak, "auc"] -= 0.2
    verdict, why = verdicts(invented, table, tmp_path)[
        "Aggregation improves on the single tree everywhere"
    ]
    assert verdict == Verdict.PARTLY
    assert "(case_6, B = 20, rf20, n = 500)" in why


def test_a_weak_default_forest_is_not_called_ahead(invented, table, tmp_path):
    invented.loc[invented["method"] == DEFAULT, "auc"] = np.linspace(0.3, 0.31, 75)
    found = verdicts(invented, table, tmp_path)
    beyond = [verdict for claim, (verdict, _) in found.items() if claim.startswith("Beyond")]
    assert beyond == [Verdict.FAILED, Verdict.FAILED, Verdict.FAILED]


def test_the_sparse_claim_fails_where_randomisation_only_costs(invented, table, tmp_path):
    is_case = invented["method"].isin(CASES) & (invented["data"] == "rf10_sparse")
    invented.loc[is_case, "auc"] -= 0.02
    claim = "Randomisation reveals its power on the sparse data"
    assert verdicts(invented, table, tmp_path)[claim][0] == Verdict.FAILED
