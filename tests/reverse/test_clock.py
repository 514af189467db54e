import time
import warnings
from threading import Event, Thread

import numpy as np
import pytest

from rankwright.reverse.clock import Clock, threads
from rankwright.reverse.progress import Progress


class Hours:
    """Time that passes only when told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def wait_for(event):
    assert event.wait(30)


def test_a_clock_is_late_once_its_seconds_are_over():
    hours = Hours()
    clock = Clock(10.0, now=hours)
    hours.now = 9.0
    assert (clock.seconds, clock.left, clock.is_late) == (9.0, 1.0, False)
    hours.now = 12.0
    assert (clock.left, clock.is_late) == (0.0, True)


def test_the_watch_sets_the_flags_when_the_time_is_up():
    hours = Hours()
    with Clock(10.0, now=hours) as clock:
        assert not clock.stop[0]
        hours.now = 10.0
        wait_for(clock.over)
        assert clock.stop[0]


def test_a_clock_without_limit_is_never_late_and_needs_no_watch():
    with Clock(np.inf) as clock:
        assert clock.left == np.inf
        assert not clock.is_late


def test_ending_a_clock_makes_it_late():
    clock = Clock(np.inf)
    clock.end()
    assert clock.is_late
    assert clock.stop[0]


def test_a_clock_that_was_ended_has_no_time_left():
    clock = Clock(9.0)
    clock.interrupt()
    assert (clock.left, clock.is_late, clock.is_interrupted) == (0.0, True, True)


def test_an_exception_inside_ends_the_clock():
    clock = Clock(np.inf)
    with pytest.raises(KeyboardInterrupt), clock:
        raise KeyboardInterrupt
    assert clock.is_late


def test_the_clock_stands_still_while_kernels_are_compiled():
    hours = Hours()
    clock = Clock(1.0, now=hours)
    hours.now = 100.0
    assert clock.is_late
    clock._compiling = lambda: 99.5
    assert not clock.is_late
    assert clock.seconds == pytest.approx(0.5)


@pytest.mark.parametrize("limit", [0, -1.0, np.nan])
def test_a_limit_that_is_none_is_refused(limit):
    with pytest.raises(ValueError, match="give a positive number of seconds"):
        Clock(limit)


def test_steps_end_when_the_time_is_up_and_what_is_left_out_is_said():
    hours = Hours()
    clock = Clock(3.0, now=hours)

    def answer(step):
        hours.now += 1.25
        return step

    # The third answer comes after three seconds: its search may have been broken off.
    with pytest.warns(UserWarning, match="2 of 5 folds"):
        assert clock.answer_each(range(5), answer, "folds") == [0, 1]


def test_a_late_clock_still_gives_one_answer():
    clock = Clock(1.0)
    clock.end()
    with pytest.warns(UserWarning, match="1 of 3"):
        assert clock.answer_each("abc", str.upper, "letters") == ["A"]


def test_all_answers_in_time_are_given_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Clock(np.inf).answer_each([1, 2, 3], str, "steps") == ["1", "2", "3"]


def test_an_interruption_stops_the_work_in_the_pool():
    clock, began = Clock(np.inf), Event()

    def work():
        began.set()
        while not clock.stop[0]:
            time.sleep(0.001)
        return "ended"

    def interrupted():
        with threads(1, clock) as pool:
            futures.append(pool.submit(work))
            wait_for(began)
            raise KeyboardInterrupt

    futures = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert futures[0].result() == "ended"


def test_a_flag_set_by_another_thread_is_seen_by_a_kernel():
    from rankwright.kernels.rating.climb import climb
    from rankwright.kernels.rating.planes import Aims
    from rankwright.reverse.problem.planes import list_pairs

    rng = np.random.default_rng(0)
    n, d = 200, 6
    levels, groups, ones = rng.permutation(n), np.array([0, n]), np.ones(n, dtype=np.int64)
    aims = Aims(ones, 9 * ones, ones * (n - 10), np.array([10]), groups, 0 * ones, levels)
    # So many directions that a climb would take minutes.
    directions = rng.normal(size=(100_000, d))
    args = rng.normal(size=(n, d)), np.ones(d), directions, list_pairs(levels, groups)
    rest = None, aims, False, np.ones(d, dtype=bool)
    climb(*args, *rest, np.array([True]))  # compiled
    stop, found = np.array([False]), []
    climber = Thread(target=lambda: found.append(climb(*args, *rest, stop)), daemon=True)
    climber.start()
    time.sleep(0.05)
    stop[0] = True
    climber.join(300)
    assert found[0][2] < len(directions)


def test_a_stopped_line_search_tells_what_it_has_seen():
    from rankwright.kernels.rating.planes import Aims
    from rankwright.kernels.rating.statistic import objective_value
    from rankwright.kernels.rating.sweep import sweep
    from rankwright.reverse.problem.planes import list_pairs

    rng = np.random.default_rng(0)
    n = 60
    levels, groups, ones = rng.permutation(n), np.array([0, n]), np.ones(n, dtype=np.int64)
    aims = Aims(ones, 9 * ones, ones * (n - 10), np.array([10]), groups, 0 * ones, levels)
    pairs = list_pairs(levels, groups)
    scores, slopes, room = rng.normal(size=n), levels - n / 2, len(pairs.better)

    def best(stop):
        counts = tuple(np.empty(n, dtype=np.int64) for _ in range(3))
        lists = np.empty(room), np.empty(room, dtype=np.int64)
        return sweep(
            scores, slopes, -1.0, 1.0, pairs, aims, False, *lists, counts, np.array([stop])
        )

    begun, where = best(True)
    assert begun == objective_value(scores + where * slopes, aims, False)
    assert begun < best(False)[0]  # published orders are at the far end


def test_a_climb_that_is_too_late_to_begin_returns_its_start():
    from rankwright.reverse.search import climb_from

    start = np.ones(3)
    assert climb_from(None, start, 0, np.array([True])) is start


@pytest.mark.parametrize("signs", ["auto", "positive", "free"])
def test_ctrl_c_before_the_first_formula_leaves_one(signs, monkeypatch):
    from rankwright.reverse import RatingFormula, solve

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(solve, "baseline_starts", interrupted)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)).round(2), rng.normal(size=12)
    formula = RatingFormula(signs=signs, time_limit=60.0)
    with pytest.raises(KeyboardInterrupt):
        formula.fit(X, y)
    assert formula.status_ == "interrupted"
    assert np.any(formula.weights_)


@pytest.mark.parametrize(
    "asked", [{"value_functions": "piecewise"}, {"constraints": ["x0 >= x1"]}], ids=str
)
def test_ctrl_c_while_directions_are_decided_beforehand_keeps_a_formula(asked, monkeypatch):
    from rankwright.reverse import RatingFormula, solve

    def interrupted(*_):
        monkeypatch.undo()  # once: what follows would find a formula
        raise KeyboardInterrupt

    monkeypatch.setattr(solve, "baseline_starts", interrupted)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)).round(2), rng.normal(size=12)
    formula = RatingFormula(time_limit=60.0, **asked)
    with pytest.raises(KeyboardInterrupt):
        formula.fit(X, y)
    assert formula.status_ == "interrupted"
    assert np.any(formula.weights_)


def test_ctrl_c_while_directions_are_turned_keeps_the_best_of_them(monkeypatch):
    from rankwright.reverse import RatingFormula, terms

    def refit(problem, *_):
        if len(tried) == 4:
            raise KeyboardInterrupt
        tried.append(problem.directions.tolist())
        return Progress(problem, Clock(1.0), value=len(tried))  # each is better than those before

    tried = []
    monkeypatch.setattr(terms, "refit", refit)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 4)).round(2), rng.normal(size=12)
    formula = RatingFormula(constraints=["at most 2 factors"], time_limit=60.0)
    with pytest.raises(KeyboardInterrupt):
        formula.fit(X, y)
    assert formula.status_ == "interrupted"
    assert formula.directions_.tolist() == tried[-1]


def test_single_pairs_have_a_part_of_the_time_where_few_factors_may_count(monkeypatch):
    from rankwright.reverse import RatingFormula, solve

    def whole_space(problem, clock):
        limits.append(clock.limit)
        return solve.bound_without_pairs(problem)

    limits = []
    monkeypatch.setattr(solve, "whole_space", whole_space)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 3)).round(2), rng.normal(size=12)
    known = ["at most 1 factor"]
    RatingFormula(signs="positive", constraints=known, time_limit=60.0).fit(X, y)
    assert len(limits) == 1
    assert limits[0] <= solve.SHARE * 60.0


def test_an_interruption_that_a_kernel_hides_is_one_outside_of_the_clock():
    with pytest.raises(KeyboardInterrupt), Clock(60.0) as clock:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()
    assert clock.is_late


def test_other_errors_leave_the_clock_as_they_are():
    with pytest.raises(SystemError), Clock(60.0):
        raise SystemError("something else")
