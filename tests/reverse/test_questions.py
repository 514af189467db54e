from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rankwright.datasets import make_product_ratings
from rankwright.kernels.rating.statistic import objective_value
from rankwright.metrics import Measures, top_auc
from rankwright.reverse import RatingFormula, questions
from rankwright.reverse.bound import cells_within
from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.problem.statistic import exact_places
from rankwright.reverse.questions.audit import count_lost, lost_to
from rankwright.reverse.questions.chance import ChanceCheck, log_chance_bound
from rankwright.reverse.questions.good_formulas import find_good_formulas
from rankwright.reverse.questions.summary import chance_words, held_out_words
from rankwright.reverse.solve import FitOptions, solve
from rankwright.reverse.whole_numbers import as_whole
from tiny_ratings import make_problem, tiny_ratings

TRUTH = np.array([0.5, 0.3, 0.2])


def exact_rating(n=40, seed=0):
    """Products that a formula rates without rounding or noise."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 30, size=(n, 3)).astype(float), columns=["a", "b", "c"])
    return X.set_index(pd.Index([f"p{i}" for i in range(n)])), X.to_numpy() @ TRUTH


@pytest.fixture(scope="module")
def separable():
    X, y = exact_rating()
    return X, y, RatingFormula(top=10, signs="positive", random_state=0).fit(X, y)


@pytest.fixture(scope="module")
def rounded():
    data = make_product_ratings(
        40, n_factors=3, n_subcategories=1, rounding=0.5, exact_share=0, noise=0, random_state=0
    )
    return data.X, data.y, RatingFormula(top=10, random_state=0).fit(data.X, data.y)


def shares(X, weights):
    spans = weights * np.ptp(X.to_numpy(), axis=0)
    return 100 * spans / spans.sum()


def test_the_true_weights_lie_inside_the_ranges_of_a_separable_rating(separable):
    X, _, formula = separable
    ranges = formula.weight_ranges()
    truth = shares(X, TRUTH)
    assert formula.status_ == "optimal"
    assert (ranges["outer_low"] <= truth).all()
    assert (truth <= ranges["outer_high"]).all()
    assert ((ranges["outer_high"] - ranges["outer_low"]) < 10).all()


def test_the_true_weights_and_the_formula_lie_inside_the_polytope(separable):
    X, _, formula = separable
    matrix, limits = formula.weight_polytope()
    scale = (formula.weights_ * np.ptp(X.to_numpy(), axis=0)).sum()
    truth = TRUTH * scale / (TRUTH * np.ptp(X.to_numpy(), axis=0)).sum()
    for weights in (truth, formula.weights_):
        assert (matrix @ weights <= limits + 1e-6).all()
    assert (matrix @ (2 * truth) > limits).any()
    assert (matrix @ truth[::-1] > limits).any()


def test_every_equally_good_formula_lies_inside_the_outer_ranges(rounded):
    X, y, formula = rounded
    ranges = formula.weight_ranges()
    rng = np.random.default_rng(0)
    steps = rng.normal(scale=0.003, size=(2000, 3)) * formula.weights_.max()
    good = [
        w
        for w in np.maximum(formula.weights_ + steps, 0)
        if top_auc(y, X.to_numpy() @ w, top=10, emphasis=9.0) >= formula.objective_ - 1e-12
    ]
    assert len(good) > 10
    for w in good:
        assert (shares(X, w) >= ranges["outer_low"] - 1e-9).all()
        assert (shares(X, w) <= ranges["outer_high"] + 1e-9).all()


def test_inner_ranges_lie_inside_outer_ones_and_slack_widens_both(rounded):
    _, _, formula = rounded
    tight, wide = formula.weight_ranges(), formula.weight_ranges(slack=0.005)
    for ranges in (tight, wide):
        assert (ranges["outer_low"] <= ranges["inner_low"] + 1e-6).all()
        assert (ranges["inner_high"] <= ranges["outer_high"] + 1e-6).all()
    assert (wide["outer_low"] <= tight["outer_low"] + 1e-9).all()
    assert (wide["outer_high"] >= tight["outer_high"] - 1e-9).all()


def test_a_reproduced_order_leaves_every_product_at_its_place(separable):
    X, _, formula = separable
    ranges = formula.rank_ranges(X.iloc[:12])
    assert (ranges["best"] <= ranges["position"]).all()
    assert (ranges["worst"] >= ranges["position"]).all()
    assert ranges.index.tolist() == X.index[:12].tolist()


def test_rank_ranges_contain_the_ranks_of_other_good_formulas(rounded):
    X, _, formula = rounded
    ranges = formula.rank_ranges(X, slack=0.002)
    position = formula.rank(X)
    assert (ranges["best"] <= np.ceil(position)).all()
    assert (ranges["worst"] >= np.floor(position) - 0.5).all()
    assert (ranges["best"] < ranges["worst"]).any()


def test_rank_ranges_take_medians_for_missing_factors(rounded):
    X, y, _ = rounded
    holed = X.copy()
    holed.iloc[3, 1] = np.nan
    formula = RatingFormula(top=10, missing="impute", random_state=0).fit(holed, y)
    filled = holed.fillna(dict(zip(X, formula.medians_, strict=True)))
    pd.testing.assert_frame_equal(formula.rank_ranges(holed), formula.rank_ranges(filled))


def test_audit_finds_planted_errors():
    precision, recall = [], []
    for seed in range(3):
        X, y = exact_rating(seed=seed)
        rng = np.random.default_rng(seed)
        wrong = rng.choice(len(y), size=3, replace=False)
        y[wrong] += np.where(y[wrong] > np.median(y), -8, 8)
        formula = RatingFormula(top=10, signs="positive", random_state=0).fit(X, y)
        table = formula.audit(most=12)
        found = set(table["product"][:3]) & {f"p{i}" for i in wrong}
        precision.append(len(found) / 3)
        recall.append(len(found) / len(wrong))
        assert table["rise_without"].is_monotonic_decreasing
    assert np.mean(precision) >= 0.75
    assert np.mean(recall) >= 0.75


def one_wrong_rank():
    """A formula's rating but for its fourth product, which is published last."""
    X, y = exact_rating(25)
    wrong = int(np.argsort(-y)[3])
    y[wrong] = y.min() - 1
    return X, y, f"p{wrong}"


