from types import SimpleNamespace

import numpy as np
import pytest

import rankwright as rw
from rankwright.comparison.comparison import Comparison, RankerResult
from rankwright.report.comparison import told_apart, why_behind


def compared(n_lists, *names):
    """Return a comparison in which every ranker is far behind the one before it, on every list."""
    values = [10.0 * i + np.linspace(0, 0.1, n_lists) for i in range(len(names), 0, -1)]
    results = tuple(map(RankerResult, names, values, [1.0] * len(names)))
    return Comparison("kendall_tau", tuple(map(str, range(n_lists))), results, False)


@pytest.mark.parametrize(("names", "needed"), [("ab", 6), ("abc", 7), ("abcdefgh", 11)])
def test_lists_that_can_not_tell_anything_apart_are_called_too_few(names, needed):
    few, enough = compared(needed - 1, *names), compared(needed, *names)
    assert few.lists_needed == needed
    assert f"{needed - 1} lists are too few to tell these rankers apart" in told_apart(few)
    assert "can't be told" not in rw.plots.plot_comparison(few).texts[-1].get_text()
    assert enough.alike == []
    assert told_apart(enough) == ""


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
    assert ("least-squares-ranker learns from the scores themselves." in said) == is_said
