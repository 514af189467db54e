import pickle
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV

from rankwright.datasets import make_flex_ratings, make_product_ratings
from rankwright.kernels.rating.facets import MAX_FACETS
from rankwright.linear import LeastSquaresRanker, PairwiseRanker, PushRanker
from rankwright.metrics import largest_top_auc, quality_measures, top_auc
from rankwright.reverse import RatingFormula, State
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.search.baselines import baseline_starts
from rankwright.reverse.solve import ROUNDS
from rankwright.reverse.whole_numbers import as_whole


def stars(n, d, seed=0, **options):
    """One list of products in half stars, rated without noise."""
    options = {"n_subcategories": 1, "rounding": 0.5, "exact_share": 0, "noise": 0} | options
    return make_product_ratings(n, n_factors=d, random_state=seed, **options)


@pytest.fixture(scope="module")
def rating():
    return stars(40, 3)


@pytest.fixture(scope="module")
def formula(rating):
    return RatingFormula(top=10, random_state=0).fit(rating.X, rating.y)


def test_objective_is_the_metric_of_the_scores(rating, formula):
    value = top_auc(rating.y, formula.predict(rating.X), top=10, emphasis=9.0)
    assert formula.objective_ == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_objective_of_an_unproved_formula_is_the_metric_too(seed):
    data = make_product_ratings((40, 40), n_factors=9, n_subcategories=4, random_state=seed)
    formula = RatingFormula(top=3, solver="search", time_limit=1, random_state=0)
    formula.fit(data.X, data.y, data.groups)
    value = top_auc(data.y, formula.predict(data.X), data.groups, top=3, emphasis=9.0)
    assert formula.objective_ == pytest.approx(value, abs=1e-12)
    assert float(formula.certificate().objective) == pytest.approx(value, abs=1e-12)


def test_certificate_computes_the_same_objective_from_the_printed_weights(formula):
    certificate = formula.certificate()
    assert float(certificate.objective) == pytest.approx(formula.objective_, abs=1e-15)
    assert certificate.objective == certificate.bound
    assert certificate.is_optimal
    assert [float(w) for w in certificate.weights.values()] == formula.weights_.tolist()


def test_no_random_formula_beats_the_bound(rating, formula):
    rng = np.random.default_rng(0)
    X = rating.X.to_numpy() * formula.directions_
    for weights in rng.dirichlet(np.ones(3), size=300):
        assert top_auc(rating.y, X @ weights, top=10, emphasis=9.0) <= formula.bound_ + 1e-12


def test_shares_sum_to_a_hundred_percent(rating, formula):
    ranges = np.ptp(rating.X.to_numpy(), axis=0)
    assert formula.shares_.sum() == pytest.approx(100)
    proportions = formula.shares_ / (formula.weights_ * ranges)
    np.testing.assert_allclose(proportions, proportions[0])


def test_the_milp_agrees_with_the_certified_optimum():
    for seed in range(3):
        small = stars(9, 3, seed)
        proved = RatingFormula(top=3, solver="certified", random_state=0).fit(small.X, small.y)
        milp = RatingFormula(top=3, solver="milp", time_limit=600, random_state=0)
        assert proved.status_ == "optimal"
        assert milp.fit(small.X, small.y).objective_ == pytest.approx(proved.objective_)
        claim = float(milp.proof_.rsplit(" ", 1)[1]) if "claims" in milp.proof_ else milp.bound_
        assert claim == pytest.approx(proved.objective_, abs=1e-4)


def test_free_signs_do_at_least_as_well_as_decided_ones():
    small = stars(15, 2)
    decided = RatingFormula(top=4, random_state=0).fit(small.X, small.y)
    free = RatingFormula(top=4, signs="free", random_state=0).fit(small.X, small.y)
    assert free.status_ == "optimal"
    assert free.objective_ >= decided.objective_


def test_a_factor_that_counts_against_a_product_is_found(rating):
    turned = rating.X.copy()
    turned["factor1"] *= -1
    formula = RatingFormula(top=10, random_state=0).fit(turned, rating.y)
    assert formula.directions_.tolist() == [-1, 1, 1]
    assert formula.weights_[0] <= 0


