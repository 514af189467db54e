"""Ranking trees in words."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import rankwright as rw
from rankwright.trees import TreeRank
from rankwright.trees.bipartite.export import (
    describe_cell_split,
    export_ranking_rules,
    export_ranking_text,
)


def holds(box, row):
    """Evaluate the conditions of a box on a row, for numbers without missing values."""
    return all(eval(condition, {}, row) for condition in box.split(" and "))


@pytest.fixture(scope="module")
def fitted():
    data = rw.datasets.make_rf10_sparse(200, random_state=0)
    model = TreeRank(max_depth=3, max_depth_leaf=3, min_samples_leaf=3).fit(data.X, data.y)
    return data, model


def test_exactly_one_rule_holds_for_each_row_and_gives_its_score(fitted):
    data, model = fitted
    rules = export_ranking_rules(model, digits=17)
    scores = model.predict(data.X)
    for score, row in zip(scores, data.X.to_dict("records"), strict=True):
        true = [
            r for r in rules if all(any(holds(b, row) for b in boxes) for boxes in r.conditions)
        ]
        assert [rule.score for rule in true] == [score]


def test_rules_come_best_first_and_count_the_rows(fitted):
    data, model = fitted
    rules = export_ranking_rules(model)
    assert [rule.score for rule in rules] == sorted((rule.score for rule in rules), reverse=True)
    assert sum(rule.weight for rule in rules) == 200
    assert sum(rule.weight * rule.share for rule in rules) == pytest.approx(data.y.sum())


def test_text_sums_up_deep_cells(fitted):
    _, model = fitted
    text = export_ranking_text(model, max_depth=1)
    assert len(text.splitlines()) == 3
    assert text.startswith("all: 50.0% of 200")
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
    assert "better if LogisticRegression says better" in export_ranking_text(model)


def test_a_tree_of_one_leaf_always_holds():
    model = TreeRank().fit([[1.0], [1.0]], [0, 1])
    assert str(export_ranking_rules(model)[0]) == "always: score 1, 50.0% positive, weight 2"