def test_without_or_with_freed_rank_of_the_only_wrong_product_everything_is_explained():
    X, y, wrong = one_wrong_rank()
    formula = RatingFormula(top=25, signs="positive", random_state=0).fit(X, y)
    worst = formula.audit(most=3).iloc[0]
    assert worst["product"] == wrong
    assert worst["lost"] == len(worst["against"]) > 0
    assert worst["rise_without"] == pytest.approx(1 - formula.objective_)
    assert worst["rise_freed"] == pytest.approx(1 - formula.objective_)


def test_given_time_an_audit_proves_its_rises():
    X, y = exact_rating(30)
    y = np.round(y / 4) + np.random.default_rng(0).integers(0, 2, len(y))
    formula = RatingFormula(top=10, signs="positive", random_state=0).fit(X, y)
    quick, proved = formula.audit(most=3), formula.audit(most=3, proof_seconds=60)
    assert not quick["proved"].any()
    assert proved["proved"].all()
    merged = quick.merge(proved, on="product", suffixes=("_quick", ""))
    assert (merged["rise_without"] >= merged["rise_without_quick"]).all()
    assert (merged["rise_freed"] >= merged["rise_freed_quick"]).all()
    for product, rise in zip(proved["product"], proved["rise_without"], strict=True):
        rest = np.array([name != product for name in X.index])
        without = RatingFormula(top=10, signs="positive", random_state=0).fit(X[rest], y[rest])
        reached = [one.objective_ / one.every_pair_ for one in (without, formula)]
        assert rise == pytest.approx(reached[0] - reached[1])


def test_rises_do_not_follow_the_normalisation_where_ranks_tie_at_the_cut():
    # Without one of the two best the printed value would fall from 5.5 times to 1, and the one
    # wrong product, far below, would be the least suspicious.
    X = np.array([[9.0, 9], [9, 8], [8, 8], [7, 7], [0, 0], [5, 6]])
    y = np.array([6, 6, 4, 3, 2, 1])
    formula = RatingFormula(top=1, signs="positive", random_state=0).fit(X, y)
    assert formula.every_pair_ > 1
    table = formula.audit()
    assert set(table["product"][:2]) == {"4", "5"}
    assert (table["rise_without"] >= 0).all()
    assert (table["rise_without"] <= 1).all()


