"""Branch and bound over orders: what it remembers, and what it leaves open."""

from itertools import count

import numpy as np
import pytest

from rankwright.reverse.bound import order_proof
from rankwright.reverse.bound.order_proof import ROUND, Conflicts, OrderProof
from rankwright.reverse.bound.orders import IMPOSSIBLE, Standing
from rankwright.reverse.bound.relations import Kind, Relation, Witness
from rankwright.reverse.clock import Clock
from rankwright.reverse.progress import Progress
from tiny_ratings import make_problem


def hard_rating(**options):
    rng = np.random.default_rng(2)
    return make_problem(
        rng.integers(0, 9, (9, 2)), rng.permutation(9), [0] * 9, {0: 4}, by_position=True, **options
    )


def start(problem, pool, **options):
    progress = Progress(problem, Clock(np.inf))
    progress.limit(0)
    return OrderProof(progress, problem, pool, **options)


def standing(worst, best):
    return Standing(np.array(worst), np.array(best))


ABOVE, AT_LEAST, LEVEL = Kind.ABOVE, Kind.AT_LEAST, Kind.LEVEL


@pytest.mark.parametrize(
    ("kind", "first", "second", "expected"),
    [
        (ABOVE, 0, 1, True),
        (ABOVE, 1, 1, False),
        (AT_LEAST, 1, 1, True),
        (AT_LEAST, 0, 1, True),
        (AT_LEAST, 2, 1, False),
        (LEVEL, 1, 1, True),
        (LEVEL, 0, 1, False),
        (LEVEL, 1, 0, False),
    ],
)
def test_a_conflict_is_found_where_all_its_relations_hold(kind, first, second, expected):
    conflicts = Conflicts()
    conflict = [Relation(kind, 0, 1)]
    conflicts.add(conflict)
    found = conflicts.find(standing([first, second], [first, second]))
    assert found == (conflict if expected else None)


def test_of_conflicts_of_several_sizes_each_is_found_and_the_newest_first():
    one = [Relation(ABOVE, 0, 1), Relation(ABOVE, 1, 2), Relation(ABOVE, 2, 3)]
    other, last = [Relation(ABOVE, 0, 2)], [Relation(LEVEL, 0, 1), Relation(ABOVE, 2, 3)]
    conflicts = Conflicts()
    assert conflicts.find(standing([0, 1, 2, 3], [0, 1, 2, 3])) is None
    for conflict in (one, other, last, one):
        conflicts.add(conflict)
    places = {
        "one": [0, 1, 2, 3],
        "other": [0, 2, 1, 3],
        "last": [0, 0, 1, 3],
        "none": [3, 2, 1, 0],
    }
    found = {name: conflicts.find(standing(p, p)) for name, p in places.items()}
    assert found == {"one": other, "other": other, "last": last, "none": None}
    p = [0, 1, 1, 2]
    conflicts = Conflicts()
    conflicts.add(other)
    conflicts.add(one)
    assert conflicts.find(standing(p, p)) == other
    assert conflicts.find(standing([0, 1, 2, 3], [0, 1, 2, 3])) == one
    assert len(conflicts._relations) == 2
    conflicts.add([*one])
    assert len(conflicts._relations) == 2


def test_products_that_are_not_known_hold_nothing():
    conflicts = Conflicts()
    conflicts.add([Relation(AT_LEAST, 0, 1)])
    assert conflicts.find(standing([IMPOSSIBLE, 0], [-1, 0])) is None
    assert conflicts.find(standing([0, IMPOSSIBLE], [0, -1])) is None


def test_an_order_that_leaves_no_hope_is_not_opened(pool):
    problem = hard_rating()
    proof = start(problem, pool)
    assert (len(proof), proof.bound) == (1, 0)
    proof.progress.value = 0  # a formula without an error
    proof._push(next(proof.tree.roots()))
    assert len(proof) == 1


def test_without_orders_nothing_is_left_to_undercut(pool):
    proof = start(hard_rating(), pool)
    proof._heap.clear()
    assert proof.bound == -IMPOSSIBLE
    proof.abandoned.append(3)
    assert proof.bound == -3
    proof._push(next(proof.tree.roots()))
    assert proof.bound == 0


def test_a_witness_whose_margin_was_too_small_keeps_the_bound(pool, monkeypatch):
    problem = hard_rating()
    proof = start(problem, pool)
    places = problem.exact_places(np.array([1, 1], dtype=object))
    monkeypatch.setattr(proof.tree, "branch_at", lambda *given: iter(()))
    weights = np.array([0, 0], dtype=object)  # which nobody takes
    monkeypatch.setattr(order_proof, "find_formula", lambda *given: Witness(weights, places))
    proof.explore()
    assert (len(proof), proof.abandoned, proof.bound) == (0, [0], 0)


def test_an_error_that_is_reached_is_not_left_open(pool, monkeypatch):
    problem = hard_rating()
    proof = start(problem, pool)
    proof.progress.value = 0
    monkeypatch.setattr(proof.tree, "branch_at", lambda *given: iter(()))
    places = problem.exact_places(np.array([1, 1], dtype=object))
    found = Witness(np.array([1, 1], dtype=object), places)
    monkeypatch.setattr(order_proof, "find_formula", lambda *given: found)
    proof.explore()
    assert (len(proof), proof.abandoned) == (0, [])


def test_orders_that_are_not_asked_any_more_wait_again(pool):
    proof = start(hard_rating(), pool)
    before = list(proof._heap)
    proof.progress.clock.end()
    proof.explore()
    assert proof._heap == before


