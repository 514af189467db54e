"""Values that a document holds: they come back as they were, or are refused."""

import io
import zipfile
from collections import OrderedDict, defaultdict

import numpy as np
import pytest
import skops.io
from sklearn._loss._loss import CyHalfSquaredError, CyHuberLoss
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.linear_model import Ridge
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeRegressor

from model_files.crafted import array_bytes, doubled, items, listed, node_of, value
from rankwright.persistence import builder
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


def test_functions_come_back_where_a_transformer_or_a_selector_keeps_them():
    again = restored([FunctionTransformer(np.log1p, np.expm1), SelectKBest(f_regression)])
    assert again[0].func is np.log1p
    assert again[0].inverse_func is np.expm1
    assert again[1].score_func is f_regression


def test_results_of_a_search_may_be_something_else():
    assert restored({"cv_results_": [1, 2]}) == {"cv_results_": [1, 2]}


def builder_of(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return Builder(Archive(buffer, len(buffer.getvalue())))


def build(node, **members):
    return builder_of(**members).build(node)


def named(**nodes):
    """Return the node of a dictionary."""
    kinds = listed(*[node_of("TypeNode", "builtins.str")] * len(nodes))
    return node_of("DictNode", "builtins.dict", content=nodes, key_types=kinds)


def test_nodes_without_numbers_are_objects_of_their_own():
    first, second = build(items(items(value(1)), items(value(2))))
    assert (first, second) == ((1,), (2,))


@pytest.mark.parametrize("number", [2**1024 - 1, 1 - 2**1024])
def test_a_whole_number_of_as_many_bits_as_seeds_may_have_comes_back(number):
    assert build(value(number)) == number


@pytest.mark.parametrize("number", [2**1024, -(2**1024)])
def test_a_longer_whole_number_is_refused(number):
    with pytest.raises(ModelFileError, match="one of its whole numbers has more than 1024 bits"):
        build(value(number))


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


@pytest.mark.parametrize("shape", [(5, 0), (1, 0)])
def test_an_array_of_empty_rows_has_as_many_as_its_shape_says(shape):
    rows = [listed(), listed()]
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=rows)
    node["shape"] = items(*map(value, shape))
    with pytest.raises(ModelFileError, match=r"one of its arrays has 2 items for the shape"):
        build(node, x=bytes(100))


def test_an_array_of_objects_has_no_axis_that_is_longer_than_the_file():
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=[])
    for width, is_right in [(100, True), (101, False)]:
        node["shape"] = items(value(0), value(width))
        if is_right:
            assert build(node, x=bytes(100)).shape == (0, width)
        else:
            with pytest.raises(ModelFileError, match=r"the shape \(0, 101\), larger than the file"):
                build(node, x=bytes(100))


@pytest.mark.parametrize("shape", [listed(value(1)), items(value(1.0)), items(*[value(1)] * 65)])
def test_a_shape_that_is_none_is_refused(shape):
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=[value(1)], shape=shape)
    with pytest.raises(ModelFileError, match="one of its arrays has no shape"):
        build(node)


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        ([items(value(1), value(2))], (1, 2)),
        ([value("ab")], (1, 2)),
        ([listed(*map(value, row)) for row in ("ab", "c", "def")], (3, 2)),
    ],
)
def test_as_many_items_in_other_rows_are_no_array_of_objects(rows, shape):
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=rows)
    node["shape"] = items(*map(value, shape))
    with pytest.raises(ModelFileError, match="is not of its shape"):
        build(node)


def test_an_array_of_objects_has_as_many_dimensions_as_numpy_has():
    content = [value(1)]
    for _ in range(63):
        content = [listed(*content)]
    shape = items(*[value(1)] * 64)
    node = node_of("NdArrayNode", "numpy.ndarray", type="json", content=content, shape=shape)
    assert build(node).shape == (1,) * 64


@pytest.mark.parametrize("plain", [[], [value(1)]])
def test_a_set_of_containers_is_refused(plain):
    with pytest.raises(ModelFileError, match="one of its sets holds more than plain values"):
        build(node_of("SetNode", "builtins.set", content=[*plain, items(value(1))]))


@pytest.mark.parametrize("data", [listed(value(1)), value(1), value(None)])
def test_a_masked_array_of_something_else_is_refused(data):
    mask = node_of("NdArrayNode", "numpy.ndarray", type="numpy", file="mask")
    masked = node_of(
        "MaskedArrayNode", "numpy.ma.MaskedArray", content={"data": data, "mask": mask}
    )
    results = named(cv_results_=named(param_alpha=masked))
    with pytest.raises(ModelFileError, match="one of its masked arrays has no data or no mask"):
        build(results, mask=array_bytes(np.zeros(1, dtype=bool)))


def test_a_masked_array_of_another_dictionary_is_refused():
    data = node_of("NdArrayNode", "numpy.ndarray", type="numpy", file="data")
    mask = node_of("NdArrayNode", "numpy.ndarray", type="numpy", file="mask")
    masked = node_of(
        "MaskedArrayNode", "numpy.ma.MaskedArray", content={"data": data, "mask": mask}
    )
    members = {"data": array_bytes(np.zeros(1)), "mask": array_bytes(np.zeros(1, dtype=bool))}
    assert build(named(cv_results_=named(param=masked)), **members)
    with pytest.raises(ModelFileError, match="which only the results of a search may be"):
        build(named(others=named(param=masked)), **members)


