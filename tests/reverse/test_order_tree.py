"""Partial orders, beside every order that products can have, ties included."""

from dataclasses import replace
from functools import cache
from itertools import accumulate, permutations, product
from types import SimpleNamespace

import numpy as np
import pytest

from rankwright.reverse.bound.orders import IMPOSSIBLE, OrderTree
from rankwright.reverse.bound.relations import Kind, Relation

GROUPS = np.array([0, 0, 0, 0, 0, 1, 1])
# The published places of the products at the top, 0 for others; of freed products they are missing.
PLACES = {
    "two share a place": [1, 3, 0, 0, 1, 1, 0],
    "the first is freed": [2, 3, 0, 0, 0, 1, 0],
    "last listed first": [4, 0, 2, 0, 3, 2, 0],
    "many others": [0, 3, 0, 0, 0, 1, 0],
    "the first two are freed": [3, 4, 0, 0, 0, 1, 0],
    "three follow the freed": [2, 3, 4, 0, 0, 1, 0],
    "nothing at the top of one": [1, 2, 0, 0, 0, 0, 0],
}


@pytest.fixture(params=[*PLACES][:-1])
def tree(request):
    return make_tree(request.param)


def make_tree(name, free=()):
    position = np.array(PLACES[name])
    free = np.array(free, dtype=bool)
    return OrderTree(
        SimpleNamespace(
            aims=SimpleNamespace(position=position),
            group_of_row=GROUPS,
            bounds=[(0, 5), (5, 7)],
            free=free,
        )
    )


@cache
def every_order(n):
    """Return scores of n products in every order."""
    return np.array([s for s in product(range(n), repeat=n) if set(s) == {*range(max(s) + 1)}])


@cache
def every_score():
    """Return scores in every order of either group."""
    first, second = every_order(5), every_order(2)
    return np.column_stack(
        [np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))]
    )


def errors(tree):
    """Return the position error of every order, as it is defined."""
    scores = every_score()
    total = np.zeros(len(scores), dtype=np.int64)
    for i, wanted in enumerate(tree.wanted):
        if wanted:
            members = np.flatnonzero(GROUPS[i] == GROUPS)
            total += np.abs(1 + (scores[:, members] > scores[:, [i]]).sum(axis=1) - wanted)
    return total


def agree(tree, order, *, listed=False):
    """Tell which orders a partial order allows.

    Others of the top may join the last class; of those that tie, the one ``listed`` last comes last
    in the table, so that no order is reached twice.
    """
    scores = every_score()
    allowed = np.ones(len(scores), dtype=bool)
    for top, classes in zip(tree.tops, order.ranked, strict=True):
        for c, members in enumerate(classes):
            last = scores[:, members[-1:]]
            below = [i for i in top if i not in {i for one in classes[: c + 1] for i in one}]
            is_last = c + 1 == len(classes)
            joining = [i for i in below if is_last and (i > members[-1] or not listed)]
            allowed &= (scores[:, members] == last).all(axis=1)
            allowed &= (scores[:, below] <= last).all(axis=1)
            allowed &= (scores[:, [i for i in below if i not in joining]] < last).all(axis=1)
    for k, i in order.above:
        allowed &= scores[:, k] > scores[:, i]
    for k, i in order.not_above:
        allowed &= scores[:, k] <= scores[:, i]
    return allowed


@cache
def partial_orders(name):
    """Return partial orders that are reached by random decisions, a few of which contradict."""
    tree, rng, found = make_tree(name), np.random.default_rng(0), {}
    for _ in range(50):
        (order,) = tree.roots()
        for _ in range(7):
            found[order] = None
            ranked = [(g, i) for g, classes in enumerate(order.ranked) for c in classes for i in c]
            unranked = [g for g in (0, 1) if sum(map(len, order.ranked[g])) < len(tree.tops[g])]
            if unranked and (not ranked or rng.random() < 0.4):
                children = list(tree._rank_next(order, int(rng.choice(unranked))))
            elif ranked:
                g, i = ranked[rng.integers(len(ranked))]
                children = list(tree._decide(order, (int(rng.choice(tree.others[g])), i)))
            order = children[rng.integers(len(children))]
    return list(found)


@pytest.fixture
def orders(request, tree):
    """Return partial orders, and how each has its least error."""
    named = partial_orders(request.node.callspec.params["tree"])
    return [(order, tree.outlooks(order)) for order in named]


