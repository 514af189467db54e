"""Orders of voters from PrefLib files, with ties and with items left unranked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rankwright.data.textfile import lines_of, read_text

__all__ = ["VoterOrders", "read_preflib"]

Order = tuple[int | tuple[int, ...], ...]
Lines = list[tuple[int, str]]  # line number and content, blank lines left out

KINDS = ("soc", "soi", "toc", "toi")  # strict or with ties, complete or incomplete
# An order without its spaces. Braces may hold nothing: a grade that a voter gave to no alternative.
# Groups that give nothing back match too much before Python 3.11.5, so digits alone are such.
PLACE = r"(?:\d++|\{(?:\d++(?:,\d++)*)?\})"
ORDER = re.compile(rf"{PLACE}(?:,{PLACE})*", re.ASCII)
TIED = re.compile(r"\{([^}]*)\}|(\d+)", re.ASCII)
DIGITS = re.compile(r"\d+", re.ASCII)
SPLIT_NUMBER = re.compile(r"[0-9]\s++[0-9]")
LARGEST_COUNT = 2**63 - 1


@dataclass(frozen=True, eq=False)
class VoterOrders:
    """Hold the orders that voters gave, each with the number of voters who gave it.

    Parameters
    ----------
    items : tuple of str
        The alternatives' names.
    orders : tuple of tuples
        Each order, best first: row numbers of `items`, tied ones as an inner tuple.
    counts : array of shape (n_orders,)
        How many voters gave each order.

    Examples
    --------
    Four voters prefer Bob and are indifferent between the others:

    >>> import numpy as np
    >>> import rankwright as rw
    >>> vote = rw.VoterOrders(("Ann", "Bob", "Cy"), ((1, (0, 2)),), np.array([4]))
    >>> rw.Rankings(np.eye(3), vote.orders).to_rows()[1].tolist()
    [1, 0, 0]
    """

    items: tuple[str, ...]
    orders: tuple[Order, ...]
    counts: NDArray[np.int64]

    def named(self) -> list[list[str | list[str]]]:
        """Return the orders with the items' names, tied ones as inner lists.

        Returns
        -------
        list of lists
        """
        return [
            [
                [self.items[row] for row in place]
                if isinstance(place, tuple)
                else self.items[place]
                for place in order
            ]
            for order in self.orders
        ]


def read_preflib(path: str | PathLike[str]) -> VoterOrders:
    r"""Read a PrefLib file of orders: ``.soc``, ``.soi``, ``.toc`` or ``.toi``.

    Both the format with ``#`` headers and the older one that begins with a number are understood;
    the numbers in the header have to agree with the orders below it.

    Parameters
    ----------
    path : path
        The file; its ending says whether ties and incomplete orders may occur.

    Returns
    -------
    VoterOrders
        With ``items``, ``orders`` and ``counts``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import rankwright as rw
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "vote.toi")
    ...     _ = path.write_text("3\n1,Ann\n2,Bob\n3,Cy\n5,5,2\n4,2,{1,3}\n1,3\n")
    ...     vote = rw.read_preflib(path)
    >>> vote.items
    ('Ann', 'Bob', 'Cy')
    >>> vote.orders
    ((1, (0, 2)), (2,))
    >>> vote.counts.tolist()
    [4, 1]
    """
    name = Path(path).name
    text, _ = read_text(path)
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise ValueError(
            f"{name}: files of orders end in {', '.join('.' + kind for kind in KINDS)}"
        )
    lines = [(i, line.strip()) for i, line in enumerate(lines_of(text), 1) if line.strip()]
    header, names, ballots = (_modern if lines[0][1].startswith("#") else _older)(lines, name)
    rows = {number: row for row, number in enumerate(names)}
    n_voters = sum(count for _, count, _ in ballots)
    if n_voters > LARGEST_COUNT:
        raise ValueError(
            f"{name}: its orders have {n_voters} voters, more than {LARGEST_COUNT}; "
            "divide the counts by a common factor"
        )
    orders = tuple(_order(text, rows, kind, f"{name}, line {line}") for line, _, text in ballots)
    found = {"alternatives": len(names), "voters": n_voters, "orders": len(orders)}
    for what, number in found.items():
        if header.get(what, number) != number:
            raise ValueError(
                f"{name}: the header says {header[what]} {what}, the file has {number}"
            )
    counts = np.array([count for _, count, _ in ballots], dtype=np.int64)
    return VoterOrders(tuple(names.values()), orders, counts)


Parts = tuple[Mapping[str, int], dict[int, str], list[tuple[int, int, str]]]

HEADERS = {
    "number alternatives": "alternatives",
    "number voters": "voters",
    "number unique orders": "orders",
}


def _modern(lines: Lines, name: str) -> Parts:
    """Take apart ``# KEY: value`` headers and ``count: order`` lines."""
    header: dict[str, int] = {}
    names: dict[int, str] = {}
    for number, line in lines:
        key, _, value = line.removeprefix("#").partition(":")
        key = key.strip().casefold()
        if not line.startswith("#"):
            continue
        if key in HEADERS:
            header[HEADERS[key]] = _whole(value, f"{name}, line {number}")
        elif key.startswith("alternative name"):
            _add_name(names, key.removeprefix("alternative name"), value, f"{name}, line {number}")
    ballots = [(i, line) for i, line in lines if not line.startswith("#")]
    return header, names, _ballots(ballots, ":", name)


