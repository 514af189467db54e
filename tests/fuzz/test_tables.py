"""Files that are valid but odd come back as what was written; damaged ones are refused in words.

Every case makes values, writes them in some odd way and reads them: all values must be equal, no
row may be missing, and what the file leaves in doubt must be said. Then the bytes are damaged: the
reader returns something or raises ValueError, and does not hang. How to run more cases, or one,
stands in ``odd_files``.
"""

from pathlib import Path

import numpy as np

from fuzz.odd_files import CASES, NEWLINES, ONLY, cases, damage, encode, pick, refuse_or_read
from fuzz.odd_tables import CHANGES, make_table, make_votes, write_table
from rankwright.data import guess_columns, read_items, read_preflib, read_table, workbooks
from rankwright.improve import read_changes, read_conflicts
from rankwright.improve.files import read_conditions


def test_a_table_written_in_any_odd_way_comes_back_equal_or_its_doubts_are_said(tmp_path):
    path = tmp_path / "table.csv"
    for case, rng in cases():
        columns, factors, names, ranks, groups = make_table(rng)
        path.write_bytes(write_table(rng, columns))
        roles = {"item": "item", "target": "rank", "group": "group"}
        table = read_table(path, **roles, factors=pick(rng, [None, [*factors, "flag"]]))
        assert list(table.items) == names, case
        np.testing.assert_array_equal(table.y, -ranks, err_msg=str(case))
        assert table.printed.tolist() == columns["rank"], case
        assert table.groups.tolist() == groups, case
        assert set(table.X.columns) <= {*factors, "flag", "column 1"}, case
        for name in {*factors, "flag"} - set(table.X.columns):  # a constant, or the order itself
            assert any(note.startswith(repr(name)) for note in table.notes), (case, name)
        if "flag" in table.X:
            assert table.X["flag"].tolist() == [cell == "TRUE" for cell in columns["flag"]], case
        for name, column in factors.items():
            if name not in table.X:
                continue
            said = any(repr(name) in note and "was read as" in note for note in table.notes)
            equal = np.array_equal(table.X[name], column.values(), equal_nan=True)
            assert equal or said, (case, name, column.texts, table.X[name].tolist())


def test_a_damaged_table_is_read_or_refused_in_words(tmp_path):
    path = tmp_path / "table.csv"
    n_read = 0
    for case, rng in cases():
        columns, factors, *_ = make_table(rng)
        path.write_bytes(damage(rng, write_table(rng, columns)))
        table = refuse_or_read(case, read_table, path, item="item", target="rank")
        if table is not None:
            n_read += 1
            assert np.isfinite(table.y).all(), case
            assert str(table), case
        refuse_or_read(case, guess_columns, path)
        refuse_or_read(case, read_items, path, item="item", factors=list(factors))
    assert ONLY or 0 < n_read < CASES


def test_every_row_of_a_damaged_table_is_read_or_accounted_for(tmp_path):
    """No row disappears: it is an item, or a note tells that rows were left out or skipped."""
    path = tmp_path / "table.csv"
    told = ("left out", "skipped", "is the header", "are the header")
    for case, rng in cases():
        columns, *_ = make_table(rng)
        n_rows = len(columns["item"])
        cells = list(columns.values())
        for _ in range(int(rng.integers(1, 4))):
            column = cells[int(rng.integers(len(cells)))]
            column[int(rng.integers(n_rows))] = pick(rng, ODD_CELLS)
        path.write_bytes(write_table(rng, columns))
        table = refuse_or_read(case, read_table, path, item="item", target="rank")
        if table is not None and len(table) < n_rows:
            assert any(word in note for note in table.notes for word in told), (case, table.notes)


ODD_CELLS = [
    *[
        "",
        "?",
        "see note",
        "1-5",
        "201–250",
        "601+",
        ">100",
        "NR",
        "Total",
        "* tied",
        "34 : 66",
        "½",
    ],
    *[
        "Source: us",
        "★★★½",
        "4.5/5",
        "3k",
        "12 oz",
        "-",
        "0",
        "1e400",
        "=",
        "#",
        "No.",
        "item",
        "rank",
    ],
]


def test_a_damaged_workbook_is_read_or_refused_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "SECONDS", 2.0)  # some of them never end
    path = tmp_path / "book.xls"
    book = (Path(__file__).parents[1] / "data" / "books" / "schools.xls").read_bytes()
    n_read = 0
    for case, rng in cases(CASES // 20):  # each in a process of its own
        path.write_bytes(damage(rng, book))
        n_read += refuse_or_read(case, read_table, path, item="School", target="Rank") is not None
    assert ONLY or n_read < CASES


# PrefLib


def test_preflib_orders_written_in_any_odd_way_come_back_equal(tmp_path):
    path = tmp_path / "vote.toi"
    for case, rng in cases():
        lines, names, orders, counts = make_votes(rng)
        path.write_bytes(encode(rng, pick(rng, NEWLINES).join(lines)))
        vote = read_preflib(path)
        assert list(vote.items) == names, case
        listed = [
            [list(p) if isinstance(p, tuple) else [p] for p in order] for order in vote.orders
        ]
        assert listed == orders, case
        assert vote.counts.tolist() == counts, case


def test_damaged_preflib_files_are_read_or_refused_in_words(tmp_path):
    for case, rng in cases():
        path = tmp_path / pick(rng, ["vote.toi", "vote.soc"])
        path.write_bytes(damage(rng, encode(rng, "\n".join(make_votes(rng)[0]))))
        vote = refuse_or_read(case, read_preflib, path)
        assert vote is None or (vote.counts >= 0).all(), case


# Changes


def test_damaged_files_of_changes_are_read_or_refused_in_words(tmp_path):
    path = tmp_path / "changes.toml"
    for case, rng in cases():
        path.write_bytes(damage(rng, CHANGES.encode()))
        for reader in (read_changes, read_conflicts, read_conditions):
            refuse_or_read(case, reader, path)
