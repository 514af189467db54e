import numpy as np
import pytest

from rankwright.datasets import make_ordinal_squares


def test_loss_star_is_what_optimal_labels_reach_in_simulation():
    data = make_ordinal_squares(400_000, random_state=0)
    losses = np.abs(data.y - data.optimal_labels)
    error = losses.std() / np.sqrt(len(losses))
    assert abs(losses.mean() - data.loss_star) < 4 * error


def test_labels_follow_the_thresholds():
    data = make_ordinal_squares(2000, noise=0, random_state=0)
    x1, x2 = data.X["x1"].to_numpy(), data.X["x2"].to_numpy()
    value = 10 * (x1 - 0.5) * (x2 - 0.5)
    thresholds = [-np.inf, -1, -0.1, 0.25, 1]
    expected = [max(r for r in range(1, 6) if v > thresholds[r - 1]) for v in value]
    np.testing.assert_array_equal(data.y, expected)
    assert set(data.y) == {1, 2, 3, 4, 5}
    assert data.loss_star == 0


def test_noise_features_come_after_the_two_real_ones_and_leave_labels_alone():
    plain = make_ordinal_squares(100, random_state=0)
    noisy = make_ordinal_squares(100, n_noise_features=18, random_state=0)
    assert noisy.X.columns[:3].tolist() == ["x1", "x2", "noise1"]
    assert noisy.X.shape == (100, 20)
    np.testing.assert_array_equal(plain.y, noisy.y)


@pytest.mark.parametrize("noise", [-0.1, np.nan, np.inf])
def test_bad_noise_is_named(noise):
    with pytest.raises(ValueError, match="noise="):
        make_ordinal_squares(10, noise=noise)


def test_a_negative_number_of_noise_features_is_named():
    with pytest.raises(ValueError, match="n_noise_features=-1"):
        make_ordinal_squares(10, n_noise_features=-1)
