import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import rank_loss

grades = st.integers(1, 5)


@given(st.lists(st.tuples(grades, grades, st.integers(1, 3)), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_rank_loss_is_the_weighted_mean_absolute_error(rows):
    labels, predicted, weights = zip(*rows, strict=True)
    total = sum(w * abs(a - b) for a, b, w in rows)
    loss = rank_loss(labels, predicted, sample_weight=weights)
    assert loss == pytest.approx(total / sum(weights))
    assert rank_loss(labels, predicted) == pytest.approx(
        sklearn.metrics.mean_absolute_error(labels, predicted)
    )
