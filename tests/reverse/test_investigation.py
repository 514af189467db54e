from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.kernels.rating.planes import NOTHING
from rankwright.programs import NoAnswerError
from rankwright.report.proof_words import proof_words
from rankwright.report.rating import rating_report, rating_result
from rankwright.report.rating.formula import FormulaListing
from rankwright.report.words import group_words, moved_words, verdict_words
from rankwright.reverse import RatingFormula, investigate, investigation
from rankwright.reverse.bound.cells import first_cells
from rankwright.reverse.budget import Budget
from rankwright.reverse.clock import Clock
from rankwright.reverse.questions import any_signs, good_formulas
from rankwright.reverse.questions.resampling import bootstrap
from rankwright.reverse.questions.shared_formula import shared_formula
from rankwright.reverse.refusal import QuestionRefusedError


@pytest.fixture
def table():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.integers(2, 11, (20, 3)) / 2, columns=["photo", "video", "weight"])
    frame["name"] = [f"P{i}" for i in range(20)]
    score = frame[["photo", "video", "weight"]].to_numpy() @ [3, 2, -1] + rng.standard_normal(20)
    frame["rank"] = (-score).argsort().argsort() + 1
    return rw.read_table(frame, item="name", target="rank")


def test_ctrl_c_during_the_fit_keeps_the_best_formula(table):
    def interrupt(state):
        raise KeyboardInterrupt

    found = investigate(table, RatingFormula(top=3, callback=interrupt, random_state=0))
    assert found.interrupted
    assert found.certificate.status == "interrupted"
    assert len(found.ranking) == 20
    assert found.suspects is None
    assert found.chance is None


def test_ctrl_c_before_there_is_a_formula_is_passed_on(table):
    def interrupt(what):
        raise KeyboardInterrupt

    formula = RatingFormula(top=3, random_state=0).fit(table.X, table.y)
    with pytest.raises(KeyboardInterrupt):
        investigate(table, formula, step=interrupt)  # its old formula is of another fit


def test_ctrl_c_later_keeps_what_was_found_before(table):
    said = []

    def interrupt(what):
        said.append(what)
        if what.words == "Fitting shuffled ranks":
            raise KeyboardInterrupt

    found = investigate(table, RatingFormula(top=3, random_state=0), step=interrupt)
    assert found.interrupted
    assert found.held_out is not None
    assert found.chance is None
    assert found.left_out == {"chance": "the run was interrupted"}
    assert len(dict.fromkeys(step.words for step in said)) == 8
    page = rating_report(found)
    assert "The run was interrupted; missing: comparison with chance." in page


def test_a_formula_of_its_own_is_made_without_one(table):
    found = investigate(table, checks=False)
    assert found.formula.status_ == "optimal"
    assert found.held_out is None
    assert not found.interrupted
    assert found.ranking["score"].tolist() == pytest.approx(
        found.formula.predict(table.X.loc[found.ranking.index]).tolist()
    )


def test_a_question_that_cannot_be_answered_keeps_the_formula_and_its_reason(table, monkeypatch):
    def refuse(*_):
        raise QuestionRefusedError("20 products are too many")

    for name in ("weight_ranges", "any_sign_ranges"):
        monkeypatch.setitem(investigation.QUESTIONS, name, refuse)
    found = investigate(table, RatingFormula(top=3, random_state=0), checks=False)
    assert found.weight_ranges is None
    assert found.left_out["weight_ranges"] == "20 products are too many"
    assert found.suspects is not None
    page = unescape(rating_report(found))
    assert "Left out, ranges of the weights: 20 products are too many." in page
    assert "There are no ranges of the weights; a note says why." in proof_words(found)


def test_a_solver_that_gives_up_costs_one_question_and_a_defect_is_no_note(table, monkeypatch):
    def fail(error):
        def answer(*_):
            raise error

        monkeypatch.setitem(investigation.QUESTIONS, "weight_ranges", answer)
        return investigate(table, RatingFormula(top=3, random_state=0), checks=False)

    assert fail(NoAnswerError("no answer")).left_out == {"weight_ranges": "no answer"}
    for defect in (ValueError, RuntimeError):
        with pytest.raises(defect, match="a broken invariant"):
            fail(defect("a broken invariant"))


def test_what_a_rating_does_not_allow_to_ask_is_refused_as_such(table):
    free = RatingFormula(top=3, signs="free", random_state=0).fit(table.X, table.y)
    known = RatingFormula(top=3, constraints=["photo >= video"], random_state=0)
    known.fit(table.X, table.y)
    for ask in (
        free.weight_ranges,
        free.contradictions,
        lambda: known.weight_ranges(any_signs=True),
        lambda: shared_formula(free.rating_, clock=Clock(5.0)),
    ):
        with pytest.raises(QuestionRefusedError):
            ask()