def test_what_is_decided_and_excluded_has_no_branches(pool):
    problem = make_problem([[0], [1], [2]], [2, 1, 0], [0] * 3, {0: 2}, by_position=True)
    proof = start(problem, pool)
    (root,) = proof.tree.roots()
    ranked = next(o for o in proof.tree._rank_next(root, 0) if o.ranked == (((0,),),))
    conflict = [Relation(ABOVE, 0, 1)]
    assert [*proof._resolve(root, conflict)]
    assert proof.conflicts[root.signs].find(standing([0, 1, 2], [0, 1, 2])) == conflict
    both = next(o for o in proof.tree._rank_next(ranked, 0) if o.ranked == (((0,), (1,)),))
    assert not [*proof._resolve(both, conflict)]


def test_each_orthant_is_one_order_but_for_those_that_are_proved(pool):
    problem = hard_rating(free=True)
    for proved, expected in [
        (None, {(1, 1), (1, -1), (-1, 1), (-1, -1)}),
        ([True, True], {(1, -1), (-1, 1), (-1, -1)}),
        ([True, False], {(-1, 1), (-1, -1)}),
    ]:
        chosen = None if proved is None else np.array(proved)
        proof = start(problem, pool, proved=chosen)
        assert {order.signs for _, _, order, _ in proof._heap} == expected == {*proof.conflicts}


def test_orders_get_more_rounds_the_more_factors_there_are(pool):
    rounds = []
    for d in (1, 2, 12):
        X = np.random.default_rng(0).integers(0, 9, (5, d))
        problem = make_problem(X, range(5), [0] * 5, {0: 2}, by_position=True)
        rounds.append(start(problem, pool).rounds)
    assert rounds == [2, 4, 2**order_proof.MOST_DOUBLINGS]


def test_the_smallest_errors_are_explored_first_and_so_many_at_once(pool, monkeypatch):
    proof = start(hard_rating(), pool)
    (root,) = proof.tree.roots()
    outlooks = proof.tree.outlooks(root)
    numbers = count(100)
    proof._heap[:] = [(error, next(numbers), root, outlooks) for error in range(ROUND + 3)]
    asked = []
    monkeypatch.setattr(proof, "_ask", lambda *given: asked.append(given))
    proof.explore()
    assert len(asked) == ROUND
    assert len(proof) == ROUND + 3  # no answer was given
    proof._heap[:] = proof._heap[:2]
    proof.explore()
    assert len(asked) == ROUND + 2


class InTurn:
    """A pool that answers only when it is asked for the next answer, as late as a thread may."""

    map = staticmethod(map)


def test_orders_of_one_batch_do_not_know_of_each_others_conflicts(monkeypatch):
    proof = start(hard_rating(), InTurn())
    (root,) = proof.tree.roots()
    outlooks = proof.tree.outlooks(root)
    proof._heap[:] = [(0, -number, root, outlooks) for number in range(3)]
    known = []

    def find_none(*given):
        known.append(len(proof.conflicts[root.signs]._relations))
        return [Relation(ABOVE, len(known), 0)]

    monkeypatch.setattr(order_proof, "find_formula", find_none)
    monkeypatch.setattr(proof.tree, "branch_on", lambda *given: ())
    proof.explore()
    assert known == [0, 0, 0]
    assert len(proof.conflicts[root.signs]._relations) == 3


def test_of_equal_errors_the_newest_order_comes_first(pool):
    proof = start(hard_rating(), pool)
    (root,) = proof.tree.roots()
    newest = next(proof.tree._decide(root, (0, 1)))
    proof._push(newest)
    assert [error for error, *_ in proof._heap] == [0, 0]
    assert proof._heap[0][2] is newest


def test_a_conflict_that_is_known_is_not_looked_for_again(pool, monkeypatch):
    proof = start(hard_rating(), pool)
    (root,) = proof.tree.roots()
    outlooks = proof.tree.outlooks(root)
    relations, _ = proof.tree.relations(root, outlooks)
    asked = []
    monkeypatch.setattr(order_proof, "find_formula", lambda *given: asked.append(given))
    assert proof._ask(root, outlooks) is None
    problem = proof.tree.problem
    assert asked[0][0] is problem
    assert asked[0][1:3] == (root.signs, relations)
    assert asked[0][4] is proof.progress.clock.over
    conflict = relations[:1]
    proof.conflicts[root.signs].add(conflict)
    assert proof._ask(root, outlooks) == conflict
    assert len(asked) == 1


def test_formulas_that_orders_find_are_offered_and_improved(pool, monkeypatch):
    proof = start(hard_rating(), pool)
    climbed = []
    monkeypatch.setattr(order_proof, "climb_on", lambda *given: climbed.append(given))
    weights = np.array([1, 2], dtype=object)
    found = Witness(weights, proof.tree.problem.exact_places(weights))
    proof._take(found)
    proof._take(found)
    assert climbed == [(proof.progress, pool)]
    assert proof.progress.value == proof.tree.problem.value(weights)


def test_an_order_that_branches_is_not_left_open(pool, monkeypatch):
    problem = hard_rating()
    proof = start(problem, pool)
    (root,) = proof.tree.roots()
    branches = list(proof.tree._rank_next(root, 0))
    monkeypatch.setattr(proof.tree, "branch_at", lambda *given: iter(branches))
    places = problem.exact_places(np.array([1, 1], dtype=object))
    found = Witness(np.array([0, 0], dtype=object), places)  # which nobody takes
    monkeypatch.setattr(order_proof, "find_formula", lambda *given: found)
    proof.explore()
    assert (len(proof), proof.abandoned) == (len(branches), [])
