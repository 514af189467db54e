"""What a ranking problem is: the forms of training data, and the only place that parses."""

from rankwright.data.pairs import PreferencePairs, pairwise_transform
from rankwright.data.positions import positions
from rankwright.data.rankings import Rankings
from rankwright.data.rows import Grouping, Rows, group_rows, sort_rows
from rankwright.data.targets import check_target

__all__ = [
    "Grouping",
    "PreferencePairs",
    "Rankings",
    "Rows",
    "check_target",
    "group_rows",
    "pairwise_transform",
    "positions",
    "sort_rows",
]
