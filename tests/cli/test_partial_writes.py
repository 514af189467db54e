"""Files of two runs beside each other: what was written when, and which model is accepted."""

import json
from pathlib import Path

import numpy as np
import pytest

import rankwright as rw
from rankwright.cli.files import read_model
from rankwright.cli.output import Output
from rankwright.cli.results import ReportFiles, Result
from rankwright.persistence.files import dump, model_checksum
from rankwright.report.bundle import MODEL_STAMP, Bundle, json_bytes

X = np.random.default_rng(0).normal(size=(20, 2))
MODELS = {
    age: rw.ExpectedRankRegressor().fit(X, sign * X[:, 0])
    for age, sign in (("old", 1), ("new", -1))
}
QUIET = Output(quiet=True)


class Killed(BaseException):
    """What ends a process between two renames."""


def bundle_of(age):
    model = dump(MODELS[age])
    result = {"age": age, MODEL_STAMP: model_checksum(model)}
    return Bundle(f"<p>{age}</p>".encode(), json_bytes(result), model)


def write(age, names, folder):
    files = ReportFiles.of([folder / name for name in names], [], force=True)
    files.write(QUIET, lambda: bundle_of(age), MODELS[age], Result({"age": age}, {}, None))


def ages(folder):
    """Return of which run each file is."""
    return {path.name: AGES.get(path.suffix, age_of_text)(path) for path in folder.iterdir()}


def age_of_text(path):
    return "new" if b"new" in path.read_bytes() else "old"


AGES = {".rw": lambda path: "old" if rw.load(path).regressor_.coef_[0] > 0 else "new"}


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("names", [["r.html"], ["r.rw", "r.json"], ["r.json", "r.rw"]])
def test_a_new_file_beside_an_old_one_is_refused_wherever_the_machine_stops(
    tmp_path, monkeypatch, names, at
):
    write("old", names, tmp_path)
    n_files = len(ages(tmp_path))
    renamed = []
    replace = Path.replace

    def stop(self, target):
        renamed.append(target)
        if len(renamed) == at:
            raise Killed
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stop)
        if at <= n_files:
            with pytest.raises(Killed):
                write("new", names, tmp_path)
        else:
            write("new", names, tmp_path)
    found = ages(tmp_path)
    assert list(found.values()).count("new") == min(at - 1, n_files)
    if len(set(found.values())) > 1:
        with pytest.raises(ValueError, match="was written with a different model"):
            read_model(tmp_path / "r.rw")
    else:
        assert read_model(tmp_path / "r.rw") is not None


def test_a_result_beside_a_model_names_it(tmp_path):
    write("new", ["r.rw", "r.json", "s.json"], tmp_path)
    stamp = model_checksum((tmp_path / "r.rw").read_bytes())
    assert json.loads((tmp_path / "r.json").read_text())[MODEL_STAMP] == stamp
    assert MODEL_STAMP not in json.loads((tmp_path / "s.json").read_text())
