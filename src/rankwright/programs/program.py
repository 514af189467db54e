"""A linear or integer program that is built from arrays, grows by rows and is solved again."""

from threading import Event, Thread
from typing import Any

import highspy
import numpy as np
from highspy import HighsBasisStatus, HighsModelStatus
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from rankwright.programs.solution import NoAnswerError, Solution, Status

__all__ = ["Program"]

STATUSES = {
    HighsModelStatus.kOptimal: Status.OPTIMAL,
    HighsModelStatus.kModelEmpty: Status.OPTIMAL,
    HighsModelStatus.kInfeasible: Status.INFEASIBLE,
    HighsModelStatus.kUnbounded: Status.UNBOUNDED,
    HighsModelStatus.kUnboundedOrInfeasible: Status.UNBOUNDED,
    HighsModelStatus.kObjectiveBound: Status.CUTOFF,
    HighsModelStatus.kTimeLimit: Status.TIME_LIMIT,
    HighsModelStatus.kIterationLimit: Status.WORK_LIMIT,
    HighsModelStatus.kSolutionLimit: Status.WORK_LIMIT,
    HighsModelStatus.kInterrupt: Status.INTERRUPTED,
}
SIDES = {HighsBasisStatus.kLower: -1, HighsBasisStatus.kUpper: 1}


