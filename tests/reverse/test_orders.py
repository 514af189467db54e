from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, combinations_with_replacement, permutations, product
from operator import eq, ge, gt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.reverse.bound.order_proof import OrderProof
from rankwright.reverse.bound.orders import IMPOSSIBLE, least_error
from rankwright.reverse.bound.proof import CellProof, explore_in_turn
from rankwright.reverse.bound.relations import Kind, Relation, Witness, find_formula
from rankwright.reverse.clock import Clock
from rankwright.reverse.progress import Progress
from tiny_ratings import make_problem, tiny_ratings


def least(problem, *proofs):
    progress = Progress(problem, Clock(np.inf))
    progress.limit(0)
    with ThreadPoolExecutor(1) as pool:
        explore_in_turn(progress, [proof(progress, problem, pool) for proof in proofs], gap=0)
    assert progress.is_proved
    assert problem.value(progress.weights) == progress.value
    return -progress.value


@settings(max_examples=120, deadline=None)
@given(tiny_ratings())
def test_proved_position_error_equals_the_enumeration_with_ties(best_by_enumeration, rating):
    X, levels, groups, tops = rating
    best = -best_by_enumeration(X, levels, groups, tops, by_position=True)
    assert least(make_problem(X, levels, groups, tops, by_position=True), OrderProof) == best


@settings(max_examples=30, deadline=None)
@given(tiny_ratings())
def test_orders_and_cells_prove_the_same_error_of_all_orthants(rating):
    X, levels, groups, tops = rating
    X = [row[:2] for row in X]
    problem = make_problem(X, levels, groups, tops, free=True, by_position=True)
    assert least(problem, OrderProof) == least(problem, CellProof)


@pytest.mark.parametrize("seed", [1, 2, 12])
def test_units_of_factors_do_not_keep_orders_from_a_proof(seed):
    rng = np.random.default_rng(seed)
    X, levels = rng.integers(0, 8, (9, 3)), rng.integers(0, 9, 9)
    X[:, 0] = rng.integers(0, 8 * 10**9, 9)
    problem = make_problem(X, levels, [0] * 9, {0: 4}, by_position=True)
    assert least(problem, OrderProof) == least(problem, CellProof)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_the_least_error_never_falls_with_a_longer_top(seed):
    rng = np.random.default_rng(seed)
    X, levels = rng.integers(0, 6, (8, 3)), rng.integers(0, 8, 8)
    problems = [make_problem(X, levels, [0] * 8, {0: top}, by_position=True) for top in range(1, 7)]
    errors = [least(problem, OrderProof, CellProof) for problem in problems]
    assert errors == sorted(errors)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_relations_are_met_by_a_formula_or_by_none(weights_of_all_cells, data):
    n, d = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 3))
    numbers = st.lists(st.integers(0, 4), min_size=d, max_size=d)
    X = data.draw(st.lists(numbers, min_size=n, max_size=n))
    product = st.integers(0, n - 1)
    relation = st.tuples(st.sampled_from(list(Kind)), product, product)
    relations = [Relation(*r) for r in data.draw(st.lists(relation.filter(lambda r: r[1] != r[2])))]

    def hold(scores, relations):
        compare = {Kind.ABOVE: gt, Kind.AT_LEAST: ge, Kind.LEVEL: eq}
        return all(compare[r.kind](scores[r.one], scores[r.other]) for r in relations)

    problem = make_problem(X, range(n), [0] * n, {0: 1}, by_position=True)
    found = find_formula(problem, (1,) * d, relations)
    if isinstance(found, Witness):
        assert min(found.weights) >= 0
        assert max(found.weights) > 0
        assert hold(problem.factors.whole @ found.weights, relations)
    else:
        assert set(found) <= set(relations)
        for ray in weights_of_all_cells(problem.factors.whole):
            assert not hold(problem.factors.whole.astype(object) @ np.array(ray), found)