def test_resamples_without_an_order_have_no_interval():
    rating = RatingFormula(top=1, random_state=0).fit([[0], [1]], [0, 1])
    late = Clock(1e-9, tell=lambda *_: None)  # one resample of two products, of the same one twice
    with pytest.raises(QuestionRefusedError, match="none of 1 resamples has two products"):
        bootstrap(rating.rating_, rating.solution_, clock=late)


def test_ranges_of_free_signs_are_those_with_any_signs(table):
    found = investigate(table, RatingFormula(top=3, signs="free", random_state=0), checks=False)
    assert found.weight_ranges is None
    assert not found.left_out
    assert "any signs" in FormulaListing.of(found).spans
    assert any("whatever the signs that were open" in one for one in proof_words(found))


def test_an_investigation_knows_pieces_of_factors():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"price": rng.integers(10, 100, 40), "zoom": rng.integers(1, 9, 40)})
    worth = 4 * X["zoom"] - np.minimum(X["price"], 50)
    frame = X.assign(name=[f"p{i}" for i in range(40)], score=worth, kind=["a", "b"] * 20)
    table = rw.read_table(frame, item="name", target="score", target_is="score", group="kind")
    formula = RatingFormula(top=5, value_functions={"price": [50]}, random_state=0)
    found = investigate(table, formula, checks=False, each_group=True)
    assert list(found.weights.index) == ["price up to 50", "price over 50", "zoom"]
    assert list(found.each_group.columns[5:]) == list(found.weights.index)
    assert "with these signs and pieces" in proof_words(found)[0]
    values = found.formula.factor_values()
    assert values["at"].tolist() == [X["price"].min(), 50.0, X["price"].max()]
    assert rating_result(found)["factor_values"].equals(values)
    assert "What factors in pieces are worth" in rating_report(found)
    # A step of the price counts where it is not over the knot.
    assert 0 < found.what_if.loc["price", "gain"] < 1


def test_the_time_limit_is_divided_by_the_plan_and_what_is_saved_goes_on():
    seconds = iter([0.0, 0.0, 10.0, 10.0])
    budget = Budget(Clock(100.0, now=lambda: next(seconds)), ["fit", "weight_ranges", "suspects"])
    assert budget.seconds_for("fit") == pytest.approx(100 * 10 / 16)
    assert budget.seconds_for("weight_ranges") == pytest.approx(90 / 2)
    assert budget.seconds_for("suspects") == pytest.approx(90)


def test_the_formula_keeps_the_time_limit_that_it_was_given(table):
    formula = RatingFormula(top=3, time_limit=1000.0, random_state=0)
    steps = []
    investigate(table, formula, checks=False, step=steps.append)
    assert formula.time_limit == 1000.0
    assert steps[0].seconds == pytest.approx(1000 * 10 / 17, rel=0.05)


def test_the_time_limit_of_the_estimator_is_never_another_one(table):
    formula = RatingFormula(top=3, time_limit=1000.0, random_state=0)
    seen = []
    formula.set_params(callback=lambda state: seen.append(formula.time_limit))
    investigate(table, formula, checks=False)
    assert set(seen) == {1000.0}


def test_what_time_was_too_short_for_is_counted_and_not_warned_of(table, recwarn, monkeypatch):
    monkeypatch.setattr(Budget, "seconds_for", lambda _, step: 5.0 if step == "fit" else 1e-6)
    found = investigate(table, RatingFormula(top=3, random_state=0))
    assert found.shortened["held_out"] == "1 of 10 folds"
    assert found.drawn_again is None  # an interval of one resample would say too much
    assert not [one for one in recwarn if "was only enough for" in str(one.message)]
    page = unescape(rating_report(found))
    assert "There was not enough time to finish: " in page
    assert "held-out products (1 of 10 folds)" in page


def test_a_question_whose_smallest_answer_is_long_is_not_begun_without_time(table, monkeypatch):
    monkeypatch.setattr(investigation, "SLOW", {"alternatives": 1.0})
    found = investigate(table, RatingFormula(top=3, time_limit=20, random_state=0))
    assert found.alternatives is None
    assert found.left_out["alternatives"] == "there was not enough time for it"
    assert "There was not enough time for: other methods" in unescape(rating_report(found))


def whole(problem):
    """Return the cells that all formulas are in."""
    return list(first_cells(problem, -NOTHING))


