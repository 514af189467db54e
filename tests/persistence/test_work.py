"""Saved works that somebody else may have written."""

import pytest

import rankwright as rw
from model_files.crafted import items, node_of, parts_of, value
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.work import Work

WORK = Work('{"page": "rank"}', {"table.csv": b"a,b\n1,2\n"})


def test_a_work_comes_back(tmp_path):
    rw.save(WORK, tmp_path / "work.rw")
    assert rw.load(tmp_path / "work.rw") == WORK


@pytest.mark.parametrize(
    ("attribute", "wrong", "words"),
    [
        ("state", value(3), "no state and files"),
        ("state", value(None), "no state and files"),
        ("files", items(value("table.csv")), "no state and files"),
        ("files", value("table.csv"), "no state and files"),
        ("state", value("{page"), "is no JSON"),
        ("state", value("[" * 100_000), "is no JSON"),
    ],
)
def test_a_work_without_its_parts_is_refused(tmp_path, attribute, wrong, words):
    parts = parts_of(WORK)
    parts.attributes("Work")[attribute] = wrong
    path = tmp_path / "work.rw"
    path.write_bytes(parts.pack())
    with pytest.raises(ModelFileError, match=words):
        rw.load(path)


def test_a_file_of_a_work_is_bytes(tmp_path):
    parts = parts_of(WORK)
    parts.attributes("Work")["files"]["content"]["table.csv"] = value("a,b")
    (tmp_path / "work.rw").write_bytes(parts.pack())
    with pytest.raises(ModelFileError, match=r"has a file 'table\.csv' that is not one"):
        rw.load(tmp_path / "work.rw")


def test_a_file_of_a_work_has_a_name(tmp_path):
    parts = parts_of(WORK)
    files = parts.attributes("Work")["files"]
    files["content"] = {"3": files["content"]["table.csv"]}
    files["key_types"]["content"] = [node_of("TypeNode", "builtins.int")]
    (tmp_path / "work.rw").write_bytes(parts.pack())
    with pytest.raises(ModelFileError, match="has a file 3 that is not one"):
        rw.load(tmp_path / "work.rw")
