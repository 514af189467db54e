import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import rankwright as rw


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((60, 4)), columns=list("abcd"))
    return X, X["a"] * X["b"] + 2 * X["c"]


@pytest.fixture(scope="module")
def wide():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.standard_normal((80, 20))).rename(columns=str)
    return X, X["0"] * X["1"] + X.sum(axis=1)


def by_feature(why):
    return why.table()["contribution"].sort_index().to_dict()


class Product:
    """A model of somebody else: a score, and nothing that scikit-learn asks for."""

    def predict(self, X):
        return np.asarray(X, dtype=float).prod(axis=1)


def test_a_foreign_model_is_explained_exactly():
    why = rw.why_above(Product(), [2.0, 5.0], [1.0, 3.0])
    # From (1, 3) to (2, 5): 3 to 6 to 10 in one order, 3 to 5 to 10 in the other.
    assert by_feature(why) == {"x0": 4.0, "x1": 3.0}
    assert why.is_exact
    assert why.difference == 7.0


def test_a_regression_forest_of_scikit_learn_is_explained(data):
    X, y = data
    forest = RandomForestRegressor(10, random_state=0).fit(X, y)
    why = rw.why_above(forest, X.loc[0], X.loc[1])
    assert why.contributions.sum() == pytest.approx(why.difference, rel=1e-9)
    assert why.score == forest.predict(X.iloc[:1])[0]


def test_decision_functions_are_explained_rather_than_labels(data):
    X, y = data
    classifier = LogisticRegression().fit(X, y > 0)
    why = rw.why_above(classifier, X.loc[0], X.loc[1])
    exact = classifier.coef_[0] * (X.loc[0] - X.loc[1])
    assert by_feature(why) == pytest.approx(exact.to_dict())


@pytest.mark.parametrize("ranker", [rw.PairwiseRanker, rw.ExpectedRankRegressor])
def test_the_linear_formula_equals_all_hybrids(data, ranker):
    X, y = data
    model = ranker().fit(X, y)
    formula = model.explain(X.loc[3], X.loc[8])
    hybrids = rw.why_above(make_pipeline("passthrough", model), X.loc[3], X.loc[8])
    assert formula.is_exact
    assert by_feature(formula) == pytest.approx(by_feature(hybrids), abs=1e-12)


def test_an_expected_rank_regressor_is_explained_through_its_regressor(data):
    X, y = data
    ranker = rw.ExpectedRankRegressor(RandomForestRegressor(10, random_state=0)).fit(X, y)
    why = ranker.explain(X.loc[0], X.loc[1])
    assert why.contributions.sum() == pytest.approx(why.difference, rel=1e-9)


def test_a_feature_in_which_the_items_agree_contributes_nothing(data):
    X, y = data
    ranker = rw.ExpectedRankRegressor(RandomForestRegressor(10, random_state=0)).fit(X, y)
    twin = X.loc[1].copy()
    twin["c"] = X.loc[0, "c"]
    assert by_feature(ranker.explain(X.loc[0], twin))["c"] == 0


def test_an_item_is_level_with_itself(data):
    X, y = data
    why = rw.PairwiseRanker().fit(X, y).explain(X.loc[0], X.loc[0])
    assert why.relation == "level with"
    assert not why.contributions.any()
    assert not rw.why_above(Product(), [1.0, 2.0], [1.0, 2.0]).contributions.any()


def test_a_pipeline_is_explained_by_the_columns_that_it_takes(data):
    X, y = data
    X = X.assign(colour=np.where(X["d"] > 0, "red", "blue"))
    encode = make_column_transformer((OneHotEncoder(), ["colour"]), (StandardScaler(), ["a", "c"]))
    pipeline = make_pipeline(encode, rw.PairwiseRanker()).fit(X, y)
    high, low = X[X["colour"] == "red"].iloc[0], X[X["colour"] == "blue"].iloc[0]
    why = rw.why_above(pipeline, high, low)
    scores = pipeline.predict(pd.DataFrame([high, low]))
    table = why.table()
    assert set(table.index) == {*X.columns}
    assert table.loc["colour", ["value", "other_value"]].tolist() == ["red", "blue"]
    assert table.loc[["b", "d"], "contribution"].tolist() == [0, 0]
    assert table["contribution"].sum() == pytest.approx(scores[0] - scores[1])


