import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import rankwright as rw
from rankwright.leaderboards.diagnostics import three_cycles


def test_a_circle_of_three_is_a_cycle_and_an_order_is_none():
    circle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert three_cycles(csr_array(circle)) == 1
    assert three_cycles(csr_array(np.triu(np.ones((5, 5)), 1))) == 0


def test_coin_flips_make_a_quarter_of_triples_cyclic():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((60, 60)) < 0.5, 1)
    wins = upper + np.triu(~upper, 1).T.astype(int)
    assert three_cycles(csr_array(wins.astype(float))) == pytest.approx(0.25, abs=0.02)


def test_cycles_are_counted_as_by_hand():
    rng = np.random.default_rng(1)
    wins = np.triu(rng.integers(0, 3, (7, 7)), 1).astype(float)
    wins += np.triu(rng.integers(0, 3, (7, 7)), 1).T
    beats = wins > wins.T
    cycles = triples = 0
    for i in range(7):
        for j in range(i):
            for k in range(j):
                decided = all(beats[a, b] or beats[b, a] for a, b in ((i, j), (j, k), (k, i)))
                triples += decided
                around = beats[i, j] and beats[j, k] and beats[k, i]
                cycles += decided and (around or (beats[j, i] and beats[k, j] and beats[i, k]))
    assert three_cycles(csr_array(wins)) == cycles / triples


def games(counts):
    rows = [
        (a, b, outcome, n)
        for (a, b), won_lost in counts.items()
        for outcome, n in zip(("left", "right"), won_lost, strict=True)
    ]
    return pd.DataFrame(rows, columns=["left", "right", "outcome", "n"])


def test_cyclic_results_do_not_fit_and_the_note_says_so():
    board = rw.leaderboard(
        games({("a", "b"): (90, 10), ("b", "c"): (90, 10), ("c", "a"): (90, 10)})
    )
    assert board.three_cycles == 1
    assert board.misfit == pytest.approx(3 * 40**2 / 25)  # 90 of 100 where 50 are expected
    assert board.misfit_degrees == 1
    assert any("does not explain all results" in note for note in board.notes)
    assert board.misfit_pairs[0][2:] == (
        100,
        pytest.approx(90),
        pytest.approx(50),
        pytest.approx(8),
    ) or (
        board.misfit_pairs[0][2:] == (100, pytest.approx(10), pytest.approx(50), pytest.approx(-8))
    )


def test_results_as_expected_fit():
    p = 1 / (1 + np.exp(-1))
    fair = {("a", "b"): (1000 * p, 1000 * (1 - p)), ("b", "c"): (500, 500),
            ("a", "c"): (1000 * p, 1000 * (1 - p))}  # fmt: skip
    board = rw.leaderboard(games(fair))
    assert board.misfit == pytest.approx(0, abs=1e-8)
    assert board.misfit_p_value == pytest.approx(1)


def test_a_judge_who_contradicts_all_others_is_named():
    rng = np.random.default_rng(0)
    size = 2000
    left = rng.integers(6, size=size)
    right = (left + rng.integers(1, 6, size=size)) % 6
    judge = rng.choice(["Ann", "Bob", "Cy", "Dee"], size=size)
    eta = (left - right) * np.where(judge == "Cy", -1, 1)
    won = rng.random(size) < 1 / (1 + np.exp(-eta))
    table = pd.DataFrame({"left": left, "right": right, "outcome": won, "judge": judge})
    board = rw.leaderboard(table)
    assert board.errors == "clustered"
    assert [note for note in board.notes if note.startswith("Cy decided against")]
    agreement = dict(zip(board.judges, board.judge_agreement, strict=True))
    assert agreement["Cy"] < 0.4 < 0.6 < agreement["Ann"]
