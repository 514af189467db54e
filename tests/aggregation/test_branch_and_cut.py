import numpy as np
import pytest

from rankwright.aggregation.branch_and_cut import BranchAndCut, _common_measure
from rankwright.aggregation.budget import Budget
from rankwright.aggregation.dynamic_program import best_rankings
from rankwright.aggregation.pair_costs import PairCosts, pair_costs
from rankwright.aggregation.placements import Placements
from rankwright.aggregation.triangle_program import TriangleProgram
from rankwright.aggregation.votes import read_votes
from rankwright.kernels.triangles import violated_triangles
from rankwright.programs import Status


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_the_dynamic_program_from_a_bad_start(seed, ties, random_votes):
    costs = pair_costs(read_votes(random_votes(11, 5, 8, seed)), 0.5, ties=ties)
    search = BranchAndCut(costs, np.arange(11), budget=Budget())
    search.run()
    best = best_rankings(costs, 1e-9, 1)[0]
    assert search.cost == search.bound == pytest.approx(costs.cost_of(best))
    assert costs.cost_of(search.found[0]) == pytest.approx(search.cost)


def test_it_branches_where_the_relaxation_is_not_enough():
    # The Paley tournament of 11 items: i beats j when i - j is a square modulo 11.
    squares = {1, 3, 4, 5, 9}
    before = np.array([[float((j - i) % 11 in squares) for j in range(11)] for i in range(11)])
    costs = PairCosts(before, np.full((11, 11), 56.0))
    search = BranchAndCut(costs, np.arange(11), budget=Budget())
    root = search._tighten(search.bound, Placements.all_of(11, ties=False))
    search.run()
    assert root.bound < search.cost
    assert search.bound == search.cost == costs.cost_of(best_rankings(costs, 1e-9, 1)[0])


def test_the_time_limit_leaves_a_valid_bound(random_votes):
    costs = pair_costs(read_votes(random_votes(40, 10, 40)), 0.5, ties=True)
    proved = BranchAndCut(costs, np.arange(40), budget=Budget())
    proved.run()
    assert proved.bound == proved.cost
    for seconds in (0.0, 0.02, 0.1):
        search = BranchAndCut(costs, np.arange(40), budget=Budget(seconds))
        search.run()
        assert costs.bound() <= search.bound <= proved.cost <= search.cost


def test_multipliers_never_raise_the_bound_above_a_ranking(random_votes):
    costs = pair_costs(read_votes(random_votes(8, 4, 6)), 0.5, ties=True)
    program = TriangleProgram(costs.before - costs.tied, ties=True)
    everything = Placements.all_of(8, ties=True)
    best = costs.cost_of(best_rankings(costs, 1e-9, 1)[0])
    offset = np.triu(costs.tied, 1).sum()
    values = []
    for _ in range(10):
        relaxed = program.solve(everything, Budget())
        assert relaxed.status is Status.OPTIMAL
        values.append(offset + everything.value(relaxed.reduced))
        program.add(program.violations(relaxed.x, 50))
    assert values == sorted(values)
    assert values[0] == pytest.approx(costs.bound())
    assert values[0] < values[-1] <= best + 1e-9


def test_violated_triangles_are_the_worst_of_each_pair():
    x = np.random.default_rng(0).random((6, 6))
    for function in (violated_triangles, violated_triangles.py_func):
        middle, excess = function(x, 1e-6, 0, 6)
        for i in range(6):
            for k in range(6):
                others = [j for j in range(6) if j not in (i, k)]
                worst = max(others, key=lambda j: x[i, k] - x[i, j] - x[j, k])
                size = x[i, k] - x[i, worst] - x[worst, k]
                if i != k and size > 1e-6:
                    assert middle[i, k] == worst
                    assert excess[i, k] == pytest.approx(size)
                else:
                    assert middle[i, k] == -1


def test_decided_pairs_decide_others_by_transitivity():
    placements = Placements.all_of(4, ties=True)
    (first, _, level) = placements.choices(0, 1)
    then = first.choices(1, 2)[0].closed()  # 0 before 1 before 2
    assert then.before[0, 2]
    assert not then.before[2, 0]
    assert not then.tied[0, 2]
    tied = level.choices(1, 2)[2]  # 0 and 1 and 2 level
    assert tied.tied[0, 2]
    assert not tied.before[0, 2]
    assert then.possible()
    assert then.undecided().sum() == 6  # item 3 is free


@pytest.mark.parametrize(
    ("values", "measure"),
    [([6, 9, -15], 3), ([0.1, 0.3, 0.7], 0.1), ([1, np.pi, np.e], 0), ([0.0], 0), ([2.5], 2.5)],
)
def test_the_common_measure_of_costs(values, measure):
    assert _common_measure(np.array(values)) == pytest.approx(measure)
