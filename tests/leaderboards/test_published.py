"""Strengths and standard errors as printed in the literature; the data are typed in."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.leaderboards.ballots import read_ballots
from rankwright.leaderboards.critical import MaxT
from rankwright.leaderboards.rank_sets import differences, marginal_sets, simultaneous_sets
from rankwright.leaderboards.ranking_model import RankingModel
from rankwright.leaderboards.solver import Problem, maximize

# R. R. Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison
# experiments, JASA 65 (1970): brands of chocolate pudding i and j; preferred i, preferred j, ties.
PUDDINGS = [
    (1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13),
    (2, 4, 23, 19, 9), (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12),
    (3, 5, 16, 15, 17), (4, 5, 17, 14, 16), (1, 6, 18, 21, 12), (2, 6, 22, 20, 12),
    (3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12),
]  # fmt: skip

# A. Agresti, Categorical Data Analysis, 2nd edition (2002), page 438: American League, Eastern
# Division, 1987. Games won and lost at home (rows) against the others, in the order of TEAMS.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
AT_HOME = [
    [None, (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), None, (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), None, (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), None, (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), None, (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), None, (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), None],
]
# Who finished the 36 NASCAR races of 2002, best first: numbers of drivers in the order that the R
# package PlackettLuce gives them (nascar), which is that of D. R. Hunter's file.
NASCAR = Path(__file__).parent / "nascar_2002.csv"
# Mathematics in PISA 2018 (OECD): mean scores of 37 countries and their standard errors, as the R
# package csranks has them (pisa), and the 95% rank sets of its example (R=1000), read off its two
# figures of June 2020: for each country by itself, and for all at once.
PISA = Path(__file__).parent / "pisa_2018.csv"


def puddings() -> pd.DataFrame:
    rows = [
        (i, j, outcome, count)
        for i, j, *counts in PUDDINGS
        for outcome, count in zip(("left", "right", "tie"), counts, strict=True)
    ]
    return pd.DataFrame(rows, columns=["left", "right", "outcome", "count"])


def baseball() -> pd.DataFrame:
    rows = [
        (home, away, winner, games)
        for home, row in zip(TEAMS, AT_HOME, strict=True)
        for away, won_and_lost in zip(TEAMS, row, strict=True)
        if won_and_lost is not None
        for winner, games in zip((home, away), won_and_lost, strict=True)
    ]
    return pd.DataFrame(rows, columns=["home", "away", "winner", "games"])


def relative_to(board: rw.Leaderboard, reference: object) -> dict[object, tuple[float, float]]:
    others = [item for item in board.items if item != reference]
    found = {item: board.difference(item, reference) for item in others}
    return {
        item: (round(d["difference"], 4), round(d["standard_error"], 4))
        for item, d in found.items()
    }


def test_davidsons_worths_of_puddings_and_his_tie_parameter():
    board = rw.leaderboard(puddings())
    worth = np.exp(board.strengths) / np.exp(board.strengths).sum()
    assert worth.round(3).tolist() == [0.139, 0.173, 0.162, 0.165, 0.159, 0.202]
    assert np.exp(board.effects[0]).round(3) == 0.747


def test_standard_errors_of_puddings_as_printed_for_plackett_luce_in_r():
    # H. Turner et al., Modelling rankings in R: the PlackettLuce package (2020), section 3.1; the
    # estimates there are after 7 iterations, ours at the maximum differ in the fourth digit.
    board = rw.leaderboard(puddings())
    found = relative_to(board, 1)
    assert [error for _, error in found.values()] == [0.1872, 0.1935, 0.1882, 0.1927, 0.1924]
    estimates = [estimate for estimate, _ in found.values()]
    assert np.allclose(estimates, [0.2202, 0.1530, 0.1753, 0.1339, 0.3771], atol=2e-4)
    assert board.effect_errors.round(4).tolist() == [0.0825]


def test_quasi_standard_errors_of_puddings_as_printed_for_qvcalc():
    quasi = rw.leaderboard(puddings()).quasi_standard_errors()
    printed = [0.1328950, 0.1327373, 0.1395740, 0.1330240, 0.1399253, 0.1392047]
    assert np.allclose(quasi, printed, atol=5e-7)


def test_pairs_as_rankings_give_the_pairs_strengths():
    orders, counts = [], []
    for i, j, won, lost, tied in PUDDINGS:
        orders += [[i, j], [j, i], [[i, j]]]
        counts += [won, lost, tied]
    repeated = [order for order, n in zip(orders, counts, strict=True) for _ in range(n)]
    by_rankings, by_pairs = rw.leaderboard(repeated), rw.leaderboard(puddings())
    assert np.allclose(by_rankings.strengths, by_pairs.strengths, atol=1e-9)
    assert np.allclose(by_rankings.covariance, by_pairs.covariance, atol=1e-9)
    assert np.allclose(by_rankings.effects, by_pairs.effects, atol=1e-9)


def test_agrestis_baseball_teams_without_home_advantage():
    # Table 10.11, third column, to its two digits; the other digits and the standard errors are
    # those of H. Turner and D. Firth, Bradley-Terry models in R: the BradleyTerry2 package, Journal
    # of Statistical Software 48 (2012), whose table of games is the one above.
    board = rw.leaderboard(baseball(), counts="games")
    assert relative_to(board, "Baltimore") == {
        "Boston": (1.1077, 0.3339),
        "Cleveland": (0.6839, 0.3319),
        "Detroit": (1.4364, 0.3396),
        "Milwaukee": (1.5814, 0.3433),
        "New York": (1.2476, 0.3359),
        "Toronto": (1.2945, 0.3367),
    }


def test_agrestis_baseball_teams_with_home_advantage():
    # Table 10.11, fifth column, and the home advantage 0.302 of section 10.6.3.
    board = rw.leaderboard(baseball(), counts="games", side_advantage=True)
    worth = np.exp(board.strengths) / np.exp(board.strengths).sum()
    printed = [0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220]
    assert np.sort(worth).round(3).tolist() == printed
    assert board.effect_table().round(4).loc[
        "left side", ["effect", "standard_error"]
    ].tolist() == [
        0.3023,
        0.1309,
    ]


def test_pseudo_comparisons_as_in_plackett_luce_in_r():
    # The toy rankings of section 3.3; half a win and half a loss are one pseudo-comparison.
    orders = [["A", "B"], ["C", "A"], ["A", "D"], ["B", "A"], ["B", "C"]]
    board = rw.leaderboard(orders, alpha=1)
    relative = board.strengths - board.strengths[0]
    assert np.allclose(relative, [0, 0.5184185, 0.1354707, -1.1537565], atol=5e-7)
    without_d = rw.leaderboard(orders)
    assert round(without_d.difference("B", "A")["difference"], 4) == 0.8392
    assert round(without_d.difference("B", "A")["standard_error"], 4) == 1.3596
    assert round(without_d.difference("C", "A")["standard_error"], 4) == 1.5973


@pytest.fixture(scope="module")
def races():
    return [[int(driver) for driver in row.split(",")] for row in NASCAR.read_text().split()]


JONES, PRUETT, MARTIN, MARCIS, TRICKLE, VARDE = 58, 68, 51, 15, 17, 40
LAST_IN_ALL_RACES = (84, 85, 86, 87)


def relative_to_cameron(board: rw.Leaderboard) -> dict[object, float]:
    relative = board.strengths - board.strengths[board.items.index(1)]
    return dict(zip(board.items, relative.round(2).tolist(), strict=True))


def test_hunters_nascar_drivers(races):
    # D. R. Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32
    # (2004), table 2: log-strengths relative to A. Cameron (driver 1).
    kept = [[driver for driver in race if driver not in LAST_IN_ALL_RACES] for race in races]
    found = relative_to_cameron(rw.leaderboard(kept))
    printed = {JONES: 4.15, PRUETT: 3.62, MARTIN: 2.08, MARCIS: 0.03, TRICKLE: -0.31, VARDE: -0.15}
    assert {driver: found[driver] for driver in printed} == printed


def test_drivers_who_came_last_in_all_races_have_no_lower_limit(races):
    board = rw.leaderboard(races)
    strengths = dict(zip(board.items, board.strengths, strict=True))
    assert [strengths[driver] for driver in LAST_IN_ALL_RACES] == [-np.inf] * 4


def test_nascar_drivers_with_pseudo_comparisons_as_in_plackett_luce_in_r(races):
    # The same package's overview, where half a win and half a loss are added to each driver.
    found = relative_to_cameron(rw.leaderboard(races, alpha=1))
    printed = {JONES: 3.20, PRUETT: 2.77, MARTIN: 1.91, MARCIS: 0.02, TRICKLE: -0.38, VARDE: -0.12}
    assert {driver: found[driver] for driver in printed} == printed


def test_standard_errors_of_nascar_drivers_as_in_plackett_luce_in_r(races):
    # The same overview's summary of the four who came last. Its errors leave out what the
    # pseudo-comparisons tell, ours do not: so they are taken from the likelihood alone.
    ballots = read_ballots(races)
    model, weights = RankingModel(ballots), ballots.weights.total
    strengths = maximize(Problem(model, alpha=1.0), weights).coordinates
    inverse = np.linalg.pinv(model.curvature(strengths, weights).hessian)
    last = np.array(LAST_IN_ALL_RACES) - 1
    printed = [-2.171065, -1.744754, -1.590764, -1.768629]
    assert np.allclose(strengths[last] - strengths[0], printed, atol=5e-7)
    variances = np.diag(inverse)[last] + inverse[0, 0] - 2 * inverse[0, last]
    assert np.allclose(np.sqrt(variances), [1.812994, 1.855365, 1.881708, 1.904871], atol=5e-7)


def test_rank_sets_of_countries_in_pisa_as_in_csranks():
    # A quantile of their thousand draws is that of a level 0.95 ± 0.02 (three standard errors), so
    # the sets of the figures lie between those of many draws at the two ends.
    table = pd.read_csv(PISA)
    errors, scores = table["standard_error"].to_numpy(), table["score"].to_numpy()
    studentised, inverse = differences(scores, np.diag(errors**2))
    draws = errors[:, None] * np.random.default_rng(0).standard_normal((len(table), 20_000))
    for find, low, high in (
        (marginal_sets, table["low"], table["high"]),
        (simultaneous_sets, table["all_low"], table["all_high"]),
    ):
        narrow, wide = (
            find(studentised, MaxT(draws, inverse, np.inf, level, np.zeros_like(studentised)))
            for level in (0.93, 0.97)
        )
        assert (wide.low <= low).all()
        assert (low <= narrow.low).all()
        assert (narrow.high <= high).all()
        assert (high <= wide.high).all()