def test_a_pipeline_that_ends_in_an_ordinal_ranker_is_explained_by_its_scores(data):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), rw.OrdinalTree(max_depth=3)).fit(X, y > 0)
    why = rw.why_above(pipeline, X.loc[0], X.loc[1])
    scores = pipeline.decision_function(X.iloc[:2])
    assert why.difference == scores[0] - scores[1]


def test_a_search_is_explained_by_the_model_it_has_found(data):
    X, y = data
    search = GridSearchCV(rw.PairwiseRanker(), {"alpha": [0.01, 0.1]}, cv=2).fit(X, y)
    why = rw.why_above(search, X.loc[0], X.loc[1])
    assert by_feature(why) == by_feature(search.best_estimator_.explain(X.loc[0], X.loc[1]))


def test_many_features_are_estimated_with_honest_errors(wide):
    X, y = wide
    forest = RandomForestRegressor(5, random_state=0).fit(X, y)
    why = rw.why_above(forest, X.loc[0], X.loc[1])
    assert not why.is_exact
    assert why.contributions.sum() == pytest.approx(why.difference, rel=1e-9)
    many = rw.why_above(forest, X.loc[0], X.loc[1], n_orders=1000, random_state=1).table()
    few = why.table().loc[many.index]
    spread = np.hypot(few["standard_error"], many["standard_error"])
    off = (few["contribution"] - many["contribution"]).abs()
    assert (off <= 4.5 * spread + 1e-12).all()  # no spread but rounding without interactions
    assert (many["standard_error"] < few["standard_error"])[spread > 1e-12].all()


def test_an_estimate_changes_sign_with_the_question(wide):
    X, y = wide
    forest = RandomForestRegressor(5, random_state=0).fit(X, y)
    one = by_feature(rw.why_above(forest, X.loc[0], X.loc[1]))
    other = by_feature(rw.why_above(forest, X.loc[1], X.loc[0]))
    assert one == pytest.approx({name: -part for name, part in other.items()})


def test_only_features_that_differ_count_for_exactness(wide):
    X, y = wide
    forest = RandomForestRegressor(5, random_state=0).fit(X, y)
    other = X.loc[0].copy()
    other.iloc[:12] = X.loc[1].iloc[:12]
    assert rw.why_above(forest, X.loc[0], other).is_exact


def test_a_classifier_without_decision_function_is_explained_by_its_probability(data):
    X, y = data
    forest = RandomForestClassifier(10, random_state=0).fit(X, np.where(y > 0, "good", "bad"))
    why = rw.why_above(forest, X.loc[0], X.loc[1])
    probabilities = forest.predict_proba(X.loc[[0, 1]])[:, 1]
    assert [why.score, why.other_score] == probabilities.tolist()
    assert why.contributions.sum() == pytest.approx(probabilities[0] - probabilities[1])


def test_what_does_not_score_rows_is_refused(data):
    X, y = data
    with pytest.raises(
        ValueError, match="StandardScaler has neither decision_function nor predict"
    ):
        rw.why_above(StandardScaler().fit(X), X.loc[0], X.loc[1])
    grades = np.digitize(y, [-1.0, 1.0])
    for classifier in (RandomForestClassifier(3), LogisticRegression()):
        with pytest.raises(ValueError, match="give a model with one number for each row"):
            rw.why_above(classifier.fit(X, grades), X.loc[0], X.loc[1])
    with pytest.raises(ValueError, match="n_orders=1; give 2 or more"):
        rw.why_above(Product(), [1.0], [2.0], n_orders=1)
    with pytest.raises(NotFittedError):
        rw.PairwiseRanker().explain([1.0], [2.0])


def test_rankers_pass_the_options_of_an_estimate_on():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 14))
    ranker = rw.adapt(KNeighborsRegressor()).fit(X, X @ np.arange(14.0))
    for options in ({"n_orders": 3}, {"n_orders": 3, "random_state": 1}):
        expected = rw.why_above(ranker, X[0], X[1], **options)
        found = ranker.explain(X[0], X[1], **options)
        assert not found.is_exact
        np.testing.assert_array_equal(found.contributions, expected.contributions)
