import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from rankwright.linear import BayesPointPerceptron, PRankPerceptron


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    return X, np.digitize(X @ [1.0, -1.0], [-1.0, 0.5]) + 1.0


@pytest.mark.parametrize("kind", [PRankPerceptron, BayesPointPerceptron])
def test_separated_grades_are_learned(data, kind):
    X, y = data
    ranker = kind(n_epochs=50, random_state=0).fit(X, y)
    assert np.mean(np.abs(ranker.predict(X) - y)) < 0.05
    assert ranker.score(X, y) > 0.8
    assert np.all(np.diff(ranker.thresholds_) >= 0)


@pytest.mark.parametrize("kind", [PRankPerceptron, BayesPointPerceptron])
def test_predict_is_the_largest_grade_whose_threshold_is_reached(data, kind):
    X, y = data
    ranker = kind(random_state=0).fit(X, y)
    scores = ranker.decision_function(X)
    reached = (scores[:, None] >= ranker.thresholds_).sum(axis=1)
    np.testing.assert_array_equal(ranker.predict(X), np.array([1.0, 2.0, 3.0])[reached])


def test_a_stream_in_parts_is_the_same_stream(data):
    X, y = data
    whole = PRankPerceptron(n_epochs=1).fit(X, y)
    parts = PRankPerceptron()
    for start in range(0, 300, 50):
        parts.partial_fit(X[start : start + 50], y[start : start + 50], classes=[1, 2, 3])
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    np.testing.assert_array_equal(parts.thresholds_, whole.thresholds_)


def test_polynomial_features_make_rings_learnable():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, size=(500, 2))
    y = np.digitize((X**2).sum(axis=1), [0.3, 0.8])
    plain = BayesPointPerceptron(random_state=0, n_epochs=20).fit(X, y)
    rings = make_pipeline(PolynomialFeatures(2), BayesPointPerceptron(random_state=0, n_epochs=20))
    rings.fit(X, y)
    assert np.mean(rings.predict(X) == y) > 0.9 > np.mean(plain.predict(X) == y)


def test_averaging_steadies_the_perceptron():
    rng = np.random.default_rng(2)
    losses = {PRankPerceptron: [], BayesPointPerceptron: []}
    for _ in range(10):
        X = rng.normal(size=(600, 5))
        y = np.digitize(X[:, 0] + 0.7 * rng.normal(size=600), [-1.0, 0.0, 1.0])
        for kind, values in losses.items():
            ranker = kind(n_epochs=2, random_state=0).fit(X[:300], y[:300])
            values.append(np.mean(np.abs(ranker.predict(X[300:]) - y[300:])))
    assert np.mean(losses[BayesPointPerceptron]) < np.mean(losses[PRankPerceptron])


def test_unknown_grades_are_named(data):
    X, y = data
    ranker = PRankPerceptron().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y has the grade 7\.0"):
        ranker.partial_fit(X[:1], [7.0])


@pytest.mark.parametrize(
    ("ranker", "arguments", "message"),
    [
        (PRankPerceptron(), ([[0.0], [1.0]], [1, 1]), "one class only"),
        (PRankPerceptron(), ([[0.0], [1.0]], [1, 2], [0, 0]), "leave groups out"),
        (
            BayesPointPerceptron(share=0),
            ([[0.0], [1.0]], [1, 2]),
            "share=0; give a number above 0 and at most 1",
        ),
    ],
)
def test_bad_input_is_named(ranker, arguments, message):
    with pytest.raises(ValueError, match=message):
        ranker.fit(*arguments)
