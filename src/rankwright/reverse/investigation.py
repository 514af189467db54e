"""Everything there is to know about a published rating, in one call."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from rankwright.data import ItemTable, positions
from rankwright.reverse.certificate import Certificate
from rankwright.reverse.formula import RatingFormula
from rankwright.reverse.questions import ChanceCheck, HeldOut, what_if

__all__ = ["Investigation", "investigate"]

INTERRUPTED = "the run was interrupted"


@dataclass(frozen=True, eq=False)
class Investigation:
    """What was found out about a rating; what was left out is None.

    Attributes
    ----------
    table : ItemTable
        The rating as published.
    formula : RatingFormula
        Fitted.
    certificate : Certificate
        The formula's objective, computed again exactly, and its bound.
    ranking : DataFrame
        By product: ``group``, ``published`` and ``reproduced`` position, ``score``.
    what_if : DataFrame
        What one step of each factor does.
    suspects : DataFrame or None
        The products that the formula misplaces most.
    weight_ranges : DataFrame or None
        How far each factor's share can go among equally good formulas.
    held_out : HeldOut or None
        How the formula orders products that it was not fitted to.
    chance : ChanceCheck or None
        What a short search reaches on shuffled ranks.
    interrupted : bool
        Whether it was stopped before everything was done.
    left_out : dict of str to str
        By its name, why a question that was asked has no answer.

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"name": list("ABCD"), "zoom": [9, 7, 4, 2], "rank": [1, 2, 3, 4]})
    >>> table = rw.read_table(frame, item="name", target="rank")
    >>> found = rw.investigate(table, rw.RatingFormula(top=2), checks=False)
    >>> found.ranking.columns.tolist(), found.interrupted
    (['group', 'published', 'reproduced', 'score'], False)
    """

    table: ItemTable
    formula: RatingFormula
    certificate: Certificate
    ranking: pd.DataFrame
    what_if: pd.DataFrame
    suspects: pd.DataFrame | None = None
    weight_ranges: pd.DataFrame | None = None
    held_out: HeldOut | None = None
    chance: ChanceCheck | None = None
    interrupted: bool = False
    left_out: dict[str, str] = field(default_factory=dict)


def investigate(
    table: ItemTable,
    formula: RatingFormula | None = None,
    *,
    checks: bool = True,
    step: Callable[[str], None] | None = None,
) -> Investigation:
    """Find the formula behind a rating, and what can be said about it.

    Stopped by the keyboard it returns what was found so far, once there is a formula. A question
    that this rating does not allow to answer is left out, and its reason kept.

    Parameters
    ----------
    table : ItemTable
        As ``read_table`` returns it.
    formula : RatingFormula, optional
        With its parameters; it is fitted here.
    checks : bool, default=True
        Also fit held-out folds and shuffled ranks: is the formula better than chance?
    step : callable, optional
        Called with what is done next, in words.

    Returns
    -------
    Investigation

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"name": list("ABC"), "stars": [5, 4, 4], "zoom": [3, 8, 1]})
    >>> frame["rank"] = [1, 2, 3]
    >>> table = rw.read_table(frame, item="name", target="rank")
    >>> found = rw.investigate(table, rw.RatingFormula(top=2), checks=False)
    >>> found.certificate.is_optimal, found.ranking["reproduced"].tolist()
    (True, [1.0, 2.0, 3.0])
    """
    formula = RatingFormula() if formula is None else formula
    say = step or (lambda what: None)
    questions: dict[str, tuple[str, Callable[[], Any]]] = {
        "suspects": ("Looking for suspicious products", formula.audit),
        "weight_ranges": ("Finding the ranges of the weights", formula.weight_ranges),
    }
    if checks:
        questions["held_out"] = ("Fitting without some of the products", formula.held_out)
        questions["chance"] = ("Fitting shuffled ranks", formula.chance)
    found: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    earlier, interrupted = getattr(formula, "solution_", None), False
    try:
        say("Searching for the formula")
        formula.fit(table.X, table.y, table.groups, table.categories)
        for name, (words, ask) in questions.items():
            say(words)
            try:
                found[name] = ask()
            except (ValueError, RuntimeError) as error:  # the formula is worth keeping without it
                left_out[name] = str(error)
    except KeyboardInterrupt:
        if getattr(formula, "solution_", None) is earlier:  # nothing was found yet
            raise
        interrupted = True
        left_out |= {n: INTERRUPTED for n in questions if n not in found and n not in left_out}
    filled = table.X.fillna(dict(zip(table.X.columns, formula.medians_, strict=True)))
    return Investigation(
        table=table,
        formula=formula,
        certificate=formula.certificate(),
        ranking=_ranking(table, formula),
        what_if=what_if(filled, formula.weights_, table.groups),
        interrupted=interrupted,
        left_out=left_out,
        **found,
    )


def _ranking(table: ItemTable, formula: RatingFormula) -> pd.DataFrame:
    """Return published and reproduced positions, group by group, in the published order."""
    scores = formula.predict(table.X)
    ranking = pd.DataFrame(
        {
            "group": "all" if table.groups is None else table.groups,
            "published": positions(table.y, table.groups),
            "reproduced": positions(scores, table.groups),
            "score": scores,
        },
        index=table.items.rename("product"),
    )
    return ranking.sort_values(["group", "published", "reproduced"], kind="stable")