def test_one_free_sign_leaves_the_other_signs_alone():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 10, size=(30, 3)).astype(float)
    y = X @ [1, -1, 0.3] + rng.normal(size=30)

    def fit(first):
        signs = {"x0": first, "x1": "+", "x2": "+"}
        return RatingFormula(top=5, signs=signs, random_state=0).fit(X, y)

    free, *decided = (fit(first) for first in ("free", "+", "-"))
    assert free.status_ == "optimal"
    assert (free.weights_[1:] >= 0).all()
    assert free.objective_ == free.bound_ == max(one.objective_ for one in decided)


def test_signs_may_be_given_by_factor(rating):
    signs = {"factor1": "-", "factor2": "+"}
    formula = RatingFormula(top=10, signs=signs, time_limit=5).fit(rating.X, rating.y)
    assert formula.directions_[0] == -1
    assert formula.weights_[0] <= 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective": "auc"}, "objective='auc'"),
        ({"solver": "gurobi"}, "solver='gurobi'"),
        ({"signs": "any"}, "signs='any'"),
        ({"signs": {"price": "+"}}, "price"),
        ({"signs": {"factor1": "up"}}, "up"),
        ({"emphasis": -1.0}, "emphasis=-1.0"),
        ({"time_limit": 0}, "time_limit=0"),
        ({"top": 0}, "top=0"),
        ({"category_weights": {"A": 1.0}}, "names 'A'"),
        ({"missing": "drop"}, "missing='drop'"),
    ],
)
def test_bad_parameters_are_named_with_the_remedy(rating, parameters, message):
    with pytest.raises(ValueError, match=message):
        RatingFormula(**parameters).fit(rating.X, rating.y)


def test_missing_factors_name_the_products_or_are_imputed(rating):
    X = rating.X.copy().set_index(pd.Index([f"p{i}" for i in range(len(rating.X))]))
    X.iloc[3, 1] = np.nan
    with pytest.raises(
        ValueError,
        match=r"\['factor2'\] are missing for 1 product \(p3\); leave incomplete products out",
    ):
        RatingFormula().fit(X, rating.y)
    formula = RatingFormula(missing="impute", time_limit=5).fit(X, rating.y)
    assert np.isfinite(formula.predict(X)).all()


def test_a_factor_that_is_missing_everywhere_has_no_median(rating):
    X = rating.X.assign(factor2=np.nan)
    with pytest.raises(ValueError, match=r"\['factor2'\] are missing for every product"):
        RatingFormula(missing="impute").fit(X, rating.y)


@pytest.mark.usefixtures("short_search")
def test_ranks_given_as_scores_are_noticed(rating):
    ranks = (-rating.y).argsort().argsort() + 1
    with pytest.warns(UserWarning, match="larger is better"):
        RatingFormula(top=10, solver="search", time_limit=600).fit(rating.X, ranks)


def test_constant_factors_in_a_group_are_said():
    X = np.array([[1.0, 2], [1, 2], [3, 1], [2, 2], [1, 1]])
    groups = ["a", "a", "b", "b", "b"]
    with pytest.warns(UserWarning, match="constant in the groups"):
        RatingFormula(top=1).fit(X, [1, 2, 3, 2, 1], groups)


def test_twins_are_counted_as_unavoidable_loss():
    X = np.array([[1.0, 2], [1, 2], [3, 1], [2, 2]])
    formula = RatingFormula(top=2, emphasis=0).fit(X, [1, 2, 4, 3])
    assert formula.n_twins_ == 1
    assert formula.achievable_ == pytest.approx(5 / 6)
    assert formula.objective_ == formula.bound_ == formula.achievable_


def test_ties_in_the_published_ranks_can_exceed_the_normalisation():
    # The notes' example: scores 2, 2, 1, top 1, θ = 9 reach 5.5 times the printed value.
    formula = RatingFormula(top=1, signs="positive").fit([[3.0, 0], [2, 1], [0, 0]], [2, 2, 1])
    assert formula.objective_ == pytest.approx(5.5)
    assert formula.status_ == "optimal"


