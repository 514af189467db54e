"""The walk through trees equals the scores of all hybrids."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import rankwright as rw
from rankwright.trees import contributions


def is_explained_as_by_all_hybrids(model, X, pairs):
    """Compare with the pipeline of nothing but the model, which has no formula of its own."""
    plain = make_pipeline("passthrough", model)
    for a, b in pairs:
        one, two = (X.iloc[[row]] if hasattr(X, "iloc") else X[row] for row in (a, b))
        why, expected = model.explain(one, two).table(), rw.why_above(plain, one, two).table()
        np.testing.assert_allclose(
            why["contribution"],
            expected.loc[why.index, "contribution"],
            atol=1e-12 * why["contribution"].abs().max(),
        )
        assert (
            model._contributions(pd.concat([one, two]) if hasattr(X, "iloc") else X[[a, b]])
            is not None
        )


PAIRS = [(0, 1), (2, 3), (4, 5), (6, 7), (9, 8), (11, 30)]
ORDINAL = [rw.OrdinalTree(), rw.OrdinalTree(max_depth=2), rw.OrdinalForest(10, random_state=0)]
BIPARTITE = [
    rw.TreeRank(),
    rw.TreeRank(max_depth=12, max_depth_leaf=6, min_samples_leaf=1),
    rw.RankingForest(10, random_state=0),
    rw.RankingForest(10, aggregation="mean", random_state=0),
]


@pytest.mark.parametrize("ranker", ORDINAL)
def test_ordinal_trees_with_categories_and_missing_values(ranker, table):
    X, y = table
    is_explained_as_by_all_hybrids(ranker.fit(X, y), X, PAIRS)


@pytest.mark.parametrize("ranker", BIPARTITE)
def test_ranking_trees_with_categories_and_missing_values(ranker, table):
    X, y = table
    is_explained_as_by_all_hybrids(ranker.fit(X, y > 2), X, PAIRS)


@pytest.mark.parametrize("ranker", [*ORDINAL, *BIPARTITE])
def test_deep_trees_that_ask_for_few_features_again_and_again(ranker):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.sin(4 * X[:, 0]) * X[:, 1] + X[:, 2] ** 2 + 0.3 * rng.normal(size=400) > 0.5
    is_explained_as_by_all_hybrids(ranker.fit(X, y), X, PAIRS)


def test_categories_that_were_never_seen_are_walked_as_missing(table):
    X, y = table
    forest = rw.OrdinalForest(10, random_state=0).fit(X, y)
    new = X.iloc[:2].assign(colour=pd.Categorical(["mauve", "red"]))
    is_explained_as_by_all_hybrids(forest, new, [(0, 1), (1, 0)])


@pytest.mark.parametrize("ranker", [rw.OrdinalTree(min_samples_leaf=400), rw.TreeRank(max_depth=1)])
def test_a_tree_of_one_leaf_has_no_reasons(ranker):
    X = np.zeros((20, 2))
    why = ranker.fit(X, np.arange(20) % 2).explain([0.0, 1.0], [5.0, 2.0])
    assert why.is_exact
    assert not why.contributions.any()


@pytest.mark.parametrize("aggregation", ["median", "kemeny"])
def test_what_is_no_mean_of_trees_is_explained_by_hybrids(aggregation, table):
    X, y = table
    forest = rw.RankingForest(5, max_depth=2, aggregation=aggregation, random_state=0)
    forest.fit(X, y > 2)
    assert forest._contributions(X.iloc[:2]) is None
    why = forest.explain(X.iloc[0], X.iloc[1])
    assert why.contributions.sum() == pytest.approx(why.difference)


def test_cells_that_classifiers_split_are_explained_by_hybrids():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    tree = rw.TreeRank(max_depth=2, leaf_rank=LogisticRegression()).fit(X, X @ [1, 2, 0] > 0)
    assert tree._contributions(X[:2]) is None
    why = tree.explain(X[0], X[1])
    assert why.contributions.sum() == pytest.approx(why.difference)


def test_too_many_ways_to_walk_end_in_an_estimate(monkeypatch, squares):
    monkeypatch.setattr(contributions, "MAX_STEPS", 3)
    X = np.column_stack([squares.X, np.random.default_rng(0).normal(size=(len(squares.X), 13))])
    tree = rw.OrdinalTree().fit(X, squares.y)
    why = tree.explain(X[0], X[1])
    assert not why.is_exact
    assert why.contributions.sum() == pytest.approx(why.difference)
