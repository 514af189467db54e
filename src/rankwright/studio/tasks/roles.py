"""What a column of a table is for, as an analyst says it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["FACTORS", "Role", "Roles"]


class Role(StrEnum):
    """What a column is for; factors say which way they count."""

    ITEM = "item"
    RANK = "rank"
    SCORE = "score"
    GROUP = "subcategory"
    CATEGORY = "category"
    FACTOR = "factor"
    MORE = "factor, more is better"
    LESS = "factor, less is better"
    EITHER = "factor, either way"
    TEXTS = "texts as 0/1 factors"
    IGNORED = "ignore"


FACTORS = {Role.FACTOR: None, Role.MORE: "+", Role.LESS: "-", Role.EITHER: "free"}
EVERYWHERE = {"auto": None, "positive": "+", "free": "free"}
ONLY_ONCE = (Role.ITEM, Role.GROUP, Role.CATEGORY)


@dataclass(frozen=True)
class Roles:
    """The role of each column."""

    by_column: Mapping[str, Role]

    def arguments(self) -> dict[str, Any]:
        """Return what ``read_table`` takes.

        Examples
        --------
        >>> roles = Roles({"name": Role.ITEM, "rank": Role.RANK, "zoom": Role.MORE})
        >>> roles.arguments()["target"], roles.arguments()["factors"]
        ('rank', ['zoom'])
        """
        for role in ONLY_ONCE:
            if len(columns := self._columns(role)) > 1:
                raise ValueError(f"{' and '.join(map(repr, columns))} are both {role}; choose one")
        targets = self._columns(Role.RANK, Role.SCORE)
        if not self._columns(Role.ITEM):
            raise ValueError("no column is the item; give one of them this role")
        if len(targets) != 1:
            there = " and ".join(map(repr, targets)) or "no column"
            raise ValueError(f"{there} for rank or score; give exactly one column this role")
        factors = self._columns(*FACTORS)
        if not factors and not self._columns(Role.TEXTS):
            raise ValueError("no column is a factor; give at least one of them this role")
        return {
            "item": self._columns(Role.ITEM)[0],
            "target": targets[0],
            "target_is": "rank" if self._columns(Role.RANK) else "score",
            "group": next(iter(self._columns(Role.GROUP)), None),
            "category": next(iter(self._columns(Role.CATEGORY)), None),
            "factors": factors,
            "category_factors": self._columns(Role.TEXTS),
        }

    def signs(self, others: str = "auto") -> str | dict[str, str]:
        """Return what ``RatingFormula`` takes as signs: those given, and a word for the others."""
        given = {name: FACTORS.get(role) for name, role in self.by_column.items()}
        known = {name: sign for name, sign in given.items() if sign is not None}
        if not known:
            return others
        sign = EVERYWHERE[others]
        rest = {} if sign is None else dict.fromkeys(self._columns(Role.FACTOR), sign)
        return rest | known

    def _columns(self, *roles: Role) -> list[str]:
        return [name for name, role in self.by_column.items() if role in roles]
