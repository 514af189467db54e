from fractions import Fraction
from html import unescape

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.cli.findings import show_findings
from rankwright.cli.output import Output
from rankwright.report.proof_words import _telling_places, certificate_words
from rankwright.report.rating import rating_report
from rankwright.report.words import verdict_words
from rankwright.reverse import RatingFormula, investigate
from rankwright.reverse.budget import Budget


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 9, (30, 4)), columns=list("abcd"))
    frame["name"] = [f"P{i}" for i in range(30)]
    frame["rank"] = rng.permutation(30) + 1
    return rw.read_table(frame, item="name", target="rank")


def words(table, **parameters):
    formula = RatingFormula(solver="search", random_state=0, **parameters)
    return " ".join(certificate_words(investigate(table, formula, checks=False)))


def test_no_formula_falls_below_the_bound_of_position_errors(noisy):
    said = words(noisy, objective="positions", top=5)
    assert "can fall below" in said
    assert "exceed" not in said
    assert "each product in the published top 5" in said


def test_no_formula_exceeds_the_bound_of_the_statistic(noisy):
    said = words(noisy, top=5)
    assert "can exceed" in said
    assert "fall below" not in said
    assert "count 10 times. 1 would be every pair" in said


def test_a_report_of_position_errors_bounds_them_from_below(noisy):
    formula = RatingFormula("positions", top=5, solver="search", random_state=0)
    page = rating_report(investigate(noisy, formula, checks=False))
    assert "no formula falls below it" in page
    assert "exceed" not in page


def test_a_formula_no_better_than_chance_gives_no_advice(noisy, capsys, monkeypatch):
    # All steps but ranges end by themselves.
    monkeypatch.setattr(Budget, "seconds_for", lambda _, step: 0.1 if "range" in step else 600.0)
    found = investigate(noisy, RatingFormula(top=5, solver="search", random_state=0))
    assert verdict_words(found)[0].startswith("NOT AT ALL")
    assert "not tested" not in " ".join(verdict_words(found))
    assert not found.suspects.empty
    show_findings(Output(), found)
    page, printed = unescape(rating_report(found)), capsys.readouterr().out
    for said in (page, " ".join(printed.split())):
        assert (
            "The formula explains this ranking no better than chance, so two things are not listed"
            in said
        )
        assert "What counts most" not in said
        assert "pairs lost" not in said
    assert "What one step of a factor does" not in page


def test_a_verdict_without_checks_says_that_it_is_of_the_fit(noisy):
    formula = RatingFormula(top=5, solver="search", random_state=0)
    said = verdict_words(investigate(noisy, formula, checks=False))
    assert "the formula orders" in said[0]
    assert "by chance, was not tested" in said[1]


def test_weights_of_categories_say_what_every_pair_is_worth():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 9, (20, 2)), columns=["a", "b"])
    frame["name"] = [f"P{i}" for i in range(20)]
    frame["kind"] = np.repeat(["x", "y"], 10)
    frame["class"] = np.repeat(["X", "Y"], 10)
    frame["rank"] = np.tile(np.arange(10) + 1, 2)
    table = rw.read_table(frame, item="name", target="rank", group="kind", category="class")
    said = words(table, top={"x": 2, "y": 4}, category_weights={"Y": 0.5})
    assert "1.5 would be every pair" in said
    assert "top (of 2 to 4 products)" in said


@pytest.mark.parametrize(
    ("gap", "places"),
    [(Fraction(0), 4), (Fraction(12), 4), (Fraction(1, 1000), 4), (Fraction(3, 10**5), 6)],
)
def test_an_objective_and_its_bound_are_written_with_places_that_tell_them_apart(gap, places):
    assert _telling_places(gap) == places
