"""What another runtime makes of a ranker is what the ranker says."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import rankwright as rw
from rankwright.base import RankerMixin, scores_of
from rankwright.exchange.converters import CONVERTERS, NOT_EXPORTED

onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
LATENT = X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * RNG.normal(size=200)
Y = np.digitize(LATENT, [-1.0, 0.0, 1.0]).astype(float)
NEW = np.vstack([RNG.normal(size=(500, 4)), 1e3 * RNG.normal(size=(50, 4)), X])


def run(model, rows):
    """Return the outputs of the exported model by name."""
    session = onnxruntime.InferenceSession(rw.to_onnx(model).SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {"X": rows}), strict=True))


RANKERS = {
    "BayesPointPerceptron": lambda: rw.BayesPointPerceptron(3, random_state=0).fit(X, Y),
    "BoostedOrdinal": lambda: rw.BoostedOrdinal(n_estimators=5, random_state=0).fit(X, Y),
    "BoostedRanker": lambda: rw.BoostedRanker(n_estimators=5, random_state=0).fit(X, Y),
    "BoostedRanker of any shape": lambda: rw.BoostedRanker(
        n_estimators=5, tree="leafwise", random_state=0
    ).fit(X, Y),
    "ExpectedRankRegressor": lambda: rw.ExpectedRankRegressor().fit(X, Y),
    "ExpectedRankRegressor of a forest": lambda: rw.ExpectedRankRegressor(
        RandomForestRegressor(5, random_state=0)
    ).fit(X, Y),
    "LeastSquaresRanker": lambda: rw.LeastSquaresRanker().fit(X, Y),
    "OrdinalForest": lambda: rw.OrdinalForest(7, random_state=0).fit(X, Y),
    "OrdinalTree": lambda: rw.OrdinalTree(max_depth=6).fit(X, Y),
    "OrdinalTree of one leaf": lambda: rw.OrdinalTree(min_samples_leaf=150).fit(X, Y),
    "PRankPerceptron": lambda: rw.PRankPerceptron(random_state=0).fit(X, Y),
    "PairwiseRanker": lambda: rw.PairwiseRanker().fit(X, Y),
    "PairwiseRankerCV": lambda: rw.PairwiseRankerCV([0.1, 1.0], cv=2).fit(X, Y),
    "PlackettLuceRanker": lambda: rw.PlackettLuceRanker().fit(X, Y),
    "PushRanker": lambda: rw.PushRanker().fit(X, Y),
    "RankingForest": lambda: rw.RankingForest(5, random_state=0).fit(X, Y > 1),
    "RatingFormula": lambda: rw.RatingFormula(
        top=5, solver="search", time_limit=1, random_state=0
    ).fit(X[:40].round(2), Y[:40]),
    "RatingFormula of published scores": lambda: rw.RatingFormula(objective="scores").fit(
        X[:30].round(1), (3 * X[:30].round(1)[:, 0] - X[:30].round(1)[:, 2] + 7).round(1)
    ),
    "TreeRank": lambda: rw.TreeRank().fit(X, Y > 1),
}


@pytest.mark.parametrize("name", RANKERS)
def test_scores_and_labels_are_those_of_the_ranker(name):
    ranker = RANKERS[name]()
    outputs = run(ranker, NEW)
    # skl2onnx sums up the trees of scikit-learn in single precision.
    error = 1e-6 if "of a forest" in name else 1e-9
    np.testing.assert_allclose(outputs["score"], scores_of(ranker, NEW), rtol=error, atol=error)
    if "label" in outputs:
        np.testing.assert_array_equal(outputs["label"], ranker.predict(NEW))


def test_every_public_ranker_is_exported_or_refused_with_a_reason():
    values = {name: getattr(rw, name) for name in rw.__all__}
    public = {n for n, v in values.items() if isinstance(v, type) and issubclass(v, RankerMixin)}
    assert set(CONVERTERS) | set(NOT_EXPORTED) == public
    assert {name.split(" of ")[0] for name in RANKERS} == set(CONVERTERS)


@pytest.mark.parametrize(
    "make",
    [
        lambda X, y: rw.BoostedRanker(n_estimators=5, random_state=0).fit(X, y),
        lambda X, y: rw.OrdinalForest(5, random_state=0).fit(X, y),
        lambda X, y: rw.OrdinalTree().fit(X, y),
        lambda X, y: rw.RankingForest(5, random_state=0).fit(X, y > 1),
        lambda X, y: rw.TreeRank().fit(X, y > 1),
    ],
)
def test_missing_values_and_categories_take_their_side(make):
    kinds = RNG.choice(["red", "green", "blue", "grey"], 200)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=pd.Categorical(kinds))
    frame.loc[::7, "a"] = np.nan
    y = Y + np.isin(kinds, ["red", "blue"])
    ranker = make(frame, y)
    model = rw.to_onnx(ranker)
    facts = {fact.key: fact.value for fact in model.metadata_props}
    known = json.loads(facts["categories"])["4"]
    codes = np.array([float(known.index(kind)) for kind in kinds])
    rows = np.column_stack([frame[list("abcd")].to_numpy(), codes])
    odd = frame.copy()
    odd["kind"] = odd["kind"].astype(object)
    odd.loc[::5, "kind"] = "violet"  # never seen
    odd_rows = rows.copy()
    odd_rows[::5, 4] = np.nan
    for table, numbers in ((frame, rows), (odd, odd_rows)):
        expected = scores_of(ranker, table)
        np.testing.assert_allclose(run(ranker, numbers)["score"], expected, rtol=1e-9, atol=1e-9)


def test_labels_may_be_words():
    words = pd.Categorical.from_codes(Y.astype(int), ["bad", "fair", "good", "best"], ordered=True)
    ranker = rw.OrdinalTree(max_depth=3).fit(X, words)
    assert run(ranker, NEW)["label"].tolist() == ranker.predict(NEW).tolist()


def test_a_formula_fills_missing_factors_as_it_was_told():
    formula = rw.RatingFormula(top=3, solver="search", time_limit=1, missing="impute")
    formula.fit(X[:30].round(2), Y[:30])
    rows = X[:30].copy()
    rows[::3, 1] = np.nan
    np.testing.assert_allclose(run(formula, rows)["score"], formula.predict(rows), rtol=1e-9)


def test_a_pipeline_and_a_search_are_exported_whole():
    pipeline = make_pipeline(StandardScaler(), "passthrough", rw.PairwiseRanker())
    search = GridSearchCV(pipeline, {"pairwiseranker__alpha": [0.1, 1.0]}, cv=2).fit(X, Y)
    expected = search.predict(NEW)
    np.testing.assert_allclose(run(search, NEW)["score"], expected, rtol=1e-9, atol=1e-9)
    fitted = pipeline.fit(X, Y)
    np.testing.assert_allclose(run(fitted, NEW)["score"], fitted.predict(NEW), rtol=1e-9, atol=1e-9)


def test_the_file_is_written_whole(tmp_path):
    rw.to_onnx(RANKERS["PairwiseRanker"](), tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    assert session.get_inputs()[0].shape[1] == 4


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda: rw.PreferenceRanker().fit(X, Y), "its score compares a row with training rows"),
        (lambda: rw.adapt(LogisticRegression()).fit(X, Y), "convert its model_"),
        (
            lambda: rw.RankingForest(2, aggregation="median", random_state=0).fit(X, Y > 1),
            "aggregation='median' is no sum over trees",
        ),
        (
            lambda: rw.TreeRank(leaf_rank=DecisionTreeClassifier(max_depth=2)).fit(X, Y > 1),
            "its cells are split by classifiers",
        ),
        (lambda: rw.OrdinalTree().fit(X, np.arange(200)), "it has 200 labels"),
        (
            lambda: rw.RatingFormula(top=3, value_functions={"x0": [0.0]}, time_limit=2).fit(
                X[:20].round(1), Y[:20]
            ),
            r"its factors count in pieces \(value_functions=\)",
        ),
        (lambda: LogisticRegression().fit(X, Y), "give one of BayesPointPerceptron"),
    ],
)
def test_what_is_not_exported_is_refused_with_the_reason(model, message):
    with pytest.raises(ValueError, match=f"can't be exported to ONNX: {message}"):
        rw.to_onnx(model())


def test_an_unfitted_ranker_is_refused():
    with pytest.raises(ValueError, match="not fitted"):
        rw.to_onnx(rw.PairwiseRanker())
