from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import rankwright as rw
from rankwright.programs.exact import Basis
from rankwright.report.score_words import range_ends, score_words, words_of_scores
from rankwright.reverse import investigate
from rankwright.reverse.clock import Clock
from rankwright.reverse.scores.fitting import _unproved
from rankwright.reverse.scores.intervals import read_scores
from rankwright.reverse.scores.nearest import nearest_formula
from rankwright.reverse.scores.polytope import ScorePolytope
from rankwright.reverse.scores.readings import Reading
from rankwright.reverse.scores.violations import (
    _has_multipliers,
    _least_from,
    find_contradictions,
    least_violation,
    missed_by,
)
from rankwright.reverse.whole_numbers import read_whole


def polytope_of(X, y, known=None):
    factors = read_whole(np.asarray(X, dtype=float))
    n, d = factors.whole.shape
    known = np.zeros((0, d + 1), dtype=np.int64) if known is None else known
    design = np.column_stack([factors.whole, np.ones(n, dtype=np.int64)])
    zeros = np.zeros(d + 1, dtype=np.int64)
    intervals = read_scores(np.asarray(y, dtype=float), 1.0)
    return ScorePolytope(design, zeros, intervals, known, np.ones(n, dtype=bool))


def corners_of(polytope):
    """Return every point in space where independent limits hold with equality, inside or not."""
    m = len(polytope.scale)
    found = []
    for rows in combinations(range(len(polytope.rows)), m):
        chosen = polytope.rows[list(rows)]
        if round(np.linalg.det(chosen.astype(float))):
            found.append(Basis(chosen, [polytope.lower[r] for r in rows], ()).x)
    return found


def published(draw_X, weights, intercept):
    """Return scores, rounded down."""
    return [
        float(
            (
                sum(Fraction(w) * x for w, x in zip(weights, row, strict=True))
                + intercept
                + Fraction(1, 2)
            )
            // 1
        )
        for row in draw_X
    ]


rows_of_two = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=6)
quarters = st.integers(-8, 8).map(lambda k: Fraction(k, 4))


@settings(max_examples=60, deadline=None)
@given(rows_of_two, quarters, quarters, quarters)
def test_true_weights_lie_in_the_ranges_which_equal_all_corners(X, a, b, intercept):
    y = published(X, (a, b), intercept + Fraction(1, 2))
    if len(set(y)) < 2:
        return
    polytope = polytope_of(X, y)
    inside = [x for x in corners_of(polytope) if min(polytope.excess(x)) >= 0]
    for j, true in enumerate((a, b)):
        costs = [Fraction(int(k == j)) for k in range(3)]
        step = read_whole(np.array(X, dtype=float)).steps[j]
        for sign in (1, -1):
            found = polytope.least([sign * c for c in costs])
            if found.objective is None:
                continue
            # Weights of whole factors, in half steps of the score.
            assert found.objective <= sign * 2 * true * step
            if not polytope.loose:
                assert found.objective == min(sign * x[j] for x in inside)


@settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    rows_of_two.filter(lambda rows: len(rows) < 6),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
)
def test_the_fewest_and_the_smallest_violations_equal_enumeration(X, scores):
    y = scores[: len(X)]
    polytope = polytope_of(X, y)
    if polytope.loose or polytope.tightest().excess <= 0:
        return
    n = len(X)
    least = least_violation(polytope, 10.0)
    totals = {tuple(x): missed_by(polytope, x).total for x in corners_of(polytope)}
    smallest = min(totals.values())
    for x, total in totals.items():
        assert _has_multipliers(polytope, list(x)) == (total == smallest)
    # Where several corners are optimal, floating point may lead to none that has multipliers.
    assert least.total == smallest if least.is_proved else least.total >= smallest
    with Clock(600.0) as clock:
        found = find_contradictions(polytope, least.products, clock)
    fewest = min(
        sum(left_out)
        for left_out in product([0, 1], repeat=n)
        if sum(left_out) == n
        or polytope.without(np.flatnonzero(left_out).tolist()).tightest().excess <= 0
    )
    assert (len(found.products), found.at_least) == (fewest, fewest)
    assert fewest == n or polytope.without(found.products).tightest().excess <= 0