def test_freeing_a_rank_saves_at_least_its_own_position_error():
    X, y, wrong = one_wrong_rank()
    formula = RatingFormula("positions", top=25, signs="positive", random_state=0).fit(X, y)
    worst = formula.audit(most=3).set_index("product").loc[wrong]
    assert worst["rise_freed"] >= abs(worst["published"] - worst["modelled"]) > 0


def test_the_pairs_of_a_freed_product_count_for_nothing(rounded):
    _, y, formula = rounded
    problem = formula.rating_.problem
    weights = formula.solution_.whole_weights(problem)
    scores = problem.exact_places(weights)
    for i in range(5):
        value = perfect = 0
        for a in (a for a in range(len(y)) if a != i):
            others = [b for b in range(len(y)) if b != i and problem.levels[a] > problem.levels[b]]
            won = sum(scores[a] > scores[b] for b in others)
            at_top = (scores[a] > scores).sum() >= len(y) - 10
            published_top = (problem.levels[a] > problem.levels).sum() >= len(y) - 10
            value += won * (10 if at_top else 1)
            perfect += len(others) * (10 if published_top else 1)
        freed = replace(problem, freed=i)
        assert freed.normalised(freed.value(weights)) == pytest.approx(value / perfect)


def test_audit_of_a_reproduced_order_is_empty(separable):
    assert separable[2].audit().empty


def test_explanation_adds_up_to_the_difference_of_scores(separable):
    X, _, formula = separable
    why = formula.explain("p3", "p7")
    scores = formula.predict(X.loc[["p3", "p7"]])
    assert (why.item, why.other) == ("p3", "p7")
    assert why.difference == scores[0] - scores[1]
    assert why.contributions.sum() == pytest.approx(why.difference, rel=1e-9)


def test_products_are_explained_by_name_by_row_number_and_by_their_factors(separable):
    X, _, formula = separable
    by_name = formula.explain("p3", "p7").table()
    for one, two in [(3, 7), (X.loc["p3"], X.loc["p7"]), (X.to_numpy()[3], X.to_numpy()[7])]:
        pd.testing.assert_frame_equal(formula.explain(one, two).table(), by_name)


@pytest.mark.parametrize(
    "name", ["weight", "points", "contribution", "value", "[b]", "$a$", "a\nb"]
)
def test_a_product_of_any_name_keeps_its_values(name):
    X, y = exact_rating(8)
    X.index = [name, *X.index[1:]]
    formula = RatingFormula(top=3, solver="search", random_state=0).fit(X, y)
    why = formula.explain(name, X.index[1])
    assert why.item == name
    np.testing.assert_array_equal(why.table()["value"][X.columns], X.loc[name])
    np.testing.assert_array_equal(why.table()["other_value"][X.columns], X.iloc[1])


def test_an_unknown_product_is_named(separable):
    with pytest.raises(ValueError, match="no product 'zebra'"):
        separable[2].explain("zebra", "p1")


def test_leave_one_out_predicts_most_products_of_an_exact_rating_well():
    X, y = exact_rating(20)
    formula = RatingFormula(top=5, signs="positive", random_state=0).fit(X, y)
    table = formula.leave_one_out()
    assert (table["published"] - table["predicted"]).abs().median() <= 1


def test_bootstrap_intervals_hold_the_share(separable):
    X, _, formula = separable
    table = formula.bootstrap(n_resamples=10)
    truth = shares(X, TRUTH)
    assert (table["low"] <= truth + 5).all()
    assert (truth - 5 <= table["high"]).all()


def test_an_exact_rating_is_better_than_chance(separable):
    check = separable[2].chance()
    assert check.is_better_than_chance
    assert "Better than chance" in separable[2].summary()


def test_a_formula_for_random_ranks_is_said_to_be_chance():
    rng = np.random.default_rng(0)
    X, y = rng.integers(1, 6, size=(12, 8)).astype(float), rng.permutation(12)
    formula = RatingFormula(top=3, solver="search", random_state=0).fit(X, y)
    assert formula.objective_ > 0.8  # it fits, by chance
    assert "NO BETTER THAN CHANCE" in formula.summary()


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(15, 3)).round(2), rng.permutation(15)
    formula = RatingFormula(top=5, random_state=0).fit(X, y)
    return formula.rating_, formula.solution_


