from types import SimpleNamespace

import pytest

from rankwright.report.comparison import why_behind


@pytest.mark.parametrize(
    ("order", "target_is", "is_said"),
    [
        (["least-squares-ranker", "rating-formula"], "score", True),
        (["rating-formula", "least-squares-ranker"], "score", False),
        (["least-squares-ranker", "rating-formula"], "rank", False),
        (["pairwise-ranker", "rating-formula"], "score", False),
    ],
)
def test_a_formula_behind_least_squares_on_scores_is_explained(order, target_is, is_said):
    results = [SimpleNamespace(name=name, failure=None) for name in order]
    data = SimpleNamespace(target="points", target_is=target_is)
    said = why_behind(SimpleNamespace(results=results), data)
    assert ("learns from the order of 'points' alone" in said) == is_said
