"""The cheapest way up."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd

from rankwright.improve.change import Change, changes_of_table
from rankwright.improve.conditions import check_within, read_problem
from rankwright.improve.decimals import Number
from rankwright.improve.files import read_changes, read_conditions, read_conflicts
from rankwright.improve.formula import AdditiveFormula, Formula, possible_weights, scoring
from rankwright.improve.goals import all_plans, best_choice, budget_units, cheapest_choice
from rankwright.improve.plan import Plan
from rankwright.improve.polytope import WeightPolytope
from rankwright.improve.products import factor_values, read_competitors
from rankwright.improve.situation import FRONTIER_WORK, PLAN_WORK, RobustSituation, Situation

__all__ = ["Planner"]


class Planner:
    """Find the changes that raise a product's score or position most cheaply.

    Weights, effects and costs are taken as the decimals they are written as and counted in whole
    units, so ties are ties and a frontier is complete.

    Parameters
    ----------
    formula : mapping of weights by factor, or a fitted formula
        A formula has ``weights_`` and ``feature_names_in_``, as a fitted ``RatingFormula``, or it
        is additive, as a ``BoostedRanker`` with ``interactions=0`` fitted on a frame, whose scores
        are counted in billionths; plans
        that are robust need its ``weight_polytope`` too, and hold for the formulas in it: those
        of a ``RatingFormula`` have its signs.
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
    >>> [plan.changes for plan in planner.cheapest_plans(camera, gain=2)]
    [('Add 2 megapixels',), ('Wider angle',)]
    >>> [(plan.cost, plan.gain) for plan in planner.frontier(camera)][-2:]
    [(27.0, 13.1925), (29.0, 13.2425)]
    """

    def __init__(
        self,
        formula: Formula | AdditiveFormula | Mapping[str, Number],
        changes: Iterable[Change] | pd.DataFrame,
        conflicts: Iterable[Iterable[str]] = (),
        requires: Iterable[Iterable[str]] = (),
        bounds: Mapping[str, Sequence[Any]] | None = None,
        *,
        beyond: str = "clip",
        slack: float = 0.0,
        time_limit: float = 60.0,
    ) -> None:
        for name, value in (("slack", slack), ("time_limit", time_limit)):
            if not (isinstance(value, Real) and value >= 0):
                raise ValueError(f"{name}={value!r}; give a number of at least 0")
        self._formula, self._slack, self._time_limit = formula, slack, time_limit
        self._scoring = scoring(formula)
        given = changes_of_table(changes) if isinstance(changes, pd.DataFrame) else changes
        self._problem = read_problem(self._scoring, given, conflicts, requires, bounds, beyond)

    @classmethod
    def from_files(
        cls,
        formula: Formula | AdditiveFormula | Mapping[str, Number],
        changes: str | Path,
        conflicts: str | Path | None = None,
        **options: Any,
    ) -> "Planner":
        r"""Read the changes, and what a TOML file says about conflicts, prerequisites and bounds.

        Parameters
        ----------
        formula : mapping of weights by factor, or a fitted formula
            What scores the product.
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
    ) -> Plan:
        """Return the plan with the best score within a budget: (14) of Chang et al. (2012).

        Parameters
        ----------
        item : mapping or row of a frame
            The product's values by factor.
        budget : number
            Zero or more; ``inf`` for any price.
        competitors : frame, optional
            The factors of the other products, to know the plan's position among them.
        robust : bool
            Maximise the gain that is guaranteed whichever of the possible formulas is true: those
            with the signs of this one that are as good.
        all_optima : bool
            Deprecated: call ``best_plans``.

        Returns
        -------
        Plan
            Of the plans with the best score the cheapest.
        """
        if all_optima:
            _deprecate_all_optima("best_plans")
            return self.best_plans(item, budget, competitors=competitors, robust=robust)  # type: ignore[return-value]
        situation = self._situation(item, competitors, robust=robust)
        return situation.plan(best_choice(situation, budget_units(situation, budget)))

    def best_plans(
        self, item: Any, budget: Number, *, competitors: Any = None, robust: bool = False
    ) -> list[Plan]:
        """Return all plans with the best score within a budget, by rising cost.

        The parameters are those of ``maximize_score``, whose plan comes first.

        Examples
        --------
        >>> import rankwright as rw
        >>> changes = [rw.Change("Polish", 3, {"stars": 1}), rw.Change("Engrave", 0, {})]
        >>> planner = rw.Planner({"stars": 2.0}, changes)
        >>> [plan.changes for plan in planner.best_plans({"stars": 3}, budget=5)]
        [('Polish',), ('Polish', 'Engrave')]
        """
        situation = self._situation(item, competitors, robust=robust)
        within = budget_units(situation, budget)
        best = best_choice(situation, within)
        return all_plans(situation, best, situation.solver.all_within(within, best.gain))

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
    ) -> Plan:
        """Return the cheapest plan for a gain, (15) of Chang et al. (2012), or for a position.

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
            Deprecated: call ``cheapest_plans``.

        Returns
        -------
        Plan
            Of the cheapest plans the one with the best score.

        Raises
        ------
        UnreachableError
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
        if all_optima:
            _deprecate_all_optima("cheapest_plans")
            return self.cheapest_plans(  # type: ignore[return-value]
                item, gain=gain, position=position, competitors=competitors, margin=margin,
                robust=robust,
            )  # fmt: skip
        situation = self._situation(item, competitors, margin, robust=robust)
        return situation.plan(cheapest_choice(situation, gain, position)[1])

    def cheapest_plans(
        self,
        item: Any,
        *,
        gain: Number | None = None,
        position: int | None = None,
        competitors: Any = None,
        margin: Number = 0,
        robust: bool = False,
    ) -> list[Plan]:
        """Return all cheapest plans for a gain or for a position, by falling gain.

        The parameters are those of ``minimize_cost``, whose plan comes first.

        Examples
        --------
        >>> import rankwright as rw
        >>> changes = [rw.Change("Polish", 3, {"stars": 1}), rw.Change("Gild", 3, {"stars": 2})]
        >>> planner = rw.Planner({"stars": 2.0}, changes)
        >>> [plan.changes for plan in planner.cheapest_plans({"stars": 3}, gain=1)]
        [('Gild',), ('Polish',)]
        """
        situation = self._situation(item, competitors, margin, robust=robust)
        goal, cheapest = cheapest_choice(situation, gain, position)
        return all_plans(situation, cheapest, goal.solver.all_within(cheapest.cost, goal.gain))

    def frontier(
        self, item: Any, *, competitors: Any = None, margin: Number = 0, robust: bool = False
    ) -> list[Plan]:
        """Return every efficient plan: no other costs less without a lower score.

        Parameters
        ----------
        item : mapping or row of a frame
            The product's values by factor.
        competitors : frame, optional
            The factors of the other products, to know the plans' positions among them.
        margin : number
            For guaranteed positions: to beat a competitor, a score must exceed its score, by at
            least this much.
        robust : bool
            Judge plans by the gain that is guaranteed whichever of the possible formulas is true.
            Beside the frontier without it, this shows the price of certainty.

        Returns
        -------
        list of Plan
            By rising cost; one plan for each efficient pair of cost and score.

        Examples
        --------
        >>> import pandas as pd
        >>> import rankwright as rw
        >>> changes = [rw.Change("Polish", 3, {"stars": 0.5}), rw.Change("Rework", 9, {"stars": 1})]
        >>> planner = rw.Planner({"stars": 2.0}, changes)
        >>> [plan.changes for plan in planner.frontier({"stars": 3})]
        [(), ('Polish',), ('Rework',), ('Polish', 'Rework')]
        >>> others = pd.DataFrame({"stars": [4.5, 3.5, 2]})
        >>> [plan.position for plan in planner.frontier({"stars": 3}, competitors=others)]
        [3.0, 2.5, 2.0, 1.5]
        """
        situation = self._situation(item, competitors, margin, robust=robust, work=FRONTIER_WORK)
        return [situation.plan(choice) for choice in situation.solver.frontier()]

    def position_frontier(
        self, item: Any, competitors: Any, *, margin: Number = 0, robust: bool = False
    ) -> list[Plan]:
        """Return the cheapest plan for each position, as far as no better one costs the same.

        The parameters are those of ``minimize_cost``; with ``robust`` a position counts when every
        possible formula gives it. The plans come by rising cost.

        Examples
        --------
        >>> import pandas as pd
        >>> import rankwright as rw
        >>> changes = [rw.Change("Polish", 3, {"stars": 0.5}), rw.Change("Rework", 9, {"stars": 1})]
        >>> planner = rw.Planner({"stars": 2.0}, changes)
        >>> others = pd.DataFrame({"stars": [4.5, 3.5, 2]})
        >>> plans = planner.position_frontier({"stars": 3}, others)
        >>> [(plan.changes, plan.position) for plan in plans]
        [((), 3.0), (('Rework',), 2.0)]
        """
        situation = self._situation(item, competitors, margin, robust=robust, work=FRONTIER_WORK)
        assert situation.competitors is not None  # they were given
        choices = situation.position_frontier(situation.competitors)
        return [situation.plan(choice) for choice in choices]

    def plans(self, item: Any, *, competitors: Any = None) -> Iterator[Plan]:
        """List all plans that the conditions allow, from none of the changes on.

        The parameters are those of ``frontier``.

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

    @property
    def effects(self) -> list[tuple[str, str, float]]:
        """Return what each change does: its name, a factor that it moves, and by how much."""
        return [
            (name, factor, float(effect))
            for name, moves in zip(self._problem.names, self._problem.effects, strict=True)
            for factor, effect in moves.items()
        ]

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
        values = factor_values(item, self._scoring.weights)
        check_within(values, self._problem.bounds)
        rivals = None
        if competitors is not None:
            rivals = read_competitors(competitors, self._scoring, item, margin)
        given = replace(self._problem, item=values), rivals, work, self._time_limit
        if not robust:
            return Situation(*given)
        return RobustSituation(*given, self._polytope)


def _deprecate_all_optima(method: str) -> None:
    warnings.warn(
        f"all_optima is deprecated; Planner.{method} returns all optimal plans",
        DeprecationWarning,
        stacklevel=3,
    )