@pytest.mark.parametrize(
    "answer",
    [
        lambda *fitted: questions.against_chance(*fitted, clock=Clock(600.0)).shuffled.tolist(),
        lambda rating, _: questions.held_out(rating, clock=Clock(600.0)).measures,
        lambda *fitted: questions.audit(*fitted, clock=Clock(600.0)).to_dict(),
        lambda *fitted: questions.leave_one_out(*fitted, clock=Clock(600.0)).to_dict(),
    ],
    ids=["chance", "held_out", "audit", "leave_one_out"],
)
def test_directions_that_all_ranks_suggest_are_not_told_to_any_refit(noise, answer):
    rating, solution = noise
    turned = replace(rating, directions=-rating.directions)
    assert answer(turned, solution) == answer(rating, solution)


def test_a_resample_may_turn_a_factor_that_the_data_decided_about(noise):
    rating, solution = noise
    decided = questions.bootstrap(rating, solution, clock=Clock(600.0), n_resamples=20)
    asked = replace(rating, asked=rating.directions)
    kept = questions.bootstrap(asked, solution, clock=Clock(600.0), n_resamples=20)
    assert (decided["low"] < 0).any()
    assert (kept["low"] >= 0).all()


def test_directions_asked_for_hold_in_shuffles(noise):
    rating, solution = noise
    known = replace(rating, asked=rating.directions)
    decided, kept = (
        questions.against_chance(one, solution, clock=Clock(600.0)) for one in (rating, known)
    )
    assert kept.shuffled.mean() < decided.shuffled.mean()


@settings(max_examples=10, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=5, max_size=5))
@example([[0, 0], [0, 3], [1, 0], [2, 2], [3, 1]])  # as many orders as there can be
@pytest.mark.parametrize("levels", [[0, 1, 2, 3, 4], [0, 0, 1, 2, 2]], ids=["distinct", "tied"])
def test_no_more_orders_are_explained_than_counting_allows(weights_of_all_cells, levels, X):
    problem = make_problem(X, levels, [0] * 5, {0: 2})
    formulas = weights_of_all_cells(X) + weights_of_all_cells((np.array(X) * [1, -1]).tolist())
    n = len(formulas) // 2
    orders = {
        tuple(exact_places(np.array(X), as_whole(np.array(w, dtype=float) * sign * turn)))
        for k, w in enumerate(formulas)
        for sign in (1, -1)
        for turn in ([1, 1 if k < n else -1],)
    }
    shuffles = [problem.reordered(np.array(p)).aims for p in set(permutations(levels))]
    values = np.array(
        [max(objective_value(np.array(o), aims, False) for o in orders) for aims in shuffles]
    )
    for value in np.unique(values):
        bound = np.exp(log_chance_bound(problem, int(value)))
        assert (values >= value).mean() <= bound


def test_an_exact_fit_of_many_products_needs_no_shuffles(separable):
    check = separable[2].chance()
    assert check.is_counted
    assert check.p_value < 1e-20
    assert "p <= " in chance_words(check)


def test_a_p_value_is_never_zero():
    X, y = exact_rating(300)
    formula = RatingFormula(top=10, signs="positive", random_state=0).fit(X, y)
    assert formula.chance().p_value > 0


def test_more_shuffles_than_counting_can_replace_are_made(noise):
    assert len(questions.against_chance(*noise, clock=Clock(600.0)).shuffled) == 19


def test_held_out_products_of_random_ranks_are_ordered_no_better_than_guessed():
    gains = []
    for seed in range(20):
        rng = np.random.default_rng(100 + seed)
        X, y = rng.normal(size=(15, 3)).round(2), rng.permutation(15)
        found = RatingFormula(top=5, random_state=0).fit(X, y).held_out()
        gains.append(found.measures.m2 - found.guessed.m2)
    assert np.mean(gains) < 0.03


