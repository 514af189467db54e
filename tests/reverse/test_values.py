import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwright as rw
from rankwright.reverse.clock import Clock
from rankwright.reverse.values import ValueFunctions, choose_functions, suggest_forms

PRICE = [60.0]


@pytest.fixture(scope="module")
def shops():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "price": rng.uniform(10, 200, 80).round(0),
            "stars": rng.integers(1, 11, 80) / 2,
            "kind": rng.integers(0, 3, 80).astype(float),
        }
    )
    cheap, dear = np.minimum(X["price"], 60), np.maximum(X["price"] - 60, 0)
    kind = np.array([0, 25, 8])[X["kind"].astype(int)]
    return X, (-cheap - 0.1 * dear + 12 * X["stars"] + kind).to_numpy()


@pytest.fixture(scope="module")
def in_pieces(shops):
    X, y = shops
    functions = {"price": PRICE, "kind": "levels"}
    return rw.RatingFormula(value_functions=functions, random_state=0).fit(X, y)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=4, unique=True),
    st.lists(st.integers(-200, 200), min_size=1, max_size=5),
)
def test_pieces_add_up_to_the_factor_inside_and_outside_the_data(knots, values):
    pieces = ValueFunctions.of({0: sorted(map(float, knots))}, [(-100.0, 100.0)], ["x"])
    X = np.array(values, dtype=float)[:, None]
    expanded = pieces.expand(X)
    np.testing.assert_array_equal(expanded.sum(axis=1) - 100, X[:, 0])
    np.testing.assert_array_equal(pieces.collapse(expanded), X)


def test_a_formula_in_pieces_reproduces_what_no_line_does(shops, in_pieces):
    X, y = shops
    linear = rw.RatingFormula(random_state=0, gap=0.03).fit(X, y)
    assert in_pieces.objective_ == 1.0
    assert in_pieces.status_ == "optimal"
    assert linear.bound_ < 1.0
    slopes = in_pieces.weights_[:2]
    assert slopes[0] < slopes[1] < 0


def test_the_ranges_of_a_fit_are_those_of_its_factors_not_of_their_pieces(shops, in_pieces):
    X, _ = shops
    np.testing.assert_allclose(in_pieces.factor_ranges_, np.c_[X.min(), X.max()])


def test_predictions_and_explanations_speak_of_the_factors(shops, in_pieces):
    X, _ = shops
    explained = in_pieces.explain("3", "7")
    scores = in_pieces.predict(X)
    assert len(explained.contributions) == X.shape[1]
    assert sum(explained.contributions) == pytest.approx(scores[3] - scores[7])


def test_the_spreadsheet_formula_computes_the_scores(shops, in_pieces):
    X, _ = shops
    text = in_pieces.to_excel_formula()[1:].replace("MIN", "min").replace("MAX", "max")
    for number in range(5):
        price, stars, kind = X.iloc[number]
        cells = {"B2": price, "C2": stars, "D2": kind, "min": min, "max": max, "ROUND": round}
        value = eval(text.replace("D2=", "D2=="), {"__builtins__": {}}, cells)
        assert value == pytest.approx(in_pieces.predict(X)[number])


def test_a_formula_in_pieces_survives_its_file(shops, in_pieces, tmp_path):
    X, _ = shops
    rw.save(in_pieces, tmp_path / "pieces.rw")
    loaded = rw.load(tmp_path / "pieces.rw")
    np.testing.assert_array_equal(loaded.predict(X), in_pieces.predict(X))


@pytest.mark.usefixtures("short_search")
def test_pieces_are_chosen_where_held_out_pairs_ask_for_them(shops):
    X, y = shops
    signs = {"price": "-", "stars": "+", "kind": "+"}
    formula = rw.RatingFormula(value_functions="piecewise", signs=signs, solver="search").fit(X, y)
    n_pieces = np.bincount(formula.value_functions_.factors)
    assert n_pieces[0] > 1
    assert n_pieces[1] == 1


def rating_of(*data):
    return rw.RatingFormula(signs="positive", solver="search", time_limit=0.1).fit(*data).rating_


def bent(seed):
    """Return products whose first factor counts up to 30 only."""
    X = np.random.default_rng(seed).integers(0, 100, (60, 2)).astype(float)
    return X, 4 * np.minimum(X[:, 0], 30) + X[:, 1]


def chosen_names(rating):
    with Clock(np.inf) as clock:
        return choose_functions(rating, np.array([1, 1]), clock).names


def test_products_that_do_not_count_have_no_say_in_the_pieces():
    (X, y), (other, _) = bent(3), bent(4)
    groups = np.repeat(["counts", "does not"], 60)
    backwards = np.r_[y, -(other @ [1.0, 5.0])]
    both = rating_of(np.vstack([X, other]), backwards, groups, groups)
    assert [name.split()[0] for name in chosen_names(both)][:2] == ["x0", "x0"]
    assert len(chosen_names(both)) == len(chosen_names(rating_of(X, y)))


def test_pieces_are_chosen_inside_groups():
    (X, y), (other, z) = bent(3), bent(4)
    groups = np.repeat([0, 1], 60)
    alike = rating_of(np.vstack([X, other]), np.r_[y, z], groups)
    other[:, 1] += 400  # worth nothing: products of two groups are not compared
    apart = rating_of(np.vstack([X, other]), np.r_[y, z], groups)
    assert [one.split()[0] for one in chosen_names(alike)].count("x0") > 1
    assert chosen_names(apart) == chosen_names(alike)


