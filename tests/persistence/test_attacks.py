"""Files that were made to run something, to crash or to fill the memory."""

import io
import os
import struct
import sys
import zipfile

import numpy as np
import pytest
from joblib import cpu_count, effective_n_jobs
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import rankwright as rw
from model_files.crafted import array_bytes, items, listed, node_of, parts_of, seal, value
from model_files.fitted import MODELS, X, fitted, rows_for


@pytest.fixture
def refuse(tmp_path):
    """Return a function that asserts that a file is refused with a message."""

    def refuse(content, match, **options):
        path = tmp_path / "crafted.rw"
        path.write_bytes(content)
        with pytest.raises(rw.ModelFileError, match=match):
            rw.load(path, **options)

    return refuse


@pytest.fixture
def parts():
    return parts_of(fitted("PairwiseRanker"))


def reduced(name, *arguments):
    return node_of("ConstructorFromReduceNode", name, content=items(*arguments))


def test_a_call_in_an_extra_attribute_does_not_write_a_file(parts, refuse, tmp_path):
    parts.members["code"] = b"raise SystemExit\n"
    target = reduced("rankwright.persistence.atomic.Path", value(str(tmp_path / "evil.py")))
    code = node_of("BytesNode", "builtins.bytes", file="code")
    call = reduced("rankwright.persistence.atomic.write_atomically", target, code)
    parts.add_attribute("PairwiseRanker", "note_", call)
    refuse(parts.pack(), "ConstructorFromReduceNode", trusted=(
        "rankwright.persistence.atomic.Path", "rankwright.persistence.atomic.write_atomically",
    ))  # fmt: skip
    assert not (tmp_path / "evil.py").exists()


