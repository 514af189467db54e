"""A change to a product: what it costs and which factors it moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from rankwright.improve.decimals import Number, exact

__all__ = ["Change", "changes_of_table"]


@dataclass(frozen=True)
class Change:
    """A change that can be made to a product.

    Parameters
    ----------
    name : str
        How plans call it.
    cost : number
        Negative when the change saves money. Decimals are taken as written: 0.1 is one tenth.
    effects : mapping
        By factor, how much the change adds to its value; negative to lower it.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.Change("Better lens", cost=7, effects={"photo_quality": 0.5, "video_quality": 1})
    Change(name='Better lens', cost=7, effects={'photo_quality': 0.5, 'video_quality': 1})
    """

    name: str
    cost: Number
    effects: Mapping[str, Number]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ValueError(f"a change is named {self.name!r}; give a name that is not empty")
        exact(self.cost, f"the cost of {self.name!r}")
        if not isinstance(self.effects, Mapping):
            raise ValueError(f"the effects of {self.name!r} are {self.effects!r}; give a mapping")
        for factor, effect in self.effects.items():
            exact(effect, f"the effect of {self.name!r} on {factor!r}")


def changes_of_table(table: pd.DataFrame) -> tuple[Change, ...]:
    """Return a change for each row of a table: its index the names, ``cost``, factors beside it."""
    if "cost" not in table.columns:
        raise ValueError(f"the table of changes has columns {list(table.columns)}; it needs 'cost'")
    return tuple(_change_of_row(str(name), row) for name, row in table.iterrows())


def _change_of_row(name: str, row: "pd.Series[Any]") -> Change:
    effects = {str(factor): effect for factor, effect in row.drop("cost").items() if effect != 0}
    return Change(name, row["cost"], effects)