def _older(lines: Lines, name: str) -> Parts:
    """Take apart a number of items, their names, three totals, and ``count,order`` lines."""
    n_items = _whole(lines[0][1], f"{name}, line {lines[0][0]}")
    named, rest = lines[1 : n_items + 1], lines[n_items + 1 :]
    if len(named) < n_items or not rest:
        raise ValueError(
            f"{name}: the header says {n_items} alternatives, but the file ends sooner"
        )
    names: dict[int, str] = {}
    for number, line in named:
        alternative, _, label = line.partition(",")
        _add_name(names, alternative, label, f"{name}, line {number}")
    line_number, totals = rest[0]
    place = f"{name}, line {line_number}"
    numbers = [_whole(part, place) for part in totals.split(",")]
    if len(numbers) != 3:
        raise ValueError(f"{place}: expected three totals after the names, found {totals!r}")
    # The totals: ballots cast, the sum of the counts below, the number of different orders.
    header = {"alternatives": n_items, "voters": numbers[1], "orders": numbers[2]}
    return header, names, _ballots(rest[1:], ",", name)


def _add_name(names: dict[int, str], number: str, label: str, place: str) -> None:
    alternative = _whole(number, place)
    if alternative in names:
        raise ValueError(
            f"{place}: alternative {alternative} is {label.strip()!r} here and "
            f"{names[alternative]!r} before; give each its own number"
        )
    names[alternative] = label.strip()


def _ballots(lines: Lines, after_count: str, name: str) -> list[tuple[int, int, str]]:
    ballots = []
    for number, line in lines:
        count, _, order = line.partition(after_count)
        ballots.append((number, _whole(count, f"{name}, line {number}"), order))
    if not ballots:
        raise ValueError(f"{name} holds no orders")
    return ballots


def _whole(text: str, place: str) -> int:
    digits = text.strip()
    if DIGITS.fullmatch(digits) is None:
        raise ValueError(f"{place}: expected a whole number, found {digits[:60]!r}")
    digits = digits.lstrip("0") or "0"
    if len(digits) > 19 or int(digits) > LARGEST_COUNT:
        raise ValueError(f"{place}: {digits[:24]} is larger than {LARGEST_COUNT}; correct it")
    return int(digits)


def _order(text: str, rows: Mapping[int, int], kind: str, place: str) -> Order:
    """Read ``2,{1,3}`` as row numbers and check it against the kind of file."""
    if not text.strip():
        raise ValueError(f"{place}: the order is empty; write numbers such as 2,{{1,3}}")
    # Spaces may stand anywhere but inside a number.
    if SPLIT_NUMBER.search(text) or ORDER.fullmatch(bare := "".join(text.split())) is None:
        raise ValueError(
            f"{place}: expected numbers and braces such as 2,{{1,3}}, found {text.strip()[:200]!r}"
        )
    places = [_rows(tied or one, rows, place) for tied, one in TIED.findall(bare)]
    places = [tied for tied in places if tied]
    ranked = [row for tied in places for row in tied]
    if not ranked:
        raise ValueError(f"{place}: the order ranks nothing; leave the line out")
    if len(set(ranked)) < len(ranked):
        raise ValueError(f"{place}: an alternative occurs twice in {text.strip()[:200]!r}")
    if kind.startswith("s") and any(len(tied) > 1 for tied in places):
        raise ValueError(f"{place}: a tie in a file of strict orders (.{kind})")
    if kind.endswith("c") and len(ranked) < len(rows):
        raise ValueError(
            f"{place}: {len(ranked)} of {len(rows)} ranked in complete orders (.{kind})"
        )
    return tuple(tied[0] if len(tied) == 1 else tied for tied in places)


def _rows(numbers: str, rows: Mapping[int, int], place: str) -> tuple[int, ...]:
    found = []
    for number in numbers.split(",") if numbers else []:
        row = rows.get(int(number)) if len(number) < 20 else None
        if row is None:
            raise ValueError(f"{place}: there is no alternative {number[:24]}")
        found.append(row)
    return tuple(found)
