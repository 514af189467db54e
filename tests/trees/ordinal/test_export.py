import numpy as np
import pandas as pd

from rankwright.trees import OrdinalTree, Rule, export_rules, export_text


def rows_where(conditions, X):
    """Rows of a frame that satisfy all conditions of a rule, read back from its text."""
    keep = np.ones(len(X), dtype=bool)
    for condition in conditions:
        text, *rest = condition.split(" or ")
        name, operator, *value = text.split(" ", 2)
        column = X[name]
        if operator == "in":
            here = column.astype(str).isin(value[0].strip("{}").split(", "))
        elif operator == "is":
            here = column.notna() if value[0] == "not missing" else column.isna()
        else:
            here = column <= float(value[0]) if operator == "<=" else column > float(value[0])
        if rest == ["missing"]:
            here |= column.isna()
        keep &= here.to_numpy()
    return keep


def test_rules_say_what_the_tree_predicts(table):
    X, y = table
    tree = OrdinalTree(max_depth=4).fit(X, y)
    covered = np.zeros(len(X), dtype=int)
    predicted, expected = tree.predict(X), tree.decision_function(X)
    rules = export_rules(tree, digits=17)
    for rule in rules:
        here = rows_where(rule.conditions, X)
        assert here.sum() == rule.weight
        assert (predicted[here] == rule.prediction).all()
        np.testing.assert_allclose(expected[here], rule.score)
        covered += here
    assert (covered == 1).all()
    assert [rule.score for rule in rules] == sorted((r.score for r in rules), reverse=True)


def test_a_rule_keeps_only_the_tighter_threshold():
    X = np.arange(8.0)[:, np.newaxis]
    rules = export_rules(OrdinalTree().fit(X, X[:, 0]))
    assert all(len(rule.conditions) <= 2 for rule in rules)
    assert str(rules[0]) == "if x0 > 6.5 then 7 (expected 7, weight 1)"


def test_text_has_a_line_for_every_node(table):
    X, y = table
    tree = OrdinalTree(max_depth=3).fit(X, y)
    lines = export_text(tree).splitlines()
    assert len(lines) == tree.tree_.nodes.size
    assert any("colour in {" in line for line in lines)


def test_text_sums_up_what_is_deeper(table):
    X, y = table
    tree = OrdinalTree().fit(X, y)
    lines = export_text(tree, max_depth=1).splitlines()
    assert len(lines) == 3
    assert any(line.endswith("split further") for line in lines)


def test_alternatives_are_put_in_brackets():
    rule = Rule(("size <= 2 or missing", "age > 3"), "1", 1, 1.0, 1.0)
    assert str(rule) == "if (size <= 2 or missing) and age > 3 then 1"


def test_a_tree_of_one_leaf_is_always_the_same():
    tree = OrdinalTree().fit([[1.0]], pd.Categorical(["fair"], ["poor", "fair"], ordered=True))
    assert export_text(tree) == "all: fair (expected 1, weight 1)"
    assert str(export_rules(tree)[0]) == "always fair (expected 1, weight 1)"
