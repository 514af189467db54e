import pytest

import rankwright as rw
from rankwright.improve import Planner


@pytest.fixture
def cameras():
    return rw.datasets.load_cameras()


@pytest.fixture
def camera(cameras):
    return cameras.cameras.loc["camera_2"]


@pytest.fixture
def camera_planner(cameras):
    return Planner(cameras.factors["weight"], cameras.changes, cameras.conflicts)
