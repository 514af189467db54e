"""Which column holds what, guessed from names and contents, with the reasons."""

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

from rankwright.data.joined import with_joined, with_parts
from rankwright.data.rated_rows import without_totals
from rankwright.data.roles import Choice, guess_category, guess_group, guess_item, guess_target
from rankwright.data.sheet import require_columns
from rankwright.data.sources import as_sheet

__all__ = ["ColumnGuess", "guess_columns"]


@dataclass(frozen=True)
class ColumnGuess:
    r"""The roles of a table's columns, as far as they could be told.

    Parameters
    ----------
    item, target : str or None
        The columns of names and of ranks or scores; None if no column looks like it.
    target_is : {"rank", "score"}
        Whether 1 is best in the target column, or larger is better.
    group, category : str or None
    columns : tuple of str
        All columns of the table.
    reasons : tuple of str
        What was guessed and why, in sentences; columns that were given need no reason.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.data import guess_columns
    >>> frame = pd.DataFrame(
    ...     {"model": ["A1", "B2", "C3", "D4"], "kind": list("aabb"), "place": [1, 2, 2, 1]}
    ... )
    >>> guess = guess_columns(frame)
    >>> guess.item, guess.target, guess.target_is, guess.group
    ('model', 'place', 'rank', 'kind')
    >>> print(*guess.reasons, sep="\n")
    Ranks are read from 'place', judging by its name.
    Groups are read from 'kind': the ranks begin at 1 in each of its 2 labels.
    Item names are read from 'model', judging by its name.
    """

    item: str | None
    target: str | None
    target_is: Literal["rank", "score"]
    group: str | None
    category: str | None
    columns: tuple[str, ...]
    reasons: tuple[str, ...]


def guess_columns(
    path: str | PathLike[str] | Any,
    *,
    item: str | None = None,
    target: str | None = None,
    target_is: Literal["rank", "score"] | None = None,
    group: str | Literal[False] | None = None,
    category: str | None = None,
    factors: Iterable[str] = (),
) -> ColumnGuess:
    """Guess the roles of a table's columns; those given stay as they are.

    Parameters
    ----------
    path : path or DataFrame
        As for ``read_table``.
    item, target, target_is, group, category : str, optional
        What is known already; ``group=False`` says that all rows may be compared.
    factors : iterable of str
        Columns that are factors, or anything else that has none of these roles.

    Returns
    -------
    ColumnGuess

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.data import guess_columns
    >>> guess_columns(pd.DataFrame({"title": ["A", "B"], "stars": [4, 5], "score": [7, 9]})).target
    'score'
    """
    factors = list(factors)
    given = [column for column in (item, target, group, category) if column]
    sheet = as_sheet(path, [*given, *factors])
    require_columns(sheet, given)
    free = [str(name) for name in sheet.frame.columns if name not in {*given, *factors}]
    reasons: list[str] = []

    def take(choice: Choice | None) -> str | None:
        if choice is None:
            return None
        reasons.append(choice.reason)
        taken = with_parts([choice.column])
        free[:] = [name for name in free if name not in taken]
        return choice.column

    if target is None:
        target_is, choice = guess_target(sheet, free, target_is)
        target = take(choice)
    if group is None and target is not None:
        group = take(guess_group(sheet, free, target, target_is or "rank"))
    group = group or None
    if group:
        sheet = with_joined(sheet, [group])
    item = item or take(guess_item(sheet, free, group))
    if item is not None and target is not None and group is not None and category is None:
        category = take(guess_category(without_totals(sheet, item, target), free, group))
    columns = tuple(map(str, sheet.frame.columns))
    return ColumnGuess(item, target, target_is or "rank", group, category, columns, tuple(reasons))
