import json
import os
import signal

import numpy as np
import pytest

import rankwright as rw
from rankwright.cli import reverse
from rankwright.cli.files import read_model
from rankwright.persistence.files import read_checksum
from rankwright.report.bundle import MODEL_STAMP

X = np.random.default_rng(0).normal(size=(20, 2))


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "report.rw"
    rw.save(rw.ExpectedRankRegressor().fit(X, X[:, 0]), path)
    return path


@pytest.mark.parametrize("text", [None, "", "{", "[1]", '{"source": "a.csv"}'])
def test_a_model_is_read_whatever_lies_beside_it(model, text):
    if text is not None:
        model.with_suffix(".json").write_text(text)
    assert isinstance(read_model(model), rw.ExpectedRankRegressor)


def test_a_model_is_read_beside_its_own_result(model):
    model.with_suffix(".json").write_text(json.dumps({MODEL_STAMP: read_checksum(model)}))
    assert isinstance(read_model(model), rw.ExpectedRankRegressor)


@pytest.mark.parametrize("stamp", ["0" * 64, 3, ["x"]])
def test_a_model_beside_the_result_of_another_is_refused(model, stamp):
    model.with_suffix(".json").write_text(json.dumps({MODEL_STAMP: stamp}))
    with pytest.raises(ValueError, match=r"report.json was written with a different model from"):
        read_model(model)


@pytest.mark.parametrize("command", ["improve", "explain"])
def test_commands_that_read_a_model_refuse_a_pair_that_does_not_belong_together(
    rankwright, model, command, tmp_path
):
    model.with_suffix(".json").write_text(json.dumps({MODEL_STAMP: "0" * 64}))
    (tmp_path / "table.csv").write_text("name,x0,x1\nA,1,2\nB,2,1\n")
    options = {"improve": ["--changes", "changes.csv", "--budget", 1], "explain": ["--above", "B"]}
    answer = rankwright(command, model, "table.csv", "--item", "A", *options[command])
    assert answer.code == 1
    assert "was written with a different model" in answer.err


def test_the_files_of_reverse_carry_the_checksum_of_their_model(rankwright, cameras, tmp_path):
    answer = rankwright("reverse", cameras, "--factors", "photo_quality,resolution", "--no-checks")
    assert answer.code == 0, answer.err
    stamp = read_checksum(tmp_path / "report.rw")
    assert json.loads((tmp_path / "report.json").read_text())[MODEL_STAMP] == stamp
    assert stamp in (tmp_path / "report.html").read_text()


def test_ctrl_c_while_the_report_is_written_ends_with_130_after_it(
    rankwright, cameras, tmp_path, monkeypatch
):
    from rankwright.report import bundle

    report = bundle.rating_report

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        return report(*arguments)

    monkeypatch.setattr(bundle, "rating_report", interrupted)
    answer = rankwright("reverse", cameras, "--factors", "photo_quality,resolution", "--no-checks")
    assert answer.code == 130
    written = {path.name for path in tmp_path.iterdir()}
    assert {"report.html", "report.json", "report.rw"} <= written


def test_ctrl_c_while_findings_are_printed_loses_nothing_of_them(
    rankwright, cameras, tmp_path, monkeypatch
):
    show = reverse.show_findings

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        show(*arguments)

    monkeypatch.setattr(reverse, "show_findings", interrupted)
    answer = rankwright("reverse", cameras, "--factors", "photo_quality,resolution", "--no-checks")
    assert answer.code == 130
    assert "The formula" in answer.out
    written = {path.name for path in tmp_path.iterdir()}
    assert {"report.html", "report.json", "report.rw"} <= written


def test_what_can_not_be_written_is_said_before_the_work_begins(rankwright, tmp_path, monkeypatch):
    (tmp_path / "link.html").symlink_to(tmp_path / "gone" / "report.html")
    (tmp_path / "loop.html").symlink_to(tmp_path / "loop.html")
    (tmp_path / "locked").mkdir()
    may_write = os.access
    monkeypatch.setattr(  # root may write anywhere
        os, "access", lambda path, mode: path != tmp_path / "locked" and may_write(path, mode)
    )
    for out, words in {
        "link.html": f"there is no folder {tmp_path / 'gone'}",
        "loop.html": "is a symbolic link that leads to itself",
        "locked/report.html": f"you may not write in {tmp_path / 'locked'}",
    }.items():
        answer = rankwright("reverse", "nothing.csv", "--out", out)
        assert answer.code == 1
        assert words in answer.err.replace("\n", " ")


@pytest.mark.parametrize(
    "command",
    [
        "reverse table.csv --out table.csv",
        "reverse report.json --out report.html",
        "fit table.csv --out table.csv",
        "fit table.csv --out link.csv",
        "fit table.csv --out ./folder/../table.csv",
        "rank report.rw table.csv --out table.csv",
        "rank report.rw table.csv --out report.rw",
        "aggregate table.csv --out table.csv",
        "leaderboard table.csv --out table.csv",
        "improve report.rw table.svg --item A --budget 1 --changes c.csv --out table.svg",
        "explain report.rw table.svg --item A --above B --out table.svg",
        "compare table.svg --out table.svg",
    ],
)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_no_file_that_a_command_reads_is_written_over(rankwright, model, tmp_path, command, force):
    for name in ("table.csv", "table.svg", "report.json"):
        (tmp_path / name).write_text("name,x0,x1,rank\nA,1,2,1\nB,2,1,2\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to("table.csv")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    answer = rankwright(*command.split(), *force)
    assert answer.code == 1
    assert "is an input of this command" in answer.err
    assert "--force" not in answer.err
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert after == before