def test_formulas_for_random_ranks_rarely_pass_for_better_than_chance():
    passed = 0
    for seed in range(20):
        rng = np.random.default_rng(100 + seed)
        X, y = rng.normal(size=(15, 3)).round(2), rng.permutation(15)
        passed += RatingFormula(top=5, random_state=0).fit(X, y).chance().is_better_than_chance
    assert passed <= 3


def test_held_out_products_of_an_exact_rating_are_ordered_well(separable):
    found = separable[2].held_out()
    assert found.measures.m1 > 0.9
    assert found.measures.m2 > 0.9
    assert found.guessed.m2 == pytest.approx(2 / 3, abs=0.03)  # mean of 1 - |place - place|
    assert found.guessed.m3 < found.measures.m3 <= 1


def test_no_question_reads_the_rating_again(rounded, monkeypatch):
    _, _, formula = rounded

    def refuse(*_):
        raise AssertionError("the rating is read a second time")

    monkeypatch.setattr("rankwright.reverse.problem.rating.read_whole", refuse)
    monkeypatch.setattr("rankwright.reverse.problem.reading.read_rating", refuse)
    formula.certificate()
    formula.summary(checks=False)
    formula.weight_ranges()
    formula.audit(most=1)
    formula.held_out(n_folds=2, n_repeats=1)
    formula.chance(n_permutations=1)
    formula.bootstrap(n_resamples=1)


def test_a_sentence_counts_one_pair_as_one():
    X = pd.DataFrame({"a": [1.0, 1, 3, 2], "b": [2.0, 2, 1, 2]})
    formula = RatingFormula(top=2, emphasis=0).fit(X, [1, 2, 4, 3])
    words = formula.summary(checks=False)
    assert "4 products in 1 group\n" in words
    assert "1 pair of products has equal factors" in words


def test_ranges_refuse_free_signs_and_negative_slack(rounded):
    X, y, formula = rounded
    with pytest.raises(ValueError, match="slack=-1"):
        formula.weight_ranges(slack=-1)
    free = RatingFormula(top=5, signs="free", solver="search", time_limit=1).fit(X, y)
    with pytest.raises(ValueError, match="formulas with the same signs, but signs='free'"):
        free.weight_ranges()


def test_ranges_of_two_regions_say_what_lies_between_them():
    X = np.array([[0, 3], [2, 1], [1, 0], [2, 3.0]])
    formula = RatingFormula(top=1, signs="positive", random_state=0).fit(X, [2, 1, 3, 0])
    ranges = formula.weight_ranges()
    np.testing.assert_allclose(ranges.loc["x0", "intervals"], [(0, 40), (200 / 3, 100)])
    np.testing.assert_allclose(ranges.loc["x1", "intervals"], [(0, 100 / 3), (60, 100)])
    assert (ranges["inner_low"] == ranges["outer_low"]).all()
    assert (ranges["inner_high"] == ranges["outer_high"]).all()


@settings(max_examples=15, deadline=None)
@given(tiny_ratings())
def test_intervals_hold_the_shares_of_the_best_formulas_and_of_no_others(
    weights_of_all_cells, rating
):
    problem = make_problem(*rating)
    assume(problem.has_order and problem.factors.whole.any(axis=0).all())
    asked = np.ones(len(problem.directions), dtype=np.int64)
    with Clock(600.0) as clock:
        outcome = solve(problem, asked, FitOptions("certified", clock, 0.0, 0, 1))
        with threads(1, clock) as pool:
            cells = cells_within(problem, outcome.value, clock, pool)
        none = np.empty((0, len(asked)))
        own = problem.shares_of(outcome.weights)
        good = questions.GoodFormulas(problem, *cells, none, none, False, own, clock, outcome.value)
        intervals = good.share_intervals()
    reached = [[] for _ in asked]
    for weights in weights_of_all_cells(problem.factors.whole):
        whole = as_whole(np.array(weights, dtype=float))
        if problem.value(whole) == outcome.value:
            for j, share in enumerate(problem.shares_of(whole)):
                assert any(low - 1e-6 <= share <= high + 1e-6 for low, high in intervals[j])
                reached[j].append(share)
    for shares, found in zip(reached, intervals, strict=True):
        assert all(any(low - 1e-6 <= s <= high + 1e-6 for s in shares) for low, high in found)