def test_ranges_that_were_not_searched_are_left_out_and_listed(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 99, (60, 6)), columns=list("abcdef"))
    frame["name"], frame["rank"] = [f"P{i}" for i in range(60)], rng.permutation(60) + 1
    table = rw.read_table(frame, item="name", target="rank")
    monkeypatch.setattr(Budget, "seconds_for", lambda _, step: 2.0 if step == "fit" else 1e-9)
    # Even so short a time can do for a few cells: here it does for none.
    for module in (good_formulas, any_signs):
        monkeypatch.setattr(module, "cells_within", lambda problem, *_: ([], whole(problem)))
    found = investigate(table, RatingFormula(top=3, random_state=0), checks=False)
    assert found.weight_ranges is None
    page = unescape(rating_report(found))
    assert "There was not enough time for: ranges of the weights." in page


def test_a_formula_of_one_category_counts_what_it_loses_in_the_others(table):
    years = np.repeat(["2011", "2012"], 20)
    X = pd.concat([table.X, table.X]).set_axis([f"P{i}" for i in range(40)])
    y = np.concatenate([table.X @ [3.0, 2.0, -1.0], table.X @ [-1.0, 2.0, 3.0]])
    both = replace(table, X=X, y=y, groups=years, categories=years, printed=None)
    found = investigate(both, RatingFormula(top=3, random_state=0), checks=False)
    how = found.how_well
    assert (how.n_products, how.n_elsewhere) == (20, 20)
    assert how.formula.lost == 0
    scores = np.round(X[20:] @ found.formula.weights_, 9).to_numpy()
    lost = sum(
        y[20 + i] > y[20 + k] and scores[i] <= scores[k] for i in range(20) for k in range(20)
    )
    assert how.elsewhere.lost == lost > 0
    said = " ".join(verdict_words(found))
    assert "fitted to the 20 products of 2011 alone" in said
    assert f"it loses {lost:,} of {how.elsewhere.pairs:,} published pairs" in said
    page = unescape(rating_report(found))
    assert "None among the 20 products that the formula was fitted to" in page


def test_each_group_gets_a_formula_of_its_own_beside_the_shared_one(table):
    groups = np.repeat(["a", "b"], 20)
    X = pd.concat([table.X, table.X]).set_axis([f"P{i}" for i in range(40)])
    y = np.concatenate([table.X @ [3.0, 2.0, -1.0], table.X @ [-1.0, 2.0, 3.0]])
    both = replace(table, X=X, y=y, groups=groups, printed=None)
    formula = RatingFormula(top=3, random_state=0)
    found = investigate(both, formula, checks=False, each_group=True)
    assert found.each_group["lost_own"].tolist() == [0, 0]
    assert found.each_group["lost_shared"].sum() == found.how_well.formula.lost > 0
    assert found.each_group.loc["a", "photo"] > 0 > found.each_group.loc["a", "weight"]
    assert found.shared.is_refuted
    assert "The groups do not share one formula" in " ".join(group_words(found))
    alike = replace(found, shared=replace(found.shared, p_value=0.4))
    assert "That does not prove that they share one" in " ".join(group_words(alike))
    with pytest.raises(ValueError, match="needs a table with groups"):
        investigate(table, formula, each_group=True)


def test_a_product_inside_its_published_tie_has_not_moved(table):
    tied = replace(table, y=np.floor(table.y / 3))
    found = investigate(tied, RatingFormula(top=3, random_state=0), checks=False)
    ranking = found.ranking
    inside = ranking["reproduced"].between(ranking["published"], ranking["published_last"])
    assert ((ranking["moved"] == 0) == inside).all()
    assert 0 < (~inside).sum() < 20
    assert f"{(~inside).sum()} of 20 products are outside" in moved_words(found)


def test_a_logarithm_is_suggested_where_the_order_asks_for_it():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(
        {"income": np.exp(rng.uniform(6, 12, 80)).round(), "years": rng.uniform(0, 20, 80)}
    )
    frame["rank"] = (-(np.log(frame["income"]) + 0.2 * frame["years"])).rank().astype(int)
    frame["land"] = [f"L{i}" for i in range(80)]
    table = rw.read_table(frame, item="land", target="rank")
    formula = RatingFormula(solver="search", time_limit=3, random_state=0)
    found = investigate(table, formula)
    assert found.forms.iloc[0]["factor"] == "income"
    assert "With the logarithm of income a plain regression orders" in " ".join(
        verdict_words(found)
    )
    assert investigate(table, formula, checks=False).forms is None