def test_the_module_loader_of_the_studies_is_not_called(parts, refuse, tmp_path, monkeypatch):
    (tmp_path / "evil.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    call = reduced("rankwright.studies.catalogue.import_module", value("evil"))
    parts.add_attribute("PairwiseRanker", "note_", call)
    refuse(parts.pack(), "ConstructorFromReduceNode")
    assert "evil" not in sys.modules


@pytest.mark.parametrize("kind", ["FunctionNode", "TypeNode", "ObjectNode", "LossNode"])
def test_what_a_module_of_ours_imports_is_not_reached_through_it(parts, refuse, kind):
    parts.attributes("PairwiseRanker")["loss"] = node_of(
        kind, "rankwright.persistence.atomic.token_hex", content=None
    )
    refuse(parts.pack(), "rankwright.persistence.atomic.token_hex")


CALLS = {
    "ConstructorFromReduceNode": reduced("os.system", value("true")),
    "MethodNode": node_of(
        "MethodNode", "builtins.str", content={"func": "format", "obj": value("x")}
    ),
    "OperatorFuncNode": node_of("OperatorFuncNode", "operator.methodcaller", attrs=items()),
    "PartialNode": node_of(
        "PartialNode",
        "functools.partial",
        content=dict.fromkeys(("func", "args", "kwds", "namespace"), value(None)),
    ),
    "QuantileForestNode": node_of("QuantileForestNode", "quantile_forest.QuantileForest"),
    "ReduceNode": node_of("ReduceNode", "os.system"),
    "SparseMatrixNode": node_of("SparseMatrixNode", "scipy.sparse._csr.csr_matrix", file="x.npz"),
    "CachedNode": node_of("CachedNode", "builtins.str", __id__=1),
    "FunctionNode": node_of("FunctionNode", "os.system"),
    "TypeNode": node_of("TypeNode", "builtins.eval"),
    "LossNode": node_of("LossNode", "os.system", __reduce__={"args": items()}, content=items()),
    "TreeNode": node_of("TreeNode", "os.system", __reduce__={"args": items()}, content=items()),
    "DictNode": node_of("DictNode", "collections.Counter", content={}, key_types=items()),
    "ListNode": node_of("ListNode", "subprocess.Popen", content=[value("true")]),
    "TupleNode": node_of("TupleNode", "os.stat_result", content=[]),
    "SetNode": node_of("SetNode", "builtins.frozenset", content=[]),
    "NdArrayNode": node_of("NdArrayNode", "numpy.void", type="numpy", file="x.npy"),
    "RandomStateNode": node_of("RandomStateNode", "os.system", content=items()),
    "a node of no kind": node_of("EvilNode", "os.system"),
}


@pytest.mark.parametrize("node", CALLS.values(), ids=list(CALLS))
def test_a_node_that_would_call_something_is_refused(parts, refuse, node):
    parts.attributes("PairwiseRanker")["loss"] = node
    refuse(parts.pack(), "holds|no loss")


def test_an_object_in_place_of_a_key_type_is_not_called(parts, refuse):
    state = parts.nodes("ObjectNode", "PairwiseRanker")[0]["content"]
    scorer = node_of("ObjectNode", "sklearn.metrics._scorer._PassthroughScorer")
    state["key_types"]["content"][0] = scorer
    refuse(parts.pack(), "KeyError")


def test_an_object_of_an_untrusted_class_is_not_built(parts, refuse):
    parts.attributes("PairwiseRanker")["loss"] = node_of("ObjectNode", "subprocess.Popen")
    refuse(parts.pack(), r"holds subprocess.Popen, which .* trusted=\('subprocess.Popen',\)")


@pytest.mark.parametrize(
    "name", ["evil\x1b]0;title\x07.Class", "evil\r\nfake line.Class", "e\ud800.C"]
)
def test_what_a_file_names_does_not_steer_a_terminal(parts, tmp_path, name):
    parts.attributes("PairwiseRanker")["loss"] = node_of("ObjectNode", name)
    (tmp_path / "crafted.rw").write_bytes(parts.pack())
    for kind in ("ObjectNode", "LossNode"):
        parts.attributes("PairwiseRanker")["loss"]["__loader__"] = kind
        (tmp_path / "crafted.rw").write_bytes(parts.pack())
        with pytest.raises(rw.ModelFileError, match=r"e[vil]*\\[xru]") as refused:
            rw.load(tmp_path / "crafted.rw")
        assert str(refused.value).isprintable()


def test_letters_of_any_language_are_shown_as_they_are(parts, refuse):
    parts.attributes("PairwiseRanker")["loss"] = node_of("ObjectNode", "größe.Klasse")
    refuse(parts.pack(), r"holds größe\.Klasse, which .* trusted=\('größe\.Klasse',\)")


def test_a_long_name_is_told_in_short(parts, tmp_path):
    parts.attributes("PairwiseRanker")["loss"] = node_of("ObjectNode", "x" * 10**6 + ".Class")
    (tmp_path / "crafted.rw").write_bytes(parts.pack())
    with pytest.raises(rw.ModelFileError) as refused:
        rw.load(tmp_path / "crafted.rw")
    assert len(str(refused.value)) < 10_000


def test_trust_does_not_reach_through_a_re_export(parts, refuse):
    name = "json.decoder.scanner"
    parts.attributes("PairwiseRanker")["loss"] = node_of("ObjectNode", name)
    refuse(parts.pack(), "not the home of a class", trusted=(name,))


def test_an_older_protocol_of_skops_is_refused(parts, refuse):
    parts.schema["protocol"] = 0
    refuse(parts.pack(), "protocol 2")


def test_an_unknown_attribute_is_refused(parts, refuse):
    parts.add_attribute("PairwiseRanker", "note_", value("hello"))
    refuse(parts.pack(), "PairwiseRanker has the unknown note_")


def test_a_missing_parameter_is_refused(parts, refuse):
    state = parts.nodes("ObjectNode", "PairwiseRanker")[0]["content"]
    del state["content"]["alpha"]
    state["key_types"]["content"].pop()
    refuse(parts.pack(), "PairwiseRanker lacks alpha")


def test_a_field_too_many_of_a_dataclass_is_refused(refuse):
    parts = parts_of(fitted("OrdinalTree"))
    parts.add_attribute("Tree", "note", value(1))
    refuse(parts.pack(), "Tree has the unknown note")


def test_an_attribute_in_place_of_a_method_is_refused(refuse):
    parts = parts_of(fitted("extra trees"))
    parts.add_attribute("ExtraTreesRegressor", "_validate_X_predict", value(1))
    refuse(parts.pack(), "in place of that of its class")


@pytest.mark.parametrize(
    "name",
    [
        *("_doc_link_module", "_doc_link_template", "__doc_link_template"),
        *("_parameter_constraints", "__module__", "__class__"),
    ],
)
def test_attributes_of_a_class_do_not_come_from_a_file(refuse, name):
    """Notebooks would show some of them as they are."""
    parts = parts_of(fitted("extra trees"))
    parts.add_attribute("ExtraTreesRegressor", name, value('x"><script>alert(1)</script>'))
    refuse(parts.pack(), f"its ExtraTreesRegressor has '{name}' in place of that of its class")


@pytest.mark.parametrize("name", ["kw_args", "inv_kw_args"])
def test_arguments_of_an_elementwise_function_are_refused(refuse, name):
    parts = parts_of(fitted("pipeline"))
    out = node_of("DictNode", "builtins.dict", content={"out": value(None)})
    out["key_types"] = listed(node_of("TypeNode", "builtins.str"))
    for transformer in parts.nodes("ObjectNode", "FunctionTransformer"):
        transformer["content"]["content"][name] = out
    refuse(parts.pack(), "its FunctionTransformer has kw_args")


def test_an_elementwise_function_is_no_metric(refuse):
    parts = parts_of(fitted("search by a metric"))
    for metric in parts.nodes("ObjectNode", "GroupedMetric"):
        metric["content"]["content"]["metric"] = node_of("FunctionNode", "numpy.add")
    refuse(parts.pack(), "holds numpy.add in place of another function")


def test_a_model_that_writes_unset_memory_is_not_saved(tmp_path):
    transformer = FunctionTransformer(np.negative, kw_args={"where": False})
    model = make_pipeline(transformer, rw.PairwiseRanker()).fit(X.to_numpy(), X["a"])
    with pytest.raises(ValueError, match=r"can't be saved.*FunctionTransformer has kw_args"):
        rw.save(model, tmp_path / "model.rw")


def test_nothing_else_refers_to_the_arrays_of_trees(tmp_path):
    parts = parts_of(fitted("BoostedRanker"))
    shared = parts.attributes("TreeSum")["first_node"]
    parts.attributes("BoostedRanker")["random_state"] = shared
    (tmp_path / "model.rw").write_bytes(parts.pack())
    model = rw.load(tmp_path / "model.rw")
    np.testing.assert_array_equal(model.random_state, model.trees_.first_node)
    assert not np.shares_memory(model.random_state, model.trees_.first_node)


def test_a_model_without_a_ranker_is_refused(refuse):
    parts = parts_of(fitted("ExpectedRankRegressor"))
    inner = parts.attributes("ExpectedRankRegressor")["regressor_"]
    parts.schema = {**inner, "protocol": 2}
    refuse(parts.pack(), "LinearRegression holds no ranker")


def test_a_value_that_is_no_estimator_is_refused(parts, refuse):
    parts.schema = {**value(3), "protocol": 2}
    refuse(parts.pack(), "holds a int, not a ranker")


# Arrays

FIELDS = {
    "BoostedRanker": [
        ("nodes", "feature", 3),
        ("nodes", "left", 10**6),
        ("nodes", "category_set", 10**6),
        ("nodes", "left", -1),
        ("nodes", "value", np.nan),
    ],
    "BoostedRanker, leaf-wise": [("nodes", "feature", -1), ("nodes", "left", 0)],
    "OrdinalForest": [("nodes", "feature", 3), ("nodes", "feature", -1), ("nodes", "left", 0)],
    "OrdinalTree": [("nodes", "left", 10**6), ("nodes", "category_set", 10**6)],
    "RankingForest": [("cuts", "feature", 3), ("cuts", "left", 10**6), ("cuts", "left", -(10**6))],
    "TreeRank": [("cells", "left", 10**6), ("cuts", "right", 0), ("cuts", "category_set", 10**6)],
    "TreeRank of classifiers": [("nodes", "feature", 3), ("nodes", "left_child", 10**6)],
    "boosted": [("nodes", "feature", 3), ("nodes", "right_child", 0)],
    "extra trees": [("nodes", "feature", -2), ("nodes", "left_child", -2)],
    "histogram boosted": [("nodes", "feature_idx", 3), ("nodes", "left", 10**6)],
    "random forest": [("nodes", "left_child", 10**6), ("nodes", "feature", 10**6)],
}


@pytest.mark.parametrize(
    ("name", "array", "field", "wrong"),
    [(name, *change) for name, changes in FIELDS.items() for change in changes],
)
def test_an_index_out_of_bounds_is_refused(refuse, name, array, field, wrong):
    parts = parts_of(fitted(name))
    states = [node for node in parts.nodes("DictNode") if array in node["content"]]
    for state in states:
        node = state["content"][array]
        values = parts.array(node)
        if len(values):
            values[field][0] = wrong
            parts.members[node["file"]] = array_bytes(values)
    refuse(parts.pack(), "can't be right|is damaged")


@pytest.mark.parametrize("feature", [0, 3, 10**8])
@pytest.mark.parametrize("name", ["BoostedOrdinal", "BoostedRanker", "BoostedRanker, leaf-wise"])
def test_a_leaf_that_names_a_feature_is_refused(refuse, name, feature):
    parts = parts_of(fitted(name))
    node = parts.attributes("TreeSum")["nodes"]
    nodes = parts.array(node)
    nodes["feature"][nodes["left"] < 0] = feature
    parts.members[node["file"]] = array_bytes(nodes)
    refuse(parts.pack(), "a leaf tests a feature")


MASKED = {
    "BoostedRanker": ("TreeSum", "nodes"),
    "BoostedRanker, leaf-wise": ("TreeSum", "first_node"),
    "OrdinalForest": ("Tree", "nodes"),
    "PairwiseRanker": ("PairwiseRanker", "coef_"),
    "RankingForest": ("CartSplits", "cuts"),
    "TreeRank": ("CartSplits", "category_sets"),
    "extra trees": ("Tree", "nodes"),
    "histogram boosted": ("TreePredictor", "nodes"),
    "leaderboard of battles": ("Leaderboard", "strengths"),
    "pipeline": ("OneHotEncoder", "categories_"),
    "splines": ("BSpline", "_t"),
}


@pytest.mark.parametrize("name", MASKED)
def test_an_array_that_could_hide_values_from_checks_is_refused(refuse, name):
    parts = parts_of(fitted(name))
    holder, attribute = MASKED[name]
    kind = "TreeNode" if name == "extra trees" else "ObjectNode"
    for node in parts.nodes(kind, holder):
        state = node["content"]["content"]
        if attribute in state:
            state[attribute] = parts.masked(np.zeros(3), np.ones(3, dtype=bool))
    refuse(parts.pack(), "holds a masked array, which only the results of a search may be")


@pytest.mark.parametrize("wrong", [np.ones(3), None])
def test_a_masked_array_of_a_search_has_a_mask(refuse, wrong):
    parts = parts_of(fitted("search"))
    content = parts.nodes("MaskedArrayNode")[0]["content"]
    content["mask"] = value(None) if wrong is None else parts.new_array(wrong)
    refuse(parts.pack(), "one of its masked arrays has no data or no mask")


def test_the_results_of_a_search_are_nothing_elses(refuse):
    parts = parts_of(fitted("search"))
    results = parts.attributes("GridSearchCV")["cv_results_"]
    for ranker in parts.nodes("ObjectNode", "PairwiseRanker"):
        ranker["content"]["content"]["alpha"] = results
    refuse(parts.pack(), "holds a masked array")


def test_an_encoder_with_columns_outside_of_its_table_is_refused(refuse):
    parts = parts_of(fitted("pipeline"))
    for encoder in parts.nodes("ObjectNode", "OneHotEncoder"):
        state = encoder["content"]["content"]
        if "_n_features_outs" in state:
            state["_n_features_outs"] = listed(value(10**9))
    refuse(parts.pack(), "the numbers of columns of a OneHotEncoder can't be right")


SHAPES = {
    "BayesPointPerceptron": ["coef_", "thresholds_", "coefs_", "all_thresholds_", "classes_"],
    "BoostedOrdinal": ["labels_", "label_values_", "thresholds_"],
    "BoostedRanker": ["has_missing_"],
    "LeastSquaresRanker": ["coef_", "feature_names_in_"],
    "OrdinalForest": ["has_missing_", "labels_"],
    "PreferenceRanker": ["references_"],
    "RatingFormula": ["weights_", "medians_", "shares_"],
}


@pytest.mark.parametrize(
    ("name", "attribute"), [(name, one) for name, names in SHAPES.items() for one in names]
)
def test_an_array_of_another_length_is_refused(refuse, name, attribute):
    parts = parts_of(fitted(name))
    node = parts.attributes(type(fitted(name)).__name__)[attribute]
    parts.members["short.npy"] = array_bytes(np.zeros((1, 1)))
    node |= {"type": "numpy", "file": "short.npy"}
    refuse(parts.pack(), "is damaged")


INNER = {
    "a classifier of pairs": (lambda: rw.PreferenceRanker(), "LogisticRegression"),
    "an adapted model": (lambda: rw.adapt(Ridge()), "Ridge"),
    "a split of a tree": (
        lambda: rw.TreeRank(leaf_rank=LogisticRegression()),
        "LogisticRegression",
    ),
}


@pytest.mark.parametrize("wrong", [np.zeros((1, 1)), np.array([["a"] * 3]), np.zeros((2, 3, 4))])
@pytest.mark.parametrize("name", INNER)
def test_an_estimator_of_scikit_learn_that_could_not_predict_is_refused(refuse, name, wrong):
    make, inner = INNER[name]
    X = np.random.default_rng(0).normal(size=(60, 3))
    parts = parts_of(make().fit(X, (X[:, 0] > 0).astype(int)))
    parts.members["wrong.npy"] = array_bytes(wrong)
    for node in parts.nodes("ObjectNode", inner):
        attributes = node["content"]["content"]
        if "coef_" in attributes:  # the parameter is not fitted
            attributes["coef_"] |= {"type": "numpy", "file": "wrong.npy"}
    refuse(parts.pack(), "can't be loaded: ")


def with_features(model, n_features):
    """Return the parts of a file whose model and ranker claim a number of features."""
    parts = parts_of(model)
    for node in parts.nodes("ObjectNode"):
        state = node["content"]["content"]
        if "n_features_in_" in state:
            state["n_features_in_"] = value(n_features)
    return parts


def test_no_long_row_is_made_to_try_a_model(tmp_path, monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 3))
    parts = with_features(rw.adapt(Ridge()).fit(X, X[:, 0]), 100_001)
    for node in parts.nodes("ObjectNode", "Ridge"):
        if "coef_" in node["content"]["content"]:
            replace_array(parts, node["content"]["content"]["coef_"], np.zeros(100_001))
    (tmp_path / "model.rw").write_bytes(parts.pack())
    monkeypatch.setattr(rw.AdaptedRanker, "predict", None)
    assert rw.load(tmp_path / "model.rw").n_features_in_ == 100_001


