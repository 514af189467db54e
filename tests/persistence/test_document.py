"""The schema of a document, within its limits and just beyond them."""

import json

import pytest

from rankwright.persistence import document
from rankwright.persistence.document import foreign_classes, parse_schema
from rankwright.persistence.errors import ModelFileError


class Schema:
    """An archive that holds nothing but a schema."""

    def __init__(self, schema):
        self.text = schema if isinstance(schema, bytes) else json.dumps(schema).encode()
        self.sizes = {"schema.json": len(self.text)}

    def read(self, name):
        return self.text


def nested(depth, around=lambda inner: {"content": inner}):
    schema = "leaf"
    for _ in range(depth):
        schema = around(schema)
    return schema


def test_a_schema_of_the_largest_size_is_parsed_and_no_larger_one():
    schema = Schema({"protocol": 2})
    schema.sizes["schema.json"] = 2**28
    assert parse_schema(schema) == {"protocol": 2}
    schema.sizes["schema.json"] += 1
    with pytest.raises(ModelFileError, match="has 268,435,457 bytes; at most 268,435,456 are read"):
        parse_schema(schema)


def test_a_schema_of_the_most_values_is_parsed_and_no_more(monkeypatch):
    schema = Schema({"protocol": 2, "content": [1, 2]})  # a dictionary, a list and two commas
    monkeypatch.setattr(document, "MOST_VALUES", 4)
    parse_schema(schema)
    monkeypatch.setattr(document, "MOST_VALUES", 3)
    with pytest.raises(ModelFileError, match="its schema has 4 values; 3 at most"):
        parse_schema(schema)


@pytest.mark.parametrize("schema", [[2], "protocol", {"protocol": 1}, {}])
def test_another_protocol_is_refused(schema):
    with pytest.raises(ModelFileError, match="does not have protocol 2 of skops"):
        parse_schema(Schema(schema))


@pytest.mark.parametrize("around", [lambda inner: {"content": inner}, lambda inner: [inner]])
def test_nodes_are_as_deep_as_allowed_and_no_deeper(around):
    assert foreign_classes(nested(document.DEEPEST, around)) == set()
    with pytest.raises(ModelFileError, match="nested more than 200 deep"):
        foreign_classes(nested(document.DEEPEST + 1, around))


@pytest.mark.parametrize("kind", [None, 3, ["ObjectNode"], "ReduceNode"])
def test_a_node_of_no_kind_is_refused(kind):
    node = {"__loader__": kind, "__module__": "builtins", "__class__": "list"}
    with pytest.raises(ModelFileError, match="which model files may not hold"):
        foreign_classes(node)
