"""Values that a document holds: they come back as they were, or are refused."""

import io
import zipfile
from collections import OrderedDict, defaultdict

import numpy as np
import pytest
import skops.io
from sklearn._loss._loss import CyHalfSquaredError, CyHuberLoss
from sklearn.linear_model import Ridge

from model_files.crafted import array_bytes, doubled, items, listed, node_of, value
from rankwright.persistence.archive import Archive
from rankwright.persistence.builder import Builder
from rankwright.persistence.document import foreign_classes, parse_schema
from rankwright.persistence.errors import ModelFileError


def restored(thing):
    document = skops.io.dumps(thing)
    archive = Archive(io.BytesIO(document), len(document))
    schema = parse_schema(archive)
    assert not foreign_classes(schema)
    return Builder(archive).build(schema)


@pytest.mark.parametrize(
    "thing",
    [
        None,
        True,
        1.5,
        "text",
        b"bytes",
        bytearray(b"more"),
        [1, [2, "x"]],
        (1, (2,)),
        {1, 2},
        {"a": 1, 2: "b", 1.5: None},
        OrderedDict(z=1, a=2),
        defaultdict(list, a=[1]),
        slice(1, None, 2),
        np.dtype("float32"),
        np.float32(1.5),
        np.int8(-3),
        np.str_("x"),
        np.float64,
    ],
)
def test_a_value_comes_back(thing):
    again = restored(thing)
    assert again == thing
    assert type(again) is type(thing)


def test_a_default_dictionary_keeps_its_default():
    assert restored(defaultdict(list))["new"] == []


@pytest.mark.parametrize("shape", [(4,), (2, 2), (0,)])
def test_an_array_of_objects_comes_back(shape):
    array = np.empty(shape, dtype=object)
    array.ravel()[:] = [None, "x", (1, 2), [3]][: array.size]
    again = restored(array)
    assert again.shape == shape
    assert again.tolist() == array.tolist()


def test_a_masked_array_comes_back_where_a_search_keeps_its_results():
    masked = np.ma.MaskedArray([1.0, 2.0], [True, False])
    again = restored({"cv_results_": {"param_alpha": masked}})["cv_results_"]["param_alpha"]
    assert again.mask.tolist() == [True, False]
    assert again[1] == 2.0


@pytest.mark.parametrize(
    "bits",
    [np.random.MT19937, np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64],
)
def test_a_generator_goes_on_where_it_was(bits):
    generator = np.random.Generator(bits(0))
    generator.random(3)
    again = restored(generator)
    assert again.random() == generator.random()
    assert again.spawn(1)[0].random() == generator.spawn(1)[0].random()


def test_a_random_state_goes_on_where_it_was():
    state = np.random.RandomState(0)
    state.normal(size=3)
    assert restored(state).normal() == state.normal()


def test_an_object_that_is_held_twice_is_one_object():
    array = np.arange(3)
    first, second = restored([array, array])
    assert first is second


def build(node, **members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return Builder(Archive(buffer, len(buffer.getvalue()))).build(node)


def test_nodes_without_numbers_are_objects_of_their_own():
    first, second = build(items(items(value(1)), items(value(2))))
    assert (first, second) == ((1,), (2,))


@pytest.mark.parametrize("content", [[1], {"a": 1}])
def test_a_container_in_place_of_a_value_is_refused(content):
    with pytest.raises(ModelFileError, match="one of its values is a container"):
        build(value(content))


def test_a_default_that_is_no_type_is_refused():
    node = node_of(
        "DefaultDictNode",
        "collections.defaultdict",
        content={"default_factory": value(1), "main": value(None)},
    )
    with pytest.raises(ModelFileError, match="unknown default"):
        build(node)


@pytest.mark.parametrize("ends", [("x", 1, None), (1, None, 2.0), (True, None, None)])
def test_a_slice_of_something_else_is_refused(ends):
    content = dict(zip(("start", "stop", "step"), ends, strict=True))
    with pytest.raises(ModelFileError, match="one of its slices"):
        build(node_of("SliceNode", "builtins.slice", content=content))


@pytest.mark.parametrize("array", [np.array([1.0]), np.array(1)])
def test_a_scalar_of_another_form_is_refused(array):
    node = node_of("NdArrayNode", "numpy.float64", type="numpy", file="x")
    with pytest.raises(ModelFileError, match="its float64 is"):
        build(node, x=array_bytes(array))


@pytest.mark.parametrize("shape", [(), (3,), (1, 1)])
def test_an_array_of_objects_in_another_shape_is_refused(shape):
    node = node_of(
        "NdArrayNode", "numpy.ndarray", type="json", content=[listed(value(1), value(2))]
    )
    node["shape"] = items(*map(value, shape))
    if len(shape) < 2:
        node["content"] = [value(1), value(2)]
    with pytest.raises(ModelFileError, match=r"2 items for the shape|not of its shape"):
        build(node)


@pytest.mark.parametrize("shape", [(2, 1), (1, 3)])
@pytest.mark.parametrize("row", ["ab", items(value(1), value(2)), listed(value(1), value(2))])
def test_only_lists_of_a_length_are_rows_of_an_array_of_objects(row, shape):
    rows = [row if isinstance(row, dict) else value(row)] * shape[0]
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=rows)
    node["shape"] = items(*map(value, shape))
    with pytest.raises(ModelFileError, match="is not of its shape"):
        build(node)