@pytest.mark.parametrize("n_features", [0, 4, 10**12, 10**300])
def test_features_that_only_a_number_claims_are_refused(refuse, n_features):
    X = np.random.default_rng(0).normal(size=(60, 3))
    parts = with_features(rw.adapt(Ridge()).fit(X, X[:, 0]), n_features)
    refuse(parts.pack(), "can't be right")


def test_a_model_that_holds_others_is_not_run_on_load(tmp_path, monkeypatch):
    y = (X["a"] > 0).astype(int)
    ranker = rw.PreferenceRanker(BaggingClassifier(n_estimators=2), n_references=3).fit(X, y)
    rw.save(ranker, tmp_path / "model.rw")
    monkeypatch.setattr(rw.PreferenceRanker, "_preferred", None)
    rw.load(tmp_path / "model.rw")


def test_what_is_run_on_load_is_run_in_this_process(tmp_path, monkeypatch):
    rw.save(fitted("PreferenceRanker"), tmp_path / "model.rw")
    asked = []
    preferred = rw.PreferenceRanker._preferred
    monkeypatch.setattr(
        rw.PreferenceRanker,
        "_preferred",
        lambda self, pairs: asked.append(effective_n_jobs(5)) or preferred(self, pairs),
    )
    rw.load(tmp_path / "model.rw")
    assert asked == [1]