def test_a_formula_that_ties_all_products_has_no_ranges():
    # The two best share the first place, and every order puts one of them behind another product.
    X = np.array([[0.0, 1, 7], [1, 0, 7], [0.6, 0.6, 7]])
    formula = RatingFormula("positions", top=2, signs="positive", random_state=0)
    formula.fit(X, [2, 2, 1])
    assert formula.objective_ == 0
    assert len(np.unique(formula.predict(X))) == 1
    with pytest.raises(ValueError, match="ties all products"):
        formula.weight_ranges()


def late_clock():
    clock = Clock(1.0)
    clock.end()
    return clock


@pytest.mark.parametrize("which", ["separable", "rounded"])
def test_ranges_without_time_are_wide_but_hold(which, request):
    X, _, formula = request.getfixturevalue(which)
    exact = formula.weight_ranges()
    good = questions.find_good_formulas(
        formula.rating_, formula.solution_, slack=0.0, clock=late_clock(), n_jobs=1
    )
    found = questions.OrderRanges(formula.rating_, formula.solution_, good).weights()
    assert (found["inner_low"] >= exact["inner_low"] - 1e-6).all()
    assert (found["inner_high"] <= exact["inner_high"] + 1e-6).all()
    assert (found["outer_low"] <= exact["outer_low"] + 1e-6).all()
    assert (found["outer_high"] >= exact["outer_high"] - 1e-6).all()
    best, worst = good.position_ranges(X.to_numpy(), None)
    position = formula.rank(X)
    assert (best <= position).all()
    assert (position <= worst).all()


def test_ranges_of_too_many_products_are_refused_with_the_remedy(rounded, monkeypatch):
    monkeypatch.setattr("rankwright.reverse.problem.whole_problem.MOST_ENTRIES", 0)
    with pytest.raises(ValueError, match="fit a sample of the products"):
        rounded[2].weight_ranges()


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda rating, solution, clock: questions.audit(rating, solution, clock=clock), "suspic"),
        (
            lambda *asked: questions.against_chance(*asked[:2], clock=asked[2]),
            "1 of 19 shuffles",
        ),
        (lambda rating, _, clock: questions.held_out(rating, clock=clock), "1 of 10 folds"),
        (lambda *asked: questions.bootstrap(*asked[:2], clock=asked[2]), "1 of 50 resamples"),
        (lambda *asked: questions.leave_one_out(*asked[:2], clock=asked[2]), "1 of 15 products"),
    ],
    ids=["audit", "chance", "held_out", "bootstrap", "leave_one_out"],
)
def test_a_question_without_time_answers_from_what_it_has_and_says_so(noise, ask, what):
    with pytest.warns(UserWarning, match=what):
        assert ask(*noise, late_clock()) is not None


def test_products_are_lost_to_those_they_are_not_ordered_with_as_published(rounded):
    problem = rounded[2].rating_.problem
    places = problem.exact_places(rounded[2].solution_.whole_weights(problem))
    better, worse, strict = problem.listed_pairs
    is_lost = (strict > 0) & (places[better] <= places[worse])
    for i in range(len(places)):
        found = lost_to(problem, places, problem.bounds[0], i)
        assert len(found) == count_lost(problem, places)[i]
        assert sorted(found) == sorted(
            [*worse[is_lost & (better == i)], *better[is_lost & (worse == i)]]
        )


def check_of(n_shuffles, best=0.9, shuffled=0.7):
    p_value = 1 / (1 + n_shuffles) if best > shuffled else 1.0
    return questions.ChanceCheck(best, np.full(n_shuffles, shuffled), p_value)


def test_a_few_shuffles_are_too_few_to_tell_chance():
    said = chance_words(check_of(5))
    assert said.startswith("Too few shuffles to tell whether it is better than chance (p <= 0.17")
    assert "so many factors" not in said


def test_the_lowest_p_value_of_the_shuffles_is_said_to_be_a_limit():
    assert "Better than chance (p <= 0.05, 19 shuffles)" in chance_words(check_of(19))
    assert "NO BETTER THAN CHANCE (p = 1, 19 shuffles)" in chance_words(check_of(19, best=0.6))