def test_categories_lend_strength_by_their_weight():
    data = make_product_ratings((30, 30), n_factors=3, n_subcategories=2, random_state=0)
    categories = [str(group)[0] for group in data.groups]
    first = categories[0]
    (other,) = set(categories) - {first}
    alone = RatingFormula(top=4, random_state=0).fit(data.X, data.y, data.groups, categories)
    both = RatingFormula(top=4, category_weights={other: 0.5}, random_state=0)
    both.fit(data.X, data.y, data.groups, categories)
    mine = np.array(categories) == first
    only = RatingFormula(top=4, random_state=0).fit(
        data.X[mine], data.y[mine], np.asarray(data.groups)[mine]
    )
    assert alone.objective_ == only.objective_
    value = top_auc(
        data.y,
        both.predict(data.X),
        data.groups,
        top=4,
        categories=categories,
        category_weights={first: 1.0, other: 0.5},
    )
    assert both.objective_ == pytest.approx(value)


def test_a_group_in_two_categories_is_refused():
    with pytest.raises(ValueError, match="group 'a' is in the categories"):
        RatingFormula().fit([[1.0], [2], [3]], [1, 2, 3], ["a", "a", "b"], ["A", "B", "A"])


def test_time_limit_gives_a_formula_with_a_valid_bound():
    data = stars(100, 8)
    states: list[State] = []
    formula = RatingFormula(top=25, time_limit=1.5, callback=states.append, random_state=0)
    formula.fit(data.X, data.y)
    assert formula.status_ == "time limit"
    assert formula.objective_ < formula.bound_ <= formula.achievable_
    assert formula.gap_ == formula.bound_ - formula.objective_
    assert states == formula.history_
    objectives, bounds = zip(*((s.objective, s.bound) for s in states), strict=True)
    assert list(objectives) == sorted(objectives)
    assert list(bounds) == sorted(bounds, reverse=True)


def interrupt(state):
    raise KeyboardInterrupt


def test_ctrl_c_ends_the_fit_and_leaves_the_best_formula_in_the_estimator(rating):
    formula = RatingFormula(top=10, callback=interrupt, random_state=0)
    with pytest.raises(KeyboardInterrupt, match="keeps the best formula"):
        formula.fit(rating.X, rating.y)
    assert formula.status_ == "interrupted"
    assert 0 < formula.objective_ <= formula.bound_
    assert formula.certificate().status == "interrupted"
    assert len(formula.predict(rating.X)) == len(rating.X)


def test_ctrl_c_ends_a_grid_search(rating):
    formula = RatingFormula(top=10, callback=interrupt, random_state=0)
    search = GridSearchCV(formula, {"emphasis": [0.0, 9.0]}, cv=2)
    with pytest.raises(KeyboardInterrupt):
        search.fit(rating.X, rating.y)


def test_ctrl_c_while_an_earlier_formula_is_refitted_replaces_all_of_it(rating):
    formula = RatingFormula(top=10, random_state=0).fit(rating.X, rating.y)
    formula.set_params(objective="positions", callback=interrupt)
    with pytest.raises(KeyboardInterrupt):
        formula.fit(rating.X, rating.y)
    assert formula.gap_ == abs(formula.bound_ - formula.objective_)
    assert formula.objective_ == float(formula.certificate().objective)
    assert formula.objective_ == int(formula.objective_)


def test_parameters_set_after_a_fit_do_not_change_what_was_fitted(rating, formula):
    before = str(formula.certificate()), formula.summary(checks=False)
    changed = pickle.loads(pickle.dumps(formula))
    changed.set_params(objective="positions", top=3, emphasis=0.0)
    assert (str(changed.certificate()), changed.summary(checks=False)) == before


def test_the_result_does_not_depend_on_the_order_of_the_rows():
    data = stars(30, 3, n_subcategories=3)
    order = np.random.default_rng(0).permutation(len(data.y))
    one = RatingFormula(top=3, random_state=0).fit(data.X, data.y, data.groups)
    other = RatingFormula(top=3, random_state=0)
    other.fit(data.X.iloc[order], data.y[order], np.asarray(data.groups)[order])
    assert one.exact_weights_ == other.exact_weights_
    assert one.rating_.rows.tolist() == order[other.rating_.rows].tolist()


def test_the_gap_asked_for_ends_the_proof():
    data = stars(60, 4)
    formula = RatingFormula(top=15, gap=0.01, random_state=0).fit(data.X, data.y)
    assert formula.status_ in ("gap reached", "optimal")
    assert formula.gap_ <= 0.01


