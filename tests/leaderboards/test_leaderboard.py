import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import norm

import rankwright as rw


def battles(n_items=6, size=1500, seed=0, length=0.0):
    rng = np.random.default_rng(seed)
    left = rng.integers(n_items, size=size)
    right = (left + rng.integers(1, n_items, size=size)) % n_items
    longer = rng.normal(size=size)
    eta = 0.4 * (right - left) + length * longer
    won = rng.random(size) < 1 / (1 + np.exp(-eta))
    names = np.array([f"item {k}" for k in range(n_items)])
    return pd.DataFrame(
        {"left": names[left], "right": names[right], "outcome": np.where(won, "left", "right"),
         "length": longer}
    )  # fmt: skip


def test_the_table_has_the_best_first_with_ranks_sets_and_tiers():
    table = rw.leaderboard(battles()).table()
    assert table.index.tolist() == [f"item {k}" for k in range(6)]
    assert table["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    assert (table["all_low"] <= table["rank_low"]).all()
    assert (table["rank_low"] <= table["rank"]).all()
    assert (table["rank"] <= table["rank_high"]).all()
    assert table["tier"].iloc[0] == 1
    assert table["tier"].is_monotonic_increasing
    assert table["strength"].mean() == pytest.approx(0, abs=1e-12)


def test_csv_files_pandas_and_polars_frames_give_the_same(tmp_path):
    frame = battles()
    frame.to_csv(tmp_path / "battles.csv", index=False)
    boards = [
        rw.leaderboard(form) for form in (frame, tmp_path / "battles.csv", pl.DataFrame(frame))
    ]
    for board in boards[1:]:
        assert board.items == boards[0].items
        assert np.allclose(board.strengths, boards[0].strengths)


def test_preflib_files_are_read(tmp_path):
    path = tmp_path / "vote.toi"
    path.write_text("3\n1,Ann\n2,Bob\n3,Cy\n6,6,3\n3,2,{1,3}\n2,3,1\n1,1,2\n")
    board = rw.leaderboard(path)
    assert board.items == ["Ann", "Bob", "Cy"]
    assert board.model == "plackett_luce"
    assert board.n_comparisons == 6


def test_the_order_of_rows_and_of_sides_changes_nothing():
    frame = battles()
    swapped = frame.rename(columns={"left": "right", "right": "left"})
    swapped["outcome"] = swapped["outcome"].map({"left": "right", "right": "left"})
    board = rw.leaderboard(frame)
    other = rw.leaderboard(swapped.sample(frac=1, random_state=0))
    assert np.allclose(board.strengths, other.strengths)
    assert board.rank_low.tolist() == other.rank_low.tolist()


def test_strength_at_equal_length_is_one_argument():
    frame = battles(size=20_000, length=1.0)
    board = rw.leaderboard(frame, context=["length"])
    effect = board.effect_table().loc["length"]
    assert effect["low"] < 1.0 < effect["high"]
    assert np.diff(board.strengths) == pytest.approx(-0.4, abs=0.12)


def test_features_of_items_explain_their_strengths():
    features = pd.DataFrame({"size": np.arange(6)}, index=[f"item {k}" for k in range(6)])
    board = rw.leaderboard(battles(size=10_000), item_features=features)
    effect = board.effect_table().loc["size"]
    assert effect["low"] < -0.4 < effect["high"]
    assert np.allclose(np.diff(board.strengths), effect["effect"])


def test_probabilities_are_those_of_the_model():
    board = rw.leaderboard(battles())
    eta = board.strengths[0] - board.strengths[1]
    assert board.probability("item 0", "item 1") == pytest.approx(1 / (1 + np.exp(-eta)))
    assert board.probability("item 1", "item 0") == pytest.approx(1 / (1 + np.exp(eta)))
    assert board.tie_probability("item 0", "item 1") == 0


def test_the_comparisons_needed_would_tell_two_items_apart():
    frame = battles(size=300)
    board = rw.leaderboard(frame)
    pair = ("item 2", "item 3")
    needed = board.comparisons_needed(*pair)
    win = board.probability(*pair)
    added = pd.DataFrame(
        [(*pair, "left", needed * win), (*pair, "right", needed * (1 - win))],
        columns=["left", "right", "outcome", "n"],
    )
    after = rw.leaderboard(pd.concat([frame.assign(n=1.0), added]), counts="n").difference(*pair)
    reach = norm.isf(0.025) + norm.isf(0.2)
    assert abs(after["difference"] / after["standard_error"]) == pytest.approx(reach, rel=0.01)


def test_pairs_to_compare_next_are_open_and_bring_in_the_unknown():
    frame = pd.concat(
        [
            battles(size=200),
            pd.DataFrame({"left": ["new"], "right": ["item 0"], "outcome": ["left"]}),
        ]
    )
    pairs = rw.leaderboard(frame).next_pairs(4)
    assert pairs[0][0] == "new"
    assert len(set(pairs)) == 4


def test_the_most_telling_pair_lowers_the_variances_most():
    frame = battles(size=120).assign(n=1.0)
    board = rw.leaderboard(frame)
    first = board.next_pairs(1)[0]
    traces = {}
    for i, a in enumerate(board.items):
        for b in board.items[i + 1 :]:
            gap = board.difference(a, b)
            if abs(gap["difference"]) > norm.isf(0.025) * gap["standard_error"]:
                continue
            p = board.probability(a, b)
            i_a, i_b = board.items.index(a), board.items.index(b)
            contrast = np.eye(6)[i_a] - np.eye(6)[i_b]
            information = np.linalg.pinv(board.covariance)
            information += p * (1 - p) * np.outer(contrast, contrast)
            traces[a, b] = np.trace(np.linalg.pinv(information))
    assert min(traces, key=traces.get) == first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level=95"),
        ({"alpha": -1}, "alpha=-1"),
        ({"bootstrap": 1}, "bootstrap=1"),
        ({"model": "elo"}, "model='elo'; for these results choose from"),
        ({"cluster": [1, 2]}, "cluster of battles is a column"),
        ({"left": "lft"}, "no column 'lft'"),
        ({"context": ["size"]}, "no column 'size'"),
        ({"item_features": pd.DataFrame({"x": [1.0]}, index=["item 0"])}, "no row for 'item 1'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        rw.leaderboard(battles(), **options)


def test_unknown_items_are_refused_by_name():
    board = rw.leaderboard(battles())
    with pytest.raises(ValueError, match="there is no item 'nobody'"):
        board.probability("nobody", "item 0")
    with pytest.raises(ValueError, match="can't meet itself"):
        board.probability("item 0", "item 0")


def test_many_items_have_bonferronis_sets():
    frame = battles(n_items=501, size=20_000)
    assert rw.leaderboard(frame, alpha=1).method == "bonferroni"


def test_ties_without_a_circle_of_wins_are_halves():
    games = pd.DataFrame({"left": list("aab"), "right": list("bcc"), "outcome": ["tie"] * 3})
    board = rw.leaderboard(games)
    assert board.model == "bradley_terry"
    assert np.allclose(board.strengths, 0)
    with pytest.raises(ValueError, match="the likelihood has no maximum"):
        rw.leaderboard(games, model="davidson")


def test_a_covariate_that_decides_everything_is_refused():
    games = pd.DataFrame({"left": list("abab"), "right": list("baba"), "outcome": [1, 1, 0, 0]})
    with pytest.raises(ValueError, match="the likelihood has no maximum"):
        rw.leaderboard(games.assign(c=[1.0, 1.0, -1.0, -1.0]), context=["c"])


def test_texts_are_no_context():
    games = battles(size=50).assign(mood="good")
    with pytest.raises(ValueError, match="column 'mood' holds 'good' in row 0; give numbers"):
        rw.leaderboard(games, context=["mood"])


def test_one_cluster_has_no_errors():
    games = battles(size=200).assign(who="Ann")
    with pytest.raises(ValueError, match="all comparisons are in the cluster 'Ann'"):
        rw.leaderboard(games, cluster="who")
    assert rw.leaderboard(games.rename(columns={"who": "judge"})).errors == "model"


def test_items_that_did_the_same_share_a_rank():
    games = pd.DataFrame({"winner": list("aabcdacd"), "loser": list("bcaabdda")})
    board = rw.leaderboard(pd.concat([games, games.replace({"b": "c", "c": "b"})]))
    ranks = dict(zip(board.items, board.ranks, strict=True))
    assert ranks["b"] == ranks["c"]
