"""What a certificate says, and what it refuses to say."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from rankwright.reverse import RatingFormula
from rankwright.reverse.certificate import Certificate, certify
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.search.directions import UNDECIDED


@pytest.fixture(scope="module", params=["top_auc", "positions"])
def fitted(request):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, (12, 3)).astype(float)
    signs = {"x0": "+", "x1": "-", "x2": "free"}
    formula = RatingFormula(top=3, objective=request.param, signs=signs, random_state=0)
    formula.fit(X, rng.permutation(12))
    return formula.rating_, formula.solution_


def test_the_scope_names_the_sign_of_every_weight(fitted):
    scope = certify(*fitted).scope
    assert scope == "linear formulas with the weights x0 >= 0, x1 <= 0, x2 free"


def test_the_weights_and_the_proof_are_those_of_the_solution(fitted):
    certificate, solution = certify(*fitted), fitted[1]
    assert list(certificate.weights) == ["x0", "x1", "x2"]
    assert list(certificate.weights.values()) == [Fraction(w) for w in solution.exact_weights]
    assert (certificate.status, certificate.proof) == ("optimal", solution.proof)


def test_an_optimum_is_proved_where_the_bound_is_reached(fitted):
    certificate = certify(*fitted)
    assert certificate.is_optimal
    assert certificate.objective == certificate.bound


def test_a_bound_that_is_not_reached_proves_no_optimum(fitted):
    rating, solution = fitted
    certificate = certify(rating, replace(solution, bound=solution.bound + 1))
    assert certificate.objective != certificate.bound
    assert not certificate.is_optimal


def test_a_search_proves_no_optimum(fitted):
    rating, solution = fitted
    assert not certify(rating, replace(solution, status=FitStatus.SEARCHED)).is_optimal


def test_a_formula_beyond_the_bound_is_an_error(fitted):
    rating, solution = fitted
    with pytest.raises(AssertionError, match="beyond the bound"):
        certify(rating, replace(solution, bound=solution.bound - 1))


def test_a_certificate_reads_as_a_sentence():
    third = Fraction(2, 3)
    certificate = Certificate({}, third, third, third, 0, True, "ended", "P", "S")
    assert str(certificate) == ("objective 0.666667 = bound 0.666667 (ended)\nproof: P\nfor: S")


def test_an_optimum_and_its_bound_are_written_alike():
    third = Fraction(1, 3)
    certificate = Certificate({}, third, third, third, 0, True, "ended", "P", "S")
    assert "objective 0.333333 = bound 0.333333" in str(certificate)
    assert certificate.gap == 0
    assert replace(certificate, bound=Fraction(1, 4)).gap == Fraction(1, 12)


def test_the_scope_leaves_signs_open_that_the_data_decided_but_of_pieces(fitted):
    rating, solution = fitted
    undecided = replace(rating, asked=np.array([1, UNDECIDED, 0]))
    assert "x0 >= 0, x1 free, x2 free" in certify(undecided, solution).scope
    pieces = replace(undecided, piece_of=["x0", "x1", "x2"])
    assert "x0 >= 0, x1 <= 0, x2 free" in certify(pieces, solution).scope


def test_the_scope_names_every_constraint(fitted):
    rating, solution = fitted
    limited = replace(rating, constraints=("x0 >= x1", "x2 <= 10%"))
    assert certify(limited, solution).scope.endswith("; with x0 >= x1; with x2 <= 10%")


def test_a_bound_is_written_no_smaller_than_it_is():
    certificate = Certificate(
        {},
        Fraction(1, 2),
        Fraction(2, 3) + Fraction(1, 10**9),
        Fraction(1),
        0,
        False,
        "ended",
        "P",
        "S",
    )
    assert "vs bound 0.666667 (" in str(certificate)
    lower = replace(certificate, bound=Fraction(1, 3))
    assert "vs bound 0.333334 (" in str(lower)


def test_a_certificate_says_what_holds_for_any_signs_where_that_is_less():
    half, bound = Fraction(1, 2), Fraction(3, 4)
    certificate = Certificate({}, half, half, bound, 2, True, "optimal", "P", "S")
    assert not certificate.holds_for_any_signs
    lost = "published pairs that every formula loses: at least 2"
    assert str(certificate).endswith(f"for: S\nfor any signs: bound 0.750000\n{lost}")


@pytest.fixture(scope="module")
def decided():
    """A rating whose directions the data decided, with nothing proved about others."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, (12, 2)).astype(float)
    formula = RatingFormula(top=3, random_state=0).fit(X, X @ [2.0, -1.0] + rng.normal(size=12))
    assert formula.directions_.tolist() == [1, -1]
    return formula.rating_, formula.solution_


def test_the_scope_is_that_of_the_directions_where_others_may_be_better(decided):
    rating, solution = decided
    wider = replace(solution, bound_any_signs=solution.bound + 1)
    assert certify(rating, wider).scope == "linear formulas with the weights x0 >= 0, x1 <= 0"


def test_the_scope_is_all_signs_where_no_other_does_better(decided):
    assert certify(*decided).scope == "linear formulas with the weights x0 free, x1 free"
