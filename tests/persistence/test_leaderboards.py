import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.persistence.errors import ModelFileError


@pytest.fixture
def board():
    games = pd.DataFrame({"left": ["x", "y", "z", "x"], "right": ["y", "z", "x", "w"],
                          "outcome": [1, 1, 0.5, 1], "judge": ["u", "v", "u", "v"]})  # fmt: skip
    return rw.leaderboard(games)


def test_a_leaderboard_comes_back_as_it_was_saved(board, tmp_path):
    rw.save(board, tmp_path / "board.rw")
    loaded = rw.load(tmp_path / "board.rw")
    pd.testing.assert_frame_equal(loaded.table(), board.table())
    assert loaded.notes == board.notes
    assert loaded.probability("x", "y") == board.probability("x", "y")
    assert np.array_equal(loaded.covariance, board.covariance, equal_nan=True)


def test_arrays_of_a_wrong_shape_are_refused(board, tmp_path):
    object.__setattr__(board, "tiers", np.zeros(2, dtype=int))
    with pytest.raises(ValueError, match="tiers does not fit 4 items"):
        rw.save(board, tmp_path / "board.rw")


def test_other_results_are_not_saved(tmp_path):
    with pytest.raises(ValueError, match="a fitted estimator or a leaderboard"):
        rw.save(rw.aggregate([["a", "b"], ["b", "a"]]), tmp_path / "consensus.rw")


def test_a_damaged_leaderboard_is_refused(board, tmp_path):
    path = tmp_path / "board.rw"
    rw.save(board, path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ModelFileError, match="truncated or corrupted"):
        rw.load(path)