def test_the_result_does_not_depend_on_the_number_of_threads():
    data = stars(50, 4)
    one, two = (RatingFormula(top=12, random_state=0, n_jobs=n).fit(data.X, data.y) for n in (1, 2))
    np.testing.assert_array_equal(one.weights_, two.weights_)


def test_search_is_no_worse_than_least_squares(rating):
    from sklearn.linear_model import LinearRegression

    found = RatingFormula(top=10, solver="search", random_state=0).fit(rating.X, rating.y)
    scores = LinearRegression().fit(rating.X, rating.y).predict(rating.X)
    assert found.status_ == "searched only"
    assert found.objective_ >= top_auc(rating.y, scores, top=10, emphasis=9.0)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("subcategories", [1, 3])
def test_no_baseline_does_better(seed, subcategories, monkeypatch):
    monkeypatch.setitem(ROUNDS, "long", ROUNDS["short"])
    data = make_product_ratings((90,), n_subcategories=subcategories, random_state=seed)
    formula = RatingFormula(top=6, signs="positive", solver="search", random_state=0)
    formula.fit(data.X, data.y, data.groups)
    rankers = {
        "LS1": LeastSquaresRanker("score", nonnegative=True),
        "LS2": LeastSquaresRanker("rank", nonnegative=True),
        "LS3": LeastSquaresRanker("group_rank", nonnegative=True),
        "push": PushRanker(p=2, nonnegative=True),
        "push and pull": PushRanker(p=2, pull=1.0, nonnegative=True),
        "logistic": PairwiseRanker(nonnegative=True),
    }
    for name, ranker in rankers.items():
        scores = ranker.fit(data.X, data.y, data.groups).predict(data.X)
        value = top_auc(data.y, scores, data.groups, top=6, emphasis=9.0)
        assert formula.objective_ >= value, name


@pytest.mark.parametrize("signs", ["positive", "free"])
def test_a_fit_without_time_is_no_worse_than_its_starts(signs):
    data = stars(60, 4, n_subcategories=3)
    formula = RatingFormula(top=6, signs=signs, time_limit=1e-3, random_state=0)
    formula.fit(data.X, data.y, data.groups)
    problem = formula.rating_.problem
    starts = baseline_starts(problem, Clock(np.inf))
    values = [problem.normalised(problem.value(as_whole(start))) for start in starts]
    assert len(values) > 4
    assert formula.objective_ >= max(values)


def test_position_error_is_what_it_says(rating):
    formula = RatingFormula("positions", top=5, random_state=0).fit(rating.X, rating.y)
    published = (-rating.y).argsort().argsort() + 1
    scores = formula.predict(rating.X)
    taken = 1 + (scores[None, :] > scores[:, None]).sum(axis=1)
    error = np.abs(taken - published)[published <= 5].sum()
    assert formula.objective_ == error == float(formula.certificate().objective)
    assert formula.bound_ <= formula.objective_


@pytest.mark.parametrize("top", [60, 45, 25])
def test_flexible_data_are_proved_and_the_top_is_ordered_clearly_better_than_by_baselines(top):
    # Chang et al. (2012), Tables 1-3: MIO-RE leads in M1 over least squares and ℓp.
    data = make_flex_ratings(random_state=0)
    X, y = data.X.iloc[data.train], data.y[data.train]
    formula = RatingFormula(top=top, signs="positive", random_state=0).fit(X, y)
    baselines = [
        LeastSquaresRanker("score", nonnegative=True),
        LeastSquaresRanker("group_rank", nonnegative=True),
        PushRanker(p=1, nonnegative=True),
        PushRanker(p=2, pull=1.0, nonnegative=True),
    ]

    def m1(ranker):
        return quality_measures(y, ranker.predict(X), top=top).train.m1

    assert formula.status_ == "optimal"
    assert m1(formula) > max(m1(ranker.fit(X, y)) for ranker in baselines) + 0.05


def test_weights_have_few_digits(formula):
    assert all(Fraction(w) == round(Fraction(w), 6) for w in formula.exact_weights_)


def test_excel_formula_evaluates_to_the_scores(rating, formula):
    text = formula.to_excel_formula()
    assert text.startswith("=")
    row = dict(zip("BCD", rating.X.iloc[0], strict=True))
    for letter, value in row.items():
        text = text.replace(f"{letter}2", repr(float(value)))
    score = eval(text[1:], {"ROUND": round})
    assert score == pytest.approx(formula.predict(rating.X.iloc[:1])[0])


