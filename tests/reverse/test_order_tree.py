"""Partial orders, beside every order that products can have, ties included."""

from functools import cache
from itertools import permutations, product

import numpy as np

from rankwright.reverse.bound.orders import IMPOSSIBLE, OrderTree
from rankwright.reverse.bound.relations import Kind
from tiny_ratings import make_problem

# Products 0, 1 and 4 are the top of the first group: 0 and 4 share a place; 5 of the second.
LEVELS, GROUPS, TOPS = [9, 5, 1, 2, 9, 4, 3], [0, 0, 0, 0, 0, 1, 1], {0: 3, 1: 1}


@cache
def every_order(n):
    """Return scores of n products in every order."""
    classes = {
        scores for scores in product(range(n), repeat=n) if set(scores) == {*range(max(scores) + 1)}
    }
    return np.array(sorted(classes))


@cache
def every_score():
    """Return scores in every order of either group."""
    first, second = every_order(5), every_order(2)
    return np.column_stack(
        [np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))]
    )


def rating():
    """Return a tree, and scores in every order of either group."""
    X = np.arange(7)[:, None]
    problem = make_problem(X, LEVELS, GROUPS, TOPS, by_position=True)
    return OrderTree(problem), every_score()


@cache
def errors():
    """Return the position error of every order, as it is defined."""
    tree, scores = rating()
    total = np.zeros(len(scores), dtype=np.int64)
    for i, wanted in enumerate(tree.wanted):
        if wanted:
            members = [k for k in range(7) if GROUPS[k] == GROUPS[i]]
            total += np.abs(1 + (scores[:, members] > scores[:, [i]]).sum(axis=1) - wanted)
    return total


def agree(order, *, listed=False):
    """Tell which orders a partial order allows.

    Others of the top may join the last class; of those that tie, the one ``listed`` last comes last
    in the table, so that no order is reached twice.
    """
    tree, scores = rating()
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
def partial_orders():
    """Return partial orders that are reached by random decisions."""
    tree, _ = rating()
    rng = np.random.default_rng(0)
    found = {}
    for _ in range(40):
        (order,) = tree.roots()
        for _ in range(6):
            found[order] = None
            ranked = [(g, i) for g, classes in enumerate(order.ranked) for c in classes for i in c]
            open_groups = [g for g in (0, 1) if sum(map(len, order.ranked[g])) < len(tree.tops[g])]
            if open_groups and (not ranked or rng.random() < 0.5):
                children = list(tree._rank_next(order, int(rng.choice(open_groups))))
            else:
                g, i = ranked[rng.integers(len(ranked))]
                children = list(tree._decide(order, (int(rng.choice(tree.others[g])), i)))
            order = children[rng.integers(len(children))]
    return list(found)


def test_products_at_the_top_are_listed_as_they_are_published():
    tree, _ = rating()
    assert tree.tops == [[0, 4, 1], [5]]
    assert [others.tolist() for others in tree.others] == [[2, 3], [6]]
    assert tree.last == 3


def test_the_error_of_a_partial_order_is_the_least_of_the_orders_it_allows():
    tree, _ = rating()
    for order in partial_orders():
        found = sum(outlook.error for outlook in tree.outlooks(order))
        assert min(found, IMPOSSIBLE) == errors()[agree(order)].min(initial=IMPOSSIBLE), order


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


def possible_orders():
    tree, _ = rating()
    for order in partial_orders():
        outlooks = tree.outlooks(order)
        if sum(outlook.error for outlook in outlooks) < IMPOSSIBLE:
            yield order, outlooks


def test_orders_with_the_hoped_relations_and_numbers_above_have_the_least_error():
    tree, scores = rating()
    for order, outlooks in possible_orders():
        held = relate(scores, *tree.relations(order, outlooks))
        assert (held <= agree(order)).all()
        for classes, outlook, others in zip(order.ranked, outlooks, tree.others, strict=True):
            for c, n in enumerate(outlook.n_above):
                held &= count_above(scores, classes, others)[c] == n
        assert held.any()
        least = sum(outlook.error for outlook in outlooks)
        assert errors()[held].min() == least


def implied(standing, scores):
    """Tell which scores have all that a standing says of products of the top."""
    tree, _ = rating()
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


def test_what_is_decided_holds_in_all_orders_that_are_allowed():
    tree, scores = rating()
    for order in partial_orders():
        assert (implied(tree.decided(order), scores) >= agree(order)).all(), order


def test_what_is_hoped_follows_from_the_relations():
    tree, scores = rating()
    for order, outlooks in possible_orders():
        hoped = implied(tree.hoped(outlooks), scores)
        assert (hoped >= relate(scores, *tree.relations(order, outlooks))).all()


def test_each_order_is_in_one_branch():
    tree, _ = rating()
    (root,) = tree.roots()
    for order in partial_orders():
        for g in (0, 1):
            children = list(tree._rank_next(order, g))
            if children:
                total = sum(agree(child, listed=True).astype(int) for child in children)
                assert (total == agree(order, listed=True)).all()
    above, below = tree._decide(root, (2, 0))
    assert (agree(above) != agree(below)).all()


def test_branches_cover_an_order_whatever_hope_fails():
    tree, scores = rating()
    for order, outlooks in possible_orders():
        relations, _ = tree.relations(order, outlooks)
        decided = implied(tree.decided(order), scores)
        open_ones = [r for r in relations if (relate(scores, [r], []) < decided).any()]
        for relation in open_ones:
            branches = list(tree.branch_on(order, [relation]))
            total = sum(agree(branch, listed=True).astype(int) for branch in branches)
            assert (total == agree(order, listed=True)).all()
            assert len(branches) > 1 or branches != [order]


def test_an_order_is_branched_where_scores_miss_its_least_error():
    tree, scores = rating()
    for order, outlooks in possible_orders():
        held = relate(scores, *tree.relations(order, outlooks))
        least = sum(outlook.error for outlook in outlooks)
        for one in np.flatnonzero(held)[::5]:
            branches = list(tree.branch_at(order, outlooks, scores[one].astype(float)))
            if errors()[one] > least:
                assert branches
            if branches:
                total = sum(agree(branch, listed=True).astype(int) for branch in branches)
                assert (total == agree(order, listed=True)).all()
