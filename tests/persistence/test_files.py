import errno
import hashlib
import json
import os
import stat
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw
from model_files.crafted import parts_of, value
from model_files.fitted import fitted, rows_for
from rankwright.persistence import files

X = np.random.default_rng(0).normal(size=(30, 2))
Y = X @ [1.0, 2.0]


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.rw"
    rw.save(rw.ExpectedRankRegressor().fit(X, Y), path)
    return path


def test_a_pipeline_round_trips(tmp_path):
    pipeline = make_pipeline(StandardScaler(), rw.ExpectedRankRegressor()).fit(X, Y)
    rw.save(pipeline, tmp_path / "pipeline.rw")
    loaded = rw.load(tmp_path / "pipeline.rw")
    np.testing.assert_array_equal(loaded.predict(X), pipeline.predict(X))


def test_an_inner_scikit_learn_model_round_trips(tmp_path):
    model = rw.ExpectedRankRegressor(HistGradientBoostingRegressor(max_iter=3)).fit(X, Y)
    rw.save(model, tmp_path / "boosted.rw")
    loaded = rw.load(tmp_path / "boosted.rw")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_the_header_says_what_the_file_holds(saved):
    magic, header, _ = saved.read_bytes().split(b"\n", 2)
    assert magic.split()[:2] == [b"rankwright-model", b"1"]
    assert json.loads(header)["package"] == rw.__version__
    assert json.loads(header)["class"].endswith("ExpectedRankRegressor")


def test_saving_over_a_file_replaces_it_whole_and_leaves_nothing_else(saved):
    before = saved.read_bytes()
    rw.save(rw.ExpectedRankRegressor().fit(X, -Y), saved)
    assert saved.read_bytes() != before
    assert os.listdir(saved.parent) == ["model.rw"]


def test_a_failed_write_keeps_the_old_file(saved, monkeypatch):
    before = saved.read_bytes()

    def full_disk(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        rw.save(rw.ExpectedRankRegressor().fit(X, -Y), saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == ["model.rw"]


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.99])
def test_a_truncated_file_is_refused(saved, kept):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(ValueError, match="truncated or corrupted"):
        rw.load(saved)


def test_a_file_with_one_changed_byte_is_refused(saved):
    content = bytearray(saved.read_bytes())
    content[len(content) // 2] ^= 1
    saved.write_bytes(content)
    with pytest.raises(ValueError, match="truncated or corrupted"):
        rw.load(saved)


def test_a_newer_format_is_refused_with_the_remedy(saved):
    saved.write_bytes(saved.read_bytes().replace(b"rankwright-model 1 ", b"rankwright-model 99 "))
    with pytest.raises(ValueError, match=r"format 99, newer than format 1 .* upgrade"):
        rw.load(saved)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PK\x03\x04"])
def test_another_kind_of_file_is_refused(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(ValueError, match="is not a rankwright model file"):
        rw.load(tmp_path / "other")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"there is no file .*nowhere\.rw"):
        rw.load(tmp_path / "nowhere.rw")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a\0b", "embedded null byte"),
        ("x" * 5000, os.strerror(errno.ENAMETOOLONG)),
        ("model.rw/x", os.strerror(errno.ENOTDIR)),
        ("loop.rw", os.strerror(errno.ELOOP)),
    ],
)
def test_a_name_that_no_file_can_have_is_refused_with_the_reason(saved, name, reason):
    (saved.parent / "loop.rw").symlink_to("loop.rw")
    with pytest.raises(rw.ModelFileError, match=f"can't open '.*: {reason}$"):
        rw.load(saved.parent / name)


