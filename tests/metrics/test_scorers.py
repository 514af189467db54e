import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rankwright import TreeRank, metrics
from rankwright.metrics.measure import METRICS
from rankwright.metrics.scorers import GroupedMetric


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(60, 3)), np.repeat(np.arange(6), 10)
    # Groups are far apart, so a tau over all items differs from the mean tau inside groups.
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    return X + 5 * groups[:, None], y, groups


OPTIONS = {"top_auc": {"top": 2}}


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_is_a_scorer_with_routed_groups(name, problem):
    X, y, groups = problem
    scorer = metrics.scorer(name, **OPTIONS.get(name, {}))
    with config_context(enable_metadata_routing=True):
        result = cross_validate(
            Ridge(), X, y, cv=GroupKFold(3), scoring=scorer, params={"groups": groups},
            return_estimator=True, return_indices=True, error_score="raise",
        )  # fmt: skip
    for score, model, test in zip(
        result["test_score"], result["estimator"], result["indices"]["test"], strict=True
    ):
        scores = model.predict(X[test])
        if name == "top_auc":
            expected = metrics.top_auc(y[test], scores, groups[test], top=2)
        else:
            expected = metrics.mean_over_groups(METRICS[name], y[test], scores, groups[test])
        assert score == pytest.approx(-expected if name == "rank_loss" else expected)


def test_search_over_a_pipeline_ranks_by_the_mean_over_groups(problem):
    X, y, groups = problem
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(
            make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [0.1, 1e6]},
            cv=GroupKFold(3), scoring=metrics.scorer("kendall_tau"), error_score="raise",
        ).fit(X, y, groups=groups)  # fmt: skip
    expected = []
    for train, test in GroupKFold(3).split(X, y, groups):
        model = make_pipeline(StandardScaler(), Ridge(0.1)).fit(X[train], y[train])
        scores = model.predict(X[test])
        expected.append(
            metrics.mean_over_groups(metrics.kendall_tau, y[test], scores, groups[test])
        )
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(expected))


def test_without_routing_all_items_are_one_group(problem):
    X, y, _ = problem
    model = Ridge().fit(X, y)
    expected = metrics.kendall_tau(y, model.predict(X))
    assert metrics.scorer("kendall_tau")(model, X, y) == expected


@pytest.mark.parametrize("model", [LogisticRegression(), RandomForestClassifier(5, random_state=0)])
def test_classifiers_are_scored_by_confidence_and_losses_by_label(model, problem):
    X, y, _ = problem
    model.fit(X, y)
    expected = metrics.auc(y, model.predict_proba(X)[:, 1])
    assert metrics.scorer("auc")(model, X, y) == pytest.approx(expected)
    assert metrics.scorer("rank_loss")(model, X, y) == -np.mean(model.predict(X) != y)


class Torn(LogisticRegression):
    """A classifier whose probabilities contradict its decisions."""

    def predict_proba(self, X):
        return 1 - super().predict_proba(X)


def test_decisions_come_before_probabilities(problem):
    X, y, _ = problem
    model = Torn().fit(X, y)
    assert metrics.scorer("auc")(model, X, y) == metrics.auc(y, model.decision_function(X))


@pytest.mark.parametrize("name", ["kendall_tau", "somers_d", "spearman_rho", "auc"])
@pytest.mark.filterwarnings("ignore:Scoring failed")
def test_folds_of_one_class_are_nan_and_not_zero(name, problem):
    X, y, _ = problem
    found = cross_validate(Ridge(), X, np.sort(y), cv=KFold(4), scoring=metrics.scorer(name))
    assert np.isnan(found["test_score"][[0, -1]]).all()


@pytest.mark.parametrize("metric", ["auc", "kendall_tau"])
def test_texts_of_two_classes_are_scored_as_their_numbers(metric):
    scorer = metrics.scorer(metric)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    codes = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    texts = np.array(["no", "yes"])[codes]
    ordered = pd.Series(pd.Categorical.from_codes(codes, ["weak", "strong"], ordered=True))
    folds = [cross_val_score(TreeRank(), X, y, scoring=scorer) for y in (codes, texts)]
    np.testing.assert_array_equal(*folds)
    model = TreeRank().fit(X, codes)
    assert scorer(model, X, ordered) == scorer(model, X, codes)
    with pytest.raises(ValueError, match="is not a number"):
        scorer(model, X[:3], ["good", "fair", "poor"])


def test_a_function_and_its_options_make_a_scorer(problem):
    X, y, _ = problem
    model = Ridge().fit(X, y)
    scorer = metrics.scorer(metrics.ndcg, k=3)
    assert scorer(model, X, y) == metrics.ndcg(y, model.predict(X), k=3)


def best_label(y_true, scores):
    """A metric of one's own: the label of the item with the largest score."""
    return y_true[np.argmax(scores)]


def test_a_metric_of_ones_own_makes_a_scorer_that_says_its_name(problem):
    X, y, groups = problem
    model = Ridge().fit(X, y)
    scorer = metrics.scorer(best_label)
    expected = metrics.mean_over_groups(best_label, y, model.predict(X), groups)
    with config_context(enable_metadata_routing=True):
        assert scorer(model, X, y, groups=groups) == expected
    assert repr(scorer).startswith("make_scorer(best_label,")


def test_scorers_print_and_pickle(problem):
    X, y, _ = problem
    scorer = metrics.scorer("kendall_tau")
    model = Ridge().fit(X, y)
    assert "kendall_tau" in repr(scorer)
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"metric='tua'; choose from \['auc'"):
        metrics.scorer("tua")


@pytest.mark.parametrize("mixed", [["no", 1, "no", 1], [1, "no", 1, "no"]])
def test_texts_beside_numbers_are_not_taken_for_classes(mixed):
    y = np.array(mixed, dtype=object)
    with pytest.raises(ValueError, match="y_true holds 'no', which is not a number"):
        GroupedMetric("kendall_tau")(y, [1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("name", sorted(METRICS))
def test_an_unknown_option_is_named_when_the_scorer_is_made(name):
    with pytest.raises(TypeError, match=f"^{name} has no option 'nonsense'; choose from "):
        metrics.scorer(name, nonsense=3)


@pytest.mark.parametrize("given", ["y_true", "y_score"])
def test_what_the_scorer_itself_gives_is_no_option(given):
    with pytest.raises(TypeError, match=f"^ndcg has no option {given!r}; choose from .'k'"):
        metrics.scorer("ndcg", **{given: [1.0]})