@pytest.mark.parametrize("n_jobs", [10**6, "1000000", 1e6 + 0.5])
def test_no_more_jobs_than_cores_are_taken_from_a_file(tmp_path, n_jobs):
    parts = parts_of(fitted("OrdinalForest"))
    parts.attributes("OrdinalForest")["n_jobs"] = value(n_jobs)
    (tmp_path / "model.rw").write_bytes(parts.pack())
    assert rw.load(tmp_path / "model.rw").n_jobs == cpu_count()


@pytest.mark.parametrize("n_jobs", [None, 1, -1, -400])
def test_other_numbers_of_jobs_come_back(tmp_path, n_jobs):
    parts = parts_of(fitted("OrdinalForest"))
    parts.attributes("OrdinalForest")["n_jobs"] = value(n_jobs)
    (tmp_path / "model.rw").write_bytes(parts.pack())
    assert rw.load(tmp_path / "model.rw").n_jobs == n_jobs


def test_a_short_text_for_a_huge_number_is_refused(refuse):
    parts = parts_of(fitted("RatingFormula"))
    # The formula and its solution share the list: a file has it twice, under one number.
    for owner, name in (("RatingFormula", "exact_weights_"), ("RatingSolution", "exact_weights")):
        parts.attributes(owner)[name]["content"][0] = value("1e999999999")
    refuse(parts.pack(), "exact weights")


