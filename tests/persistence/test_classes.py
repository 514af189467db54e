import json

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

import rankwright as rw
from model_files.crafted import parts_of
from model_files.fitted import MODELS, fitted
from rankwright.base import RankerMixin
from rankwright.leaderboards import Leaderboard
from rankwright.persistence import classes
from rankwright.persistence.classes import (
    COMPILED_LOSSES,
    FUNCTIONS,
    HELD,
    INTERNAL,
    LINKS,
    LOSSES,
    SCIKIT_LEARN,
    _public_classes,
    find_class,
    find_foreign,
    find_function,
    find_loss,
    full_name,
)
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.parameters import NAMES_NOTHING
from rankwright.persistence.parts import PARTS
from rankwright.persistence.scikit_learn import TABLES
from rankwright.persistence.shapes import SHAPES
from rankwright.persistence.work import Work


def public_rankers():
    values = [getattr(rw, name) for name in rw.__all__]
    return [v for v in values if isinstance(v, type) and issubclass(v, RankerMixin)]


def test_every_public_ranker_has_a_model_to_test_with():
    tested = {type(fitted(name)).__name__ for name in MODELS}
    assert {cls.__name__ for cls in public_rankers()} <= tested, "add it to model_files.fitted"


def test_the_classes_held_by_rankers_are_listed_and_no_others():
    named = {
        f"{node['__module__']}.{node['__class__']}"
        for name in MODELS
        for node in parts_of(fitted(name)).nodes("ObjectNode")
    }
    needed = {name for name in named if name.startswith("rankwright.")}
    needed -= {full_name(cls) for cls in public_rankers()}
    assert needed == HELD, "keep rankwright.persistence.classes.HELD equal to what is needed"


@pytest.mark.parametrize("cls", [rw.OrdinalForest, rw.RatingFormula, Ridge, Pipeline])
def test_a_class_is_found_under_its_home(cls):
    assert find_class(full_name(cls)) is cls


@pytest.mark.parametrize("cls", [SVC, NearestNeighbors])
def test_a_class_of_scikit_learn_that_is_not_checked_is_foreign(cls):
    assert find_class(full_name(cls)) is None


@pytest.mark.parametrize(
    "name",
    [
        "rankwright.OrdinalForest",  # a re-export
        "rankwright.trees.OrdinalForest",
        "rankwright.trees.bipartite.forest.Parallel",  # imported there
        "rankwright.persistence.atomic.write_atomically",
        "rankwright.studies.catalogue.import_module",
        "rankwright.data.table.ItemTable",  # public, but no part of a model
        "rankwright.nothing.PairwiseRanker",
    ],
)
def test_other_names_of_this_package_are_refused(name):
    with pytest.raises(ModelFileError, match="is no ranker and no part of one"):
        find_class(name)


@pytest.mark.parametrize("name", ["os.system", "numpy.load", "numpy.frompyfunc", "builtins.eval"])
def test_functions_that_do_more_than_arithmetic_are_refused(name):
    with pytest.raises(ModelFileError, match="holds the function"):
        find_function(name)


def test_elementwise_functions_and_metrics_are_found():
    assert find_function("numpy.log1p") is np.log1p
    assert find_function(full_name(r2_score)) is r2_score


@pytest.mark.parametrize("name", ["os.system", "sklearn._loss._loss.CyLossFunction"])
def test_a_compiled_loss_that_is_not_listed_is_refused(name):
    with pytest.raises(ModelFileError, match="is no loss of scikit-learn"):
        find_loss(name)


def test_the_header_names_the_home_of_the_class():
    assert json.loads(parts_of(fitted("OrdinalTree")).header)["class"] == full_name(rw.OrdinalTree)


@pytest.mark.parametrize("family", SCIKIT_LEARN)
def test_every_class_listed_is_one_of_scikit_learn(family):
    found = {cls.__name__ for cls in _public_classes(family).values()}
    assert found
    assert found == SCIKIT_LEARN[family]
    assert not any(name.startswith("_") for name in found)


DECIDED = SHAPES.keys() | PARTS.keys() | NAMES_NOTHING | {"BSpline", *LOSSES, *LINKS}
LISTED = {name.rpartition(".")[2] for name in INTERNAL}.union(*SCIKIT_LEARN.values())


@pytest.mark.parametrize("name", sorted(LISTED))
def test_of_every_listed_class_somebody_decided_what_its_parts_may_be(name):
    """Indices, sizes and targets of compiled or sparse code are checked, or there are none."""
    kind = name.removesuffix("Classifier").removesuffix("Regressor")
    is_checked = any(one in checks for checks in TABLES for one in (name, kind))
    assert is_checked or name in DECIDED, "check what it learns, or say that nothing is to check"


def test_nothing_is_decided_of_classes_that_are_not_listed():
    assert DECIDED <= LISTED


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.multioutput.ClassifierChain",
        "sklearn.preprocessing._label.MultiLabelBinarizer",
        "sklearn.multiclass.OutputCodeClassifier",
    ],
)
def test_classes_of_several_labels_at_once_are_foreign(name):
    assert find_class(name) is None


@pytest.mark.parametrize("name", ["f2py", "matlib", "testing"])
def test_a_name_in_a_file_imports_no_module_of_numpy(name, monkeypatch):
    asked = []
    monkeypatch.setattr(np, "__getattr__", asked.append)  # which imports some of them
    with pytest.raises(ModelFileError, match="holds the function"):
        find_function(f"numpy.{name}")
    assert asked == []


@pytest.mark.parametrize("name", sorted(INTERNAL))
def test_every_internal_class_has_its_home_there(name):
    assert full_name(find_class(name)) == name


@pytest.mark.parametrize("name", sorted(COMPILED_LOSSES))
def test_every_compiled_loss_is_found(name):
    assert full_name(find_loss(name)) == name


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_listed_is_found(name):
    assert find_function(name).__name__ == name.rpartition(".")[2]


@pytest.mark.parametrize("name", ["nowhere.add", "math.sin", "sklearn.metrics.get_scorer"])
def test_functions_are_found_under_their_own_module_alone(name):
    with pytest.raises(ModelFileError, match="holds the function"):
        find_function(name)


@pytest.mark.parametrize("name", ["int", "sklearn.svm.SVC", "json.JSONDecoder", "os.path"])
def test_a_trusted_name_has_to_be_the_home_of_a_class(name):
    with pytest.raises(ModelFileError, match="is not the home of a class"):
        find_foreign(name)


def test_every_listed_class_of_scikit_learn_exists():
    _public_classes.cache_clear()  # looked up anew, whatever was tested before
    for family, names in classes.SCIKIT_LEARN.items():
        found = {cls.__name__ for cls in _public_classes(family).values()}
        assert found == names


def test_a_listed_class_that_another_version_of_scikit_learn_lacks_is_not_found(monkeypatch):
    monkeypatch.setitem(classes.SCIKIT_LEARN, "sklearn.svm", frozenset({"LinearSVC", "Missing"}))
    found = _public_classes.__wrapped__("sklearn.svm")
    assert [cls.__name__ for cls in found.values()] == ["LinearSVC"]


def test_results_are_found_under_their_names():
    for cls in (Leaderboard, Work):
        assert find_class(full_name(cls)) is cls


def test_every_class_listed_of_this_package_is_found_under_its_home():
    for name in classes.HELD | classes.RESULTS:
        assert full_name(find_class(name)) == name


def test_every_class_whose_arrays_are_followed_is_one_that_files_may_hold():
    assert all(find_class(name) for name in classes.INDEXED)
