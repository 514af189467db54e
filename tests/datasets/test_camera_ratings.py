import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from rankwright.datasets import load_camera_ratings, load_cameras, make_camera_ratings
from rankwright.datasets.camera_ratings import CAMERA_RATINGS

STARS = [
    "photo_quality",
    "video_quality",
    "response_time",
    "handling_shake",
    "versatility",
    "lcd_quality",
]


def test_the_bundled_file_is_what_the_generator_writes(tmp_path):
    written = tmp_path / "cameras.csv"
    make_camera_ratings().table.to_csv(written, index=False, lineterminator="\n")
    assert written.read_bytes() == CAMERA_RATINGS.read_bytes()


def test_the_bundled_file_is_labelled_fictitious():
    assert CAMERA_RATINGS.parent.name == "fictitious"
    assert "no real product" in (CAMERA_RATINGS.parent / "README.md").read_text()


def test_loaded_and_generated_ratings_are_equal():
    loaded, made = load_camera_ratings(), make_camera_ratings()
    pd.testing.assert_frame_equal(loaded.X, made.X)
    np.testing.assert_array_equal(loaded.y, made.y)
    np.testing.assert_array_equal(loaded.groups, made.groups)


def test_names_are_unique():
    ratings = load_camera_ratings()
    assert len(ratings.X) == 200
    assert ratings.X.index.is_unique


def test_the_true_formula_reproduces_every_rank():
    ratings = load_camera_ratings()
    scores = (ratings.X @ ratings.weights).to_numpy()
    for camera_type in set(ratings.groups):
        rows = ratings.groups == camera_type
        assert (np.diff(scores[rows][np.argsort(-ratings.y[rows])]) < 0).all()
        assert sorted(-ratings.y[rows]) == list(range(1, rows.sum() + 1))


def test_the_ranks_pin_down_every_share_of_the_formula_within_a_percent_point():
    ratings = load_camera_ratings()
    spans = np.ptp(ratings.X.to_numpy(), axis=0) * np.where(ratings.weights < 0, -1, 1)
    unit = ratings.X.to_numpy() / spans
    shares = ratings.weights.to_numpy() * spans
    shares = shares / shares.sum()
    steps = []
    for camera_type in set(ratings.groups):
        rows = np.flatnonzero(ratings.groups == camera_type)
        steps.append(np.diff(unit[rows[np.argsort(-ratings.y[rows])]], axis=0))
    steps = np.vstack(steps)
    for factor in range(len(shares)):
        for sign in (1, -1):
            extreme = linprog(
                sign * np.eye(len(shares))[factor],
                A_ub=steps,
                b_ub=np.zeros(len(steps)),
                A_eq=np.ones((1, len(shares))),
                b_eq=[1],
            )
            assert abs(extreme.x[factor] - shares[factor]) < 0.01


def test_stars_are_halves_between_one_and_five():
    X = load_camera_ratings().X
    assert X[STARS].isin(np.arange(1, 5.5, 0.5)).all(axis=None)


def test_factors_are_those_of_the_example_and_a_price_that_does_not_count():
    ratings = load_camera_ratings()
    assert ratings.X.columns.tolist() == [*load_cameras().factors.index, "price"]
    assert ratings.weights.index.tolist() == ratings.X.columns.tolist()
    assert ratings.weights["price"] == 0


@pytest.mark.parametrize("n_items", [20, 57, 400])
def test_any_number_of_cameras_falls_into_five_types(n_items):
    ratings = make_camera_ratings(n_items, random_state=1)
    assert len(ratings.X) == n_items
    assert len(set(ratings.groups)) == 5
    assert ratings.X.index.is_unique


def test_too_few_cameras_are_refused():
    with pytest.raises(ValueError, match="n_items=19; give at least 20"):
        make_camera_ratings(19)
