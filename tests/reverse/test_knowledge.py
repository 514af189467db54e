from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rankwright as rw
from rankwright.reverse.knowledge import allowed_cone, parse_requirements, read_requirements
from rankwright.reverse.problem import Rating
from rankwright.reverse.whole_numbers import read_whole

NAMES = ["a", "b", "c"]
KNOWN = [
    ["a <= 20%"],
    ["a = b"],
    ["a + b = 60%"],
    ["a >= b >= c"],
    ["c = 25%"],
    ["a >= 2 b", "c >= 10%"],
    ["a = 40% of (a + b)"],
    ["at most 2 factors"],
    ["at most 1 factor"],
    ["b >= 10%", "at most 2 factors"],
    ["share(a) >= share(b)", "share(c) <= 50%"],
]


def candidates(problem):
    """Return sums of up to three rays of the arrangement of pairs and constraints, all allowed."""
    whole = problem.factors.whole * problem.directions
    pairs = [whole[i] - whole[k] for i, k in combinations(range(len(whole)), 2)]
    planes = [*pairs, *problem.cone.rows.tolist(), *np.eye(3, dtype=int)]
    rays = set()
    for one, other in combinations(planes, 2):
        a, b = [list(map(int, plane)) for plane in (one, other)]
        ray = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        for sign in (1, -1):
            turned = np.array([sign * v for v in ray], dtype=object)
            if any(turned) and problem.cone.contains(turned):
                size = np.gcd.reduce(turned)
                rays.add(tuple(int(v) // int(size) for v in turned))
    for n in (1, 2, 3):
        for chosen in combinations(sorted(rays), n):
            weights = np.array([sum(column) for column in zip(*chosen, strict=True)], dtype=object)
            if problem.cone.contains(weights):
                yield weights


ratings = st.lists(
    st.tuples(*[st.integers(0, 4)] * 3, st.integers(0, 4)), min_size=3, max_size=5
).filter(lambda rows: all(len(set(column)) > 1 for column in zip(*rows, strict=True)))


@pytest.mark.parametrize("known", KNOWN, ids=str)
@pytest.mark.parametrize("objective", ["top_auc", "positions"])
@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(ratings)
def test_a_constrained_optimum_equals_enumeration(known, objective, rows):
    X, y = np.array([row[:3] for row in rows], dtype=float), [row[3] for row in rows]
    formula = rw.RatingFormula(
        objective, top=2, signs="positive", constraints=known, random_state=0
    ).fit(pd.DataFrame(X, columns=NAMES), y)
    problem = formula.rating_.problem
    assert formula.status_ == "optimal"
    assert problem.cone.contains(formula.solution_.whole_weights(problem))
    assert formula.solution_.value == max(problem.value(w) for w in candidates(problem))
    ranges = formula.weight_ranges()
    best = [w for w in candidates(problem) if problem.value(w) == formula.solution_.value]
    shares = np.array([problem.shares_of(w) for w in best])
    assert (shares >= ranges["outer_low"].to_numpy() - 1e-6).all()
    assert (shares <= ranges["outer_high"].to_numpy() + 1e-6).all()


def cameras():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 101, (40, 4)), columns=["air", "sea level", "x-ray", "b"])
    return X, (X @ [0.4, 0.3, 0.2, 0.1]).round(0)


@pytest.mark.parametrize("objective", ["top_auc", "scores"])
def test_every_constraint_holds_for_the_printed_weights(objective):
    X, y = cameras()
    known = ["air <= 35%", "sea level = 2 x-ray", "b >= 12%"]
    formula = rw.RatingFormula(
        objective, signs="positive", constraints=known, time_limit=10, random_state=0
    ).fit(X, y)
    a, s, x, b = (Fraction(w) for w in formula.solution_.exact_weights)
    total = a + s + x + b
    assert a <= Fraction(35, 100) * total
    assert s == 2 * x
    assert b >= Fraction(12, 100) * total


def test_a_true_constraint_narrows_the_ranges_of_scores():
    X, y = cameras()
    free = rw.RatingFormula(objective="scores").fit(X, y).score_fit_
    fit = rw.RatingFormula(objective="scores", constraints=["air = 40%"]).fit(X, y).score_fit_
    assert (fit.low >= free.low).all()
    assert (fit.high <= free.high).all()
    assert fit.high[0] - fit.low[0] < free.high[0] - free.low[0]
    assert fit.reproduces_everything


def test_contradicting_constraints_are_refused_with_the_fewest_that_contradict():
    X, y = cameras()
    known = ["air >= 50%", "b >= 5%", "sea level >= 60%", "x-ray <= 90%"]
    with pytest.raises(ValueError, match="satisfy 'air >= 50%' and 'sea level >= 60%'; leave one"):
        rw.RatingFormula(constraints=known).fit(X, y)
    with pytest.raises(ValueError, match="'b >= 10%' and 'at most 1 factors' and 'air >= 10%'"):
        rw.RatingFormula(constraints=["b >= 10%", "at most 1 factors", "air >= 10%"]).fit(X, y)


def test_a_conflict_of_two_constraints_is_told_before_one_of_three():
    known = ["a <= 10%", "a >= 50%", "b >= 30%", "c >= 30%"]
    X = np.random.default_rng(0).uniform(size=(6, 4))
    frame = pd.DataFrame(X, columns=[*NAMES, "d"])
    for order in (known, known[::-1]):
        with pytest.raises(ValueError, match=r"satisfy 'a .. ..%' and 'a .. ..%'; leave one"):
            rw.RatingFormula(constraints=order).fit(frame, np.arange(6))


def test_a_share_is_told_as_the_percentage_that_it_is():
    with pytest.raises(ValueError, match=r"0.05 of what\? Write 5% or name a factor"):
        parse_requirements(["a <= 0.05"], NAMES)


