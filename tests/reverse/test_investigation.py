from html import unescape

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.report.rating import rating_report
from rankwright.reverse import RatingFormula, investigate


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
        if what == "Fitting shuffled ranks":
            raise KeyboardInterrupt

    found = investigate(table, RatingFormula(top=3, random_state=0), step=interrupt)
    assert found.interrupted
    assert found.held_out is not None
    assert found.chance is None
    assert found.left_out == {"chance": "the run was interrupted"}
    assert len(said) == 5
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


def test_a_question_that_cannot_be_answered_keeps_the_formula_and_its_reason(table):
    formula = RatingFormula(top=3, signs="free", random_state=0)
    found = investigate(table, formula, checks=False)
    assert found.weight_ranges is None
    assert found.left_out == {
        "weight_ranges": "ranges need decided directions; fit with signs='auto' or a mapping"
    }
    assert found.suspects is not None
    assert "Left out, ranges of the weights: ranges need decided" in unescape(rating_report(found))
