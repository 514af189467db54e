"""Model files taken apart and put together again, with a checksum that is right."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import skops.io

from rankwright.persistence.files import dump
from rankwright.persistence.owners import owners_by_name

__all__ = [
    "Parts",
    "array_bytes",
    "doubled",
    "items",
    "listed",
    "node_of",
    "parts_of",
    "seal",
    "taken_apart",
    "unchecked",
    "value",
]


@dataclass
class Parts:
    """What a model file is made of."""

    header: bytes
    schema: Any
    members: dict[str, bytes]

    def nodes(self, kind: str | None = None, name: str = "") -> list[dict[str, Any]]:
        """Return the nodes of a kind whose class has this name."""
        return [
            node
            for node in _walk(self.schema)
            if (kind is None or node["__loader__"] == kind)
            and (not name or node.get("__class__") == name)
        ]

    def attributes(self, name: str) -> dict[str, Any]:
        """Return the attributes, as nodes, of the first object of a class."""
        return self.nodes("ObjectNode", name)[0]["content"]["content"]

    def add_attribute(self, name: str, attribute: str, node: dict[str, Any]) -> None:
        """Add an attribute to the first object of a class."""
        state = self.nodes("ObjectNode", name)[0]["content"]
        state["content"][attribute] = node
        state["key_types"]["content"].append(node_of("TypeNode", "builtins.str"))

    def array(self, node: dict[str, Any]) -> Any:
        """Return the array of a node."""
        return np.load(io.BytesIO(self.members[node["file"]]))

    def new_array(self, array: Any) -> dict[str, Any]:
        """Return the node of an array that becomes a member."""
        name = f"new{len(self.members)}.npy"
        self.members[name] = array_bytes(array)
        return node_of("NdArrayNode", "numpy.ndarray", type="numpy", file=name)

    def masked(self, data: Any, mask: Any) -> dict[str, Any]:
        """Return the node of a masked array whose data and mask become members."""
        content = {"data": self.new_array(data), "mask": self.new_array(mask)}
        return node_of("MaskedArrayNode", "numpy.ma.MaskedArray", content=content)

    def pack(self, compression: int = zipfile.ZIP_STORED) -> bytes:
        """Return the file."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", compression) as archive:
            for name, content in self.members.items():
                archive.writestr(name, content)
            archive.writestr("schema.json", json.dumps(self.schema))
        return seal(self.header + b"\n" + buffer.getvalue())


def parts_of(model: Any) -> Parts:
    """Take the file of a model apart."""
    return taken_apart(dump(model))


def taken_apart(content: bytes) -> Parts:
    """Take a file apart."""
    _, header, document = content.split(b"\n", 2)
    with zipfile.ZipFile(io.BytesIO(document)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return Parts(header, json.loads(members.pop("schema.json")), members)


def unchecked(model: Any) -> bytes:
    """Return the file of a model that ``save`` would refuse."""
    header = json.dumps({"class": "x", "features": [], "package": "0.1.0"}).encode()
    with owners_by_name(model):
        return seal(header + b"\n" + skops.io.dumps(model))


def seal(body: bytes, version: int = 1) -> bytes:
    """Put the first line before a body."""
    return f"rankwright-model {version} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def node_of(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    """Return a node."""
    module, _, short = name.rpartition(".")
    return {"__class__": short, "__module__": module, "__loader__": kind, **fields}


def value(content: Any) -> dict[str, Any]:
    """Return the node of a plain value."""
    return node_of("JsonNode", "builtins.str", content=json.dumps(content), is_json=True)


def items(*nodes: dict[str, Any]) -> dict[str, Any]:
    """Return the node of a tuple."""
    return node_of("TupleNode", "builtins.tuple", content=list(nodes))


def listed(*nodes: dict[str, Any]) -> dict[str, Any]:
    """Return the node of a list."""
    return node_of("ListNode", "builtins.list", content=list(nodes))


def doubled(leaf: dict[str, Any], times: int, hold: Any = listed) -> dict[str, Any]:
    """Return a short node that holds a leaf 2 ** times: a level holds the one below twice."""
    node = leaf
    for level in range(times):
        node["__id__"] = 10**9 + level
        node = hold(node, {**node, "content": []})
    return node


def array_bytes(array: Any) -> bytes:
    """Return an array in NumPy's format."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def _walk(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        this = waiting.pop()
        if isinstance(this, dict):
            if "__loader__" in this:
                yield this
            waiting += this.values()
        elif isinstance(this, list):
            waiting += this