@pytest.fixture
def possible(orders):
    return [(o, outlooks) for o, outlooks in orders if least_of(outlooks) < IMPOSSIBLE]


def least_of(outlooks):
    return sum(outlook.error for outlook in outlooks)


def test_products_at_the_top_are_listed_as_they_are_published():
    tree = make_tree("two share a place")
    assert tree.tops == [[0, 4, 1], [5]]
    assert [others.tolist() for others in tree.others] == [[2, 3], [6]]


def test_each_orthant_has_an_order_that_decides_nothing():
    roots = list(make_tree("many others", [True, False]).roots())
    assert [root.signs for root in roots] == [(1, 1), (-1, 1)]
    assert {(root.ranked, root.above, root.not_above) for root in roots} == {(((), ()), (), ())}


def least_by_enumeration(tree, order):
    return errors(tree)[agree(tree, order)].min(initial=IMPOSSIBLE)


def test_the_error_of_a_partial_order_is_never_more_than_the_least_it_allows(tree, orders):
    n_less = 0
    for order, outlooks in orders:
        found, truth = min(least_of(outlooks), IMPOSSIBLE), least_by_enumeration(tree, order)
        assert found <= truth, order
        n_less += found < truth
    assert n_less <= 2  # where it is not told who is above a class, only how many


def relate(scores, relations, crowds):
    """Tell which scores have relations."""
    held = np.ones(len(scores), dtype=bool)
    for kind, one, other in relations:
        compare = {Kind.ABOVE: np.greater, Kind.AT_LEAST: np.greater_equal, Kind.LEVEL: np.equal}
        held &= compare[kind](scores[:, one], scores[:, other])
    for one, others in crowds:
        held &= (scores[:, [one]] >= scores[:, others]).all(axis=1)
    return held


def count_above(scores, classes, others):
    """Return how many others are above each class."""
    return np.array([(scores[:, others] > scores[:, [c[0]]]).sum(axis=1) for c in classes])


def test_orders_with_the_hoped_relations_and_numbers_above_have_the_least_error(tree, possible):
    scores, n_missed = every_score(), 0
    for order, outlooks in possible:
        least = least_of(outlooks)
        if least < least_by_enumeration(tree, order):
            continue
        held = relate(scores, *tree.relations(order, outlooks))
        assert (held <= agree(tree, order)).all()
        for classes, outlook, others in zip(order.ranked, outlooks, tree.others, strict=True):
            for c, n in enumerate(outlook.n_above):
                held &= count_above(scores, classes, others)[c] == n
        n_missed += not held.any()
        assert errors(tree)[held].min(initial=IMPOSSIBLE) in (least, IMPOSSIBLE)
    assert n_missed <= 5


def test_nobody_else_is_above_a_class_that_should_have_no_more_above(tree, possible):
    scores, n_seen = every_score(), 0
    for order, outlooks in possible:
        held = relate(scores, *tree.relations(order, outlooks))
        for g, (outlook, others) in enumerate(zip(outlooks, tree.others, strict=True)):
            certain = [set(), *({k for k, i in order.above if i in c} for c in order.ranked[g])]
            above = count_above(scores[held], outlook.classes, others)
            n_certain = [len(one) for one in accumulate(certain, set.union)][1:]
            for c, n in enumerate(outlook.n_above):
                if n == n_certain[c]:
                    n_seen += 1
                    assert (above[c] == n).all(), (order, outlook)
    assert n_seen > 50


def test_nobody_else_is_above_those_that_follow_until_a_place_is_free():
    tree = make_tree("last listed first")
    (root,) = tree.roots()
    assert tree.outlooks(root)[0].usual_floor == -1  # the first place is nobody's
    tree = make_tree("two share a place")
    (root,) = tree.roots()
    (outlook, _) = tree.outlooks(root)
    assert (outlook.classes, outlook.usual_floor) == (((0, 4), (1,)), 1)
    # Who is above 1 may be above 0 too, which wants the second place: then none is between.
    tree = make_tree("the first is freed")
    (root,) = tree.roots()
    order = replace(root, ranked=(((0,),), ()), above=((2, 0),))
    assert tree.outlooks(order)[0].usual_floor == 1
    assert tree.outlooks(replace(order, above=()))[0].usual_floor == -1
    tree = make_tree("three follow the freed")
    order = replace(root, ranked=(((0,), (1,)), ()), above=((3, 1),))
    outlook, _ = tree.outlooks(order)
    assert (outlook.n_above, outlook.usual_floor) == ((1, 1), 2)