def test_no_warning_in_an_ordinary_fit(rating):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RatingFormula(top=10, random_state=0).fit(rating.X, rating.y)


def test_too_many_free_factors_are_refused_with_the_remedy():
    X = np.random.default_rng(0).integers(0, 9, size=(20, 13))
    with pytest.raises(ValueError, match=r"leaves 13 factors free.*at most 12"):
        RatingFormula(top=3, signs="free").fit(X, np.arange(20))


@pytest.fixture
def without_planes(monkeypatch):
    """Let every rating count as one with too many pairs for planes."""
    monkeypatch.setattr("rankwright.reverse.problem.whole_problem.MOST_ENTRIES", 0)
    monkeypatch.setattr("rankwright.reverse.search.climbing.MOST_SWEPT", 0)
    monkeypatch.setattr("rankwright.reverse.search.climbing.SWEPT_EACH", 0)
    refuse = property(lambda self: pytest.fail("pairs were listed"))
    for listing in ("pairs", "planes", "listed_pairs"):
        monkeypatch.setattr(RatingProblem, listing, refuse)


@pytest.mark.parametrize("objective", ["top_auc", "positions"])
@pytest.mark.parametrize("signs", ["auto", "free"])
@pytest.mark.usefixtures("without_planes")
def test_too_many_pairs_are_searched_by_sorting_with_an_honest_bound(rating, objective, signs):
    formula = RatingFormula(objective, signs=signs, time_limit=1, random_state=0)
    formula.fit(rating.X, rating.y)
    assert formula.status_ == "searched only"
    proofs = {"top_auc": "no formula wins together", "positions": "equal factors"}
    assert proofs[objective] in formula.proof_
    certificate = formula.certificate()
    assert float(certificate.objective) == pytest.approx(formula.objective_)
    assert not certificate.is_optimal
    if objective == "top_auc":
        assert formula.objective_ <= formula.bound_ <= formula.achievable_


@pytest.mark.usefixtures("without_planes")
def test_a_perfect_formula_is_found_and_proved_without_planes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, size=(80, 3)).astype(float)
    formula = RatingFormula(random_state=0).fit(X, X @ [3.0, 2.0, 1.0])
    assert (formula.status_, formula.objective_) == ("optimal", 1.0)


@pytest.mark.usefixtures("short_search")
def test_searching_by_sorting_is_about_as_good_as_by_pairs(rating, monkeypatch):
    swept = RatingFormula(solver="search", random_state=0).fit(rating.X, rating.y)
    monkeypatch.setattr("rankwright.reverse.search.climbing.MOST_SWEPT", 0)
    monkeypatch.setattr("rankwright.reverse.search.climbing.SWEPT_EACH", 0)
    probed = RatingFormula(solver="search", random_state=0).fit(rating.X, rating.y)
    assert probed.objective_ >= 0.99 * swept.objective_


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_factors_beyond_floating_point_are_named(rating, size):
    X = rating.X.copy()
    X[X.columns[1]] *= size
    with pytest.raises(ValueError, match=f"{X.columns[1]}.*another unit"):
        RatingFormula().fit(X, rating.y)


@pytest.mark.parametrize("size", [1e-160, 1e160])
def test_very_small_and_large_units_change_nothing_but_the_weight(rating, formula, size):
    X = rating.X.copy()
    X[X.columns[1]] *= size
    other = RatingFormula(top=10, random_state=0).fit(X, rating.y)
    assert other.objective_ == formula.objective_
    assert other.rank(X).tolist() == formula.rank(rating.X).tolist()


def test_scores_beyond_floating_point_are_refused_with_their_rows(rating, formula):
    X = rating.X.head(3).copy()
    X.iloc[1] = 1e308
    with pytest.raises(ValueError, match=r"rows \[1\]"):
        formula.predict(X)


def test_large_scores_are_not_lost_to_rounding(rating, formula):
    X = rating.X.head(3).copy()
    X.iloc[1] = 1e299
    assert np.isfinite(formula.predict(X)).all()


def test_an_integer_program_that_is_too_large_is_refused_at_once():
    data = stars(150, 3)
    with pytest.raises(ValueError, match=r"10,000 pairs.*use solver='auto'"):
        RatingFormula(solver="milp").fit(data.X, data.y)


