"""Ranges speak of formulas with the signs found, and every sentence about them says so."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.cli.findings import show_findings
from rankwright.cli.output import Output
from rankwright.report import plain
from rankwright.report.given_weights import given_words
from rankwright.report.proof_words import any_sign_words, proof_words
from rankwright.report.rating import rating_report, rating_result
from rankwright.report.score_words import score_words
from rankwright.reverse import RatingFormula, investigate
from rankwright.reverse.questions import judge_weights

FACTORS = ["quality", "service", "colour"]


@pytest.fixture(scope="module")
def table():
    """Return a rating in which colour doesn't count, so that either sign of it fits."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(1, 100, (25, 3)) / 10, columns=FACTORS)
    frame["name"] = [f"H{i}" for i in range(25)]
    frame["rank"] = (-(5 * frame["quality"] + 3 * frame["service"])).rank().astype(int)
    return rw.read_table(frame, item="name", target="rank")


@pytest.fixture(scope="module")
def found(table):
    return investigate(table, RatingFormula(top=5, random_state=0), checks=False)


@pytest.fixture(scope="module")
def other(found):
    """Return weights that reproduce every pair, with the other sign of colour."""
    sign = -1.0 if found.formula.directions_[2] > 0 else 1.0
    return {"quality": 5.0, "service": 3.0, "colour": 0.001 * sign}


def judged(found, weights):
    rating, solution = found.formula.rating_, found.formula.solution_
    return judge_weights(rating, solution, weights, found.weight_ranges)


def test_a_formula_with_another_sign_fits_as_well(found, other):
    answer = judged(found, other)
    assert answer.given.lost == answer.found.lost == 0


def test_what_is_proved_of_ranges_names_the_signs_in_the_same_sentence(found):
    said = proof_words(found)
    (proved,) = (sentence for sentence in said if "within the ranges" in sentence)
    assert proved.startswith("Every weighted sum with these signs that fits as well")
    assert any("'Any signs' are the ranges of all weighted sums" in sentence for sentence in said)


def test_without_ranges_of_any_signs_a_sentence_says_that_others_may_fit(found):
    said = proof_words(replace(found, any_sign_ranges=None))
    assert any("formulas with other signs may fit as well" in sentence for sentence in said)


def test_signs_that_were_given_are_not_said_to_be_the_datas(table):
    formula = RatingFormula(top=5, signs="positive", random_state=0)
    said = " ".join(proof_words(investigate(table, formula, checks=False)))
    assert "with these signs that fits as well" in said
    assert "The data decided" not in said


def test_the_report_says_it(found):
    assert "Every weighted sum with these signs that fits as well" in rating_report(found)
    assert "among formulas with these signs that fit as well" in rating_report(found)


def test_the_result_for_machines_has_a_field_that_says_it(found):
    values = json.loads(json.dumps(plain(rating_result(found))))
    said = values["weight_ranges_hold_for"]
    assert said.startswith("formulas with these signs that fit as well. The data decided")


def test_proofs_about_rounded_factors_name_the_signs_in_the_same_sentence():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 5.0], "b": [2.0, 1.0, 5.0, 3.0, 4.0]})
    fit = RatingFormula("scores").fit(X, X @ [2.0, 1.0]).score_fit_
    for rounded in (False, True):
        said = score_words(replace(fit, rounded_factors=rounded))
        (ranges,) = (sentence for sentence in said if "The ranges of the weights hold" in sentence)
        assert ("linear formula with these signs that" in ranges) == rounded


def test_a_given_weight_of_the_other_sign_is_not_called_outside(found, other, capsys):
    answer = judged(found, other | {"colour": 200 * other["colour"]})
    assert answer.table["inside"]["colour"] is None
    assert answer.other_signs == ["colour"]
    assert "colour" not in answer.outside
    show_findings(Output(), found, answer)
    said = " ".join(capsys.readouterr().out.split())
    assert "other sign" in said
    assert "colour: given with the opposite sign. So the ranges say nothing" in said


def test_given_weights_say_how_many_published_scores_they_reproduce():
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.integers(0, 100, (30, 2)), columns=["teaching", "research"])
    frame["score"] = (0.3 * frame["teaching"] + 0.7 * frame["research"]).round(1)
    frame.loc[0, "score"] += 5.0  # a misprint
    frame["name"] = [f"U{i}" for i in range(30)]
    table = rw.read_table(frame, item="name", target="score", target_is="score")
    formula = RatingFormula(objective="scores", time_limit=20, random_state=0)
    judged = investigate(table, formula, checks=False).judge({"teaching": 30, "research": 70})
    assert judged.scores == (29, 29)
    assert "They reproduce 29 of the published scores as rounded" in " ".join(given_words(judged))


def test_a_wide_range_is_known_where_formulas_were_seen_at_its_ends(found):
    wide = found.any_sign_ranges.assign(
        inner_low=-31.0, inner_high=32.0, outer_low=-31.04, outer_high=32.04
    )
    assert any_sign_words(replace(found, any_sign_ranges=wide), "colour") == "-31.1 to 32.1"
    far = wide.assign(inner_high=0.0)
    assert any_sign_words(replace(found, any_sign_ranges=far), "colour") == "not known"
