"""Ranking trees in words."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import rankwright as rw
from rankwright.trees import RankingForest, TreeRank, export_rules, export_text
from rankwright.trees.bipartite.export import describe_cell_split
from rankwright.trees.ranking_export import export_ranking_rules, export_ranking_text


@pytest.fixture(scope="module")
def fitted():
    data = rw.datasets.make_rf10_sparse(200, random_state=0)
    model = TreeRank(max_depth=3, max_depth_leaf=3, min_samples_leaf=3).fit(data.X, data.y)
    return data, model


def test_exactly_one_rule_holds_for_each_row_and_gives_its_score(fitted):
    data, model = fitted
    rules = export_rules(model, digits=17)
    scores = model.predict(data.X)
    for score, row in zip(scores, data.X.to_dict("records"), strict=True):
        # Numbers without missing values: the conditions are Python.
        true = [r for r in rules if all(eval(text, {}, row) for text in r.conditions)]
        assert [rule.score for rule in true] == [score]


def test_rules_come_best_first_and_count_the_rows(fitted):
    data, model = fitted
    rules = export_rules(model)
    assert [rule.score for rule in rules] == sorted((rule.score for rule in rules), reverse=True)
    assert sum(rule.weight for rule in rules) == 200
    shares = [float(rule.outcome.split("(")[1].split("%")[0]) / 100 for rule in rules]
    positives = sum(r.weight * share for r, share in zip(rules, shares, strict=True))
    assert positives == pytest.approx(data.y.sum(), abs=0.5)


def test_text_sums_up_deep_cells(fitted):
    _, model = fitted
    text = export_text(model, max_depth=1)
    assert len(text.splitlines()) == 3
    assert text.startswith("all: 50.0% positive, weight 200")
    assert "split further" in text


def test_categories_and_missing_values_are_named():
    X = pd.DataFrame(
        {"colour": pd.Categorical(["red", "blue", "red", "blue"]), "size": [1.0, np.nan, 2.0, 3.0]}
    )
    model = TreeRank(max_depth=1, max_depth_leaf=1, min_samples_leaf=1).fit(X, [1, 0, 1, 0])
    assert describe_cell_split(model, 0, left=True) == ("colour in {red} or new",) or (
        describe_cell_split(model, 0, left=True) == ("colour in {red}",)
    )
    missing = TreeRank(max_depth=1, max_depth_leaf=1, min_samples_leaf=1).fit(
        X[["size"]], [0, 1, 0, 0]
    )
    assert describe_cell_split(missing, 0, left=True) == ("size is missing",)


def test_a_classifier_is_named():
    model = TreeRank(min_samples_leaf=1, leaf_rank=LogisticRegression()).fit([[1.0], [2.0]], [0, 1])
    assert "better if LogisticRegression says better" in export_text(model)


def test_a_tree_of_one_leaf_always_holds():
    model = TreeRank().fit([[1.0], [1.0]], [0, 1])
    assert str(export_rules(model)[0]) == "always score 0.5 (50.0% positive, weight 2)"


def test_the_former_names_say_the_new_ones(fitted):
    _, model = fitted
    with pytest.warns(DeprecationWarning, match="rw.export_text"):
        assert export_ranking_text(model, max_depth=2) == export_text(model, max_depth=2)
    with pytest.warns(DeprecationWarning, match="rw.export_rules"):
        assert export_ranking_rules(model) == export_rules(model)


def test_a_forest_is_refused_with_the_reason():
    with pytest.raises(TypeError, match="RankingForest is not one tree; give a fitted OrdinalTree"):
        export_text(RankingForest())