@pytest.mark.parametrize("name", ["X", "y", "rows", "groups", "categories", "directions", "asked"])
def test_a_rating_with_an_array_of_another_length_is_refused(refuse, name):
    parts = parts_of(fitted("RatingFormula"))
    parts.members["short.npy"] = array_bytes(np.zeros((1, 1)))
    node = parts.attributes("Rating")[name]
    node |= {"type": "numpy", "file": "short.npy", "__id__": 10**9}
    refuse(parts.pack(), "is damaged")


@pytest.mark.parametrize("name", ["tops", "names", "factor_names", "category_weights"])
def test_a_rating_with_an_empty_list_is_refused(refuse, name):
    parts = parts_of(fitted("RatingFormula"))
    parts.attributes("Rating")[name] |= {
        "__loader__": "ListNode",
        "__class__": "list",
        "__module__": "builtins",
        "content": [],
        "__id__": 10**9,
    }
    refuse(parts.pack(), "is damaged")


def test_a_bucket_outside_of_a_consensus_is_refused(refuse):
    parts = parts_of(fitted("RankingForest"))
    node = parts.attributes("KemenyMedian")["buckets"]
    buckets = parts.array(node)
    buckets[0] = 10**6
    parts.members[node["file"]] = array_bytes(buckets)
    refuse(parts.pack(), "a bucket is none")