@pytest.mark.parametrize("decimals", [0, 1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_weights_of_rounded_scores_come_out_as_written(decimals, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 100, (150, 5)).round(1)
    weights = np.array([0.4, 0.25, 0.2, 0.1, -0.05])
    formula = rw.RatingFormula(objective="scores").fit(X, (X @ weights).round(decimals))
    np.testing.assert_array_equal(formula.weights_, weights)
    assert formula.intercept_ == 0
    assert formula.score_fit_.reproduces_everything
    assert (formula.score_fit_.low <= weights).all()
    assert (formula.score_fit_.high >= weights).all()


@pytest.fixture(scope="module")
def tampered():
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 10, (60, 3)).round(2)
    y = (X @ [3.0, 2.0, 1.0] + 7).round(0)
    y[[4, 40]] += [9, -6]
    return rw.RatingFormula(objective="scores").fit(X, y), X, y


def test_rows_that_contradict_the_rest_are_named(tampered):
    formula, _, _ = tampered
    assert formula.contradictions()["product"].tolist() == ["4", "40"]
    assert formula.score_fit_.is_fewest
    assert formula.score_fit_.total_is_proved
    np.testing.assert_array_equal(formula.weights_, [3, 2, 1])
    assert formula.intercept_ == 7


def test_all_other_scores_are_reproduced_as_rounded(tampered):
    formula, X, y = tampered
    others = np.setdiff1d(np.arange(60), [4, 40])
    assert (np.abs(formula.predict(X) - y)[others] <= 0.5).all()
    assert "3*B2+2*C2+1*D2+7" in formula.to_excel_formula()


def test_a_formula_of_scores_survives_its_file(tampered, tmp_path):
    formula, X, _ = tampered
    rw.save(formula, tmp_path / "scores.rw")
    loaded = rw.load(tmp_path / "scores.rw")
    np.testing.assert_array_equal(loaded.predict(X), formula.predict(X))
    assert loaded.contradictions().equals(formula.contradictions())


def test_ranges_of_shares_and_positions_contain_other_formulas_of_the_scores(tampered):
    formula, X, y = tampered
    others = np.setdiff1d(np.arange(60), [4, 40])
    weights = np.array([3.00001, 1.99999, 1.0])
    assert (np.abs(X @ weights + 7 - y)[others] <= 0.5).all()
    shares = 100 * weights * np.ptp(X, axis=0) / (weights * np.ptp(X, axis=0)).sum()
    ranges = formula.weight_ranges()
    assert (ranges["outer_low"] <= shares).all()
    assert (ranges["outer_high"] >= shares).all()
    places = rw.positions(X @ weights)
    reach = formula.rank_ranges(X)
    assert (reach["best"] <= places).all()
    assert (reach["worst"] >= places).all()
    matrix, limits = formula.weight_polytope()
    assert (matrix @ weights <= limits).all()


def test_scores_that_were_clipped_are_read_so():
    rng = np.random.default_rng(3)
    X = rng.uniform(0, 10, (80, 2)).round(1)
    y = np.minimum((X @ [6.0, 5.0]).round(0), 90)
    fit = rw.RatingFormula(objective="scores").fit(X, y).score_fit_
    assert fit.clipped_high
    assert not fit.clipped_low
    assert fit.exact_weights == ["6", "5"]
    assert fit.reproduces_everything


def test_factors_that_were_rounded_are_read_so():
    rng = np.random.default_rng(5)
    X = rng.uniform(0, 10, (150, 3))
    formula = rw.RatingFormula(objective="scores").fit(X.round(2), (X @ [0.5, 0.3, 0.2]).round(2))
    assert formula.score_fit_.rounded_factors
    np.testing.assert_array_equal(formula.weights_, [0.5, 0.3, 0.2])


def test_dependent_factors_have_no_limits_and_the_others_keep_theirs():
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 50, (2, 40)).astype(float)
    X = np.column_stack([one, 50 - one, other])
    fit = rw.RatingFormula(objective="scores").fit(X, one + 2 * other).score_fit_
    assert np.isinf(fit.low).tolist() == [True, True, False]
    assert fit.low[2] <= 2 <= fit.high[2]
    assert fit.reproduces_everything


def test_given_signs_hold_for_scores():
    X = np.array([[0, 0], [1, 4], [2, 3], [3, 9], [5, 5.0]])
    y = X @ [2.0, -1.0]
    formula = rw.RatingFormula(objective="scores", signs="positive").fit(X, y)
    assert (formula.weights_ >= 0).all()
    assert not formula.score_fit_.reproduces_everything


