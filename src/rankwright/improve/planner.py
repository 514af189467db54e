"""The cheapest way up."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any

import pandas as pd

from rankwright.improve.change import Change, changes_of_table
from rankwright.improve.conditions import (
    check_bounds,
    check_changes,
    check_within,
    number_conflicts,
    number_requires,
)
from rankwright.improve.decimals import Number, exact
from rankwright.improve.files import read_changes, read_conditions, read_conflicts
from rankwright.improve.formula import Formula, possible_weights, weights_of
from rankwright.improve.plan import Plan, UnreachableError
from rankwright.improve.polytope import WeightPolytope
from rankwright.improve.problem import Choice, Problem
from rankwright.improve.products import factor_values, read_competitors
from rankwright.improve.situation import (
    FRONTIER_WORK,
    PLAN_WORK,
    Goal,
    RobustSituation,
    Situation,
)

__all__ = ["Planner"]

BEYOND = ("clip", "refuse")


class Planner:
    """Find the changes that raise a product's score or position most cheaply.

    Weights, effects and costs are taken as the decimals they are written as and counted in whole
    units, so ties are ties and a frontier is complete.

    Parameters
    ----------
    formula : mapping of weights by factor, or a fitted formula
        A formula has ``weights_`` and ``feature_names_in_``, as a fitted ``RatingFormula``; plans
        that are robust need its ``weight_polytope`` too.
    changes : iterable of Change, or frame
        A frame has the names as its index, a column ``cost`` and a column for each factor.
    conflicts : iterable of collections of names
        At most one change of each can be made.
    requires : iterable of pairs of names
        The first change can only be made with the second.
    bounds : mapping, optional
        By factor, the lowest and the highest value; None for no limit.
    beyond : {"clip", "refuse"}
        What happens to a plan whose effects add up to more than the bounds allow: the factor stops
        at its bound, or the plan is refused.
    slack : float
        For robust plans: how far below the best one a formula's objective may be to be possible.
    time_limit : float
        Seconds for a solve of the integer program, which only large problems and robust plans
        need. A plan found by then is returned with ``optimal=False``.

    Examples
    --------
    The camera of section 9 of "Reverse-engineering quality rankings":

    >>> import rankwright as rw
    >>> example = rw.datasets.load_cameras()
    >>> planner = rw.Planner(example.factors["weight"], example.changes, example.conflicts)
    >>> camera = example.cameras.loc["camera_2"]
    >>> plan = planner.maximize_score(camera, budget=8)
    >>> plan.changes, plan.cost, plan.gain
    (('Better lens',), 7.0, 5.097)
    >>> [plan.changes for plan in planner.minimize_cost(camera, gain=2, all_optima=True)]
    [('Add 2 megapixels',), ('Wider angle',)]
    >>> [(plan.cost, plan.gain) for plan in planner.frontier(camera)][-2:]
    [(27.0, 13.1925), (29.0, 13.2425)]
    """

    def __init__(
        self,
        formula: Formula | Mapping[str, Number],
        changes: Iterable[Change] | pd.DataFrame,
        conflicts: Iterable[Iterable[str]] = (),
        requires: Iterable[Iterable[str]] = (),
        bounds: Mapping[str, Sequence[Any]] | None = None,
        *,
        beyond: str = "clip",
        slack: float = 0.0,
        time_limit: float = 60.0,
    ) -> None:
        if beyond not in BEYOND:
            raise ValueError(f"beyond={beyond!r}; choose from {list(BEYOND)}")
        self._formula, self._slack, self._time_limit = formula, slack, time_limit
        self._weights = weights_of(formula)
        given = changes_of_table(changes) if isinstance(changes, pd.DataFrame) else changes
        checked = check_changes(given, self._weights)
        numbers = {change.name: number for number, change in enumerate(checked)}
        self._problem = Problem(
            weights=self._weights,
            item={},
            names=tuple(numbers),
            prices=tuple(exact(change.cost, "a cost") for change in checked),
            effects=tuple(
                {name: exact(effect, "an effect") for name, effect in change.effects.items()}
                for change in checked
            ),
            conflicts=number_conflicts(conflicts, numbers),
            requires=number_requires(requires, numbers),
            bounds=check_bounds(bounds, self._weights),
            refuse=beyond == "refuse",
        )

    @classmethod
    def from_files(
        cls,
        formula: Formula | Mapping[str, Number],
        changes: str | Path,
        conflicts: str | Path | None = None,
        **options: Any,
    ) -> "Planner":
        r"""Read the changes, and what a TOML file says about conflicts, prerequisites and bounds.

        Parameters
        ----------
        formula : mapping of weights by factor, or a fitted formula
        changes, conflicts : str or Path
            Files as ``read_changes`` and ``read_conflicts`` take them.
        **options
            The planner's other parameters.

        Examples
        --------
        >>> from pathlib import Path
        >>> import rankwright as rw
        >>> path = Path(getfixture("tmp_path")) / "changes.csv"
        >>> _ = path.write_text("change,stars,cost\nPolish,0.5,3\nRedesign,1.5,20\n")
        >>> planner = rw.Planner.from_files({"stars": 2.0}, path, bounds={"stars": (1, 5)})
        >>> planner.minimize_cost({"stars": 4}, gain=1.5).changes
        ('Redesign',)
        """
        conditions = read_conditions(changes)
        if conflicts is not None:
            conditions["conflicts"] = read_conflicts(conflicts)
        return cls(formula, read_changes(changes), **conditions | options)

    def maximize_score(
        self,
        item: Any,
        budget: Number,
        *,
        competitors: Any = None,
        robust: bool = False,
        all_optima: bool = False,
    ) -> Any:
        """Return the plan with the best score within a budget: (14) of the paper.

        Parameters
        ----------
        item : mapping or row of a frame
            The product's values by factor.
        budget : number
            Zero or more; ``inf`` for any price.
        competitors : frame, optional
            The factors of the other products, to know the plan's position among them.
        robust : bool
            Maximise the gain that is guaranteed whichever of the possible formulas is true.
        all_optima : bool
            Return the list of all plans with the best score, by rising cost.

        Returns
        -------
        Plan or list of Plan
            Of the plans with the best score the cheapest.
        """
        if not budget >= 0:
            raise ValueError(
                f"budget={budget}; give zero or more (frontier lists plans that save money)"
            )
        situation = self._situation(item, competitors, robust=robust)
        within = math.inf
        if budget != math.inf:
            within = situation.problem.cost_units(exact(budget, "budget"))
        best = situation.solver.best_within(within)
        assert best is not None  # changing nothing costs nothing
        if not all_optima:
            return situation.plan(best)
        return _plans(situation, best, situation.solver.all_within(within, best.gain))

    def minimize_cost(
        self,
        item: Any,
        *,
        gain: Number | None = None,
        position: int | None = None,
        competitors: Any = None,
        margin: Number = 0,
        robust: bool = False,
        all_optima: bool = False,
    ) -> Any:
        """Return the cheapest plan for a gain, (15) of the paper, or for a position.

        Parameters
        ----------
        item : mapping or row of a frame
            The product's values by factor.
        gain : number
            How much the score has to rise.
        position : int
            Instead of a gain: the position to reach among the competitors, or a better one.
        competitors : frame
            The factors of the other products, which stay as they are: without the item itself.
        margin : number
            To beat a competitor, a score must exceed its score, by at least this much.
        robust : bool
            Reach the goal by every possible formula.
        all_optima : bool
            Return the list of all cheapest plans, by falling gain.

        Returns
        -------
        Plan or list of Plan
            Of the cheapest plans the one with the best score.

        Raises
        ------
        ValueError
            When no plan reaches the goal; it says what can be reached.

        Examples
        --------
        >>> import pandas as pd
        >>> import rankwright as rw
        >>> changes = [rw.Change("Polish", 3, {"stars": 0.5}), rw.Change("Rework", 9, {"stars": 1})]
        >>> planner = rw.Planner({"stars": 2.0}, changes)
        >>> others = pd.DataFrame({"stars": [4.5, 3.5, 2]})
        >>> planner.minimize_cost({"stars": 3}, position=2, competitors=others).changes
        ('Rework',)
        """
        situation = self._situation(item, competitors, margin, robust=robust)
        goal = _goal(situation, gain, position)
        cheapest = goal.cheapest()
        if cheapest is None:
            raise UnreachableError(_unreachable(situation, gain, position))
        if not all_optima:
            return situation.plan(cheapest)
        return _plans(situation, cheapest, goal.solver.all_within(cheapest.cost, goal.gain))

    def frontier(
        self, item: Any, *, competitors: Any = None, margin: Number = 0, robust: bool = False
    ) -> list[Plan]:
        """Return every efficient plan: no other costs less without a lower score.

        Parameters
        ----------
        item : mapping or row of a frame
            The product's values by factor.
        competitors : frame, optional
            With them, only the cheapest plan for each position is returned, as far as no better
            position costs the same.
        margin : number
            To beat a competitor, a score must exceed its score, by at least this much.
        robust : bool
            Judge plans by what is guaranteed whichever of the possible formulas is true. Beside
            the frontier without it, this shows the price of certainty.

        Returns
        -------
        list of Plan
            By rising cost; one plan for each pair of cost and score.

        Examples
        --------
        >>> import pandas as pd
        >>> import rankwright as rw
        >>> changes = [rw.Change("Polish", 3, {"stars": 0.5}), rw.Change("Rework", 9, {"stars": 1})]
        >>> planner = rw.Planner({"stars": 2.0}, changes)
        >>> [plan.changes for plan in planner.frontier({"stars": 3})]
        [(), ('Polish',), ('Rework',), ('Polish', 'Rework')]
        >>> others = pd.DataFrame({"stars": [4.5, 3.5, 2]})
        >>> plans = planner.frontier({"stars": 3}, competitors=others)
        >>> [(plan.changes, plan.position) for plan in plans]
        [((), 3.0), (('Rework',), 2.0)]
        """
        situation = self._situation(item, competitors, margin, robust=robust, work=FRONTIER_WORK)
        if situation.competitors is None:
            choices = situation.solver.frontier()
        else:
            choices = situation.position_frontier(situation.competitors)
        return [situation.plan(choice) for choice in choices]

    def plans(self, item: Any, *, competitors: Any = None) -> Iterator[Plan]:
        """List all plans that the conditions allow, from none of the changes on.

        Examples
        --------
        >>> import rankwright as rw
        >>> example = rw.datasets.load_cameras()
        >>> planner = rw.Planner(example.factors["weight"], example.changes, example.conflicts)
        >>> sum(1 for plan in planner.plans(example.cameras.loc["camera_2"]))
        512
        """
        situation = self._situation(item, competitors)
        return map(situation.plan, situation.solver.all_within())

    @cached_property
    def _polytope(self) -> WeightPolytope:
        return possible_weights(self._formula, self._slack)

    def _situation(
        self,
        item: Any,
        competitors: Any,
        margin: Number = 0,
        *,
        robust: bool = False,
        work: int = PLAN_WORK,
    ) -> Situation:
        values = factor_values(item, self._weights)
        check_within(values, self._problem.bounds)
        rivals = None
        if competitors is not None:
            rivals = read_competitors(competitors, self._weights, item, margin)
        given = replace(self._problem, item=values), rivals, work, self._time_limit
        if not robust:
            return Situation(*given)
        return RobustSituation(*given, self._polytope)


def _plans(situation: Situation, first: Choice, choices: Iterator[Choice]) -> list[Plan]:
    def key(choice: Choice) -> tuple[int, float, bool]:
        return choice.cost, -choice.gain, choice.chosen != first.chosen

    return [situation.plan(choice) for choice in sorted(choices, key=key)]


def _goal(situation: Situation, gain: Number | None, position: int | None) -> Goal:
    if gain is not None and position is None:
        return situation.gain_goal(exact(gain, "gain"))
    if gain is not None or position is None:
        raise ValueError(f"gain={gain}, position={position}; give one of the two")
    if situation.competitors is None:
        raise ValueError(f"position={position} needs competitors; give the table of them")
    last = len(situation.competitors) + 1
    if not isinstance(position, Integral) or not 1 <= position <= last:
        raise ValueError(f"position={position!r}; choose from 1 to {last}, behind all competitors")
    return situation.position_goal(int(position), situation.competitors)


def _unreachable(situation: Situation, gain: Number | None, position: int | None) -> str:
    if position is None or situation.competitors is None:
        return f"no plan gains {gain}; {situation.most_gain()}"
    return f"no plan reaches position {position}; {situation.best_position(situation.competitors)}"
