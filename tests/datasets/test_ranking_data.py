from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import pandas as pd
import pytest

from rankwright import datasets

GENERATORS = {
    "blocks": datasets.make_blocks,
    "camera_ratings": datasets.make_camera_ratings,
    "flex_ratings": datasets.make_flex_ratings,
    "hotels": datasets.make_hotels,
    "ordinal_squares": partial(datasets.make_ordinal_squares, n_noise_features=3),
    "product_ratings": datasets.make_product_ratings,
    "rf10": datasets.make_rf10,
    "rf10_sparse": datasets.make_rf10_sparse,
    "rf20": datasets.make_rf20,
}


def test_every_public_generator_is_among_those_tested_here():
    makers = {name.removeprefix("make_") for name in datasets.__all__ if name.startswith("make_")}
    assert makers == set(GENERATORS)


def test_public_names_are_sorted_and_exist():
    assert datasets.__all__ == sorted(datasets.__all__)
    assert all(hasattr(datasets, name) for name in datasets.__all__)


@pytest.mark.parametrize("name", GENERATORS)
def test_data_have_matching_rows_and_finite_values(name):
    data = GENERATORS[name](random_state=0)
    assert isinstance(data.X, pd.DataFrame)
    assert data.X.columns.is_unique
    assert data.y.shape == (len(data.X),)
    assert data.y.dtype == np.float64
    assert np.isfinite(data.X.to_numpy(np.float64)).all()
    assert np.isfinite(data.y).all()
    assert data.groups is None or data.groups.shape == data.y.shape


@pytest.mark.parametrize("name", GENERATORS)
def test_the_same_seed_gives_the_same_data(name):
    first, second = (GENERATORS[name](random_state=7) for _ in range(2))
    pd.testing.assert_frame_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)


@pytest.mark.parametrize("name", sorted(set(GENERATORS) - {"flex_ratings"}))
def test_another_seed_gives_other_data(name):
    first, second = (GENERATORS[name](random_state=seed) for seed in (7, 8))
    assert not first.X.equals(second.X)


@pytest.mark.parametrize("name", GENERATORS)
def test_the_global_random_state_is_left_alone(name):
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    GENERATORS[name](random_state=0)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("n_items", [0, -6, 2.5, "many", True])
def test_a_bad_number_of_items_is_named(name, n_items):
    with pytest.raises(ValueError, match="n_items="):
        GENERATORS[name](n_items, random_state=0)


def test_results_are_frozen():
    with pytest.raises(FrozenInstanceError):
        datasets.make_blocks().y = np.zeros(60)
