import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.reverse.questions.what_if import what_if


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_places_are_those_of_the_product_moved_alone(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 6, (9, 2)).astype(float), columns=["a", "b"])
    weights, groups = rng.integers(-3, 4, 2).astype(float), rng.integers(0, 2, 9)
    table = what_if(X, weights, groups)
    scores = X.to_numpy() @ weights
    for _, row in table.iterrows():
        gained = []
        for i in range(9):
            moved = scores.copy()
            moved[i] += row["points"]
            rivals = groups == groups[i]
            gained.append((scores[rivals] > scores[i]).sum() - (moved[rivals] > moved[i]).sum())
        assert row["places"] == pytest.approx(np.mean(gained))
        assert row["gain"] == pytest.approx(np.mean(np.array(gained) > 0))


def test_a_step_is_half_a_star_or_a_twentieth_of_a_wide_range():
    X = pd.DataFrame({"stars": [1, 1.5, 5], "grams": [100.0, 101.0, 900.0], "none": [1.0, 2, 3]})
    table = what_if(X, np.array([1.0, -0.1, 0.0]))
    assert table["step"].to_dict() == {"grams": -50.0, "stars": 0.5}


def test_steps_always_gain_points():
    X = pd.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 1, 1]})
    assert (what_if(X, np.array([2.0, -5.0]))["points"] > 0).all()