def test_printed_signs_are_read_like_typed_ones():
    printed, typed = (parse_requirements([f"5% {sign} a"], NAMES)[0] for sign in ("≤", "<="))
    assert (printed.coefficients, printed.percent) == (typed.coefficients, typed.percent)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("air < 5%", "write '<='"),
        ("air", "has no <=, >= or ="),
        ("air <= 5", "5 of what"),
        ("wind <= 5%", "names no factor"),
        ("air <= share(b)", "compares weights with shares"),
        ("air = 5% of (b + x-ray", "parenthesis"),
        ("air b <= 5%", "is not understood"),
    ],
)
def test_a_constraint_that_is_not_understood_is_refused_with_the_reason(text, words):
    with pytest.raises(ValueError, match=words):
        parse_requirements([text], ["air", "b", "x-ray"])


def test_names_with_signs_are_read_as_names():
    (one,) = parse_requirements(["x-ray >= `a = b`"], ["x-ray", "x", "a = b"])
    assert dict(one.coefficients) == {"x-ray": 1, "a = b": -1}


def test_a_file_names_sets_of_factors(tmp_path):
    path = tmp_path / "known.toml"
    path.write_text('require = ["nature = 60%", "c <= 2 nature"]\n[sets]\nnature = ["air", "b"]\n')
    one, other = parse_requirements(read_requirements(path), ["air", "b", "c"])
    assert (dict(one.coefficients), one.percent) == ({"air": 1, "b": 1}, 60)
    assert dict(other.coefficients) == {"air": 2, "b": 2, "c": -1}


def test_free_signs_with_constraints_are_refused():
    X, y = cameras()
    with pytest.raises(ValueError, match="directions must be known"):
        rw.RatingFormula(signs="free", constraints=["air <= 5%"]).fit(X, y)


def test_a_constrained_formula_survives_its_file_and_says_what_it_assumed(tmp_path):
    X, y = cameras()
    formula = rw.RatingFormula(constraints=["air <= 30%"], time_limit=5, random_state=0).fit(X, y)
    rw.save(formula, tmp_path / "known.rw")
    loaded = rw.load(tmp_path / "known.rw")
    assert isinstance(loaded.rating_, Rating)
    assert "with air <= 30%" in loaded.certificate().scope


def test_directions_that_only_a_tie_makes_better_are_found_under_constraints():
    # Two products share the second place, so that a formula without error ties them.
    X = np.array([[1, 2, 4], [5, 1, 3], [3, 5, 3.0]])
    formula = rw.RatingFormula("positions", top=2, constraints=["x2 <= 30%"], random_state=0).fit(
        X, [1, 2, 1]
    )
    assert formula.objective_ == 0
    assert formula.certificate().holds_for_any_signs


def test_what_data_decided_under_constraints_is_not_told_as_asked_for():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (12, 2)), rng.permutation(12)
    formula = rw.RatingFormula(top=3, constraints=["x0 >= x1"], random_state=0).fit(X, y)
    assert formula.rating_.asked.tolist() == [2, 2]
    flipped = [
        rw.RatingFormula(
            top=3, constraints=["x0 >= x1"], signs={"x0": a, "x1": b}, random_state=0
        ).fit(X, y)
        for a in "+-"
        for b in "+-"
    ]
    assert formula.objective_ == max(one.objective_ for one in flipped)
    assert formula.certificate().bound_any_signs >= formula.certificate().bound


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("require = " + "[" * 5000 + "]" * 5000, "is not a TOML file"),
        ("require = [" + "9" * 5000 + "]", "is not a TOML file"),
        ("[sets]\nspeed = ['a']\nrequire = ['a <= 5%']\n", "has no list 'require'"),
        ("require = ['a <= 5%']\n[sets]\na = ['a', 'b']\n", "'a' is a set and a factor of one"),
        ("", "is empty"),
    ],
)
def test_a_file_of_constraints_that_says_nothing_is_refused(tmp_path, content, message):
    path = tmp_path / "known.toml"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        read_requirements(path)


def test_a_file_of_constraints_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "known.toml"
    path.write_text("require = ['a <= 5%']", encoding="utf-8-sig")
    assert read_requirements(path) == ["a <= 5%"]


@pytest.mark.parametrize(
    "known",
    [[], ["a >= b"], ["a + b = 60%"], ["a = b", "c >= 10%"], ["share(a) <= 30%"], ["a = 40%"]],
    ids=str,
)
@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_faces_of_few_factors_are_the_largest_sets_of_rays(known, most):
    names = [*"abcde"]
    factors = read_whole(np.random.default_rng(0).integers(0, 9, (20, 5)).astype(float))
    whole = allowed_cone(parse_requirements([*known, "at most 5 factors"], names), names, factors)
    rays = [tuple(ray) for ray in whole.whole.rays.tolist()]
    sets = {
        frozenset(ray for ray in rays if not any(ray[j] for j in range(5) if j not in chosen))
        for chosen in combinations(range(5), most)
    }
    largest = {one for one in sets if one and not any(one < other for other in sets)}
    limit = f"at most {most} factors"
    if not largest:
        with pytest.raises(ValueError, match="no weights satisfy"):
            allowed_cone(parse_requirements([*known, limit], names), names, factors)
        return
    cone = allowed_cone(parse_requirements([*known, limit], names), names, factors)
    assert {frozenset(tuple(ray) for ray in face.rays.tolist()) for face in cone.faces} == largest
    assert len(cone.faces) == len(largest)
    for face in cone.faces:
        middle = face.generators.sum(axis=0)
        assert cone.contains(cone.admit(middle))
        assert (cone.face_of(middle).rays == face.rays).all()
