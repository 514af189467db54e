"""Which attributes an object from a file may have."""

import pytest

import rankwright as rw
from rankwright.persistence import attributes
from rankwright.persistence.attributes import check_attributes, refuse_class_attributes
from rankwright.persistence.errors import ModelFileError


@pytest.fixture(autouse=True)
def _looked_up_anew():
    attributes._attributes.cache_clear()
    attributes._assigned.cache_clear()


@pytest.mark.parametrize("state", [None, 3, ["coef_"]])
def test_an_object_of_this_package_without_attributes_is_refused(state):
    with pytest.raises(ModelFileError, match="its PairwiseRanker has no attributes"):
        check_attributes(rw.PairwiseRanker, state)


def test_only_what_is_wrong_with_the_attributes_is_said():
    state = rw.PairwiseRanker().get_params()
    state.pop("alpha")
    with pytest.raises(ModelFileError, match=r"its PairwiseRanker lacks alpha$"):
        check_attributes(rw.PairwiseRanker, state)


@pytest.mark.parametrize("name", ["as_rows", "_training_pairs", "max_iter_", "self", "fit"])
def test_a_name_that_methods_do_not_assign_is_no_attribute(name):
    state = {**rw.PairwiseRanker().get_params(), name: 1}
    with pytest.raises(ModelFileError, match=f"its PairwiseRanker has the unknown {name}$"):
        check_attributes(rw.PairwiseRanker, state)


def test_parameters_and_what_scikit_learn_assigns_are_known():
    state = rw.PairwiseRanker().get_params()
    names = ("_metadata_request", "feature_names_in_", "n_features_in_")
    check_attributes(rw.PairwiseRanker, {**state, **dict.fromkeys(names)})


class Counter:
    """A class whose methods assign what it has a value for, and in place of a method."""

    count = 0
    text = "<b>"

    def add(self):
        self.count += 1
        self.next = self.add

    def next(self):
        """Return nothing."""


def test_attributes_that_methods_assign_come_from_a_file_also_where_the_class_has_a_default():
    refuse_class_attributes(Counter, {"count": 3, "other": 4})


@pytest.mark.parametrize("name", ["text", "next", "add", "__doc__", "__anything"])
def test_other_attributes_of_a_class_are_refused(name):
    with pytest.raises(ModelFileError, match=f"its Counter has '{name}' in place of that of its"):
        refuse_class_attributes(Counter, {name: 1})
