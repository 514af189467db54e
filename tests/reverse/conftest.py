"""An independent, slow truth: enumerate every cell of the arrangement in rational arithmetic."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from rankwright.reverse.solve import ROUNDS
from tiny_ratings import make_problem


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def solve_statistic(X, levels, groups, tops, emphasis, weights, cats, scores):
    """Formula (2) with (4), written as it is printed."""
    total = Fraction(0)
    for category in set(cats.values()):
        value, perfect = Fraction(0), Fraction(0)
        for g in [g for g in tops if cats[g] == category]:
            rows = [i for i in range(len(X)) if groups[i] == g]
            least = len(rows) - tops[g]
            for i in rows:
                wins = sum(levels[i] > levels[k] and scores[i] > scores[k] for k in rows)
                rank = sum(scores[i] > scores[k] for k in rows)
                value += wins * (1 + (emphasis if rank >= least else 0))
                published = sum(levels[i] > levels[k] for k in rows)
                perfect += published * (1 + (emphasis if published >= least else 0))
        if perfect:
            total += Fraction(weights[category]) * value / perfect
    return total


def position_error(X, levels, groups, tops, scores):
    """The summed error of position of the products that are published at the top."""
    error = 0
    for g, top in tops.items():
        rows = [i for i in range(len(X)) if groups[i] == g]
        for i in rows:
            place = 1 + sum(levels[k] > levels[i] for k in rows)
            if place <= top:
                error += abs(1 + sum(scores[k] > scores[i] for k in rows) - place)
    return error


def rays_of(normals, d):
    """Return weights in every cell, edge and vertex of the arrangement in the orthant, d <= 3."""
    planes = {tuple(int(v) for v in np.eye(d, dtype=int)[j]) for j in range(d)}
    planes |= {tuple(int(v) for v in normal) for normal in normals if any(normal)}
    if d == 1:
        return [(Fraction(1),)]
    if d == 2:
        corners = {normalise((-b, a)) for a, b in planes} | {normalise((b, -a)) for a, b in planes}
        corners = sorted(c for c in corners if min(c) >= 0)
        middles = [mean(a, b) for a, b in pairwise(corners)]
        return corners + middles
    corners_of = {plane: set() for plane in planes}
    for one, other in combinations(planes, 2):
        ray = np.cross(np.array(one, dtype=object), np.array(other, dtype=object))
        for sign in (1, -1):
            if any(ray) and min(sign * ray) >= 0:
                corner = normalise([sign * int(v) for v in ray])
                corners_of[one].add(corner)
                corners_of[other].add(corner)
    rays = set().union(*corners_of.values())
    for plane, corners in corners_of.items():
        ordered = sorted(corners)
        for one, other in pairwise(ordered):
            middle = mean(one, other)
            rays.add(middle)
            for sign in (1, -1):  # every cell has an edge, and lies just beside it
                beside = [m + sign * Fraction(v, 10**9) for m, v in zip(middle, plane, strict=True)]
                if min(beside) >= 0:
                    rays.add(tuple(beside))
    return list(rays)


def normalise(ray):
    total = Fraction(int(sum(ray))) if sum(ray) else Fraction(1)
    return tuple(Fraction(int(v)) / total for v in ray)


def mean(one, other):
    return tuple((a + b) / 2 for a, b in zip(one, other, strict=True))


@pytest.fixture(scope="session")
def weights_of_all_cells():
    """Return a function that gives weights in every cell, edge and vertex of all pairs' planes."""

    def weights(X):
        pairs = combinations([[int(v) for v in row] for row in X], 2)
        normals = [[a - b for a, b in zip(one, other, strict=True)] for one, other in pairs]
        return rays_of(normals, len(X[0]))

    return weights


def best_of_all_cells(
    X, levels, groups, tops, *, emphasis=9, weights=None, cats=None, by_position=False
):
    """Evaluate every cell of a tiny problem."""
    X = [[int(v) for v in row] for row in X]
    cats = cats or dict.fromkeys(tops, 0)
    weights = weights or dict.fromkeys(cats.values(), 1)
    pairs = [(i, k) for i, k in combinations(range(len(X)), 2) if groups[i] == groups[k]]
    normals = [[a - b for a, b in zip(X[i], X[k], strict=True)] for i, k in pairs]
    values = []
    for ray in rays_of(normals, len(X[0])):
        scores = [dot(row, ray) for row in X]
        if by_position:
            values.append(-position_error(X, levels, groups, tops, scores))
        else:
            values.append(solve_statistic(X, levels, groups, tops, emphasis, weights, cats, scores))
    return max(values)


@pytest.fixture(scope="session")
def best_by_enumeration():
    """Return a function that evaluates every cell of a tiny problem: the truth."""
    return best_of_all_cells


@cache
def solve_by_enumeration(by_position, free):
    """Return a few ratings, of any signs or positive ones, each with the best value there is."""
    found = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n, d = (6, 2) if seed % 2 else (5, 3)
        X, levels = rng.integers(0, 5, (n, d)), rng.integers(0, 5, n)
        groups, tops = np.arange(n) % (1 + seed % 2), dict.fromkeys(range(1 + seed % 2), 2)
        problem = make_problem(X, levels, groups, tops, by_position=by_position, free=free)
        order = np.argsort(groups, kind="stable")
        best = max(
            best_of_all_cells(
                X[order] * signs, levels[order], groups[order], tops, by_position=by_position
            )
            for signs in product(*[(1, -1) if free else (1,)] * d)
        )
        found.append((problem, int(best if by_position else best * problem.rates.scale)))
    return found


@pytest.fixture(scope="session", params=["statistic", "positions"])
def solved(request):
    """Return a function of whether signs are free, for ratings with the best value there is."""
    return lambda free=False: solve_by_enumeration(request.param == "positions", free)


@pytest.fixture(scope="session")
def solved_positions():
    """Return a function of whether signs are free, for ratings with the least error there is."""
    return lambda free=False: solve_by_enumeration(True, free)


@pytest.fixture(scope="session")
def solved_statistics():
    """Return ratings of positive weights with the best statistic there is."""
    return solve_by_enumeration(False, False)


@pytest.fixture
def pool():
    """Return a pool of one thread, in which proofs explore."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def short_search(monkeypatch):
    """Let searches end after little work, however fast the machine is."""
    monkeypatch.setitem(ROUNDS, "long", ROUNDS["medium"])
