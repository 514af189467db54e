"""Formulas for new products: what they keep to, and what is said of them."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.reverse.clock import Clock
from rankwright.reverse.stable import StableFormula, stabilise, stable_words
from rankwright.reverse.stable.choice import Blend, _better
from rankwright.reverse.stable.steady import reads_as_scores

SIGNS = {"a": "+", "b": "+", "c": "+", "d": "-"}


@pytest.fixture(scope="module")
def ratings():
    """Return thirty products of two groups, rated with noise by a formula of four factors."""
    rng = np.random.default_rng(4)
    X = pd.DataFrame(rng.integers(1, 11, (30, 4)) / 2, columns=list("abcd"))
    y = np.round(X.to_numpy() @ [4.0, 2.0, 1.0, -2.0] + rng.normal(0, 1.5, 30), 2)
    return X, y, np.repeat(["p", "q"], 15)


def formula(selection, **parameters):
    defaults = {"top": 4, "signs": SIGNS, "time_limit": 600, "random_state": 0, "n_jobs": 1}
    return rw.RatingFormula(selection=selection, **defaults | parameters)


@pytest.fixture(scope="module")
def stable(ratings):
    return formula("stable").fit(*ratings)


def test_the_accurate_formula_and_its_certificate_stay(ratings, stable):
    accurate = formula("accurate").fit(*ratings)
    assert stable.accurate().weights_.tolist() == accurate.weights_.tolist()
    assert stable.certificate() == accurate.certificate()
    assert stable.accurate().stable_ is None
    assert accurate.accurate() is accurate


def test_predictions_are_those_of_the_stable_formula(ratings, stable):
    X, _, _ = ratings
    weights = [float(Fraction(w)) for w in stable.stable_.exact_weights]
    assert stable.predict(X) == pytest.approx(X.to_numpy() @ weights)
    assert stable.weights_.tolist() == weights


def test_the_objective_of_the_stable_formula_is_its_own(ratings, stable):
    X, y, groups = ratings
    reached = rw.metrics.top_auc(y, stable.predict(X), groups, top=4, emphasis=9.0)
    assert stable.stable_.objective == pytest.approx(reached)
    assert stable.stable_.objective <= stable.objective_ <= stable.bound_


def test_the_result_does_not_depend_on_threads(ratings, stable):
    again = formula("stable", n_jobs=2).fit(*ratings)
    assert again.exact_weights_ == stable.exact_weights_
    assert again.stable_.trials == stable.stable_.trials


def test_trials_begin_with_the_chosen_formula(stable):
    first, *others = stable.stable_.trials
    assert (first.towards, first.amount) == (stable.stable_.towards, stable.stable_.amount)
    assert first.behind == 0.0
    assert first.n_folds == 15  # no group has more products than that
    assert sum(one.amount == 0 for one in [first, *others]) == 1


def test_the_amount_given_is_taken(ratings):
    fits = {amount: formula(amount).fit(*ratings) for amount in (0.0, 0.5, 1.0)}
    accurate = formula("accurate").fit(*ratings)
    assert fits[0.0].exact_weights_ == accurate.exact_weights_
    assert [one.stable_.amount for one in fits.values()] == [0.0, 0.5, 1.0]
    assert all(not one.stable_.trials and one.stable_.is_complete for one in fits.values())
    ends, middle = (fits[0.0].shares_, fits[1.0].shares_), fits[0.5].shares_
    assert (np.minimum(*ends) - 0.5 <= middle).all()
    assert (middle <= np.maximum(*ends) + 0.5).all()


def test_signs_that_were_given_are_kept(ratings):
    signs = {"a": "+", "b": "+", "c": "-", "d": "+"}
    weights = formula(1.0, signs=signs).fit(*ratings).weights_
    assert (weights * [1, 1, -1, 1] >= 0).all()


def test_constraints_hold_for_the_stable_formula(ratings):
    fitted = formula(1.0, constraints=["a = 20%", "b >= c"]).fit(*ratings)
    own = [abs(Fraction(w)) for w in fitted.exact_weights_]
    assert own[0] == sum(own) / 5
    assert own[1] >= own[2]


def test_few_factors_are_those_of_the_accurate_formula(ratings):
    fitted = formula(1.0, signs="positive", constraints=["at most 2 factors"]).fit(*ratings)
    used = set(np.flatnonzero(fitted.weights_))
    assert len(used) <= 2
    assert used <= set(np.flatnonzero(fitted.accurate().weights_))


def test_pieces_of_factors_go_in_their_direction(ratings):
    fitted = formula(1.0, value_functions={"a": [3.0]}).fit(*ratings)
    assert len(fitted.weights_) == 5
    assert (fitted.weights_[:4] >= 0).all()


def test_scores_are_looked_at_where_y_are_some(ratings, stable):
    X, y, groups = ratings
    ranks = -pd.Series(y).groupby(groups).rank(ascending=False, method="min").to_numpy()
    assert {one.towards for one in stable.stable_.trials} == {"order", "scores"}
    assert formula(1.0).fit(X, ranks, groups).stable_.towards == "order"


@pytest.mark.parametrize(
    ("y", "is_scored"),
    [([-4, -3, -1, -1], False), ([1, 2, 3, 3], False), ([1.5, 2.5, 7.0, 9.0], True)],
)
def test_ranks_and_even_levels_are_no_scores(y, is_scored):
    assert reads_as_scores(np.array(y, dtype=float), np.array([0, 4])) is is_scored


def test_only_the_order_counts_without_scores(ratings):
    X, y, groups = ratings
    ranks = -pd.Series(y).groupby(groups).rank(ascending=False, method="min").to_numpy()
    one, other = (formula(1.0).fit(X, target, groups) for target in (ranks, 3 * ranks))
    assert one.exact_weights_ == other.exact_weights_


def test_a_formula_without_noise_is_found_from_scores(ratings):
    X, _, groups = ratings
    fitted = formula("stable", signs="auto").fit(X, X.to_numpy() @ [4.0, 2.0, 1.0, -2.0], groups)
    assert fitted.stable_.towards == "scores"
    assert fitted.weights_ / fitted.weights_[2] == pytest.approx([4, 2, 1, -2], rel=2e-3)


def test_an_accurate_formula_that_is_clearly_better_is_taken():
    ratings = rw.datasets.make_flex_ratings(random_state=0)
    X, y = ratings.X.iloc[ratings.train], ratings.y[ratings.train]
    fitted = formula("stable", top=25, signs="positive").fit(X, y)
    assert fitted.stable_.amount == 0.0
    assert fitted.weights_.tolist() == fitted.accurate().weights_.tolist()
    assert "the accurate formula" in fitted.summary(checks=False).splitlines()[-1]


def test_a_steadier_formula_stays_unless_another_is_clearly_better():
    steady, other = Blend("order", 1.0), Blend("order", 0.0)
    noise = np.array([0.3, -0.3, 0.2, -0.2])
    assert _better({steady: np.zeros(4), other: noise + 0.1}, steady, [other]) == steady
    assert _better({steady: np.zeros(4), other: noise + 0.5}, steady, [other]) == other


def test_without_time_the_accurate_formula_is_kept_and_it_is_said(stable):
    with Clock(600) as clock:
        clock.end()
        found = stabilise(stable.rating_, stable.solution_, "stable", clock, 1)
    assert found.exact_weights == stable.solution_.exact_weights
    assert (found.amount, found.trials, found.is_complete) == (0.0, [], False)
    words = stable_words(stable.rating_, stable.solution_, found)
    assert "Time was too short to find it." in words


def test_nothing_is_claimed_of_the_stable_formula(stable):
    words = " ".join(stable_words(stable.rating_, stable.solution_, stable.stable_))
    assert "nothing is proved about it" in words
    assert f"{stable.stable_.objective:.4f}" in words


def test_a_model_file_keeps_both_formulas(stable, ratings, tmp_path):
    rw.save(stable, tmp_path / "stable.rw")
    loaded = rw.load(tmp_path / "stable.rw")
    assert loaded.predict(ratings[0]).tolist() == stable.predict(ratings[0]).tolist()
    assert isinstance(loaded.stable_, StableFormula)
    assert loaded.certificate() == stable.certificate()
    assert loaded.accurate().weights_.tolist() == stable.accurate().weights_.tolist()


def test_the_spreadsheet_has_the_selected_formula(stable):
    assert stable.to_excel_formula() != stable.accurate().to_excel_formula()


def test_published_scores_to_reproduce_are_refused(ratings):
    with pytest.raises(ValueError, match="choose another objective"):
        rw.RatingFormula("scores", selection="stable").fit(*ratings[:2])


@pytest.mark.parametrize("selection", ["best", -0.1, 1.5, True])
def test_other_selections_are_refused_by_value(ratings, selection):
    with pytest.raises(ValueError, match="selection="):
        rw.RatingFormula(selection=selection).fit(*ratings[:2])


def test_an_investigation_tells_of_the_accurate_formula_and_keeps_the_stable_one(ratings):
    X, y, groups = ratings
    frame = X.assign(name=[f"P{i:02}" for i in range(30)], score=y, kind=groups)
    table = rw.read_table(frame, item="name", target="score", target_is="score", group="kind")
    found = rw.investigate(table, formula(1.0, signs="positive", time_limit=4), checks=False)
    assert found.formula.stable_ is None
    assert found.model is found.stable
    assert found.weights["weight"].tolist() == pytest.approx(found.formula.weights_.tolist())
    chosen = found.stable_weights["weight"].tolist()
    assert chosen == pytest.approx(found.stable.weights_.tolist())
    assert found.ranking["score"].to_numpy() == pytest.approx(
        found.formula.predict(table.X.loc[found.ranking.index])
    )
