import itertools
import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rankwright.programs import Program, Status
from rankwright.programs import program as program_module


def hard_program(n=120, seed=0):
    """Return a market-split-like program that no solver finishes within a test."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 100, (8, n))
    program = Program(-rng.integers(1, 100, n), upper=1, integer=True)
    program.add_rows(weights, weights.sum(axis=1) // 2, weights.sum(axis=1) // 2)
    return program


def test_a_linear_program_reports_duals_and_reduced_costs():
    program = Program([1, 2, 5], upper=10)
    program.add_rows([[1, 1, 1]], lower=12)
    solution = program.solve()
    assert solution.status is Status.OPTIMAL
    np.testing.assert_allclose(solution.x, [10, 2, 0])
    assert solution.objective == solution.bound == pytest.approx(14)
    np.testing.assert_allclose(solution.duals, [2])
    np.testing.assert_allclose(solution.reduced_costs, [-1, 0, 3])
    assert solution.gap == 0


def test_the_offset_counts():
    solution = Program([1.0], lower=2, offset=40).solve()
    assert solution.objective == solution.bound == 42


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_an_integer_program_equals_enumeration(seed):
    rng = np.random.default_rng(seed)
    costs, rows = rng.integers(-9, 9, 6), rng.integers(-9, 9, (3, 6))
    limits = rng.integers(-5, 20, 3)
    points = np.array(list(itertools.product([0, 1], repeat=6)))
    feasible = points[(points @ rows.T <= limits).all(axis=1)]
    program = Program(costs, upper=1, integer=True)
    program.add_rows(sparse.csr_array(rows), upper=limits)
    solution = program.solve()
    if len(feasible):
        assert solution.status is Status.OPTIMAL
        assert solution.objective == pytest.approx((feasible @ costs).min())
        assert solution.bound == pytest.approx(solution.objective)
        assert (rows @ solution.x <= limits + 1e-6).all()
        assert solution.duals is None
    else:
        assert solution.status is Status.INFEASIBLE
        assert solution.x is None
        assert solution.bound == solution.objective == solution.gap == np.inf


def test_an_unbounded_program_says_so():
    for integer in (False, True):
        program = Program([-1, 0], integer=integer)
        program.add_rows([[1, -1]], upper=1)
        solution = program.solve()
        assert solution.status is Status.UNBOUNDED
        assert solution.bound == -np.inf


def test_rows_are_added_and_removed_between_solves():
    program = Program([-1, -1], upper=4)
    assert program.solve().objective == -8
    program.add_rows([[1, 1], [1, 0]], upper=[5, 1])
    assert (program.n_columns, program.n_rows) == (2, 2)
    assert program.solve().objective == -5
    program.remove_rows([0])
    assert program.n_rows == 1
    np.testing.assert_allclose(program.solve().x, [1, 4])


def test_costs_and_bounds_change_between_solves():
    program = Program([1, 1], upper=4)
    program.set_costs([1], -1)
    np.testing.assert_allclose(program.solve().x, [0, 4])
    program.set_bounds([0, 1], [2, 0], [3, 1])
    np.testing.assert_allclose(program.solve().x, [2, 1])


def test_the_relaxation_and_then_the_whole_program():
    program = Program([-1, -1], upper=1, integer=[True, False])
    program.add_rows([[2, 1]], upper=[1.5])
    assert program.solve(relaxed=True).objective == pytest.approx(-1.25)
    assert program.solve().objective == pytest.approx(-1)
    program.set_integer([0], False)
    assert program.solve().objective == pytest.approx(-1.25)


def test_a_start_is_returned_when_no_node_is_allowed():
    program = hard_program()
    rows = Program(np.zeros(3), upper=1, integer=True)
    rows.add_rows([[3, 5, 7]], 8, 8)
    rows.start_from([1, 1, 0])
    np.testing.assert_allclose(rows.solve(node_limit=0).x, [1, 1, 0])
    assert program.solve(node_limit=0, time_limit=5).status in (
        Status.WORK_LIMIT,
        Status.TIME_LIMIT,
    )


@pytest.mark.parametrize("integer", [False, True])
def test_a_cutoff_below_the_optimum_proves_that_nothing_beats_it(integer):
    program = Program([1, 1], upper=5, integer=integer)
    program.add_rows([[2, 1], [1, 3]], lower=[7, 8])
    optimum = program.solve().objective
    again = Program([1, 1], upper=5, integer=integer)
    again.add_rows([[2, 1], [1, 3]], lower=[7, 8])
    solution = again.solve(cutoff=optimum - 0.5)
    assert solution.bound >= optimum - 0.5
    assert solution.status in (Status.CUTOFF, Status.OPTIMAL)


def test_a_time_limit_is_for_this_solve_and_leaves_a_valid_bound():
    program = hard_program()
    for _ in range(2):
        solution = program.solve(time_limit=0.3)
        assert solution.status is Status.TIME_LIMIT
        assert solution.bound <= solution.objective
    relaxed = program.solve(relaxed=True)
    assert relaxed.status is Status.OPTIMAL
    # A bound that the time was too short for is none, and so below all.
    assert solution.bound == -np.inf or relaxed.objective <= solution.bound + 1e-6


def test_the_same_program_gives_the_same_point_twice():
    first, second = (hard_program().solve(node_limit=3) for _ in range(2))
    assert first.bound == second.bound
    assert first.objective == second.objective


def test_an_event_ends_the_solve():
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    assert hard_program().solve(stop=stop, time_limit=600).status is Status.INTERRUPTED


@pytest.fixture
def interruptible():
    """Let SIGINT raise KeyboardInterrupt, also where the parent process ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_reaches_python_and_the_program_stays_usable():
    program = hard_program()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

    def wait_for_the_signal():
        timer.start()
        program.solve(time_limit=600)  # returns when this ends it

    with pytest.raises(KeyboardInterrupt):
        wait_for_the_signal()
    assert program.solve(relaxed=True).status is Status.OPTIMAL


