"""What a ranking problem is: the forms of training data, and the only place that parses."""

from rankwright.data.features import as_frame, check_columns, check_objects, refuse_lazy
from rankwright.data.guess import ColumnGuess, guess_columns
from rankwright.data.letor import LetorFolder, read_letor
from rankwright.data.pairs import PreferencePairs, pairwise_transform
from rankwright.data.positions import mean_places, places_as_shares, positions
from rankwright.data.preflib import VoterOrders, read_preflib
from rankwright.data.rankings import Rankings
from rankwright.data.rows import (
    Grouping,
    Rows,
    as_labels,
    group_of_row,
    group_rows,
    row_weights,
    sort_rows,
    take_rows,
)
from rankwright.data.svmlight import QueryRows, read_svmlight
from rankwright.data.table import ItemTable, read_table
from rankwright.data.targets import (
    as_vector,
    check_target,
    ordered_categories,
    without_categories,
)
from rankwright.data.trec import JudgedRun, read_trec
from rankwright.data.unrated import UnratedItems, read_items, read_numbers
from rankwright.data.vectors import as_array, as_numbers, refuse_times

__all__ = [
    "ColumnGuess",
    "Grouping",
    "ItemTable",
    "JudgedRun",
    "LetorFolder",
    "PreferencePairs",
    "QueryRows",
    "Rankings",
    "Rows",
    "UnratedItems",
    "VoterOrders",
    "as_array",
    "as_frame",
    "as_labels",
    "as_numbers",
    "as_vector",
    "check_columns",
    "check_objects",
    "check_target",
    "group_of_row",
    "group_rows",
    "guess_columns",
    "mean_places",
    "ordered_categories",
    "pairwise_transform",
    "places_as_shares",
    "positions",
    "read_items",
    "read_letor",
    "read_numbers",
    "read_preflib",
    "read_svmlight",
    "read_table",
    "read_trec",
    "refuse_lazy",
    "refuse_times",
    "row_weights",
    "sort_rows",
    "take_rows",
    "without_categories",
]
