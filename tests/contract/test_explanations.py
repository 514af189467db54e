"""Every ranker says why one item is above another, and means the same by it."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankwright as rw


def fit(ranker, problem, X=None):
    groups = () if problem.groups is None else (problem.groups,)
    return ranker.make().fit(problem.X if X is None else X, problem.y, *groups)


def by_feature(why):
    return why.table()["contribution"].sort_index().to_numpy()


def scores(model, X):
    return getattr(model, "decision_function", model.predict)(X)


def test_contributions_add_up_to_the_difference_of_the_scores(ranker, problem):
    model = fit(ranker, problem)
    for a, b in [(0, 1), (2, 3), (4, 5)]:
        why = model.explain(problem.X[a], problem.X[b])
        high, low = scores(model, problem.X[[a, b]])
        assert why.difference == pytest.approx(high - low, rel=1e-12)
        assert why.contributions.sum() == pytest.approx(
            high - low, rel=1e-9, abs=1e-9 * np.abs(why.contributions).sum()
        )
        assert (np.diff(np.abs(why.contributions)) <= 0).all()


def test_an_explanation_changes_sign_with_the_question(ranker, problem):
    model = fit(ranker, problem)
    one, other = (model.explain(*problem.X[pair]) for pair in ([0, 1], [1, 0]))
    np.testing.assert_allclose(by_feature(one), -by_feature(other), atol=1e-12)
    values = one.table()["value"].sort_index()
    pd.testing.assert_series_equal(
        values, other.table()["other_value"].sort_index().rename("value")
    )


def test_an_exact_explanation_is_that_of_all_orders(ranker, problem):
    """Three features: the hybrids of two items can be scored by hand."""
    model = fit(ranker, problem)
    high, low = problem.X[0], problem.X[1]
    worth = {
        mask: scores(model, np.where([mask & 1, mask & 2, mask & 4], high, low)[None])[0]
        for mask in range(8)
    }
    expected = [
        (worth[7] - worth[7 - bit] + worth[bit] - worth[0]) / 3
        + sum(worth[bit + b] - worth[b] for b in (1, 2, 4) if b != bit) / 6
        for bit in (1, 2, 4)
    ]
    why = model.explain(high, low)
    assert why.is_exact
    np.testing.assert_allclose(by_feature(why), expected, atol=1e-9)


def test_frames_name_the_items_and_the_features(ranker, problem):
    X = pd.DataFrame(problem.X, columns=["zoom", "price", "size"]).rename(lambda i: f"item {i}")
    model = fit(ranker, problem, X)
    why = rw.why_above(model, X.iloc[0], X.iloc[1])
    assert (why.item, why.other) == ("item 0", "item 1")
    assert sorted(why.features) == ["price", "size", "zoom"]
    np.testing.assert_array_equal(why.table().loc[X.columns, "value"], X.iloc[0])


def test_items_are_called_item_and_other_and_estimates_take_their_options(ranker, problem):
    model = fit(ranker, problem)
    one, other = problem.X[:2]
    expected = rw.why_above(model, one, other, n_orders=3, random_state=1)
    found = model.explain(item=one, other=other, n_orders=3, random_state=1)
    np.testing.assert_array_equal(found.contributions, expected.contributions)


def test_explanations_of_many_features_are_exact_where_the_page_says_so(ranker, name, problem):
    page = (Path(__file__).parents[2] / "docs" / "explaining.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*) \| (?:weight|by walking).* \| yes \|$", page, re.MULTILINE)
    assert len(rows) == 2
    X = np.hstack([problem.X, np.random.default_rng(1).normal(size=(60, 10))])
    model = fit(ranker, problem, X)
    is_linear = hasattr(model, "coef_") and "linear rankers, perceptrons" in rows[0]
    is_told = is_linear or f"`{name}`" in " ".join(rows)
    assert model.explain(X[0], X[1], n_orders=2).is_exact == is_told
