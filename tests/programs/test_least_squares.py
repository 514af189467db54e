import numpy as np
import pytest

from rankwright.programs import least_squares, nonnegative_least_squares


def test_weights_are_found_though_active_sets_cycle(monkeypatch):
    rng = np.random.default_rng(0)
    rows, wanted = rng.normal(size=(9, 4)), rng.normal(size=9)
    expected, near = nonnegative_least_squares(rows, wanted)

    def cycle(rows, wanted):
        raise RuntimeError("Maximum number of iterations reached.")

    monkeypatch.setattr(least_squares, "nnls", cycle)
    weights, distance = nonnegative_least_squares(rows, wanted)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights, expected, atol=1e-6)
    assert distance == pytest.approx(near, rel=1e-6)
