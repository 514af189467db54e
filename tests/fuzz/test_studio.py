"""Files handed to the studio: each is read, or refused in words that name it and no path.

Every case makes a file, damages it or not, gives it an ending that may be another's, and hands it
to the tasks that read uploads, as a page does. Allowed are a result, which must reach the page's
process, and a ValueError; and nothing may be written outside the session's folder. How to run more
cases, or one, stands in ``odd_files``.
"""

import json
import pickle
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from fuzz.odd_files import CASES, ONLY, cases, chance, damage, encode, pick
from fuzz.odd_tables import CHANGES, make_table, make_votes, write_table
from rankwright.data import workbooks
from rankwright.persistence.files import dump
from rankwright.persistence.work import Work
from rankwright.studio.state import State
from rankwright.studio.tasks import improve, table, votes, work
from rankwright.studio.tasks.roles import Roles
from rankwright.studio.tasks.table import File, TableRequest

ENDINGS = [".csv", ".tsv", ".txt", ".json", ".toi", ".soc", ".toml", ".dat", "", ".CSV"]
NAMES = ["mine{}", "<b>{}", "a b\u2028{}", "../../up{}", "=1+1{}"]


def silent(news):
    """Hear nothing."""


def ask(case, task, request, folder):
    """Return what a task says of a request, as the page's process gets it; None if refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return pickle.loads(pickle.dumps(task(request, silent)))
        except ValueError as error:
            said = str(error)
        except Exception as error:  # a page would call it an error inside
            pytest.fail(f"case {case}, {task.__name__}: {type(error).__name__}: {error}")
    assert said, case
    assert str(folder) not in said, (case, said)
    return None


def upload(rng, content, folder, ending=None):
    """Write what was handed over under a name of the studio's own."""
    if ending is None or chance(rng, 0.2):
        ending = pick(rng, ENDINGS)
    path = folder / f"1{ending}"
    path.write_bytes(content)
    return File(str(path), pick(rng, NAMES).format(ending))


def battles(rng):
    """Return a table of comparisons."""
    n, names = int(rng.integers(3, 30)), ["a", "b b", "c;c", "Ä"]
    frame = pd.DataFrame({side: rng.choice(names, n) for side in ("left", "right")})
    words = pick(rng, [["left", "right", "tie"], [1, 0, 0.5], ["2-1", "0:3", "1-1"]])
    return frame.assign(outcome=rng.choice(np.array(words, dtype=object), n)).to_csv(index=False)


def test_tables_are_shown_or_refused_in_words(tmp_path):
    n_shown = 0
    for case, rng in cases(CASES // 4):
        content = write_table(rng, make_table(rng)[0])
        if chance(rng, 0.7):
            content = damage(rng, content)
        request = TableRequest(upload(rng, content, tmp_path, ".csv"))
        view = ask(case, table.look, request, tmp_path)
        if view is None:
            continue
        n_shown += 1
        assert all(len(row) == len(view.preview.columns) for row in view.preview.rows), case
        roles = Roles({column.name: column.role for column in view.columns})
        again = ask(case, table.look, replace(request, roles=roles, missing="medians"), tmp_path)
        assert again is None or len(again.columns) == len(view.columns), case
    assert ONLY or n_shown > CASES // 16


def test_workbooks_are_shown_or_refused_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "SECONDS", 2.0)  # some of them never end
    book = (Path(__file__).parents[1] / "data" / "books" / "schools.xls").read_bytes()
    for case, rng in cases(CASES // 60):  # each in a process of its own
        ending = pick(rng, [".xls", ".xlsx", ".ods"])
        file = upload(rng, damage(rng, book), tmp_path, ending)
        ask(case, table.look, TableRequest(file), tmp_path)


def test_votes_and_comparisons_are_ranked_or_refused_in_words(tmp_path):
    n_ranked = 0
    for case, rng in cases(CASES // 10):
        kind = pick(rng, ["votes", "battles"])
        text = "\n".join(make_votes(rng)[0]) if kind == "votes" else battles(rng)
        content = encode(rng, text)
        if chance(rng, 0.6):
            content = damage(rng, content)
        file = upload(rng, content, tmp_path, {"votes": ".toi", "battles": ".csv"}[kind])
        columns = ask(case, votes.columns_of, file, tmp_path)
        item = pick(rng, [None, *(columns or [None])])
        request = votes.VotesRequest(file, seconds=1.0, item=item)
        n_ranked += ask(case, votes.find_consensus, request, tmp_path) is not None
        request = votes.BoardRequest(file)
        n_ranked += ask(case, votes.find_strengths, request, tmp_path) is not None
    assert ONLY or n_ranked > 0


def test_changes_are_read_or_refused_in_words(tmp_path):
    n_read = 0
    for case, rng in cases(CASES // 4):
        content = damage(rng, CHANGES.encode()) if chance(rng, 0.9) else CHANGES.encode()
        file = upload(rng, content, tmp_path, ".toml")
        request = (file, pick(rng, [None, file]))
        n_read += ask(case, improve.read_change_file, request, tmp_path) is not None
    assert ONLY or n_read > 0


VALUES = [None, -1, 1e308, "", "x", [], {}, "../../x", "/etc/passwd", True, [[]], {"path": "a"}]


def spoil(rng, value):
    """Change a value somewhere inside what JSON holds."""
    if isinstance(value, dict | list) and value and chance(rng, 0.85):
        place = pick(rng, list(value) if isinstance(value, dict) else range(len(value)))
        changed = value.copy()
        changed[place] = spoil(rng, value[place])
        return changed
    return pick(rng, VALUES)


def test_saved_works_are_opened_inside_the_folder_or_refused_in_words(tmp_path):
    inside, outside = tmp_path / "session" / "inner", tmp_path
    inside.mkdir(parents=True)
    path = inside / "1.csv"
    path.write_text("name,rank,zoom\nA,1,5\nB,2,4\nC,3,1\n", encoding="utf-8")
    request = TableRequest(File(str(path), "mine.csv"))
    view = table.look(request, silent)
    roles = Roles({column.name: column.role for column in view.columns})
    held = State(replace(request, roles=roles), view, product=1)
    saved = inside / "2.rwork"
    saved.write_bytes(work.save_work(held, silent))
    whole = rw.load(saved)
    n_opened = 0
    for case, rng in cases(CASES // 2):
        state = json.loads(whole.state)
        for _ in range(int(rng.integers(1, 4))):
            state = spoil(rng, state)
        files = whole.files if chance(rng, 0.8) else {"table": damage(rng, whole.files["table"])}
        saved.write_bytes(dump(Work(json.dumps(state), files)))
        asked = work.OpenRequest(File(str(saved), "mine.rwork"), str(inside))
        opened = ask(case, work.open_work, asked, outside)
        if opened is not None:
            n_opened += 1
            if opened.table is not None:
                assert Path(opened.table.file.path).parent == inside, case
        there = {found.parent for found in outside.rglob("*") if found.is_file()}
        assert there == {inside}, case
    assert ONLY or n_opened > 0
