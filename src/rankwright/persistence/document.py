"""The schema of a skops document: parsed within limits, and looked through before it is built."""

import json
from collections import OrderedDict
from typing import Any

import numpy as np

from rankwright.persistence.archive import Archive
from rankwright.persistence.classes import find_class, find_function, find_loss
from rankwright.persistence.errors import ModelFileError

__all__ = [
    "MOST_VALUES",
    "NAMED_TYPES",
    "Node",
    "TYPES",
    "class_name",
    "foreign_classes",
    "parse_schema",
]

Node = dict[str, Any]

PROTOCOL = 2  # of skops
LARGEST_SCHEMA = 2**28
MOST_VALUES = 4_000_000
DEEPEST = 200  # twice the nodes inside each other

WIDTHS = (8, 16, 32, 64)
SCALARS = frozenset(
    f"numpy.{name}"
    for name in (
        *("bool", "float16", "float32", "float64", "str_"),
        *(f"int{bits}" for bits in WIDTHS),
        *(f"uint{bits}" for bits in WIDTHS),
    )
)
# Types that are values: of keys, of defaults, and NumPy's as parameters.
TYPES: dict[str, Any] = {
    **{f"builtins.{kind.__name__}": kind for kind in (bool, dict, float, int, list, str)},
    **{name: getattr(np, name.removeprefix("numpy.")) for name in SCALARS},
    "collections.OrderedDict": OrderedDict,
}
# Kinds of numbers, by which columns are chosen.
KINDS_OF_NUMBERS = ("number", "integer", "floating")
NAMED_TYPES = TYPES | {f"numpy.{name}": getattr(np, name) for name in KINDS_OF_NUMBERS}
# The kinds of node that are built, and the classes that they may name. All others (reduced objects,
# methods, partial functions, operators, ...) would call what a file names.
KINDS = {
    "BytearrayNode": frozenset({"builtins.bytearray"}),
    "BytesNode": frozenset({"builtins.bytes"}),
    "DTypeNode": frozenset({"numpy.dtype"}),
    "DefaultDictNode": frozenset({"collections.defaultdict"}),
    "DictNode": frozenset({"builtins.dict", "collections.OrderedDict"}),
    "JsonNode": frozenset({"builtins.str"}),
    "ListNode": frozenset({"builtins.list"}),
    "MaskedArrayNode": frozenset({"numpy.ma.MaskedArray"}),
    "NdArrayNode": SCALARS | {"numpy.ndarray"},
    "RandomGeneratorNode": frozenset({"numpy.random._generator.Generator"}),
    "RandomStateNode": frozenset({"numpy.random.mtrand.RandomState"}),
    "SetNode": frozenset({"builtins.set"}),
    "SliceNode": frozenset({"builtins.slice"}),
    "TreeNode": frozenset({"sklearn.tree._tree.Tree"}),
    "TupleNode": frozenset({"builtins.tuple"}),
    "TypeNode": frozenset(NAMED_TYPES),
}
RULES = {"FunctionNode": find_function, "LossNode": find_loss, "ObjectNode": find_class}


def parse_schema(archive: Archive) -> Node:
    """Parse the schema, unless its size or its number of values would take too much memory."""
    size = archive.sizes.get("schema.json", 0)
    if size > LARGEST_SCHEMA:
        raise ModelFileError(f"its schema has {size:,} bytes; at most {LARGEST_SCHEMA:,} are read")
    text = archive.read("schema.json")
    n_values = sum(text.count(mark) for mark in (b"{", b"[", b","))
    if n_values > MOST_VALUES:
        raise ModelFileError(f"its schema has {n_values:,} values; {MOST_VALUES:,} at most")
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"its schema can't be parsed ({error})") from None
    if not isinstance(schema, dict) or schema.get("protocol") != PROTOCOL:
        raise ModelFileError(f"its document does not have protocol {PROTOCOL} of skops")
    return schema


def foreign_classes(schema: Node) -> set[str]:
    """Look at every node, refuse what is never built, and return the foreign classes."""
    foreign = set()
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise ModelFileError(f"its schema is nested more than {DEEPEST} deep")
        if isinstance(value, dict):
            if "__loader__" in value and _is_foreign(value):
                foreign.add(class_name(value))
            waiting += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
    return foreign


def class_name(node: Node) -> str:
    """Return the class that a node names."""
    return f"{node.get('__module__')}.{node.get('__class__')}"


def _is_foreign(node: Node) -> bool:
    kind, name = node["__loader__"], class_name(node)
    if not isinstance(kind, str) or kind not in KINDS.keys() | RULES.keys():
        raise ModelFileError(f"it holds a {kind} of {name}, which model files may not hold")
    if kind in RULES:
        return RULES[kind](name) is None
    if name not in KINDS[kind]:
        raise ModelFileError(f"it holds a {kind} of {name}, which is not one")
    return False
