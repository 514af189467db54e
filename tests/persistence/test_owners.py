"""Requests for metadata and those who own them."""

from types import SimpleNamespace

import pytest
from sklearn import config_context
from sklearn.utils.metadata_routing import MetadataRequest

import rankwright as rw
from rankwright.persistence.owners import owners_by_name


class Owner:
    pass


def request():
    return MetadataRequest(owner=Owner())


@pytest.mark.parametrize("wrap", [lambda r: {"a": r}, lambda r: [r], lambda r: (r,)])
def test_owners_are_names_while_a_model_is_written_and_themselves_afterwards(wrap):
    asked = request()
    owner = asked.owner
    with owners_by_name(SimpleNamespace(part=wrap(asked))):
        assert asked.owner == "Owner"
        assert asked.fit.owner == "Owner"
    assert asked.owner is owner


def test_a_name_stays_a_name():
    asked = MetadataRequest(owner="Pipeline")
    with owners_by_name([asked]):
        assert asked.owner == "Pipeline"


def test_what_holds_itself_is_looked_at_once():
    circle = {"request": request()}
    circle["again"] = [circle]
    with owners_by_name(circle):
        assert circle["request"].owner == "Owner"


def test_classes_are_not_looked_into():
    asked = request()
    with owners_by_name({"kind": type("Holder", (), {"asked": asked})}):
        assert isinstance(asked.owner, Owner)


def test_a_loaded_ranker_is_saved_as_it_was(tmp_path):
    with config_context(enable_metadata_routing=True):
        ranker = rw.PairwiseRanker().set_fit_request(groups=True)
    ranker.fit([[1.0], [2.0]], [1, 2])
    for name in ("first.rw", "second.rw"):
        rw.save(ranker, tmp_path / name)
        ranker = rw.load(tmp_path / name)
    assert ranker._metadata_request.owner == "PairwiseRanker"
