"""Files that are valid but odd come back as what was written; damaged ones are refused in words.

Every case makes values, writes them in some odd way and reads them: all values must be equal, no
row may be missing, and what the file leaves in doubt must be said. Then the bytes are damaged: the
reader returns something or raises ValueError, and does not hang.

``RANKWRIGHT_FUZZ_CASES`` sets the cases of each test (300 by default; 1,000,000 take hours),
``RANKWRIGHT_FUZZ_SEED`` their seed (0). A failure names its case; alone it is repeated by
``RANKWRIGHT_FUZZ_ONLY=17 pytest tests/fuzz/test_tables.py``.
"""

import csv
import faulthandler
import io
import os
import warnings
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from rankwright.data import (
    guess_columns,
    read_items,
    read_preflib,
    read_svmlight,
    read_table,
    workbooks,
)
from rankwright.data.numerals import MISSING
from rankwright.improve import read_changes, read_conflicts
from rankwright.improve.files import read_conditions

CASES = int(os.environ.get("RANKWRIGHT_FUZZ_CASES", "300"))
SEED = int(os.environ.get("RANKWRIGHT_FUZZ_SEED", "0"))
ONLY = os.environ.get("RANKWRIGHT_FUZZ_ONLY")
SECONDS_FOR_A_CASE = 60

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
NEWLINES = ["\n", "\r\n", "\r"]
LETTERS = list("abcxyzÄéßØ0123456789 ,;|'\"-%.:#{}()/")
NOT_LINE_ENDS = ["\x85", "\u2028", "\x0b", "\x0c"]  # for str.splitlines they are
WAYS = ["{}", "{}", "={}", "T-{}", "T{}", "#{}", "No. {}", "{}.", "{}=", "{} (tie)", "{}*"]


def cases(number=CASES):
    """Return a generator for each case, and end the run when one hangs."""
    for case in [int(ONLY)] if ONLY else range(number):
        faulthandler.dump_traceback_later(SECONDS_FOR_A_CASE, exit=True)
        yield case, np.random.default_rng([SEED, case])
    faulthandler.cancel_dump_traceback_later()


def chance(rng, probability):
    return bool(rng.random() < probability)


def pick(rng, values):
    return values[int(rng.integers(len(values)))]


def encode(rng, text):
    encodings = [e for e in ENCODINGS if e != "cp1252" or _fits_cp1252(text)]
    return text.encode(pick(rng, encodings))


def _fits_cp1252(text):
    try:
        # Bytes above 127 have to be there, and may not happen to be UTF-8.
        return not text.isascii() and "\x85" not in text and not _is_utf8(text.encode("cp1252"))
    except UnicodeEncodeError:
        return False


def _is_utf8(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


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


# Damage

TOKENS = [
    *["\0", "\x1a", "\ufeff", '"', '""', "'", "\t", "\n", "\r", ";", ",", ",,,,", "|", ":", "#"],
    *["{", "}", "{}", "-", "--", "%", "€", "NaN", "inf", "1e999", "1e-300", "1e-9999999", "0x1f"],
    *["1_000", "\u0663", "9" * 20, "9" * 5000, "-1", "1e308", "qid:", "qid:x", "1:", ":1", " "],
    *[" " * 100_000, "1," * 30_000, "{" * 30_000, '"' * 30_001, "x" * 200_000, *NOT_LINE_ENDS],
    *["=1+1", "<html>", "sep=;", "TRUE", "Total", "None", "[[", "]]", "changes = 3\n", "\\"],
]


def damage(rng, data):
    """Damage bytes in a few places."""
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(data) + 1))
        end = at + int(rng.integers(0, 30))
        match int(rng.integers(6)):
            case 0:
                data = (
                    data[:at] + bytes(rng.integers(0, 256, end - at, dtype=np.uint8)) + data[end:]
                )
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:at] + data[at:end] * int(rng.integers(2, 20)) + data[end:]
            case 3:
                data = data[:at]
            case _:
                data = data[:at] + pick(rng, TOKENS).encode() + data[at:]
    return data