def test_a_step_that_is_not_the_scores_own_is_refused():
    with pytest.raises(ValueError, match=r"published score 1\.2 is not a multiple"):
        rw.RatingFormula(objective="scores", score_step=0.5).fit([[1], [2], [3]], [1.2, 2.0, 3.0])


def test_suspects_of_whom_one_would_do_are_found_out():
    """Twins with two scores: either may be left out, so that none contradicts the rest alone."""
    X, printed = np.array([[0, 1], [0, 2], [0, 3], [1, 0], [1, 0]]), np.array([1, 2, 3, 5, 9])
    with Clock(600.0) as clock:
        found = find_contradictions(polytope_of(X, printed), [3, 4], clock)
    assert found.at_least == len(found.products) == 1
    assert set(found.products) <= {3, 4}


def test_a_corner_without_the_known_signs_is_no_formula():
    X, printed = np.array([[1], [2], [4]]), np.array([9, 5, 0])
    polytope = polytope_of(X, printed, known=np.array([[1, 0]]))
    corner = Basis(polytope.kept_rows, polytope.lower, [0, 1])  # falls from score to score
    assert corner.x[0] < 0
    assert _least_from(polytope, corner) is None


def test_a_least_sum_that_is_not_proved_is_not_called_the_least(tampered):
    fit = tampered[0].score_fit_
    assert "has is" in " ".join(score_words(fit))
    said = " ".join(score_words(replace(fit, total_is_proved=False)))
    assert "has is" not in said
    assert "has less is not proved" in said


def test_contradictions_without_scores_are_refused():
    formula = rw.RatingFormula(top=1).fit([[1], [2]], [1, 2])
    with pytest.raises(ValueError, match="does not look at scores"):
        formula.contradictions()


def test_an_investigation_of_scores_names_the_contradictions(tampered):
    _, X, y = tampered
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(score=y)
    frame["name"] = [f"p{i}" for i in range(60)]
    table = rw.read_table(frame, item="name", target="score", target_is="score")
    found = rw.investigate(table, rw.RatingFormula(objective="scores"))
    assert found.contradictions["product"].tolist() == ["p4", "p40"]
    assert found.suspects is None
    assert not found.left_out
    assert found.unit == "percent"  # and so are the ranges beside it
    shares, ranges = found.weights["percent"].abs(), found.weight_ranges
    assert ranges["share"].tolist() == pytest.approx(shares.tolist())
    assert (ranges["outer_low"] <= shares).all()
    assert (shares <= ranges["outer_high"]).all()


def test_scores_that_no_line_explains_are_told_so():
    rng = np.random.default_rng(8)
    X = rng.uniform(0, 10, (50, 2)).round(1)
    y = (X[:, 0] * X[:, 1]).round(2)
    formula = rw.RatingFormula(objective="scores", time_limit=20).fit(X, y)
    fit = formula.score_fit_
    assert len(fit.contradicted) > 25
    assert np.isinf(fit.low).all()
    assert score_words(fit)[0].startswith("NO LINEAR FORMULA EXPLAINS THESE SCORES")
    residuals = np.abs(formula.predict(X) - y)
    assert (np.flatnonzero(residuals > 0.0051) == np.sort(fit.contradicted)).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_least_sum_of_misses_is_proved_and_that_of_a_linear_program(seed):
    rng = np.random.default_rng(seed)
    X, wrong = rng.normal(size=(24, 2)).round(3), rng.random(24) < 0.3
    y = np.round(X @ [0.7, 1.3] + 3.0 * wrong * rng.normal(size=24), 2)
    fit = rw.RatingFormula("scores", score_step=0.01, signs="free").fit(X, y).score_fit_
    assert [fit.clipped_low, fit.clipped_high, fit.rounded_factors] == [False] * 3
    rows, own = np.column_stack([X, np.ones(24)]), np.eye(24)
    least = linprog(
        np.r_[np.zeros(3), np.ones(24)],
        A_ub=np.block([[rows, -own], [-rows, -own]]),
        b_ub=np.r_[y + 0.005, 0.005 - y],
        bounds=[(None, None)] * 3 + [(0, None)] * 24,
    )
    assert fit.total_is_proved
    assert fit.total == pytest.approx(least.fun, abs=1e-6)


