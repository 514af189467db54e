"""Tables, votes and changes that are valid but odd, for the fuzzers of what reads them."""

import csv
import io
from decimal import Decimal

import numpy as np

from fuzz.odd_files import NEWLINES, NOT_LINE_ENDS, chance, encode, pick
from rankwright.data.numerals import MISSING

__all__ = ["CHANGES", "make_table", "make_votes", "write_table"]

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
