"""Objects from the nodes of a skops document, without calling anything that the file names."""

import json
import math
from collections import defaultdict
from collections.abc import Callable
from reprlib import repr as short_repr
from typing import Any, NamedTuple

import numpy as np
from joblib import cpu_count, parallel_config

from rankwright.base import RankerMixin, is_array
from rankwright.leaderboards import Leaderboard
from rankwright.persistence.archive import Archive
from rankwright.persistence.attributes import check_attributes, refuse_class_attributes
from rankwright.persistence.classes import (
    INDEXED,
    find_class,
    find_foreign,
    find_function,
    find_loss,
)
from rankwright.persistence.document import MOST_VALUES, NAMED_TYPES, TYPES, Node, class_name
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.parameters import check_version
from rankwright.persistence.random_numbers import restore_generator, restore_random_state
from rankwright.persistence.scikit_learn import check_estimator, restore_tree
from rankwright.persistence.splines import SPLINE, restore_spline
from rankwright.persistence.work import Work

__all__ = ["Builder"]

MOST_DIMENSIONS = 64  # of NumPy
MOST_BITS = 1024  # of a whole number; seeds of generators have some hundreds
MOST_TIMES = 8  # as many bytes as the file has, of arrays that are held again
ALWAYS_ENOUGH = 2**28
PLAIN = (str, bytes, int, float, np.generic, type(None))
# Where a search keeps masked arrays, and a transformer functions that write where they are told to.
SEARCH_RESULTS = "cv_results_"
ELEMENTWISE = frozenset({"func", "inverse_func"})


class _Built(NamedTuple):
    """An object, the kind of node that it was built of, and how many nodes and bytes it took."""

    thing: Any
    kind: tuple[str, str]
    n_nodes: int
    n_bytes: int