def computed(n=30):
    """Return parts with thirds in them, and their mean, all with the digits of a computer."""
    rng = np.random.default_rng(5)
    X = np.column_stack(
        [rng.integers(0, 300, n) / 3, rng.integers(0, 700, n) / 7, np.full(n, 100.0)]
    )
    X[: n // 2, 2] = 40.0
    return X, X.mean(axis=1)


def test_a_mean_with_all_digits_of_a_computer_is_reproduced_without_rounding_its_parts():
    X, y = computed()
    fit = rw.RatingFormula(objective="scores", time_limit=20, random_state=0).fit(X, y).score_fit_
    assert fit.reproduces_everything
    assert not fit.rounded_factors
    assert (fit.high - fit.low < 1e-7).all()


@pytest.mark.parametrize(
    ("y", "step"),
    [([14, 8, 2], "1"), ([14, 8, 3], "1"), ([20, 40], "10"), ([15, 40], "5"), ([0.6, 1.2], "1/10"),
     ([7.25, 0.5], "1/4")],
)  # fmt: skip
def test_scores_are_read_with_a_step_that_people_round_to(y, step):
    found = read_scores(np.array(y, dtype=float), None)
    assert found.step == Fraction(step)
    np.testing.assert_allclose(found.printed * float(found.step), y)


def test_points_that_a_formula_ties_as_published_are_not_said_to_be_ordered():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 6, (40, 3))
    formula = rw.RatingFormula(objective="scores", time_limit=20, random_state=0)
    exact = formula.fit(X, X.sum(axis=1).astype(float)).score_fit_
    assert exact.n_tied == 0
    assert "share a published score" not in " ".join(score_words(exact))
    weights = np.array([0.4, 0.3, 0.2])
    rounded = formula.fit(X, np.round(X @ weights)).score_fit_
    own = np.array([float(w) for w in rounded.own_weights])
    scores, y = np.round(X @ own, 9), np.round(X @ weights)
    pairs = combinations(range(len(y)), 2)
    assert rounded.n_tied == sum(y[i] == y[k] and scores[i] != scores[k] for i, k in pairs)


def test_factors_that_follow_from_each_other_are_named_where_weights_have_no_limit():
    X = np.random.default_rng(2).integers(0, 9, (25, 2))
    frame = pd.DataFrame(X, columns=["wins", "draws"]).assign(games=X.sum(axis=1))
    frame["points"] = 3 * frame["wins"] + frame["draws"]
    frame["name"] = [f"team {i}" for i in range(25)]
    table = rw.read_table(frame, item="name", target="points", target_is="score")
    formula = rw.RatingFormula(objective="scores", time_limit=20, random_state=0)
    found = investigate(table, formula, checks=False)
    said = " ".join(words_of_scores(found))
    assert "wins, draws and games follow from each other" in said
    assert "--exclude wins gives the others theirs" in said
    assert range_ends(-np.inf, np.inf) == ("no limit", "no limit")


def test_scores_of_rounded_parts_are_explained_though_the_time_is_up():
    rng = np.random.default_rng(4)
    true = rng.uniform(6, 9, (300, 6))
    X, y = true.round(1), true.sum(axis=1).round(1)
    reading = Reading(read_whole(X), read_scores(y, None), np.zeros((0, 6), dtype=np.int64))
    as_printed, as_rounded = reading, reading.with_rounded_factors(np.ones(6, dtype=np.int64))
    assert len(_unproved(as_printed).suspects) > 100 > 5 > len(_unproved(as_rounded).suspects)


def test_a_formula_that_misses_most_scores_is_said_to_be_none_only_where_that_is_proved():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 50, (30, 2)), rng.integers(0, 1000, 30).astype(float)
    fit = rw.RatingFormula(objective="scores", time_limit=20, random_state=0).fit(X, y).score_fit_
    proved, found = (
        score_words(replace(fit, total_is_proved=is_proved))[0] for is_proved in (True, False)
    )
    assert proved.startswith("NO LINEAR FORMULA EXPLAINS THESE SCORES")
    assert found.startswith("NO LINEAR FORMULA WAS FOUND THAT EXPLAINS THESE SCORES")


@pytest.fixture
def no_time(monkeypatch):
    """Let every exact program end because the time is up."""

    def interrupt(polytope):
        if polytope.stop is None:
            return tightest(polytope)
        raise InterruptedError

    tightest = ScorePolytope.tightest
    monkeypatch.setattr(ScorePolytope, "tightest", interrupt)