class Program:
    """Minimise ``costs @ x + offset`` for ``lower <= x <= upper`` and the rows added.

    Parameters
    ----------
    costs : array of shape (n,)
    lower, upper : float or array of shape (n,)
    integer : bool or array of shape (n,)
        The columns that must be whole.
    offset : float
    threads, seed : int
        With one thread (the default) a solve that no clock ends is reproducible.

    Examples
    --------
    >>> from rankwright.programs import Program
    >>> program = Program([-5, -4, -3], upper=1, integer=True)
    >>> program.add_rows([[2, 3, 1], [4, 1, 2]], upper=[5, 5])
    >>> solution = program.solve()
    >>> solution.status.value, solution.x.tolist(), solution.objective
    ('optimal', [1.0, 1.0, 0.0], -9.0)
    """

    def __init__(
        self,
        costs: ArrayLike,
        lower: ArrayLike = 0.0,
        upper: ArrayLike = np.inf,
        integer: ArrayLike = False,
        *,
        offset: float = 0.0,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        n = len(np.asarray(costs))
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._set(output_flag=False, threads=threads, random_seed=seed)
        self._watch_for_stop()
        none = np.empty(0, dtype=np.int32)
        columns = _spread(costs, n), _spread(lower, n), _spread(upper, n)
        _check(self._highs.addCols(n, *columns, 0, none, none, np.empty(0)))
        self._integer = np.zeros(n, dtype=np.uint8)
        self.set_integer(np.arange(n), integer)
        _check(self._highs.changeObjectiveOffset(float(offset)))

    @property
    def n_columns(self) -> int:
        """Return the number of columns."""
        return int(self._highs.getNumCol())

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return int(self._highs.getNumRow())

    def add_rows(self, matrix: Any, lower: ArrayLike = -np.inf, upper: ArrayLike = np.inf) -> None:
        """Add ``lower <= matrix @ x <= upper``; the next solve starts where the last one ended."""
        rows = sparse.csr_array(matrix, dtype=np.float64)
        n, width = rows.shape
        if width != self.n_columns:
            raise ValueError(f"rows of {width} entries; the program has {self.n_columns} columns")
        starts, columns = rows.indptr[:-1].astype(np.int32), rows.indices.astype(np.int32)
        bounds = _spread(lower, n), _spread(upper, n)
        _check(self._highs.addRows(n, *bounds, rows.nnz, starts, columns, rows.data))

    def remove_rows(self, rows: ArrayLike) -> None:
        """Remove rows by their numbers; those that follow move up."""
        numbers = np.unique(np.asarray(rows, dtype=np.int32))
        _check(self._highs.deleteRows(len(numbers), numbers))

    def set_bounds(self, columns: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> None:
        """Replace the bounds of some columns."""
        numbers = np.asarray(columns, dtype=np.int32)
        n = len(numbers)
        _check(self._highs.changeColsBounds(n, numbers, _spread(lower, n), _spread(upper, n)))

    def set_costs(self, columns: ArrayLike, costs: ArrayLike) -> None:
        """Replace the costs of some columns."""
        numbers = np.asarray(columns, dtype=np.int32)
        n = len(numbers)
        _check(self._highs.changeColsCost(n, numbers, _spread(costs, n)))

    def set_integer(self, columns: ArrayLike, integer: ArrayLike = True) -> None:
        """Say which of some columns must be whole."""
        numbers = np.asarray(columns, dtype=np.int32)
        self._integer[numbers] = integer
        kinds = self._integer[numbers]
        _check(self._highs.changeColsIntegrality(len(numbers), numbers, kinds))

    def start_from(self, x: ArrayLike) -> None:
        """Give an integer program a feasible point to begin with."""
        values = np.ascontiguousarray(x, dtype=np.float64)
        numbers = np.arange(len(values), dtype=np.int32)
        _check(self._highs.setSolution(len(values), numbers, values))

    def solve(
        self,
        *,
        relaxed: bool = False,
        presolve: bool = True,
        time_limit: float = np.inf,
        node_limit: int | None = None,
        step_limit: int | None = None,
        gap: float = 1e-6,
        cutoff: float = np.inf,
        stop: Event | None = None,
        optional: bool = False,
    ) -> Solution:
        """Solve the program, after earlier solves starting from their basis.

        Ctrl-C stops the solver and is then raised as usual.

        Parameters
        ----------
        relaxed : bool
            Ignore that columns must be whole.
        presolve : bool
            Simplify the program first. HiGHS 1.15 can thereby call a feasible integer program with
            continuous columns infeasible (its issue 3296): do without where that would mislead.
        time_limit : float
            Seconds for this solve.
        node_limit : int or None
            Nodes of the integer search: a limit that gives the same result on every machine.
        step_limit : int or None
            Steps of the simplex method: the same for a linear program.
        gap : float
            Absolute difference of value and bound at which an integer program counts as solved.
        cutoff : float
            Stop once no point better than this can exist.
        stop : threading.Event or None
            Set it in another thread to end the solve.
        optional : bool
            Whether the caller can do without: where HiGHS has no answer, the status says so. If
            not, a ``NoAnswerError`` does.
        """
        linear = relaxed or not self._integer.any()
        # HiGHS counts the seconds of linear programs from the first solve on, of integer ones anew.
        elapsed = self._highs.getRunTime() if linear else 0.0
        self._set(
            solve_relaxation=relaxed,
            presolve="choose" if presolve else "off",
            time_limit=elapsed + time_limit,
            mip_max_nodes=highspy.kHighsIInf if node_limit is None else node_limit,
            simplex_iteration_limit=highspy.kHighsIInf if step_limit is None else step_limit,
            mip_abs_gap=gap,
            mip_rel_gap=0.0,
            objective_bound=cutoff,
        )
        self._run(stop or Event())
        return self._solution(linear, cutoff, optional)

    def _set(self, **options: Any) -> None:
        for name, value in options.items():
            _check(self._highs.setOptionValue(name, value))

    def _watch_for_stop(self) -> None:
        def interrupt(event: Any) -> None:
            event.interrupt(self._stop.is_set())  # always: HiGHS remembers it for the next solve

        highs = self._highs
        for callback in (highs.cbSimplexInterrupt, highs.cbIpmInterrupt, highs.cbMipInterrupt):
            callback.subscribe(interrupt)

    def _run(self, stop: Event) -> None:
        # Python handles signals in its main thread only, so the solver, which releases the GIL,
        # has its own. (highspy's handling prints, swallows Ctrl-C and shares one lock; joining a
        # thread is no way to wait: interrupted, Python 3.11 takes the thread for ended.)
        self._stop = stop
        solving = _Solving(self._highs)
        try:
            Thread(target=solving.run, daemon=True).start()
            while not solving.done.wait(0.5):
                pass
        except KeyboardInterrupt:
            stop.set()
            solving.give_up()
            raise

    def _solution(self, linear: bool, cutoff: float, optional: bool) -> Solution:
        model_status = self._highs.getModelStatus()
        if model_status not in STATUSES and optional:
            return Solution(Status.NO_ANSWER, None, np.inf, -np.inf)
        if model_status not in STATUSES:
            ending = self._highs.modelStatusToString(model_status)
            raise NoAnswerError(f"the solver HiGHS gave no answer ({ending})")
        status = STATUSES[model_status]
        if status is Status.INFEASIBLE and cutoff < np.inf:
            status = Status.CUTOFF
        info, found = self._highs.getInfo(), self._highs.getSolution()
        feasible = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        objective = float(info.objective_function_value) if feasible else np.inf
        optimal = status is Status.OPTIMAL
        bounds = {
            Status.OPTIMAL: objective if linear else float(info.mip_dual_bound),
            Status.INFEASIBLE: np.inf,
            Status.UNBOUNDED: -np.inf,
            Status.CUTOFF: cutoff,
        }
        unfinished = -np.inf if linear else float(info.mip_dual_bound)
        return Solution(
            status=status,
            x=np.array(found.col_value) if feasible else None,
            objective=objective,
            bound=bounds.get(status, unfinished),
            duals=np.array(found.row_dual) if linear and optimal else None,
            reduced_costs=np.array(found.col_dual) if linear and optimal else None,
            row_sides=self._sides("row_status") if linear and optimal else None,
            column_sides=self._sides("col_status") if linear and optimal else None,
            steps=max(0, int(info.simplex_iteration_count)),
        )

    def _sides(self, kind: str) -> NDArray[np.int64]:
        statuses = getattr(self._highs.getBasis(), kind)
        return np.array([SIDES.get(status, 0) for status in statuses], dtype=np.int64)


class _Solving:
    """A run of HiGHS in a thread, which nobody leaves behind: a process that ends beside it aborts.

    An interrupt can come before the thread has begun, or before anybody knows that it has.
    """

    def __init__(self, highs: Any) -> None:
        self._highs = highs
        self._begun, self._given_up, self.done = Event(), Event(), Event()

    def run(self) -> None:
        """Solve, unless nobody waits for it any more."""
        self._begun.set()
        try:
            if not self._given_up.is_set():
                self._highs.run()
                self._highs.resetGlobalScheduler(False)  # else the next can't change its threads
        finally:
            self.done.set()

    def give_up(self) -> None:
        """Wait for the end of a run that was told to stop, or keep it from beginning."""
        self._given_up.set()
        if self._begun.is_set():
            self.done.wait()


def _spread(values: ArrayLike, n: int) -> NDArray[np.float64]:
    array = np.ascontiguousarray(np.broadcast_to(np.asarray(values, dtype=np.float64), n))
    if np.isnan(array).any():  # HiGHS would take it silently
        raise ValueError("a cost or bound is NaN; use inf for a missing bound")
    return array


def _check(status: Any) -> None:
    if status == highspy.HighsStatus.kError:
        raise ValueError("HiGHS refused the program; look for infinite costs or wrong numbers")
