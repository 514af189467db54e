"""Proofs by cells and by orders, in turn, beside the truth by enumeration."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from explored_cells import explore_all
from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.bound import proof as proofs
from rankwright.reverse.bound.cells import enlarge, explore_cell, first_cells, widen
from rankwright.reverse.bound.large_cells import explore_large
from rankwright.reverse.bound.order_proof import OrderProof
from rankwright.reverse.bound.proof import (
    CellProof,
    CellQueue,
    cells_within,
    explore_in_turn,
    prove,
    whole_space,
)
from rankwright.reverse.clock import Clock
from rankwright.reverse.progress import Progress
from tiny_ratings import a_rating, constrained, make_problem


def turns(proof, progress):
    """Go on until nothing better can be found, and fail if that does not end."""
    for _ in range(400):
        if proof.bound <= progress.value:
            return
        yield
    pytest.fail("the proof does not end")


def start(problem, bound=None):
    progress = Progress(problem, Clock(np.inf))
    progress.limit(whole_space(problem, progress.clock) if bound is None else bound)
    return progress


def test_cells_wait_packed_and_are_handed_over_as_they_came(pool):
    problem = a_rating()
    queue = CellQueue(problem, Clock(np.inf), pool)
    (cell,) = first_cells(problem, 7)
    queue.push(cell)
    assert queue._heap[0][2].rays.dtype == np.int32
    (waiting,) = queue.waiting
    assert waiting.rays.dtype == np.int64
    np.testing.assert_array_equal(waiting.rays, cell.rays)


@pytest.mark.parametrize("free", [False, True])
def test_proofs_end_at_the_best_value_there_is(solved, free, pool):
    for problem, best in solved(free):
        progress = start(problem)
        assert progress.bound >= best
        prove(progress, gap=0, pool=pool)
        assert progress.value == progress.bound == best
        assert problem.value(progress.weights) == best


@pytest.mark.parametrize("free", [False, True])
def test_cells_alone_prove_the_best_value_there_is(solved, free, pool):
    for problem, best in solved(free):
        progress = start(problem, -NOTHING)
        cells = CellProof(progress, problem, pool)
        for _ in turns(cells, progress):
            assert max(cells.bound, progress.value) >= best
            cells.explore()
        assert progress.value == best


@pytest.mark.parametrize("free", [False, True])
def test_a_bound_is_never_below_the_best_value_while_little_is_explored(
    solved, free, pool, monkeypatch
):
    for name in ("EFFORT", "FEW_EFFORT", "MANY_EFFORT"):
        monkeypatch.setattr(proofs, name, 2)
    for problem, best in solved(free)[:3]:
        progress = start(problem)
        cells = CellProof(progress, problem, pool)
        for _ in turns(cells, progress):
            cells.explore()
            assert max(cells.bound, progress.value) >= best
        assert progress.value == best


@pytest.mark.parametrize("free", [False, True])
def test_numbers_of_any_size_end_at_the_best_value_there_is(solved, free):
    for problem, best in solved(free)[:3]:
        cells = list(first_cells(problem, -NOTHING))
        assert explore_all(problem, map(enlarge, cells), explore_large) == best


@pytest.mark.parametrize("free", [False, True])
def test_digits_end_at_the_best_value_there_is(solved, free):
    for problem, best in solved(free)[:3]:
        cells = [widen(problem, cell) for cell in first_cells(problem, -NOTHING)]
        assert explore_all(problem, cells, explore_cell) == best


def test_orthants_that_are_proved_are_left_out(solved, pool):
    problem, _ = solved(True)[0]
    signs = np.array([cell.rays.diagonal() for cell in first_cells(problem, 0)])
    for proved in ([True, False, False], [True, True, False], [False, False, False]):
        kept = CellProof(start(problem), problem, pool, np.array(proved)).queue.waiting
        expected = signs[(signs[:, proved] < 0).any(axis=1)]
        assert sorted(cell.rays.diagonal().tolist() for cell in kept) == sorted(expected.tolist())
    assert len(CellProof(start(problem), problem, pool)) == 8


@dataclass
class Countdown:
    """A proof whose bound falls by one with each exploration."""

    name: str
    log: list
    left: int
    bound: int = 100
    rounds: int = 1

    def __len__(self):
        return self.left

    def explore(self):
        assert len(self.log) < 100
        self.left -= 1
        self.bound -= 1
        self.log.append(self.name)


def small_progress(value=None):
    progress = Progress(make_problem([[0], [1]], [0, 1], [0, 0], {0: 1}), Clock(np.inf))
    if value is not None:
        progress.value = value
    return progress


def test_proofs_take_turns_and_each_as_many_rounds_as_it_wants():
    log = []
    one, other = Countdown("a", log, 5, rounds=2), Countdown("b", log, 2)
    assert explore_in_turn(small_progress(), [one, other], gap=0) == 3
    assert "".join(log) == "aabaaba"


def test_proofs_end_after_so_many_turns():
    log = []
    assert explore_in_turn(small_progress(), [Countdown("a", log, 9)], gap=0, rounds=4) == 4
    assert len(log) == 4


def test_proofs_end_where_the_gap_is_reached():
    log, progress = [], small_progress(90)
    explore_in_turn(progress, [Countdown("a", log, 50, rounds=7)], gap=4)
    assert (progress.bound, len(log)) == (94, 6)


def test_proofs_lower_no_bound_below_the_value():
    progress = small_progress(99)
    explore_in_turn(progress, [Countdown("a", [], 50, bound=97)], gap=0)
    assert progress.bound == 99


def test_proofs_end_when_the_time_is_up():
    log, progress = [], small_progress()
    progress.clock.end()
    assert explore_in_turn(progress, [Countdown("a", log, 9)], gap=0) == 0
    assert not log


def queue_of(problem, pool, **options):
    return CellQueue(problem, Clock(np.inf), pool, **options)


def test_cells_with_more_rays_than_can_be_cut_are_left_as_they_are(pool):
    problem = a_rating()
    (cell,) = first_cells(problem, 7)
    queue = queue_of(problem, pool)
    queue.most_rays = 3
    queue.push(enlarge(cell))
    assert (len(queue), queue.abandoned) == (1, [])
    queue.most_rays = 2
    queue.push(cell)  # the kernel has limits of its own
    large = replace(enlarge(cell), bound=9)
    queue.push(large)
    assert (len(queue), queue.abandoned, queue.bound) == (2, [large], 9)
    assert len(queue.waiting) == 3


def test_what_is_left_as_it_is_keeps_the_bound(pool):
    problem = a_rating()
    (cell,) = first_cells(problem, 7)
    queue = queue_of(problem, pool)
    assert queue.bound == NOTHING
    queue.push(cell)
    queue.push(replace(cell, bound=8))
    assert queue.bound == 8
    queue.abandoned.append(replace(cell, bound=5))
    assert queue.bound == 8
    queue.explore(lambda: 7, lambda found: None)
    assert queue.bound >= 5


def test_planes_share_the_room_for_the_sides_of_rays(pool, monkeypatch):
    monkeypatch.setattr(proofs, "MOST_SIGNS", 12)
    one_plane = make_problem([[0, 1], [1, 0]], [0, 1], [0, 0], {0: 1})
    no_plane = make_problem([[0, 1]], [0], [0], {0: 1})
    three = make_problem([[0, 1], [1, 0], [3, 3]], [0, 1, 2], [0] * 3, {0: 1})
    found = [queue_of(problem, pool).most_rays for problem in (no_plane, one_plane, three)]
    assert found == [12, 12, 12 // len(three.planes.first)]
    monkeypatch.setattr(proofs, "MOST_RAYS", 5)
    assert queue_of(one_plane, pool).most_rays == 5


def test_a_part_is_as_urgent_as_the_best_cell_that_waits_unless_many_do(pool, monkeypatch):
    queue = queue_of(a_rating(), pool)
    (cell,) = first_cells(queue.problem, 7)
    assert queue._floor() == NOTHING
    queue.push(replace(cell, bound=5))
    queue.push(cell)
    assert queue._floor() == 6
    monkeypatch.setattr(proofs, "MANY_CELLS", 3)
    assert queue._floor() == 6
    monkeypatch.setattr(proofs, "MANY_CELLS", 2)
    assert queue._floor() == NOTHING
    monkeypatch.undo()
    every = queue_of(a_rating(), pool, collect=True)
    every.push(cell)
    assert every._floor() == NOTHING


def test_effort_grows_with_the_cells_that_wait(pool, monkeypatch):
    queue = queue_of(a_rating(), pool)
    (cell,) = first_cells(queue.problem, 7)
    found = [queue._effort(n) for n in (0, proofs.ROUND - 1, proofs.ROUND, proofs.ROUND + 1)]
    assert found == [proofs.FEW_EFFORT] * 2 + [proofs.EFFORT] * 2
    monkeypatch.setattr(proofs, "MANY_CELLS", 2)
    queue.push(cell)
    assert queue._effort(proofs.ROUND) == proofs.EFFORT
    queue.push(cell)
    assert queue._effort(proofs.ROUND) == proofs.MANY_EFFORT


def recorded(monkeypatch, name):
    """Let a function of the proof note what it is called with."""
    calls, original = [], getattr(proofs, name)

    def call(*given, **options):
        calls.append((given, options))
        return original(*given, **options)

    monkeypatch.setattr(proofs, name, call)
    return calls


def test_cells_of_any_size_are_explored_with_less_effort(pool, monkeypatch):
    large, small = recorded(monkeypatch, "explore_large"), recorded(monkeypatch, "explore_cell")
    queue = queue_of(a_rating(), pool)
    (cell,) = first_cells(queue.problem, -NOTHING)
    for one in (cell, enlarge(cell)):
        queue.push(one)
        queue.explore(lambda: NOTHING, lambda found: None)
        queue._heap.clear()
    assert small[0][0][3] == proofs.FEW_EFFORT
    assert large[0][0][3] == proofs.FEW_EFFORT // proofs.LARGE_RAY


def test_room_is_asked_for_once_for_cells_of_a_kind(pool, monkeypatch):
    monkeypatch.setattr(proofs, "FEW_EFFORT", 1)
    asked, explored = recorded(monkeypatch, "allocate"), recorded(monkeypatch, "explore_cell")
    problem = a_rating(12)
    cells = CellProof(start(problem), problem, pool)
    for _ in range(9):
        cells.explore()
    assert len({len(given[1].rays) for given, _ in explored}) > 1
    assert len(asked) == 1
    (space,) = cells.queue._spaces[3, False]
    assert all(options["turn"].workspace is space for _, options in explored)
    (cell,) = first_cells(problem, -NOTHING)
    cells.queue._explore_one(widen(problem, cell), NOTHING, 5)
    assert len(asked) == 2


def test_cells_of_any_size_are_collected_too(pool):
    problem = a_rating()
    (cell,) = first_cells(problem, -NOTHING)
    found = []
    for one in (cell, enlarge(cell)):
        queue = queue_of(problem, pool, collect=True)
        queue.push(one)
        taken = []
        while len(queue):
            assert len(taken) < 100
            queue.explore(lambda: NOTHING, taken.append)
        found.append(sum(len(part.decided) for part in taken))
    assert found[0] == found[1] > 0


def test_so_many_cells_see_the_same_incumbent_the_best_first(pool):
    problem = a_rating()
    (cell,) = first_cells(problem, 0)
    queue = queue_of(problem, pool)
    for bound in range(20):
        queue.push(replace(cell, bound=bound))
    taken = []
    queue.explore(lambda: 1000, taken.append)
    assert not taken
    queue.explore(lambda: 15, taken.append)
    assert len(taken) == 4  # 16, 17, 18 and 19
    queue.explore(lambda: -1, taken.append)
    assert len(taken) == 4 + proofs.ROUND


def test_what_can_not_beat_the_incumbent_is_not_left_to_wait(pool, monkeypatch):
    monkeypatch.setattr(proofs, "FEW_EFFORT", 1)
    problem = a_rating(9)
    (cell,) = first_cells(problem, -NOTHING)
    queue = queue_of(problem, pool)
    queue.push(cell)
    seen = []
    queue.explore(lambda: NOTHING, seen.append)
    bounds = sorted(left.bound for left in seen[0].left)
    assert len(bounds) > 1
    assert len(queue) == len(bounds)
    other = queue_of(problem, pool)
    other.push(cell)
    values = iter([NOTHING, *[bounds[0]] * 9])
    other.explore(lambda: next(values), seen.append)
    assert len(other) == sum(bound > bounds[0] for bound in bounds)


def test_of_a_round_the_best_cell_is_followed_to_its_end_and_others_while_ahead(pool, monkeypatch):
    monkeypatch.setattr(proofs, "FEW_EFFORT", 1)
    monkeypatch.setattr(proofs, "EFFORT", 1)
    explored = recorded(monkeypatch, "explore_cell")
    problem = a_rating(30)
    cells = CellProof(start(problem), problem, pool)
    for _ in range(40):
        if len(cells) <= proofs.ROUND:
            cells.explore()
    assert len(cells) > proofs.ROUND
    explored.clear()
    waiting = sorted((cell.bound for cell in cells.queue.waiting), reverse=True)
    cells.explore()
    floors = sorted(options["turn"].floor for _, options in explored)
    assert floors == [NOTHING] + [waiting[proofs.ROUND] - 1] * (proofs.ROUND - 1)


def test_formulas_that_cells_find_are_offered_and_improved(pool, monkeypatch):
    climbed = recorded(monkeypatch, "climb_on")
    problem = a_rating(9)
    progress = start(problem)
    cells = CellProof(progress, problem, pool)
    cells.explore()
    assert climbed
    assert progress.value > NOTHING


def test_all_formulas_that_reach_enough_are_in_the_cells_that_are_returned(solved, pool):
    for problem, best in solved()[:3]:
        least = best if problem.objective.by_position else best * 9 // 10
        decided, waiting = cells_within(problem, least, Clock(np.inf), pool)
        assert not waiting
        assert decided
        for cell in decided:
            assert problem.value(cell.weights.sum(axis=0)) >= least
        rng = np.random.default_rng(0)
        for weights in rng.integers(0, 9, (60, len(problem.directions))):
            if any(weights) and problem.value(weights) >= least:
                assert any(holds(cell, weights) for cell in decided)


def holds(cell, weights):
    """Tell whether weights are a sum of rays of a cell, of at most three factors."""
    from rankwright.programs import nonnegative_least_squares

    rays = cell.weights.astype(float)
    size = np.linalg.norm(rays, axis=1, keepdims=True)
    distance = nonnegative_least_squares((rays / size).T, weights / np.linalg.norm(weights))[1]
    return distance < 1e-9


def test_cells_that_the_time_does_not_suffice_for_are_returned_too(pool):
    clock = Clock(np.inf)
    clock.end()
    decided, waiting = cells_within(a_rating(), 0, clock, pool)
    assert (len(decided), len(waiting)) == (0, 1)


@pytest.fixture
def kinds(monkeypatch):
    """Note which proofs are made, and of what."""
    made = []

    def note(progress, chosen, gap, rounds):
        made.append((chosen, gap, rounds))
        return 5

    monkeypatch.setattr(proofs, "explore_in_turn", note)
    return made


def proofs_of(problem, kinds, pool, **options):
    progress = start(problem, 0)
    progress.value = -2
    assert prove(progress, gap=3, pool=pool, rounds=8, **options) == 5
    chosen, gap, rounds = kinds.pop()
    assert (gap, rounds) == (3, 8)
    return chosen


def test_orders_take_the_first_turn_for_position_errors_of_short_tops(kinds, pool, monkeypatch):
    monkeypatch.setattr(proofs, "MOST_RANKED", 3)
    for top, expected in [(3, [OrderProof, CellProof]), (4, [CellProof])]:
        found = proofs_of(a_rating(9, top=top, by_position=True), kinds, pool)
        assert [type(one) for one in found] == expected
    for other in (a_rating(), constrained(a_rating(by_position=True), "a >= b")):
        (cells,) = proofs_of(other, kinds, pool)
        assert isinstance(cells, CellProof)


def test_proofs_of_position_errors_are_about_contenders(kinds, pool):
    X = np.arange(12)[:, None]
    problem = make_problem(X, X[:, 0], [0] * 12, {0: 1}, by_position=True)
    orders, cells = proofs_of(problem, kinds, pool)
    assert len(orders.tree.problem.levels) == len(cells.queue.problem.levels) == 2


def test_orthants_that_are_proved_are_left_out_of_both_proofs(kinds, pool):
    problem = a_rating(by_position=True, free=True)
    found = proofs_of(problem, kinds, pool, proved=np.array([True, True, False]))
    assert [len(one) for one in found] == [6, 6]


@pytest.mark.parametrize("free", [False, True])
def test_orders_alone_prove_the_least_error_there_is(solved_positions, free, pool):
    for problem, best in solved_positions(free):
        progress = start(problem, 0)
        orders = OrderProof(progress, problem, pool)
        for _ in turns(orders, progress):
            assert max(orders.bound, progress.value) >= best
            orders.explore()
        assert progress.value == best