def some_far_off(n=400):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 3)).round(2)
    y = (X @ [1.5, -0.5, 2.0] + 4).round(1)
    y[: n // 10] += 7
    return X, y


def test_scores_far_off_do_not_draw_the_nearest_formula_away():
    X, y = some_far_off()
    polytope = polytope_of(X, 10 * y)
    missed = set(missed_by(polytope, nearest_formula(polytope)).products)
    assert set(range(40)) <= missed
    assert len(missed) < 80


def test_the_nearest_formula_has_the_signs_that_are_known():
    X, y = some_far_off()
    known = np.column_stack([np.eye(3, dtype=np.int64), np.zeros(3, dtype=np.int64)])
    polytope = polytope_of(X, 10 * y, known)
    x = nearest_formula(polytope)
    assert x[1] == 0
    assert min(x[:3]) >= 0
    assert (polytope.whole_excess(x)[0][polytope.n_limits :] >= 0).all()


@pytest.mark.parametrize(
    "known",
    [
        [[1, -1, 0, 0], [0, 1, 0, 0]],  # the first is at least the second, which is not negative
        [[1, 1, -1, 0], [0, 1, 0, 0], [0, -1, 0, 0]],  # the sum is at least the third; an equation
        [[1, -1, -1, 0], [-1, 1, 1, 0], [-2, 0, 1, 0], [0, 3, 1, 0]],
    ],
)
def test_the_nearest_formula_has_all_that_is_known_exactly(known):
    X, y = some_far_off()
    known = np.array(known)
    x = nearest_formula(polytope_of(X, 10 * y, known))
    assert any(x)
    assert all(sum(int(k) * v for k, v in zip(row, x, strict=True)) >= 0 for row in known)


@pytest.mark.parametrize("require", [["x0 >= x1"], ["x0 >= x1", "x1 = x2"]])
def test_without_time_orders_of_importance_hold_exactly(no_time, require):
    X, y = some_far_off()
    formula = rw.RatingFormula("scores", constraints=require).fit(X, y)
    weights = [abs(Fraction(w)) for w in formula.score_fit_.exact_weights]
    assert weights[0] >= weights[1]
    assert len(require) == 1 or weights[1] == weights[2]
    assert formula.score_fit_.at_least == 0


def test_without_time_a_formula_near_the_scores_is_returned_and_nothing_is_called_proved(no_time):
    X, y = some_far_off()
    fit = rw.RatingFormula("scores", signs="free").fit(X, y).score_fit_
    assert 40 <= len(fit.contradicted) < 80
    assert not fit.at_least
    assert not fit.total_is_proved
    said = " ".join(score_words(fit))
    assert "fewer would do is not excluded" in said
    assert ": proved" not in said


def test_without_time_scores_of_no_formula_are_not_said_to_have_none(no_time):
    X = np.random.default_rng(8).uniform(0, 10, (50, 2)).round(1)
    fit = rw.RatingFormula("scores").fit(X, (X[:, 0] * X[:, 1]).round(2)).score_fit_
    assert len(fit.contradicted) > 25
    assert score_words(fit)[0].startswith("THE TIME LIMIT ENDED THE SEARCH")


def test_without_time_constraints_hold_all_the_same(no_time):
    X, y = some_far_off(60)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    formula = rw.RatingFormula("scores", constraints=["a >= c"], signs="positive").fit(frame, y)
    a, b, c = formula.weights_
    assert a * np.ptp(X[:, 0]) >= c * np.ptp(X[:, 2]) - 1e-9
    assert min(a, b, c) >= 0


def test_without_time_an_equation_holds_with_the_signs_that_the_scores_suggest(no_time):
    X, y = some_far_off()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    formula = rw.RatingFormula("scores", constraints=["a >= b", "a = c"]).fit(frame, y)
    a, b, c = map(Fraction, formula.score_fit_.exact_weights)
    assert a == c
    assert a > -b > 0
    assert formula.score_fit_.at_least == 0


@pytest.mark.parametrize(
    ("last", "proof"),
    [([4.0, 1.0], "a formula that reproduces"), ([1.0, 2.0], "products with equal factors")],
)
def test_the_proof_speaks_of_equal_factors_only_where_there_are_some(last, proof):
    X = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 5.0], [0.0, 1.0], last])
    y = X @ [2.0, 1.0]
    y[-1] += 1.0 if proof.startswith("products") else 0.0
    formula = rw.RatingFormula(objective="scores", top=2).fit(X, y)
    assert formula.certificate().proof.startswith(proof)
