"""Which column holds what, guessed from names and contents, with the reasons."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np
import pandas as pd

from rankwright.data.columns import labels_of, without_totals
from rankwright.data.sources import as_sheet, cells, numbers, require_columns
from rankwright.data.spreadsheet import Sheet

__all__ = ["ColumnGuess", "guess_columns"]

NAMES = {
    "rank": r"(overall|final|published)?[ _-]*(rank(ing)?|rang|position|place|platz|standing)",
    "score": r"(overall|final|total)?[ _-]*(scores?|ratings?|points|grade|relevance|label|target)",
    "item": r"(.*[ _-])?(names?|items?|products?|model|title|player|country|company|hotel|id)",
    "group": r"sub[ _-]?category|group|type|segment|class|kind|list|query([ _-]?id)?|qid|city",
    "category": r"category|categories|line|family|division|department|sector",
}


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
    Item names are read from 'model', judging by its name.
    Groups are read from 'kind': the ranks begin at 1 in each of its 2 labels.
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
    group: str | None = None,
    category: str | None = None,
    factors: Iterable[str] = (),
) -> ColumnGuess:
    """Guess the roles of a table's columns; those given stay as they are.

    Parameters
    ----------
    path : path or DataFrame
        As for ``read_table``.
    item, target, target_is, group, category : str, optional
        What is known already.
    factors : iterable of str
        Columns that are factors, and so have no other role.

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
    given = [column for column in (item, target, group, category) if column is not None]
    sheet = as_sheet(path, [*given, *factors])
    require_columns(sheet, [*given, *factors])
    free = [str(name) for name in sheet.frame.columns if name not in {*given, *factors}]
    reasons: list[str] = []

    def take(choice: tuple[str, str] | None) -> str | None:
        if choice is None:
            return None
        reasons.append(choice[1])
        free.remove(choice[0])
        return choice[0]

    if target is None:
        target_is, choice = _guess_target(sheet, free, target_is)
        target = take(choice)
    item = item or take(_guess_item(sheet, free))
    if item is not None and target is not None:
        sheet = without_totals(sheet, item, target)
        group = group or take(_guess_group(sheet, free, target, target_is or "rank"))
        category = category or take(_guess_category(sheet, free, group))
    columns = tuple(map(str, sheet.frame.columns))
    return ColumnGuess(item, target, target_is or "rank", group, category, columns, tuple(reasons))


def _named(role: str, columns: Iterable[str]) -> str | None:
    """Return the column whose name says its role: the whole name, in whatever case."""
    pattern = re.compile(NAMES[role], re.IGNORECASE)
    return next((name for name in columns if pattern.fullmatch(name.strip())), None)


def _guess_target(
    sheet: Sheet, free: list[str], kind: Literal["rank", "score"] | None
) -> tuple[Literal["rank", "score"], tuple[str, str] | None]:
    numeric = [name for name in free if _is_numeric(sheet, name)]
    kinds: list[Literal["rank", "score"]] = ["rank", "score"] if kind is None else [kind]
    for role in kinds:
        if name := _named(role, numeric):
            return role, (
                name,
                f"{role.capitalize()}s are read from {name!r}, judging by its name.",
            )
    for name in numeric if "rank" in kinds else []:
        values = np.sort(numbers(sheet, name).values)
        if len(values) > 2 and np.array_equal(values, np.arange(1, len(values) + 1)):
            reason = (
                f"Ranks are read from {name!r}: it holds each of 1 to {len(values):,} exactly once."
            )
            return "rank", (name, reason)
    return kinds[0], None


def _guess_item(sheet: Sheet, free: list[str]) -> tuple[str, str] | None:
    texts = [name for name in free if not _is_numeric(sheet, name)]
    by_name = [name for name in texts + free if _named("item", [name])]
    distinct = {name: len(set(cells(sheet.frame[name]))) for name in [*by_name, *texts]}
    rows = len(sheet.frame)
    for name in by_name:
        if 2 * distinct[name] > rows:
            return name, f"Item names are read from {name!r}, judging by its name."
    if texts and 2 * distinct[best := max(texts, key=lambda name: distinct[name])] > rows:
        return best, f"Item names are read from {best!r}: it has the most distinct texts."
    return None


def _guess_group(
    sheet: Sheet, free: list[str], target: str, target_is: str
) -> tuple[str, str] | None:
    values = pd.Series(numbers(sheet, target).values, index=sheet.frame.index)
    candidates = {name: labels for name in free if (labels := _labels(sheet, name)) is not None}
    if target_is == "rank":
        whole = _misfit(values, np.zeros(len(values)))
        fits = {name: _misfit(values, labels) for name, labels in candidates.items()}
        best = min(fits, key=lambda name: fits[name], default=None)
        # Grouping by the right column turns repeated ranks into runs that begin at 1.
        if best is None or fits[best] >= whole or fits[best] > 0.05:
            return None
        count = len(set(candidates[best]))
        return best, (
            f"Groups are read from {best!r}: the ranks begin at 1 in each of its {count:,} labels."
        )
    name = _named("group", candidates)
    return None if name is None else (name, f"Groups are read from {name!r}, judging by its name.")


def _guess_category(sheet: Sheet, free: list[str], group: str | None) -> tuple[str, str] | None:
    candidates = {name: labels for name in free if (labels := _labels(sheet, name)) is not None}
    name = _named("category", candidates)
    if name is None or group is None:
        return None
    pairs = pd.DataFrame({"group": labels_of(sheet, group), "category": candidates[name]})
    if pairs.drop_duplicates()["group"].duplicated().any():
        return None
    return name, f"Categories are read from {name!r}, judging by its name."


def _misfit(values: "pd.Series[float]", labels: Any) -> float:
    """Return the share of rows whose rank is not their place in the group."""
    grouped = values.groupby(np.asarray(labels))
    first_of_ties, mean_of_ties = grouped.rank(method="min"), grouped.rank(method="average")
    right = np.isclose(values, first_of_ties) | np.isclose(values, mean_of_ties)
    return float(1 - right.mean())


def _is_numeric(sheet: Sheet, name: str) -> bool:
    found = numbers(sheet, name)
    return int((~np.isnan(found.values)).sum()) > 9 * len(found.wrong)


def _labels(sheet: Sheet, name: str) -> list[str] | None:
    """Return a column's texts if they could be labels: all there, several, each used repeatedly."""
    values = cells(sheet.frame[name])
    count = len(set(values))
    if not all(values) or not 2 <= count <= len(values) / 2:
        return None
    return values