@pytest.mark.parametrize(
    ("name", "decided", "not_above", "hoped"),
    [
        ("the first is freed", [(2, 1)], [], {2}),
        ("the first is freed", [(2, 1)], [(2, 0)], set()),
        ("the first two are freed", [(2, 0), (3, 1)], [], {2, 3}),
        ("the first two are freed", [(3, 1)], [], set()),  # another is, who is not known
        ("the first two are freed", [(2, 1), (3, 1)], [], {2, 3}),
    ],
)
def test_who_is_above_a_later_class_is_hoped_above_one_that_wants_more(
    name, decided, not_above, hoped
):
    tree = make_tree(name)
    (root,) = tree.roots()
    order = replace(root, ranked=(((0,), (1,)), ()))
    order = replace(order, above=tuple(decided), not_above=tuple(not_above))
    relations, _ = tree.relations(order, tree.outlooks(order))
    assert {r.one for r in relations if r.kind is Kind.ABOVE and r.other == 0} == hoped


def test_what_is_decided_is_hoped(tree, possible):
    for order, outlooks in possible:
        decided, hoped = tree.decided(order), tree.hoped(outlooks)
        assert (hoped.worst <= decided.worst).all(), order
        assert (hoped.best >= decided.best).all(), order


def implied(tree, standing):
    """Tell which scores have all that a standing says of products of the top."""
    scores = every_score()
    held = np.ones(len(scores), dtype=bool)
    for g in (0, 1):
        members = [i for i in range(7) if GROUPS[i] == g]
        for i, k in permutations(members, 2):
            if not (tree.wanted[i] or tree.wanted[k]):
                continue
            if standing.worst[i] < standing.best[k]:
                held &= scores[:, i] > scores[:, k]
            elif tree.wanted[i] and standing.worst[i] == standing.best[k]:
                held &= scores[:, i] >= scores[:, k]
    return held


def test_what_is_decided_holds_in_all_orders_that_are_allowed(tree, orders):
    for order, _ in orders:
        assert (implied(tree, tree.decided(order)) >= agree(tree, order)).all(), order


def test_what_is_decided_holds_in_no_other_orders(tree, possible):
    for order, _ in possible:
        assert (implied(tree, tree.decided(order)) == agree(tree, order)).all(), order


def test_what_is_hoped_is_what_the_relations_say(tree, possible):
    scores = every_score()
    for order, outlooks in possible:
        hoped = implied(tree, tree.hoped(outlooks))
        assert (hoped == relate(scores, *tree.relations(order, outlooks))).all()


def test_what_is_decided_is_among_the_relations(tree, possible):
    for order, outlooks in possible:
        relations, _ = tree.relations(order, outlooks)
        assert {(Kind.ABOVE, k, i) for k, i in order.above} <= {*relations}
        assert {(Kind.AT_LEAST, i, k) for k, i in order.not_above} <= {*relations}


def test_each_order_is_in_one_branch(tree, orders):
    (root,) = tree.roots()
    for order, _ in orders:
        for g in (0, 1):
            children = list(tree._rank_next(order, g))
            if children:
                total = sum(agree(tree, child, listed=True).astype(int) for child in children)
                assert (total == agree(tree, order, listed=True)).all()
    above, below = tree._decide(root, (2, 0))
    assert (agree(tree, above) != agree(tree, below)).all()


def test_branches_cover_an_order_whatever_hope_fails(tree, possible):
    scores = every_score()
    for order, outlooks in possible:
        relations, _ = tree.relations(order, outlooks)
        decided = implied(tree, tree.decided(order))
        open_ones = [r for r in relations if (relate(scores, [r], []) < decided).any()]
        for relation in open_ones:
            branches = list(tree.branch_on(order, [relation]))
            total = sum(agree(tree, branch, listed=True).astype(int) for branch in branches)
            assert (total == agree(tree, order, listed=True)).all()
            assert len(branches) > 1 or branches != [order]