@pytest.mark.parametrize("shape", [listed(value(1)), items(value(1.0)), items(*[value(1)] * 65)])
def test_a_shape_that_is_none_is_refused(shape):
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=[value(1)], shape=shape)
    with pytest.raises(ModelFileError, match="one of its arrays has no shape"):
        build(node)


def test_a_set_of_containers_is_refused():
    with pytest.raises(ModelFileError, match="one of its sets holds more than plain values"):
        build(node_of("SetNode", "builtins.set", content=[items(value(1))]))


@pytest.mark.parametrize("hold", [items, listed])
def test_objects_that_hold_each_other_ever_again_are_refused(hold):
    assert len(build(doubled(value(0), 10, hold))) == 2
    with pytest.raises(ModelFileError, match="hold each other more than 4,000,000 times"):
        build(doubled(value(0), 40, hold))


def test_a_number_is_of_one_kind_of_object():
    with pytest.raises(ModelFileError, match="two kinds of its objects have the number 1"):
        build(listed({**value(0), "__id__": 1}, {**listed(), "__id__": 1}))


@pytest.mark.parametrize("loss", [CyHalfSquaredError(), CyHuberLoss(0.5)])
def test_a_loss_comes_back_with_its_parameters(loss):
    again = restored(loss)
    assert type(again) is type(loss)
    assert again.__reduce__() == loss.__reduce__()


@pytest.mark.parametrize("wrong", ["0.5", True, None])
def test_a_loss_of_something_else_than_numbers_is_refused(wrong):
    arguments = {"args": items(value(wrong))}
    node = node_of("LossNode", "sklearn._loss._loss.CyHuberLoss", __reduce__=arguments)
    with pytest.raises(ModelFileError, match="its loss has the parameters"):
        build(node)


def test_an_estimator_of_scikit_learn_has_the_attributes_that_it_had():
    ridge = Ridge().fit([[1.0], [2.0]], [1.0, 2.0])
    assert vars(restored(ridge)).keys() == vars(ridge).keys()


def test_attributes_as_pairs_are_refused():
    """Python would make attributes of them, and methods could be among them."""
    pairs = items(items(value("inverse"), value(1)))
    node = node_of("ObjectNode", "sklearn._loss.link.LogLink", content=pairs)
    with pytest.raises(ModelFileError, match="its LogLink has no attributes"):
        build(node)


class OwnMethods:
    """A class that somebody trusts, and which keeps something under the name of a method."""

    def score(self):
        """Return nothing."""


def test_a_trusted_class_may_keep_what_it_likes():
    kept = OwnMethods()
    kept.score = 3
    document = skops.io.dumps(kept)
    archive = Archive(io.BytesIO(document), len(document))
    schema = parse_schema(archive)
    assert foreign_classes(schema) == {f"{__name__}.OwnMethods"}
    assert Builder(archive).build(schema).score == 3


def test_trees_that_share_an_array_larger_than_the_file_are_refused():
    nodes = node_of("NdArrayNode", "numpy.ndarray", type="numpy", file="x", __id__=1)
    names = ("nodes", "first_node", "category_sets", "symmetric")
    state = node_of("DictNode", "builtins.dict", content=dict.fromkeys(names, nodes))
    state["key_types"] = listed(*[node_of("TypeNode", "builtins.str")] * len(names))
    tree = node_of("ObjectNode", "rankwright.trees.boosted.nodes.TreeSum", content=state)
    with pytest.raises(ModelFileError, match="its trees share their arrays"):
        build(tree, x=array_bytes(np.zeros(100)))