def test_knots_that_time_was_too_short_for_are_said():
    clock = Clock(60.0)
    clock.end()
    with pytest.warns(UserWarning, match="there was not enough time to try pieces"):
        functions = choose_functions(rating_of(*bent(3)), np.array([1, 1]), clock)
    assert functions.names == ["x0", "x1"]


def test_pieces_of_long_numbers_have_different_names():
    knots, levels = [1234567.5, 1234568.5], [20000001.0, 20000002.0]
    ends = [(0.0, 2e6), (levels[0], levels[1])]
    names = ValueFunctions.of({0: knots}, ends, ["price", "code"], {1: levels}).names
    assert len(set(names)) == 5
    assert "price 1234567.5 to 1234568.5" in names


def test_a_linear_rating_gets_no_pieces():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 50, (60, 3)).astype(float)
    formula = rw.RatingFormula(value_functions="piecewise", random_state=0).fit(X, X @ [3, 2, 1])
    assert formula.value_functions_.names == ["x0", "x1", "x2"]


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_noise_gets_hardly_any_pieces_or_forms(weight):
    """Pairs with a fitted product would ask for pieces in three of four such ratings."""
    n_in_pieces = n_with_forms = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.uniform(0, 10, (60, 4)).round(2)
        rating = rating_of(X, weight * X @ [5, 4, 3, 2.0] + 10 * rng.normal(size=60))
        with Clock(np.inf) as clock:
            functions = choose_functions(rating, np.ones(4, dtype=np.int64), clock)
        n_in_pieces += len(functions.names) > 4
        n_with_forms += len(suggest_forms(rating, np.ones(4, dtype=np.int64))) > 0
    assert n_in_pieces <= 3
    assert n_with_forms <= 3


@pytest.mark.usefixtures("short_search")
def test_a_logarithm_is_suggested_where_the_order_asks_for_it():
    rng = np.random.default_rng(4)
    X = np.column_stack([np.exp(rng.uniform(0, 6, 80)), rng.uniform(0, 1, 80)]).round(3)
    y = np.log(X[:, 0]) + 3 * X[:, 1]
    formula = rw.RatingFormula(solver="search", random_state=0).fit(X, y)
    assert formula.suggest_values()["form"].tolist() == ["logarithm"]


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({"cost": [3]}, "unknown factors"),
        ({"price": [500]}, "where the slope can't change"),
        ({"price": "log"}, "list knots, or 'levels'"),
        ({"price": 3}, "list the numbers"),
        ("log", "piecewise"),
    ],
)
def test_value_functions_that_are_none_are_refused(shops, functions, words):
    with pytest.raises(ValueError, match=words):
        rw.RatingFormula(value_functions=functions).fit(*shops)


def capped(n=40):
    rng = np.random.default_rng(5)
    X = rng.uniform(0, 10, (n, 3)).round(1)
    return X, np.minimum(X[:, 0], 4) * 3 + X[:, 1] + X[:, 2]


@pytest.mark.usefixtures("short_search")
def test_a_constraint_on_the_share_of_a_factor_holds_for_the_sum_of_its_pieces():
    X, y = capped()
    given = {"value_functions": {"x0": [4.0]}, "solver": "search", "signs": "positive", "top": 5}
    free = rw.RatingFormula(**given).fit(X, y)
    bound = rw.RatingFormula(**given, constraints=["share(x0) <= 20%"]).fit(X, y)
    assert free.shares_[:2].sum() > 30
    assert bound.shares_[:2].sum() <= 20 + 1e-9
    assert bound.rating_.piece_of == ["x0", "x0", "x1", "x2"]
    assert bound.objective_ < free.objective_


@pytest.mark.parametrize(
    ("constraint", "wrong"),
    [
        ("x0 <= x1", "is about weights, but a factor in pieces has several"),
        ("x1 <= 20%", "is about weights, but a factor in pieces has several"),
        ("at most 2 factors", "counts factors, but pieces of factors have weights of their own"),
    ],
)
def test_constraints_on_weights_are_refused_where_factors_have_pieces(constraint, wrong):
    X, y = capped()
    formula = rw.RatingFormula(value_functions={"x0": [4.0]}, constraints=[constraint])
    with pytest.raises(ValueError, match=wrong):
        formula.fit(X, y)


@pytest.mark.usefixtures("short_search")
def test_an_order_of_factors_without_pieces_is_kept():
    X, y = capped()
    formula = rw.RatingFormula(
        value_functions={"x0": [4.0]},
        constraints=["x2 >= 2 * x1"],
        solver="search",
        signs="positive",
    ).fit(X, y)
    weights = dict(zip(formula.rating_.factor_names, formula.weights_, strict=True))
    assert weights["x2"] >= 2 * weights["x1"] - 1e-9


@pytest.mark.usefixtures("short_search")
def test_a_missing_level_is_the_most_frequent_one():
    X = np.array([[1.0, 5], [1, 4], [1, 3], [4, 2], [4, 1], [7, 0], [np.nan, 2]])
    given = {"value_functions": {"x0": "levels"}, "missing": "impute", "solver": "search"}
    formula = rw.RatingFormula(**given, top=2).fit(X, np.arange(7))
    assert formula.medians_[0] == 1.0
    even = np.array([[1.0, 5], [1, 4], [4, 2], [4, 1], [np.nan, 2]])  # the median is no level
    formula = rw.RatingFormula(**given, top=2).fit(even, np.arange(5))
    assert formula.medians_[0] in (1.0, 4.0)
    assert set(formula.rating_.factor_names) == {"x0 = 1", "x0 = 4", "x1"}
    assert np.isfinite(formula.predict([[np.nan, 3.0]])).all()
