"""Files that are valid but odd come back as what was written; damaged ones are refused in words.

Every case makes values, writes them in some odd way and reads them: all values must be equal, no
row may be missing, and what the file leaves in doubt must be said. Then the bytes are damaged: the
reader returns something or raises ValueError, and does not hang. How to run more cases, or one,
stands in ``odd_files``.
"""

import csv
import io
from decimal import Decimal
from pathlib import Path

import numpy as np

from fuzz.odd_files import (
    CASES,
    NEWLINES,
    NOT_LINE_ENDS,
    ONLY,
    cases,
    chance,
    damage,
    encode,
    pick,
    refuse_or_read,
)
from rankwright.data import guess_columns, read_items, read_preflib, read_table, workbooks
from rankwright.data.numerals import MISSING
from rankwright.improve import read_changes, read_conflicts
from rankwright.improve.files import read_conditions

LETTERS = list("abcxyzÄéßØ0123456789 ,;|'\"-%.:#{}()/")
WAYS = ["{}", "{}", "={}", "T-{}", "T{}", "#{}", "No. {}", "{}.", "{}=", "{} (tie)", "{}*"]


def make_name(rng, used):
    while True:
        letters = "".join(pick(rng, LETTERS) for _ in range(rng.integers(0, 8)))
        name = f"n{letters}".strip()
        if name not in used:
            used.add(name)
            return name


# Tables


