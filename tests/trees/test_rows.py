"""The rows that trees are trained on, dense and sparse."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

import rankwright as rw
from rankwright.trees.binning import bin_features

RNG = np.random.default_rng(0)
DENSE = np.where(RNG.random((200, 12)) < 0.2, RNG.normal(size=(200, 12)), 0.0)
DENSE[3, 4] = np.nan
Y = (np.nansum(DENSE, axis=1) + 0.3 * RNG.normal(size=200) > 0).astype(int)
WEIGHTS = RNG.integers(0, 3, size=200).astype(float)

MODELS = {
    "tree": lambda: rw.OrdinalTree(prune="cv", random_state=0),
    "exact": lambda: rw.OrdinalTree(splitter="exact"),
    "forest": lambda: rw.OrdinalForest(4, oob_score=True, random_state=0),
    "TreeRank": lambda: rw.TreeRank(prune="cv", random_state=0),
    "RankingForest": lambda: rw.RankingForest(4, oob_score=True, random_state=0),
    "kemeny": lambda: rw.RankingForest(3, aggregation="kemeny", max_depth=2, random_state=0),
}


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
@pytest.mark.parametrize("name", MODELS)
def test_sparse_rows_are_learned_and_scored_as_dense_ones(name, kind):
    make = MODELS[name]
    dense, thin = (make().fit(X, Y, sample_weight=WEIGHTS) for X in (DENSE, kind(DENSE)))
    for X in (DENSE, kind(DENSE)):
        np.testing.assert_array_equal(thin.decision_function(X), dense.decision_function(DENSE))
    np.testing.assert_array_equal(thin.has_missing_, dense.has_missing_)


def test_classifiers_in_the_cells_get_sparse_rows():
    X = sparse.csr_array(np.nan_to_num(DENSE))
    make = lambda: rw.TreeRank(leaf_rank=LogisticRegression(), max_depth=2, random_state=0)  # noqa: E731
    expected = make().fit(X.toarray(), Y).predict(X.toarray())
    np.testing.assert_array_equal(make().fit(X, Y).predict(X), expected)


def test_sparse_importances_out_of_bag_are_those_of_dense_rows():
    found = [
        rw.RankingForest(4, random_state=0).fit(X, Y).oob_importances(X, Y, random_state=0)
        for X in (DENSE, sparse.csr_matrix(DENSE))
    ]
    np.testing.assert_array_equal(*found)


def test_entries_of_a_sparse_matrix_given_twice_are_summed():
    twice = sparse.csc_array((np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1]), np.array([0, 3])))
    bins = bin_features(twice, np.array([False]), 255)
    assert bins.edges[0, 0] == 4.0


def test_a_wide_sparse_matrix_is_scored_in_blocks_of_few_rows(monkeypatch):
    monkeypatch.setattr("rankwright.trees.features.BLOCK_VALUES", 40)  # three rows at a time
    X = sparse.csr_array(DENSE)
    model = rw.OrdinalForest(3, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.decision_function(X), model.decision_function(DENSE))


def test_what_read_svmlight_returns_is_training_data(tmp_path):
    path = tmp_path / "queries.txt"
    lines = [f"{y} qid:1 1:{a:.3f} 3:{b:.3f}" for y, (a, b) in zip(Y, DENSE[:, :2], strict=True)]
    path.write_text("\n".join(line for line in lines if "nan" not in line))
    X, y, groups = rw.read_svmlight(path)
    assert rw.OrdinalForest(3, random_state=0).fit(X, y, groups).score(X, y, groups) > 0.3
    assert rw.RankingForest(3, random_state=0).fit(X, y).score(X, y) > 0.3


def test_categories_of_a_sparse_matrix_are_refused_with_the_remedy():
    with pytest.raises(ValueError, match=r"categorical_features=\[0\] but X is sparse"):
        rw.TreeRank(categorical_features=[0]).fit(sparse.csr_array(DENSE), Y)


@pytest.mark.parametrize(
    "model",
    [
        rw.OrdinalTree(),
        rw.OrdinalTree(criterion="absolute"),
        rw.OrdinalForest(10, random_state=0),
        rw.TreeRank(),
        rw.RankingForest(10, random_state=0),
    ],
)
@pytest.mark.parametrize("ratio", [1e13, 1e15, 1e16, 1e60])
@pytest.mark.parametrize("n_labels", [2, 80])
def test_rows_count_for_nothing_beside_weights_in_which_theirs_vanish(model, ratio, n_labels):
    if n_labels > 2 and not hasattr(model, "criterion"):
        pytest.skip("ranks two classes")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 3))
    noisy = X[:, 0] + 0.5 * rng.normal(size=800)
    y = np.digitize(noisy, np.quantile(noisy, np.linspace(0, 1, n_labels + 1)[1:-1]))
    heavy = np.arange(800) % 2 == 1
    alone, beside = (
        rw.metrics.auc(y[heavy] > np.median(y), fitted.decision_function(X[heavy]))
        for fitted in (
            clone(model).fit(X[heavy], y[heavy]),
            model.fit(X, y, sample_weight=np.where(heavy, ratio, 1.0)),
        )
    )
    assert beside > 0.95 * alone


@pytest.mark.parametrize("model", [rw.TreeRank(), rw.RankingForest(10, random_state=0)])
@pytest.mark.parametrize("ratio", [1e-60, 1e-16, 1e16, 1e60])
def test_classes_are_in_balance_whatever_their_weights(model, ratio):
    X = np.random.default_rng(0).normal(size=(200, 2))
    y = X[:, 0] > 0
    scores = model.fit(X, y, sample_weight=np.where(y, ratio, 1.0)).predict(X)
    assert rw.metrics.auc(y, scores) > 0.999