@pytest.mark.parametrize("position", [-1, 625, 10**9])
def test_a_position_outside_of_a_random_state_is_refused(refuse, position):
    parts = parts_of(fitted("BayesPointPerceptron"))
    node = parts.nodes("RandomStateNode")[0]
    node["content"]["content"]["state"]["content"]["pos"] = value(position)
    refuse(parts.pack(), f"has the position {position}")


def test_a_tree_with_more_outputs_than_classes_is_refused(refuse):
    parts = parts_of(fitted("extra trees"))
    arguments = parts.nodes("TreeNode")[0]["__reduce__"]["args"]["content"]
    arguments[2] = value(10**6)
    refuse(parts.pack(), "a tree's outputs can't be right")


def test_a_forest_with_a_tree_of_more_features_is_refused(refuse):
    parts = parts_of(fitted("extra trees"))
    forest = parts.attributes("ExtraTreesRegressor")
    forest["n_features_in_"] = value(2)
    refuse(parts.pack(), "the trees of a ExtraTreesRegressor can't be right")


# Resources


def test_a_compressed_member_is_refused(parts, refuse):
    parts.members["zeros"] = bytes(10**6)
    refuse(parts.pack(zipfile.ZIP_DEFLATED), "is compressed")


def test_members_that_claim_more_than_the_file_are_refused(parts, refuse):
    content = parts.pack().split(b"\n", 1)[1]
    at = content.index(b"PK\x01\x02")
    claimed = struct.pack("<II", 2**31, 2**31)
    refuse(seal(content[: at + 20] + claimed + content[at + 28 :]), "larger than the file")


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((10**10,), "<f8"), ((-1,), "<f8"), ((2**62, 4), "<f8"), ((10**12,), "<U0"), ((3,), "|O")],
)
def test_an_array_that_claims_more_than_it_has_is_refused(parts, refuse, shape, dtype):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header = header.ljust(117) + b"\n"
    node = parts.attributes("PairwiseRanker")["coef_"]
    parts.members[node["file"]] = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header + bytes(24)
    refuse(parts.pack(), "claims the shape|not plain values")