class Column:
    """Numbers and how they are written: all that has to come back."""

    def __init__(self, rng, n, marks):
        self.decimal, self.grouping = marks
        self.style = pick(rng, ["plain", "plain", "percent", "before", "after", "exponent"])
        self.digits = int(rng.integers(0, 5))
        self.gap = pick(rng, ["", " ", "\u00a0", "\u202f"])
        size = pick(rng, [10, 10**3, 10**5, 10**5, 10**7, 10**11])
        # Five digits alone, of which three follow a mark, may leave the mark in doubt.
        units = rng.integers(pick(rng, [0, size // 10]), size, n) * rng.choice([-1, 1], n)
        self.numbers = [Decimal(int(u)).scaleb(-self.digits) for u in units]
        self.missing = rng.random(n) < pick(rng, [0, 0, 0.2])
        self.missing[0] = False
        self.currency = pick(rng, ["$", "€", "£", "¥"])
        self.minus = pick(rng, ["-", "\N{MINUS SIGN}"])
        self.texts = [
            pick(rng, sorted(MISSING)) if gone else self.write(number, chance(rng, 0.1))
            for number, gone in zip(self.numbers, self.missing, strict=True)
        ]

    def write(self, number, plus):
        text = f"{abs(number):,f}" if self.grouping else f"{abs(number):f}"
        text = text.replace(",", "g").replace(".", self.decimal).replace("g", self.grouping)
        sign = self.minus if number < 0 else "+" if plus else ""
        return {
            "plain": f"{sign}{text}",
            "percent": f"{sign}{text}{self.gap}%",
            "before": f"{sign}{self.currency}{text}",
            "after": f"{sign}{text}{self.gap}{self.currency}",
            "exponent": f"{sign}{text}e0" if not self.grouping else f"{sign}{text}",
        }[self.style]

    def values(self):
        shift = 2 if self.style == "percent" else 0
        values = [float(number.scaleb(-shift)) for number in self.numbers]
        return np.where(self.missing, np.nan, values)


def make_table(rng):
    """Return the columns of a table, in the order of the file, and what reading it must give."""
    n = int(rng.integers(2, 12))
    used = set()
    header = [make_name(rng, used) for _ in range(int(rng.integers(1, 5)))]
    decimal = pick(rng, [".", ","])
    grouping = pick(rng, ["", "", " ", "\u00a0", "\u202f", "'", "." if decimal == "," else ","])
    factors = {name: Column(rng, n, (decimal, grouping)) for name in header}
    names = [make_name(rng, used) for _ in range(n)]
    ranks = rng.integers(1, n + 1, n)
    groups = [pick(rng, ["one", "two", "Ünter 3"]) for _ in range(n)]
    columns = {name: column.texts for name, column in factors.items()}
    printed = [pick(rng, WAYS).format(rank) for rank in ranks]
    columns |= {"item": names, "rank": printed, "group": groups}
    columns |= {"flag": [pick(rng, ["TRUE", "false"]) for _ in names], "words": ["some"] * n}
    order = rng.permutation(list(columns)).tolist()
    numbered = {"": [str(i) for i in range(n)]} if chance(rng, 0.2) else {}
    columns = numbered | {name: columns[name] for name in order}
    return columns, factors, names, ranks, groups


def write_table(rng, columns):
    """Write a table as some spreadsheet might."""
    separator = pick(rng, [",", ";", "\t", "|"])
    newline = pick(rng, NEWLINES)
    quoting = pick(rng, [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    padding = pick(rng, ["", "", " ", "   "]) if quoting == csv.QUOTE_MINIMAL else ""
    empty_columns = [""] * int(pick(rng, [0, 0, 1, 3]))
    ragged = chance(rng, 0.2)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator=newline, quoting=quoting)
    if chance(rng, 0.15):
        out.write(f"sep={separator}{newline}")
    elif chance(rng, 0.15):
        writer.writerow(["A title, with a comma", *[""] * (len(columns) - 1)])
    for row in [list(columns), *zip(*columns.values(), strict=True)]:
        if chance(rng, 0.1):
            out.write(newline)
        cells = [cell if '"' in cell else cell + padding for cell in [*row, *empty_columns]]
        while ragged and len(cells) > 1 and not cells[-1].strip():
            cells.pop()
        writer.writerow(cells)
    text = out.getvalue()
    if chance(rng, 0.2):
        text = text.removesuffix(newline)
    return encode(rng, text + newline * int(rng.integers(0, 3)))


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


def make_votes(rng):
    """Return the lines of a PrefLib file, and its names, orders and counts."""
    n = int(rng.integers(1, 8))
    used = set()
    names = [
        make_name(rng, used) + pick(rng, ["", pick(rng, NOT_LINE_ENDS) + "x"]) for _ in range(n)
    ]
    orders = []
    for _ in range(int(rng.integers(1, 6))):
        ranked = rng.permutation(n)[: int(rng.integers(1, n + 1))].tolist()
        places = []
        for row in ranked:
            if places and chance(rng, 0.3):
                places[-1].append(row)
            else:
                places.append([row])
        orders.append(places)
    counts = rng.integers(1, 10 ** int(rng.integers(1, 17)), len(orders)).tolist()
    first = int(rng.integers(0, 50))
    written = [", ".join(_write_place(rng, place, first) for place in order) for order in orders]
    if chance(rng, 0.5):
        lines = [f"# ALTERNATIVE NAME {first + i}: {name}" for i, name in enumerate(names)]
        lines += [f"# NUMBER VOTERS: {sum(counts)}", "# TITLE: some: thing", ""]
        lines += [f"{count}:{order}" for count, order in zip(counts, written, strict=True)]
    else:
        lines = [str(n), *(f"{first + i},{name}" for i, name in enumerate(names))]
        lines += [f"{sum(counts)},{sum(counts)},{len(orders)}"]
        lines += [f"{count},{order}" for count, order in zip(counts, written, strict=True)]
    return lines, names, orders, counts


def _write_place(rng, rows, first):
    gap = pick(rng, ["", " ", "\t", " " * 500])
    numbers = f",{gap}".join(str(first + row) for row in rows)
    nothing = pick(rng, ["", "", "{}, "])
    return nothing + (f"{{{gap}{numbers}{gap}}}" if len(rows) > 1 or chance(rng, 0.2) else numbers)


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

CHANGES = """conflicts = [["Polish", "Paint"]]
requires = [["Paint", "Polish"]]
[[changes]]
name = "Polish"
cost = 3.50
effects = {stars = 0.5, weight = -1}
[[changes]]
name = "Paint"
cost = 2
effects = {stars = 1}
"""


def test_damaged_files_of_changes_are_read_or_refused_in_words(tmp_path):
    path = tmp_path / "changes.toml"
    for case, rng in cases():
        path.write_bytes(damage(rng, CHANGES.encode()))
        for reader in (read_changes, read_conflicts, read_conditions):
            refuse_or_read(case, reader, path)