class Builder:
    """Builds the objects of a document that was looked through; each is checked when complete.

    Attributes
    ----------
    holds_ranker : bool
        Whether one of the objects built is a ranker.
    """

    def __init__(self, archive: Archive) -> None:
        self.holds_ranker = False
        self._archive = archive
        self._built: dict[Any, _Built] = {}
        self._n_nodes = 0
        self._n_bytes = 0  # of arrays
        self._n_copied = 0

    def build(self, node: Node) -> Any:
        """Build the object of a node; nodes of the same number are the same object."""
        number, kind = node.get("__id__"), (node["__loader__"], class_name(node))
        if number is not None and number in self._built:
            known = self._built[number]
            if known.kind != kind:
                raise ModelFileError(f"two kinds of its objects have the number {number!r:.40}")
            self._count(known.n_nodes, known.n_bytes)
            return known.thing
        n_nodes, n_bytes = self._n_nodes, self._n_bytes
        self._count(1, 0)
        built = BUILDERS[kind[0]](self, node)
        if is_array(built):
            self._count(0, built.nbytes)
        if number is not None:
            taken = (self._n_nodes - n_nodes, self._n_bytes - n_bytes)
            self._built[number] = _Built(built, kind, *taken)
        return built

    def _count(self, n_nodes: int, n_bytes: int) -> None:
        """Count nodes, and again those of an object that is referred to: skops writes them again.

        So a document is no larger than what it says, whatever follows it from holder to held. The
        same of the bytes of arrays: a network of one layer, however often, takes its time as often.
        """
        self._n_nodes += n_nodes
        self._n_bytes += n_bytes
        if self._n_nodes > MOST_VALUES:
            raise ModelFileError(f"its objects hold each other more than {MOST_VALUES:,} times")
        if self._n_bytes > max(MOST_TIMES * self._archive.n_bytes, ALWAYS_ENOUGH):
            raise ModelFileError(
                f"its objects hold the same arrays again, more than {MOST_TIMES} times its size"
            )

    def _json(self, node: Node) -> Any:
        value = json.loads(node["content"])
        if isinstance(value, dict | list):
            raise ModelFileError("one of its values is a container")
        if type(value) is int and value.bit_length() > MOST_BITS:
            raise ModelFileError(f"one of its whole numbers has more than {MOST_BITS} bits")
        return value

    def _dict(self, node: Node) -> dict[Any, Any]:
        return self._entries(node, self._entry)

    def _entries(self, node: Node, entry: Callable[[str, Node], Any]) -> dict[Any, Any]:
        kinds = [TYPES[class_name(kind)] for kind in node["key_types"]["content"]]
        built: dict[Any, Any] = TYPES[class_name(node)]()
        for kind, (key, value) in zip(kinds, node["content"].items(), strict=True):
            built[kind(key)] = entry(key, value)
        return built

    def _entry(self, key: str, node: Node) -> Any:
        """Build a value; what only some may hold is built where they hold it, and nowhere else."""
        if key in ELEMENTWISE and node["__loader__"] == "FunctionNode":
            return find_function(class_name(node))
        is_results = key == SEARCH_RESULTS and node["__loader__"] == "DictNode"
        return self._entries(node, self._result) if is_results else self.build(node)

    def _result(self, _: str, node: Node) -> Any:
        is_masked = node["__loader__"] == "MaskedArrayNode"
        return self._masked_array(node) if is_masked else self.build(node)

    def _default_dict(self, node: Node) -> dict[Any, Any]:
        factory = node["content"]["default_factory"]
        if factory["__loader__"] != "TypeNode":
            raise ModelFileError("one of its dictionaries has an unknown default")
        return defaultdict(self.build(factory), self.build(node["content"]["main"]))

    def _items(self, node: Node) -> list[Any]:
        return [self.build(item) for item in node["content"]]

    def _set(self, node: Node) -> set[Any]:
        members = self._items(node)
        if not all(isinstance(member, PLAIN) for member in members):
            raise ModelFileError("one of its sets holds more than plain values")
        return set(members)

    def _slice(self, node: Node) -> slice:
        ends = [node["content"][name] for name in ("start", "stop", "step")]
        if not all(end is None or type(end) is int for end in ends):
            raise ModelFileError(f"one of its slices is {ends}")
        return slice(*ends)

    def _array(self, node: Node) -> Any:
        if node["type"] == "json":
            shape = self.build(node["shape"])
            array = _object_array(self._items(node), shape)
            self._archive.check_shape(shape)
            return array
        array = self._archive.array(node["file"])
        if node["__class__"] == "ndarray":
            return array
        scalar = getattr(np, node["__class__"])
        if array.shape != () or not issubclass(array.dtype.type, scalar):
            raise ModelFileError(f"its {scalar.__name__} is {array.dtype} of shape {array.shape}")
        return array[()]

    def _masked_array(self, node: Node) -> Any:
        data, mask = (self.build(node["content"][name]) for name in ("data", "mask"))
        if not (is_array(data) and is_array(mask) and mask.dtype == np.bool_):
            raise ModelFileError("one of its masked arrays has no data or no mask")
        return np.ma.MaskedArray(data, mask)

    def _function(self, node: Node) -> Any:
        function = find_function(class_name(node))
        if isinstance(function, np.ufunc):  # which writes where its caller says
            raise ModelFileError(f"it holds {class_name(node)} in place of another function")
        return function

    def _with_own_arrays(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state whose arrays nothing else refers to, so that they stay as checked."""
        arrays = {name: one for name, one in state.items() if is_array(one)}
        self._n_copied += sum(array.nbytes for array in arrays.values())
        if self._n_copied > self._archive.n_bytes:
            raise ModelFileError("its trees share their arrays")
        return {**state, **{name: array.copy() for name, array in arrays.items()}}

    def _refuse_masked(self, _: Node) -> None:
        raise ModelFileError("it holds a masked array, which only the results of a search may be")

    def _object(self, node: Node) -> Any:
        name = class_name(node)
        known = find_class(name)
        cls: Any = find_foreign(name) if known is None else known
        state = self.build(node["content"])
        if name == SPLINE:
            return restore_spline(state)
        state = self._checked(name, cls, known is not None, state)
        built = cls.__new__(cls)
        if hasattr(built, "__setstate__"):
            built.__setstate__(state)
        else:
            built.__dict__.update(state or {})
        if isinstance(built, Leaderboard | Work):
            built._check_arrays()
        if isinstance(built, RankerMixin):
            self.holds_ranker = True
            if known:
                with parallel_config(backend="sequential"):
                    built._check_arrays()
        check_estimator(name, built)
        return built

    def _checked(self, name: str, cls: Any, is_known: bool, state: Any) -> Any:
        """Return the attributes that an object may have, as it may have them."""
        if name.startswith("rankwright."):
            check_attributes(cls, state)
        elif is_known:
            refuse_class_attributes(cls, state or {})
        if isinstance(state, dict):
            if name.startswith("sklearn."):
                check_version(cls.__name__, state)
            if is_known:
                state = _with_jobs_of_here(state)
        return self._with_own_arrays(state) if name in INDEXED else state

    def _loss(self, node: Node) -> Any:
        arguments = self.build(node["__reduce__"]["args"])
        if not all(type(argument) in {float, int} for argument in arguments):
            raise ModelFileError(f"its loss has the parameters {short_repr(arguments)}")
        return find_loss(class_name(node))(*arguments)

    def _tree(self, node: Node) -> Any:
        return restore_tree(self.build(node["__reduce__"]["args"]), self.build(node["content"]))


def _object_array(items: list[Any], shape: Any) -> Any:
    """Return an array of objects, which the file has as nested lists."""
    is_shape = type(shape) is tuple and all(type(width) is int for width in shape)
    if not is_shape or len(shape) > MOST_DIMENSIONS:
        raise ModelFileError("one of its arrays has no shape")
    if shape and len(items) != shape[0]:
        raise ModelFileError(f"one of its arrays has {len(items)} items for the shape {shape}")
    for width in shape[1:]:
        if not all(type(row) is list and len(row) == width for row in items):
            raise ModelFileError(f"one of its arrays is not of its shape {shape}")
        items = [item for row in items for item in row]
    if len(items) != math.prod(shape):
        raise ModelFileError(f"one of its arrays has {len(items)} items for the shape {shape}")
    array = np.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        array[place] = item
    return array.reshape(shape)


def _with_jobs_of_here(state: dict[Any, Any]) -> dict[Any, Any]:
    """Return a state that asks for no more jobs than there are cores, whatever a file wants."""
    try:
        n_jobs = int(state["n_jobs"])  # as joblib reads it
    except (KeyError, OverflowError, TypeError, ValueError):
        return state
    return {**state, "n_jobs": cpu_count()} if n_jobs > cpu_count() else state


BUILDERS: dict[str, Callable[[Builder, Node], Any]] = {
    "BytearrayNode": lambda self, node: bytearray(self._archive.read(node["file"])),
    "BytesNode": lambda self, node: self._archive.read(node["file"]),
    "DTypeNode": lambda self, node: self.build(node["content"]).dtype,
    "DefaultDictNode": Builder._default_dict,
    "DictNode": Builder._dict,
    "FunctionNode": Builder._function,
    "JsonNode": Builder._json,
    "ListNode": Builder._items,
    "LossNode": Builder._loss,
    "MaskedArrayNode": Builder._refuse_masked,
    "NdArrayNode": Builder._array,
    "ObjectNode": Builder._object,
    "RandomGeneratorNode": lambda self, node: restore_generator(
        *(self.build(node["content"][name]) for name in ("bit_generator", "seed_seq"))
    ),
    "RandomStateNode": lambda self, node: restore_random_state(self.build(node["content"])),
    "SetNode": Builder._set,
    "SliceNode": Builder._slice,
    "TreeNode": Builder._tree,
    "TupleNode": lambda self, node: tuple(self._items(node)),
    "TypeNode": lambda self, node: NAMED_TYPES[class_name(node)],
}