def errors_by_enumeration(ranked, rest, least, most):
    """Yield the error of every way to go on, with up to three others more."""
    for order in {tuple(p) for p in permutations(range(len(rest)))}:
        for ties in product((False, True), repeat=len(rest)):
            classes = [list(c) for c in ranked]
            for i, tie in zip(order, ties, strict=True):
                if tie and classes:
                    classes[-1].append(rest[i])
                else:
                    classes.append([rest[i]])
            for counts in combinations_with_replacement(range(5), len(classes)):
                bounds = zip(counts, least, most, strict=False)
                if all(low <= n <= high for n, low, high in bounds):
                    starts = accumulate([0, *map(len, classes[:-1])])
                    yield sum(
                        abs(1 + start + n - w)
                        for start, n, c in zip(starts, counts, classes, strict=True)
                        for w in c
                    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_error_of_a_partial_order_is_that_of_its_best_completion(data):
    wanted = sorted(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    shuffled = data.draw(st.permutations(wanted))
    n_ranked = data.draw(st.integers(0, len(wanted)))
    ranked = tuple((w,) for w in shuffled[:n_ranked])
    if n_ranked > 1 and data.draw(st.booleans()):
        ranked = (*ranked[:-2], ranked[-2] + ranked[-1])
    least = tuple(sorted(data.draw(st.integers(0, 2)) for _ in ranked))
    most = tuple(low + data.draw(st.integers(0, 2)) for low in least)
    most = tuple(min(most[c:]) for c in range(len(most)))
    rest = tuple(sorted(shuffled[n_ranked:]))
    found, *way = least_error(ranked, rest, least, most)
    assert found == min(errors_by_enumeration(ranked, rest, least, most), default=IMPOSSIBLE)
    if found < IMPOSSIBLE:
        assert found == error_of_way(ranked, rest, *way[:-1])
        (n_above, *_) = way
        assert list(n_above) == sorted(n_above)
        assert all(low <= n <= high for low, n, high in zip(least, n_above, most, strict=True))


def error_of_way(ranked, rest, n_above, joined, sizes):
    """Return the error of the classes ranked, some joined, and of those that the rest forms."""
    classes = [list(members) for members in ranked]
    for wanted in rest[:joined]:
        classes[-1].append(wanted)
    error, place = 0, 1
    for members, n in zip(classes, n_above, strict=True):
        error += sum(abs(place + n - wanted) for wanted in members)
        place += len(members)
    place, at = place + max(n_above, default=0), joined
    for size in sizes:
        place = max(place, rest[at])  # others may be between
        error += sum(abs(place - wanted) for wanted in rest[at : at + size])
        place, at = place + size, at + size
    assert at == len(rest)
    return error


# What is ranked, the rest, least and most others above; and the error, others above each class,
# how many join the last, the sizes of further classes, and how many of these before a free place.
WAYS = [
    ((), (), (), (), (0, (), 0, (), 0)),
    ((), (1, 2, 3), (), (), (0, (), 0, (1, 1, 1), 3)),
    ((), (2, 3), (), (), (0, (), 0, (1, 1), 0)),
    (((1,),), (2, 3), (0,), (9,), (0, (0,), 0, (1, 1), 2)),
    (((1,),), (2, 4), (0,), (9,), (0, (0,), 0, (1, 1), 1)),
    (((1,),), (3, 4), (0,), (9,), (0, (0,), 0, (1, 1), 0)),
    (((2,),), (3, 5), (0,), (9,), (0, (1,), 0, (1, 1), 1)),
    (((1,),), (1, 3, 5), (0,), (9,), (0, (0,), 1, (1, 1), 1)),
    (((1,), (2,)), (3,), (0, 0), (9, 9), (0, (0, 0), 0, (1,), 1)),
    (((1,), (2,)), (4,), (0, 0), (9, 9), (0, (0, 0), 0, (1,), 0)),
    (((1,),), (2, 2, 4, 6), (0,), (9,), (0, (0,), 0, (2, 1, 1), 2)),
    (((1,),), (2, 2, 5, 6), (0,), (9,), (0, (0,), 0, (2, 1, 1), 1)),
    # The first should have two others above, but then the second has them too.
    (((3,), (1,)), (), (0, 0), (9, 9), (3, (0, 0), 0, (), 0)),
    (((3,), (4,), (1,), (1,)), (), (0, 0, 0, 0), (9, 9, 9, 9), (9, (0, 0, 0, 0), 0, (), 0)),
    (((3,), (2,), (5,)), (), (0, 0, 0), (9, 9, 9), (2, (0, 0, 2), 0, (), 0)),
    # Who joins a class that is as good on three places decides on which.
    (((1, 1, 3, 3),), (3,), (0,), (9,), (4, (2,), 1, (), 0)),
    # More are above than anybody wants.
    (((1,),), (), (4,), (9,), (4, (4,), 0, (), 0)),
    (((1,),), (2,), (2,), (2,), (3, (2,), 1, (), 0)),
]


@pytest.mark.parametrize("way", WAYS)
def test_the_best_way_to_go_on(way):
    ranked, rest, least, most, expected = way
    found = least_error(ranked, rest, least, most)
    assert found == expected


def test_bounds_that_exclude_each_other_are_impossible():
    assert least_error(((1,),), (2,), (2,), (1,))[0] >= IMPOSSIBLE
    assert least_error(((1,), (2,)), (), (2, 0), (2, 1))[0] >= IMPOSSIBLE