def test_without_time_for_planes_the_time_limit_is_what_ended_the_fit(rating, monkeypatch):
    monkeypatch.setattr("rankwright.reverse.problem.whole_problem.SECONDS_PER_ENTRY", 1.0)
    formula = RatingFormula(time_limit=1, random_state=0).fit(rating.X, rating.y)
    assert formula.status_ == "time limit"
    assert "no formula wins together" in formula.proof_


def test_more_factors_than_a_cell_has_facets_are_searched_only():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (20, MAX_FACETS + 1)).astype(float)
    X[1], X[3] = X[0], X[2]  # twins: no formula reproduces everything
    formula = RatingFormula(top=5, signs="positive", time_limit=0.5, random_state=0)
    formula.fit(X, rng.permutation(20))
    assert formula.status_ == "searched only"
    with pytest.raises(ValueError, match="20 products with 125 factors are too many"):
        formula.weight_ranges()


@pytest.mark.parametrize("groups", [None, [0, 0, 1, 1]])
def test_factors_that_never_differ_inside_a_group_are_refused_by_name(groups):
    X = pd.DataFrame({"a": [5.0] * 4, "b": [2.0, 2.0, 3.0, 3.0] if groups else [2.0] * 4})
    with pytest.raises(ValueError, match=r"\['a', 'b'\] never differ inside a group"):
        RatingFormula(top=2).fit(X, [4, 3, 2, 1], groups)


def test_a_factor_that_never_differs_is_fine_beside_one_that_does():
    X = pd.DataFrame({"a": [5.0] * 4, "b": [4.0, 3.0, 2.0, 1.0]})
    formula = RatingFormula(top=2, random_state=0).fit(X, [4, 3, 2, 1])
    assert formula.status_ == "optimal"
    assert formula.shares_.tolist() == [0.0, 100.0]


def test_printed_weights_keep_an_objective_that_rests_on_a_tie():
    X = np.array([[0, -1], [-0.5, -0.5], [1, -0.5], [1, 1], [-1, 1]])
    formula = RatingFormula("positions", top=5, random_state=0).fit(X, [1, 1, 2, 2, 2])
    assert formula.objective_ == 3
    assert formula.exact_weights_ == ["30", "40"]  # 150/7 and 200/7 end nowhere
    assert formula.to_excel_formula() == "=ROUND(30*B2+40*C2, 10)"
    assert (formula.rank(X) == [5, 4, 2.5, 1, 2.5]).all()


def test_ties_of_the_exact_scores_survive_floating_point_in_a_spreadsheet():
    X = np.array([[0.1, 0.2], [0.3, 0.0], [0.9, 0.9], [0.0, 0.0]])
    formula = RatingFormula("positions", top=4, signs="positive", random_state=0)
    formula.fit(X, [2, 2, 3, 1])
    assert formula.objective_ == 0
    text = formula.to_excel_formula()[1:]
    scores = [eval(text, {"ROUND": round, "B2": a, "C2": b}) for a, b in X.tolist()]
    assert scores[0] == scores[1]


def test_the_objective_of_every_pair_counts_ties_at_the_cut():
    formula = RatingFormula(top=1, signs="positive").fit([[3.0, 0], [2, 1], [0, 0]], [2, 2, 1])
    assert formula.every_pair_ == formula.objective_ == 5.5
    assert formula.every_pair_ == largest_top_auc([2, 2, 1], top=1, emphasis=9.0)


def test_without_ties_the_objective_of_every_pair_is_one(formula):
    assert formula.every_pair_ == 1


def test_a_formula_that_reproduces_published_bands_scores_one():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, size=(30, 3)).astype(float)
    bands = np.digitize(X @ [3, 2, 1], [15, 30])
    formula = RatingFormula(top=5, random_state=0).fit(X, bands)
    assert formula.objective_ == formula.every_pair_
    assert formula.score(X, bands) == 1


def test_pairs_that_a_formula_ties_are_not_reproduced():
    X, y = np.array([[1.0, 2], [1, 2], [3, 1], [2, 2]]), [1, 2, 4, 3]
    formula = RatingFormula(top=2, emphasis=0).fit(X, y)
    assert formula.score(X, y) == pytest.approx(5 / 6)