def test_an_elementwise_function_of_another_attribute_is_refused():
    function = node_of("FunctionNode", "numpy.log1p")
    assert build(named(func=function)) == {"func": np.log1p}
    with pytest.raises(ModelFileError, match=r"holds numpy\.log1p in place of another function"):
        build(named(score_func=function))


def stored(name, number):
    """Return the node of an array that is a member, under a number."""
    return node_of("NdArrayNode", "numpy.ndarray", type="numpy", file=name, __id__=number)


def again(times, array, first=None):
    """Build a list that holds an array so often, and before it another one."""
    members, nodes = {"x": array_bytes(array)}, [stored("x", 1)] * times
    if first is not None:
        members["y"], nodes = array_bytes(first), [stored("y", 2), *nodes]
    return build(listed(*nodes), **members)


REFUSED = "its objects hold the same arrays again, more than 8 times its size"


def test_a_small_file_may_hold_its_arrays_again_up_to_a_quarter_of_a_gigabyte():
    array = np.zeros(2**20, dtype=np.uint8)
    assert len(again(256, array)) == 256
    with pytest.raises(ModelFileError, match=REFUSED):
        again(257, array)


def test_a_file_may_hold_eight_times_its_bytes_of_arrays(monkeypatch):
    monkeypatch.setattr(builder, "ALWAYS_ENOUGH", 0)
    array = np.zeros(1000, dtype=np.uint8)
    size = len(array_bytes(array))
    assert 9000 <= 8 * size < 10000 <= 9 * size
    assert len(again(9, array)) == 9
    with pytest.raises(ModelFileError, match=REFUSED):
        again(10, array)


def test_each_byte_of_arrays_is_counted_wherever_they_are_held(monkeypatch):
    array, first = np.zeros(1000, dtype=np.uint8), np.zeros(500, dtype=np.uint8)
    monkeypatch.setattr(builder, "MOST_TIMES", 0)
    for limit, is_enough in [(10500, True), (10499, False)]:
        monkeypatch.setattr(builder, "ALWAYS_ENOUGH", limit)
        if is_enough:
            assert len(again(10, array, first)) == 11
        else:
            with pytest.raises(ModelFileError, match="hold the same arrays again"):
                again(10, array, first)


def test_an_array_is_one_node(monkeypatch):
    monkeypatch.setattr(builder, "MOST_VALUES", 3)
    assert len(again(2, np.zeros(3))) == 2
    monkeypatch.setattr(builder, "MOST_VALUES", 2)
    with pytest.raises(ModelFileError, match="hold each other more than 2 times"):
        again(2, np.zeros(3))


def test_nodes_are_counted_and_again_those_that_are_referred_to(monkeypatch):
    held = {**listed(value(0)), "__id__": 1}
    node = listed(held, held)  # and the two nodes of the one that is held, twice
    monkeypatch.setattr(builder, "MOST_VALUES", 5)
    assert build(node) == [[0], [0]]
    monkeypatch.setattr(builder, "MOST_VALUES", 4)
    with pytest.raises(ModelFileError, match="hold each other more than 4 times"):
        build(node)


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


def test_a_tree_of_scikit_learn_comes_back():
    tree = DecisionTreeRegressor().fit([[1.0], [2.0]], [3.0, 4.0])
    assert restored(tree).predict([[1.0], [2.0]]).tolist() == [3.0, 4.0]


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
    kept.score, kept.n_jobs = 3, 10**6
    document = skops.io.dumps(kept)
    archive = Archive(io.BytesIO(document), len(document))
    schema = parse_schema(archive)
    assert foreign_classes(schema) == {f"{__name__}.OwnMethods"}
    again = Builder(archive).build(schema)
    assert (again.score, again.n_jobs) == (3, 10**6)


def test_trees_that_share_an_array_larger_than_the_file_are_refused():
    nodes = node_of("NdArrayNode", "numpy.ndarray", type="numpy", file="x", __id__=1)
    state = named(nodes=nodes, first_node=nodes, category_sets=nodes, symmetric=nodes)
    tree = node_of("ObjectNode", "rankwright.trees.boosted.nodes.TreeSum", content=state)
    with pytest.raises(ModelFileError, match="its trees share their arrays"):
        build(tree, x=array_bytes(np.zeros(100)))


def test_estimators_without_indices_may_share_their_arrays():
    scaler = StandardScaler().fit(np.zeros((2, 10000)))
    scaler.mean_ = scaler.scale_ = scaler.var_
    again = restored(scaler)
    assert again.mean_ is again.scale_ is again.var_


def test_trees_may_copy_as_many_bytes_as_the_file_has_and_no_more():
    halves = {"left": np.zeros(40, np.uint8), "right": np.zeros(60, np.uint8)}
    assert builder_of(x=bytes(100))._with_own_arrays(halves).keys() == halves.keys()
    with pytest.raises(ModelFileError, match="its trees share their arrays"):
        builder_of(x=bytes(99))._with_own_arrays(halves)