def refuse_or_read(case, reader, path, **options):
    """Read a damaged file; return None where it is refused by a ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return reader(path, **options)
        except ValueError:
            return None
        except Exception as error:  # what the reader must not raise
            kept = path.with_name(f"case {case}{path.suffix}")
            kept.write_bytes(path.read_bytes())
            pytest.fail(f"case {case}: {type(error).__name__}: {error}; the file is {kept}")


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


# svmlight and LETOR


def write_number(rng, tenths):
    return pick(
        rng, [f"{tenths / 10}", f"{tenths}e-1", f"{tenths / 10:+.3f}", f"{tenths / 10:.1f}"]
    )


def make_rows(rng):
    """Return lines of svmlight, and the dense features, grades and queries in them."""
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 7))
    dense = rng.integers(-99, 99, (n, d)) * (rng.random((n, d)) < 0.7)
    grades, queries = rng.integers(0, 5, n), np.sort(rng.integers(0, 10**18, n))
    lines = []
    for row, grade, query in zip(dense, grades, queries, strict=True):
        words = [write_number(rng, 10 * grade), f"qid:{query}"]
        words += [
            f"{pick(rng, ['', '0', '00'])}{j}:{write_number(rng, value)}"
            for j, value in enumerate(row, start=1)
            if value or chance(rng, 0.2)
        ]
        gap = pick(rng, [" ", "  ", "\t", " " * 500])
        comment = pick(rng, ["", " # doc 1:2 qid:9", "#", f" # a{pick(rng, NOT_LINE_ENDS)}b"])
        lines.append(pick(rng, ["", " ", "\t"]) + gap.join(words) + comment)
        lines += [""] * chance(rng, 0.1) + ["# 1 qid:3 1:2"] * chance(rng, 0.1)
    return lines, dense / 10, grades, queries


def test_svmlight_rows_written_in_any_odd_way_come_back_equal(tmp_path):
    path = tmp_path / "rows.txt"
    for case, rng in cases():
        lines, dense, grades, queries = make_rows(rng)
        path.write_bytes(encode(rng, pick(rng, NEWLINES).join(lines)))
        X, y, groups = read_svmlight(path, n_features=dense.shape[1], zero_based=False)
        np.testing.assert_array_equal(X.toarray(), dense, err_msg=str(case))
        np.testing.assert_array_equal(y, grades, err_msg=str(case))
        np.testing.assert_array_equal(groups, queries, err_msg=str(case))


def make_letor(rng):
    """Return lines as the LETOR collections write them: every feature, and a document behind."""
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 47))
    dense = rng.integers(0, 10**6, (n, d)) / 10**6 * (rng.random((n, d)) < 0.8)
    grades, queries = rng.integers(0, 3, n), np.sort(rng.integers(1, 20_000, n))
    lines = []
    for row, grade, query in zip(dense, grades, queries, strict=True):
        features = " ".join(f"{j}:{value:.6f}" for j, value in enumerate(row, start=1))
        behind = pick(rng, DOCUMENTS).format(int(rng.integers(10**6)))
        lines.append(f"{grade} qid:{query} {features}{pick(rng, ['', ' '])}{behind}")
    return lines, dense, grades, queries


DOCUMENTS = [
    "",
    "#docid = GX{:03d}-00-0000000 inc = 1 prob = 0.0246906",
    "#docid = {} inc = 0.00213 prob = 1 2:3 qid:7",
    "# {}",
]


def test_letor_lines_come_back_equal(tmp_path):
    path = tmp_path / "Fold1 train.txt"
    for case, rng in cases():
        lines, dense, grades, queries = make_letor(rng)
        newline = pick(rng, NEWLINES)
        path.write_bytes(encode(rng, newline.join(lines) + pick(rng, ["", newline])))
        X, y, groups = read_svmlight(path)
        width = X.shape[1]  # trailing columns of zeros may be missing when nothing tells of them
        np.testing.assert_array_equal(X.toarray(), dense[:, :width], err_msg=str(case))
        assert not dense[:, width:].any(), case
        np.testing.assert_array_equal(y, grades, err_msg=str(case))
        np.testing.assert_array_equal(groups, queries, err_msg=str(case))


def test_damaged_letor_lines_are_read_or_refused_in_words(tmp_path):
    path = tmp_path / "Fold1 train.txt"
    for case, rng in cases():
        lines, *_ = make_letor(rng)
        path.write_bytes(damage(rng, encode(rng, "\n".join(lines))))
        refuse_or_read(case, read_svmlight, path)


def test_damaged_svmlight_rows_are_read_or_refused_in_words(tmp_path):
    path, sizes = tmp_path / "rows.txt", tmp_path / "rows.query"
    for case, rng in cases():
        lines, dense, *_ = make_rows(rng)
        path.write_bytes(damage(rng, encode(rng, "\n".join(lines))))
        refuse_or_read(case, read_svmlight, path)
        path.write_text("\n".join("1 1:2" for _ in dense))
        sizes.write_bytes(damage(rng, str(len(dense)).encode()))
        refuse_or_read(case, read_svmlight, path, query_sizes=sizes)


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