class InterruptedAtOnce(threading.Thread):
    """A thread during whose start Ctrl-C arrives, after it has begun."""

    def start(self):
        super().start()
        raise KeyboardInterrupt


class InterruptedBefore(threading.Thread):
    """A thread that Ctrl-C keeps from being started, or that nobody knows to be."""

    target = None

    def __init__(self, target, daemon):
        InterruptedBefore.target = target
        super().__init__(target=target, daemon=daemon)

    def start(self):
        raise KeyboardInterrupt


def test_ctrl_c_while_the_solver_is_started_leaves_none_running(monkeypatch):
    # HiGHS in a thread that nobody waits for aborts the process when that ends.
    monkeypatch.setattr(program_module, "Thread", InterruptedAtOnce)
    with pytest.raises(KeyboardInterrupt):
        hard_program().solve(time_limit=600)
    solving = [one for one in threading.enumerate() if isinstance(one, InterruptedAtOnce)]
    for thread in solving:
        thread.join(timeout=20)
        assert not thread.is_alive()


def test_ctrl_c_before_the_solver_is_started_keeps_it_from_running(monkeypatch):
    program, runs = hard_program(), []
    monkeypatch.setattr(program_module, "Thread", InterruptedBefore)
    monkeypatch.setattr(program._highs, "run", lambda: runs.append("run"))
    with pytest.raises(KeyboardInterrupt):
        program.solve(time_limit=600)
    InterruptedBefore.target()  # a thread that begins after all
    assert not runs


def test_programs_are_solved_in_threads_side_by_side():
    values = {}

    def work(k):
        program = Program([-1.0] * 4, upper=1, integer=True)
        program.add_rows([[1, 1, 1, 1]], upper=k)
        values[k] = program.solve().objective

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values == {k: -k for k in range(4)}


def test_rows_of_the_wrong_width_are_refused():
    with pytest.raises(ValueError, match="rows of 3 entries; the program has 2 columns"):
        Program([1, 1]).add_rows([[1, 1, 1]], upper=1)


def test_a_program_with_nan_is_refused():
    with pytest.raises(ValueError, match="a cost or bound is NaN"):
        Program([1, np.nan])


def test_a_program_that_presolve_calls_infeasible_is_solved_without():
    # From a robust plan: five changes, their clipped effects and the duals of the worst case.
    effects = np.array([[0, 0.5, -2, 3, -0.5], [1.5, -0.5, 3, 1.5, 1.5]])
    rows = np.zeros((8, 17))
    rows[:2, :5] = rows[2:4, :5] = effects
    rows[[0, 1, 0, 1], [5, 6, 7, 8]] = rows[[2, 3, 2, 3], [5, 6, 7, 8]] = -1, -1, 1, 1
    rows[[4, 5, 6, 7], [5, 6, 7, 8]] = 1
    rows[[4, 5, 6], [9, 10, 11]] = -1.5, -4.5, -0.5
    rows[2:4, 13:] = [1, -1, 1, -1], [0, 0, 1, -1]
    integer = np.repeat([True, False, True, False], [5, 4, 4, 4])
    costs = np.r_[-1, 0, -1, np.zeros(14)]
    program = Program(costs, upper=np.where(integer, 1, np.inf), integer=integer)
    program.add_rows(rows, [-2, -0.5, 0, 0, *[-np.inf] * 4], [2, 3, 0, 0, 0, 0, 0, 0])
    stays = np.zeros((2, 17))
    stays[:, :5], stays[0, [5, 7, 11]], stays[1, [6, 8, 12]] = effects, (-1, 1, 4), (-1, 1, 3.5)
    program.add_rows(stays, upper=[2, 3])
    program.add_rows([[*[0] * 13, -0.1, 0, -1, 1]], lower=2.875)
    program.add_rows([costs], upper=0)
    solution = program.solve(presolve=False)
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(-1)


def test_a_step_limit_ends_a_linear_program_alike_every_time():
    rng = np.random.default_rng(0)
    costs, rows = -rng.random(30), rng.random((20, 30))
    whole = Program(costs, upper=1)
    whole.add_rows(rows, upper=3.0)
    proved = whole.solve()
    assert (proved.status, proved.steps > 5) == (Status.OPTIMAL, True)
    cut = Program(costs, upper=1)
    cut.add_rows(rows, upper=3.0)
    for _ in range(2):
        assert cut.solve(step_limit=2).status is Status.WORK_LIMIT
    assert cut.solve().objective == pytest.approx(proved.objective)


def test_a_solver_without_an_answer_is_an_error_unless_the_caller_can_do_without(monkeypatch):
    program = Program([1.0], lower=2)
    # Of programs whose numbers differ too much in size, HiGHS knows nothing in the end.
    monkeypatch.setattr(program_module, "STATUSES", {})
    solution = program.solve(optional=True)
    assert (solution.status, solution.x, solution.duals) == (Status.NO_ANSWER, None, None)
    assert (solution.objective, solution.bound) == (np.inf, -np.inf)
    with pytest.raises(RuntimeError, match="gave no answer"):
        program.solve()