def test_a_pickled_array_is_refused(parts, refuse):
    node = parts.attributes("PairwiseRanker")["coef_"]
    parts.members[node["file"]] = array_bytes(np.array([print, len, 3], dtype=object))
    refuse(parts.pack(), "not plain values")


def with_schema(parts, text):
    """Return a model file whose document is a schema alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("schema.json", text)
    return seal(parts.header + b"\n" + buffer.getvalue())


@pytest.mark.parametrize("depth", [300, 100_000])
def test_deep_nesting_is_refused(parts, refuse, depth):
    text = '{"protocol": 2, "a": ' + "[" * depth + "]" * depth + "}"
    refuse(with_schema(parts, text), "nested|can't be parsed")


def test_too_many_values_are_refused(parts, refuse):
    text = '{"protocol": 2, "a": [' + "[]," * 4_000_000 + "[]]}"
    refuse(with_schema(parts, text), "values; 4,000,000 at most")


def test_two_members_of_one_name_are_refused(parts, refuse):
    parts.members |= {"one.bin": b"1", "two.bin": b"2"}
    content = parts.pack().split(b"\n", 1)[1]
    refuse(seal(content.replace(b"two.bin", b"one.bin")), "same name")


def test_a_member_that_is_used_twice_is_refused(parts, refuse):
    array = parts.attributes("PairwiseRanker")["coef_"]
    parts.attributes("PairwiseRanker")["objective_"] = {**array, "__id__": 1}
    refuse(parts.pack(), "uses it twice")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.rw")
    with pytest.raises(rw.ModelFileError, match="not a regular file"):
        rw.load(tmp_path / "pipe.rw")


@pytest.mark.parametrize("path", ["/dev/zero", "."])
def test_a_device_or_a_folder_is_refused(path):
    with pytest.raises(rw.ModelFileError, match="not a regular file"):
        rw.load(path)


@pytest.mark.parametrize(
    "header", [b"", b"{", b"[]", b"{}", b"[" * 10**6, b'"package": "7"', b'{"package": 7}']
)
def test_a_header_that_is_none_is_refused(parts, refuse, header):
    document = parts.pack().split(b"\n", 2)[2]
    refuse(seal(header + b"\n" + document), "valid header")


@pytest.mark.parametrize("name", MODELS)
def test_a_legitimate_model_loads_and_predicts_the_same(name, tmp_path):
    model = fitted(name)
    rw.save(model, tmp_path / "model.rw")
    rows = rows_for(model)
    loaded = rw.load(tmp_path / "model.rw")
    np.testing.assert_array_equal(loaded.predict(rows), model.predict(rows))


def test_a_model_that_could_not_be_loaded_is_not_saved(tmp_path):
    model = rw.PairwiseRanker().fit(X, X["a"])
    model.note_ = "mine"
    with pytest.raises(ValueError, match=r"can't be saved.*unknown note_"):
        rw.save(model, tmp_path / "model.rw")
    assert not (tmp_path / "model.rw").exists()


@pytest.mark.parametrize("wrong", [401, -401, 10**18])
def test_more_places_than_floating_point_has_are_refused(refuse, wrong):
    parts = parts_of(fitted("RatingFormula"))
    parts.attributes("RatingFormula")["score_places_"] = value(wrong)
    refuse(parts.pack(), "no number of places")


def replace_array(parts, node, array):
    """Let a node of an array be that of another one."""
    parts.members["other.npy"] = array_bytes(array)
    node["file"] = "other.npy"


@pytest.mark.parametrize("wrong", [np.zeros(2), np.zeros((3, 1)), np.zeros(3, dtype=np.int64)])
def test_leaves_without_a_value_each_are_refused(refuse, wrong):
    parts = parts_of(fitted("RankingForest"))
    replace_array(parts, parts.attributes("RankingForest")["leaf_values_"]["content"][0], wrong)
    refuse(parts.pack(), "its leaves have no values")


def test_a_forest_with_fewer_values_than_trees_is_refused(refuse):
    parts = parts_of(fitted("RankingForest"))
    parts.attributes("RankingForest")["leaf_values_"]["content"].pop()
    refuse(parts.pack(), "its leaves have no values")


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros((0, 256)), np.zeros((1, 2, 3), bool)])
def test_sets_of_categories_are_tables_of_truths_even_where_nobody_asks(refuse, wrong):
    parts = parts_of(fitted("TreeRank"))
    replace_array(parts, parts.attributes("CartSplits")["category_sets"], wrong)
    refuse(parts.pack(), "its sets of categories are none")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (np.array([0, 1, 3]), "it sees a feature that is none"),
        (np.array([-1, 1, 2]), "it sees a feature that is none"),
        (np.array([0.0, 1.0, 2.0]), "features is not an array"),
    ],
)
def test_a_classifier_of_a_cell_sees_features_that_there_are(refuse, wrong, words):
    parts = parts_of(fitted("TreeRank of classifiers"))
    replace_array(parts, parts.attributes("ClassifierSplit")["features"], wrong)
    refuse(parts.pack(), words)


@pytest.mark.parametrize(
    ("attribute", "words"),
    [("intercept_", "its intercept is no number"), ("score_places_", "no number of places")],
)
@pytest.mark.parametrize("wrong", [None, "x", True, [1.0]])
def test_numbers_of_a_formula_that_are_none_are_refused(refuse, attribute, words, wrong):
    parts = parts_of(fitted("RatingFormula"))
    is_list = isinstance(wrong, list)
    parts.attributes("RatingFormula")[attribute] = items(value(1.0)) if is_list else value(wrong)
    refuse(parts.pack(), words)


@pytest.mark.parametrize(
    ("attribute", "wrong"),
    [
        ("k", value(-1)),
        ("k", value(10**9)),
        ("axis", value(1)),
        ("extrapolate", value("always")),
        ("_t", value(3)),
        ("_c", items(value(1.0))),
    ],
)
def test_a_spline_of_odd_parts_is_refused(refuse, attribute, wrong):
    parts = parts_of(fitted("splines"))
    parts.attributes("BSpline")[attribute] = wrong
    refuse(parts.pack(), "one of its splines has odd knots")


def test_a_spline_with_too_few_values_for_its_knots_is_refused(refuse):
    parts = parts_of(fitted("splines"))
    parts.members["short.npy"] = array_bytes(np.zeros((1, 1)))
    array = node_of("NdArrayNode", "numpy.ndarray", type="numpy", file="short.npy")
    parts.attributes("BSpline")["_c"] = array
    refuse(parts.pack(), "[Kk]nots")
