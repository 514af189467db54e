import numpy as np
import pandas as pd
import pytest

import rankwright as rw

SCORES = pd.DataFrame(
    {"math": [90.0, 80, 70], "code": [0.5, 0.7, 0.3], "seconds": [3.0, 1.0, 9.0]},
    index=["Ada", "Bo", "Cy"],
)


def test_the_mean_of_standardised_scores_by_hand():
    board = rw.leaderboard(SCORES, smaller_is_better=["seconds"])
    oriented = SCORES.assign(seconds=-SCORES["seconds"])
    expected = ((oriented - oriented.mean()) / oriented.std(ddof=0)).mean(axis=1)
    assert board.model == "mean_score"
    assert np.allclose(board.strengths, expected)
    assert board.degrees == 2


def test_the_errors_are_those_of_a_mean_over_tasks():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(4, 30)))
    board = rw.leaderboard(scores)
    standard = (scores - scores.mean()) / scores.std(ddof=0)
    difference = standard.iloc[0] - standard.iloc[2]
    assert board.difference(0, 2)["standard_error"] == pytest.approx(difference.sem())


def test_the_mean_of_ranks_counts_places_above_the_middle():
    board = rw.leaderboard(SCORES, model="mean_rank", smaller_is_better=["seconds"])
    assert np.allclose(board.strengths, [1 / 3, 2 / 3, -1])


def test_missing_scores_are_left_out_of_the_mean_and_said():
    holes = SCORES.copy()
    holes.loc["Cy", "code"] = np.nan
    board = rw.leaderboard(holes)
    assert board.appearances.tolist() == [3, 3, 2]
    assert any("Missing: 1 score." in note for note in board.notes)


def test_tasks_of_one_cluster_count_as_one_draw():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(4, 10)))
    twice = pd.concat([scores, scores], axis=1, ignore_index=True)
    cluster = np.tile(np.arange(10), 2)
    board = rw.leaderboard(twice, cluster=cluster)
    assert np.allclose(board.covariance, rw.leaderboard(scores).covariance)


def test_scores_may_be_read_as_rankings_of_the_tasks():
    board = rw.leaderboard(SCORES, model="plackett_luce", smaller_is_better=["seconds"])
    orders = rw.leaderboard([["Ada", "Bo", "Cy"], ["Bo", "Ada", "Cy"], ["Bo", "Ada", "Cy"]])
    assert np.allclose(board.strengths, orders.strengths)


def test_a_column_of_names_is_no_task():
    board = rw.leaderboard(SCORES.rename_axis("model").reset_index())
    assert board.items == ["Ada", "Bo", "Cy"]


def test_a_mean_of_scores_knows_no_battles():
    with pytest.raises(ValueError, match="has no battles"):
        rw.leaderboard(SCORES).probability("Ada", "Bo")


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (SCORES.iloc[:1], {}, "1 item;"),
        (SCORES[["math"]], {}, "1 task;"),
        (SCORES.assign(code=np.nan), {}, "task 'code' has no score"),
        (SCORES.assign(code=[np.inf, 0, 0]), {}, "infinite"),
        (SCORES, {"smaller_is_better": ["speed"]}, "names 'speed'"),
        (SCORES, {"weights": [1, 2]}, "3 numbers"),
        (SCORES, {"model": "davidson"}, "choose from"),
        (SCORES, {"alpha": 1}, "alpha is for models of comparisons"),
        (pd.concat([SCORES, SCORES]), {}, "'Ada' has several rows"),
    ],
)
def test_bad_scores_are_refused(frame, options, message):
    with pytest.raises(ValueError, match=message):
        rw.leaderboard(frame, **options)


def test_an_item_with_a_single_score_is_not_sure():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(6, 12)))
    scores.iloc[0, 1:] = np.nan
    board = rw.leaderboard(scores)
    spread = (scores - scores.mean()) / scores.std(ddof=0)
    residuals = spread.sub(spread.mean(axis=1), axis=0).to_numpy()
    pooled = np.nansum(residuals**2) / 55  # five items with twelve scores each, less their means
    error = board.difference(0, 3)["standard_error"]
    assert error == pytest.approx(np.sqrt(pooled * (1 + 1 / 12)), rel=0.05)
    complete = rw.leaderboard(scores.iloc[1:])
    assert not any("few of the tasks" in note for note in complete.notes)
    assert any(note.startswith("0 took part in few of the tasks") for note in board.notes)


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e154, 1e307])
def test_the_unit_of_a_task_changes_nothing(size):
    scores = pd.DataFrame({"speed": np.array([1.0, -1, 3]), "price": [2.0, 1, 3]}, index=[*"abc"])
    expected = rw.leaderboard(scores)
    board = rw.leaderboard(scores.assign(speed=scores["speed"] * size))
    assert np.allclose(board.strengths, expected.strengths, atol=1e-4)  # of 1e-320 few digits
    assert np.allclose(board.covariance, expected.covariance, atol=1e-4)


@pytest.mark.parametrize("size", [1e200, 1e-320])
def test_weights_of_tasks_whose_products_are_no_numbers_are_refused(size):
    with pytest.raises(ValueError, match=r"weights is .* in task 1; give weights between"):
        rw.leaderboard(SCORES, weights=[1.0, size, 1.0])