def test_an_order_is_branched_where_scores_miss_its_least_error(tree, possible):
    scores = every_score()
    for order, outlooks in possible:
        held = relate(scores, *tree.relations(order, outlooks))
        least = least_of(outlooks)
        for one in np.flatnonzero(held)[:: 1 + held.sum() // 4]:
            branches = list(tree.branch_at(order, outlooks, scores[one].astype(float)))
            if errors(tree)[one] > least:
                assert branches
            if branches:
                total = sum(agree(tree, branch, listed=True).astype(int) for branch in branches)
                assert (total == agree(tree, order, listed=True)).all()


def new_pairs(order, branches):
    """Return the pairs that branches decide."""
    known = {*order.above, *order.not_above}
    return {pair for b in branches for pair in (*b.above, *b.not_above)} - known


def test_it_is_decided_of_others_whether_they_are_above_who_is_ranked(tree, possible):
    rng = np.random.default_rng(0)
    for order, outlooks in possible:
        relations, _ = tree.relations(order, outlooks)
        ranked = {i for classes in order.ranked for members in classes for i in members}
        for _ in range(4 if relations else 0):
            failing = [r for r in relations if rng.random() < 0.5] or relations
            branches = list(tree.branch_on(order, failing))
            for other, one in new_pairs(order, branches):
                assert tree.wanted[other] == 0
                assert one in ranked


def test_of_hopes_that_fail_the_first_published_product_is_decided_on():
    tree = make_tree("two share a place")  # 0 and 4 want the first place, 1 the third
    (root,) = tree.roots()
    order = replace(root, ranked=(((0,), (1,)), ()))
    failing = [Relation(Kind.AT_LEAST, 1, 2), Relation(Kind.ABOVE, 3, 0)]
    for hopes in (failing, failing[::-1]):
        assert new_pairs(order, tree.branch_on(order, hopes)) == {(3, 0)}
    other = [Relation(Kind.ABOVE, 2, 1), Relation(Kind.AT_LEAST, 0, 3)]
    for hopes in (other, other[::-1]):
        assert new_pairs(order, tree.branch_on(order, hopes)) == {(3, 0)}


def test_of_groups_where_hopes_fail_the_first_is_ranked_on():
    tree = make_tree("two share a place")
    (root,) = tree.roots()
    failing = [Relation(Kind.AT_LEAST, 5, 6), Relation(Kind.ABOVE, 0, 1)]
    for hopes in (failing, failing[::-1]):
        assert {b.ranked[1] for b in tree.branch_on(root, hopes)} == {()}
    assert {b.ranked[1] for b in tree.branch_on(root, failing[:1])} == {((5,),)}


def test_scores_tell_of_whom_to_decide_where_too_many_or_too_few_are_above(tree, possible):
    scores = every_score()
    for order, outlooks in possible:
        held = relate(scores, *tree.relations(order, outlooks))
        for one in np.flatnonzero(held)[:: 1 + held.sum() // 6]:
            branches = list(tree.branch_at(order, outlooks, scores[one].astype(float)))
            # The pair is new, of a class that has not as many above as it should.
            for other, i in new_pairs(order, branches):
                g = GROUPS[i]
                c = next(c for c, members in enumerate(order.ranked[g]) if i in members)
                above = scores[one][tree.others[g]] > scores[one][i]
                excess = above.sum() - outlooks[g].n_above[c]
                assert excess
                assert (scores[one][other] > scores[one][i]) == (excess > 0)
            changed = any(b.above != order.above for b in branches)
            assert bool(new_pairs(order, branches)) == changed


def test_once_a_group_is_ranked_the_next_one_is():
    tree = make_tree("many others")
    (root,) = tree.roots()
    order = replace(root, ranked=(((1,),), ()))
    places = np.array([5.0, 3.0, 4.0, 1.0, 1.0, 1.0, 2.0])  # two are above 1, as it wants
    branches = list(tree.branch_at(order, tree.outlooks(order), places))
    assert [b.ranked for b in branches] == [(((1,),), ((5,),))]


def test_scores_without_what_is_decided_decide_nothing():
    tree = make_tree("many others")
    (root,) = tree.roots()
    order = replace(root, ranked=(((1,),), ((5,),)), above=((0, 1), (2, 1)))
    order = replace(order, not_above=((3, 1), (4, 1), (6, 5)))
    assert list(tree.branch_at(order, tree.outlooks(order), np.zeros(7))) == []
    assert list(tree.branch_at(order, tree.outlooks(order), -np.arange(7.0))) == []


def test_a_group_without_a_top_has_no_error():
    tree = make_tree("nothing at the top of one")
    (root,) = tree.roots()
    assert [outlook.error for outlook in tree.outlooks(root)] == [0, 0]