def test_held_out_words_say_what_there_is_nothing_to_count_of():
    nothing = Measures(np.nan, 0.8, 0.5)
    said = held_out_words(questions.HeldOut(nothing, nothing, 0))
    assert "pairs at the top (M1): nothing to count, all pairs (M2): 80.0%" in said
    assert "nan" not in said


def test_a_share_that_is_not_all_is_not_written_as_a_hundred_percent():
    measures = Measures(1.0, 0.99974, 0.5)
    said = held_out_words(questions.HeldOut(measures, measures, 80))
    assert "pairs at the top (M1): 100% (" in said
    assert "all pairs (M2): 99.97% (" in said


def test_a_rise_is_counted_from_the_formula_found_not_from_the_one_without_the_product():
    X = np.array([[5, 5], [3, 1], [5, 2], [1, 5.0]])
    y, options = np.array([3, 3, 0, 2.0]), {"top": 2, "emphasis": 1.0, "signs": "free"}
    formula = RatingFormula(**options, random_state=0).fit(X, y)
    listed = formula.audit(proof_seconds=5.0)
    assert listed["proved"].all()
    for row in listed.itertuples():
        kept = np.arange(4) != int(row.product)
        without = RatingFormula(**options, random_state=0).fit(X[kept], y[kept])
        assert row.rise_without == pytest.approx(without.objective_ - formula.objective_)


@pytest.mark.parametrize("signs", ["positive", "auto"])
def test_ranks_of_good_formulas_that_tie_products_lie_inside_the_ranges(signs):
    X = np.array([[2, 1], [0, 2], [0, 1], [0, 1.0]])
    formula = RatingFormula(top=2, emphasis=0.0, signs=signs, random_state=0).fit(X, [1, 2, 1, 2])
    ranges = formula.rank_ranges(X)
    assert (ranges["best"] <= ranges["position"]).all()
    assert (ranges["position"] <= ranges["worst"]).all()


def test_equal_products_at_the_cut_leave_formulas_worse_that_win_every_pair():
    # With more of the second factor the first product leads, and the equal ones tie at the cut.
    X = np.array([[1, 1], [1, 0], [0, 0], [1, 0.0]])
    formula = RatingFormula(top=2, random_state=0).fit(X, [2, 2, 0, 2])
    ranges = formula.weight_ranges(any_signs=True)
    assert ranges.loc["x1", ["inner_low", "inner_high"]].tolist() == [-50.0, 0.0]
    assert ranges.loc["x0", ["inner_low", "inner_high"]].tolist() == [50.0, 100.0]


def test_a_limit_is_said_to_be_no_smaller_than_it_is():
    assert "p <= 0.13, 7 shuffles" in chance_words(ChanceCheck(1.0, np.zeros(7), 0.125))
    assert "p <= 4e-05, counted" in chance_words(ChanceCheck(1.0, np.empty(0), 3.1e-5))


def test_ranges_of_perfect_formulas_keep_constraints_in_whatever_unit():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, top, 12) for top in (10, 100, 5)]).astype(float)
    y = X @ [3, 0.4, 1.0]
    formula = RatingFormula(signs="positive", constraints=["x1 >= 9%"], random_state=0).fit(X, y)
    with Clock(20) as clock:
        found = find_good_formulas(
            formula.rating_, formula.solution_, slack=0, clock=clock, n_jobs=1
        )
        low, high = found.measured_by(np.ones(3)).outer_shares()
    drawn = rng.dirichlet(np.full(3, 0.7), 100_000)
    order = np.argsort(-y)
    wins = ((X[order][:-1] - X[order][1:]) @ drawn.T > 0).all(axis=0)
    good = 100 * drawn[wins & (drawn[:, 1] >= 0.09)]
    assert len(good) > 50
    assert (good >= low).all()
    assert (good <= high).all()
    assert low[1] == pytest.approx(9.0)  # what the constraint says, in the unit that it speaks of


@pytest.mark.parametrize("text", ["factor,weight\na,30%\nb,70%\n", "a,30%\nb,70%\n"])
def test_weights_are_read_with_and_without_a_header(tmp_path, text):
    path = tmp_path / "weights.csv"
    path.write_text(text)
    assert questions.read_weights(path) == pytest.approx({"a": 0.3, "b": 0.7})