def test_foreign_types_need_to_be_trusted(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    model = rw.ExpectedRankRegressor(lightgbm.LGBMRegressor(n_estimators=2, verbose=-1)).fit(X, Y)
    rw.save(model, tmp_path / "foreign.rw")
    with pytest.raises(ValueError, match=r"holds .*lightgbm.* pass trusted="):
        rw.load(tmp_path / "foreign.rw")


@pytest.mark.parametrize("model", [None, 3, {"coef": [1.0]}, rw.ExpectedRankRegressor])
def test_only_estimators_are_saved(tmp_path, model):
    with pytest.raises(ValueError, match="save takes a fitted estimator"):
        rw.save(model, tmp_path / "model.rw")


def test_an_unfitted_model_is_refused(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        rw.save(rw.ExpectedRankRegressor(), tmp_path / "model.rw")


def test_a_search_that_cannot_be_written_is_refused_with_the_remedy(tmp_path):
    scoring = rw.metrics.scorer(lambda y_true, scores: 1.0)
    search = GridSearchCV(rw.ExpectedRankRegressor(), {}, scoring=scoring, cv=2).fit(X, Y)
    with pytest.raises(ValueError, match=r"GridSearchCV can't be saved.*best_estimator_ may be"):
        rw.save(search, tmp_path / "search.rw")
    rw.save(search.best_estimator_, tmp_path / "best.rw")


@pytest.mark.parametrize("name", ["search by a metric", "search by a metric of scikit-learn"])
def test_a_loaded_search_scores_by_its_metric(tmp_path, name):
    search = fitted(name)
    rw.save(search, tmp_path / "search.rw")
    loaded = rw.load(tmp_path / "search.rw")
    rows = rows_for(search)
    grades = np.arange(len(rows)) % 3
    assert loaded.score(rows, grades) == search.score(rows, grades) != 0


def test_requests_for_metadata_are_saved_though_they_know_their_owner(tmp_path):
    with sklearn.config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        ranker = rw.PairwiseRanker().set_fit_request(sample_weight=True)
        pipeline = make_pipeline(scaler, ranker).fit(X, Y)
        rw.save(pipeline, tmp_path / "model.rw")
        assert ranker.get_metadata_routing().fit.owner is ranker
        loaded = rw.load(tmp_path / "model.rw")
        assert loaded[-1].get_metadata_routing().fit.requests["sample_weight"] is True
        np.testing.assert_array_equal(loaded.predict(X), pipeline.predict(X))


def test_the_checksum_by_which_other_files_name_a_model_is_in_its_first_line(saved):
    content = saved.read_bytes()
    first, body = content.split(b"\n", 1)
    expected = hashlib.sha256(body).hexdigest()
    assert first.endswith(expected.encode())
    assert files.model_checksum(content) == files.read_checksum(saved) == expected


def test_the_header_names_the_features(tmp_path):
    model = rw.PairwiseRanker().fit(pd.DataFrame(X, columns=["a", "b"]), Y)
    rw.save(model, tmp_path / "named.rw")
    header = json.loads((tmp_path / "named.rw").read_bytes().split(b"\n")[1])
    assert header["features"] == ["a", "b"]


def test_of_a_header_nothing_but_the_version_is_read(tmp_path):
    """All of it, parsed, could take thirty times its size in memory."""
    parts = parts_of(fitted("PairwiseRanker"))
    parts.header = b'{"features": [[[, "package\\": \\"8", "package": "7"}'
    parts.add_attribute("PairwiseRanker", "note", value("mine"))
    (tmp_path / "model.rw").write_bytes(parts.pack())
    with pytest.raises(rw.ModelFileError, match="written by rankwright 7, and"):
        rw.load(tmp_path / "model.rw")


def test_a_file_of_the_largest_size_is_read_and_no_larger_one(saved, monkeypatch):
    claimed = SimpleNamespace(st_mode=stat.S_IFREG, st_size=2**33)
    monkeypatch.setattr(os, "fstat", lambda _: claimed)
    rw.load(saved)
    claimed.st_size += 1
    with pytest.raises(rw.ModelFileError, match="8,589,934,593 bytes; at most 8,589,934,592 are"):
        rw.load(saved)


def test_a_file_that_can_not_be_read_is_refused_with_the_reason(saved, monkeypatch):
    def broken(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(hashlib, "file_digest", broken)
    with pytest.raises(rw.ModelFileError, match=r"can't read '.*model.rw': Input/output error"):
        rw.load(saved)


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="has no such file")
@pytest.mark.parametrize("read", [rw.load, files.read_checksum])
def test_a_regular_file_that_raises_on_its_first_byte_is_refused(read):
    with pytest.raises(rw.ModelFileError, match="can't read '/proc/self/mem'"):
        read(files.Path("/proc/self/mem"))


@pytest.mark.parametrize("line", [b"rankwright-model 1", b"other 1 ab", b"{magic} one ab"])
def test_a_first_line_of_another_form_is_refused(saved, line):
    magic = saved.read_bytes().split(b" ")[0]
    saved.write_bytes(line.replace(b"{magic}", magic) + b"\n{}\n")
    with pytest.raises(rw.ModelFileError, match="is not a rankwright model file"):
        rw.load(saved)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files by /proc")
def test_a_descriptor_is_closed_when_a_file_is_refused(tmp_path):
    pipe = tmp_path / "pipe.rw"
    os.mkfifo(pipe)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(rw.ModelFileError, match="is not a regular file"):
            rw.load(pipe)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_checksum_of_other_bytes_is_text_all_the_same():
    assert files.model_checksum(b"rankwright-model 1 a\xff\n") == "a\ufffd"


def test_a_refusal_names_the_reason_and_a_short_version(tmp_path):
    parts = parts_of(fitted("PairwiseRanker"))
    parts.header = json.dumps({**json.loads(parts.header), "package": "9" * 1000}).encode()
    parts.add_attribute("PairwiseRanker", "note", value("mine"))
    (tmp_path / "model.rw").write_bytes(parts.pack())
    with pytest.raises(rw.ModelFileError) as refused:
        rw.load(tmp_path / "model.rw")
    assert "ModelFileError" not in str(refused.value)
    assert f" {'9' * 40}, and" in str(refused.value)
