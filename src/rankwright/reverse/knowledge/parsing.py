"""Constraints on weights as people write them: ``income <= 5%``, ``a + b = 60%``, ``a >= b``."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from rankwright.data.textfile import read_text
from rankwright.reverse.knowledge.requirement import AtMost, Requirement

__all__ = ["parse_requirements", "read_requirements"]

RELATION = re.compile(r"(<=|>=|==|=|<|>|≤|≥)")
NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
AT_MOST = re.compile(r"at\s+most\s+(\d+)\s+factors?", re.IGNORECASE)
SAME = {"==": "=", "≤": "<=", "≥": ">="}
LOOSE = {"<": "<=", ">": ">="}
EXAMPLES = "'a <= 5%', 'a >= b', 'a + b = 60%', 'a = 40% of (a + b)', 'at most 3 factors'"


def parse_requirements(texts: Iterable[str], names: Sequence[str]) -> list[Requirement | AtMost]:
    """Read constraints on the weights of named factors.

    Percentages are of the sum of all weights on the factors' own scale, or of what follows ``of``.
    ``share(a)`` speaks of weight times range instead of weight. A chain, such as ``a >= b >= c``,
    is an order of importance. Weights count by their size, whichever way the factor counts.

    Parameters
    ----------
    texts : iterable of str
    names : list of str
        The factors. Those with signs in their names may stand in quotes or backticks.

    Examples
    --------
    >>> from rankwright.reverse.knowledge import parse_requirements
    >>> known = parse_requirements(["10% <= air <= 20%", "at most 2 factors"], ["air", "water"])
    >>> [(one.text, str(getattr(one, "percent", one))[:3]) for one in known[:2]]
    [('10% <= air', '10'), ('air <= 20%', '-20')]
    """
    found: list[Requirement | AtMost] = []
    for text in texts:
        if at_most := AT_MOST.fullmatch(text.strip()):
            found.append(AtMost(text, int(at_most[1])))
        else:
            found += _parse_chain(text, names)
    return found


def read_requirements(path: str | Path) -> list[str]:
    """Read a TOML file with a list ``require`` and a table ``sets`` of named sums of factors.

    A set's name stands for the sum of its factors, which is written in its place.
    """
    text, _ = read_text(path)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of too many digits is among them
        raise ValueError(f"{path} is not a TOML file: {error}") from error
    unknown = sorted(content.keys() - {"require", "sets"})
    if unknown:
        raise ValueError(f"{path} has {unknown}; it may have a list 'require' and a table 'sets'")
    if "require" not in content:
        raise ValueError(f"{path} has no list 'require'; write it above the table [sets]")
    require, sets = content["require"], content.get("sets", {})
    if not isinstance(require, list) or not isinstance(sets, dict):
        raise ValueError(f"{path}: 'require' must be a list of texts, and 'sets' a table of lists")
    for title, members in sets.items():
        if not isinstance(members, list) or not members or not all(map(_is_text, members)):
            raise ValueError(f"{path}: the set {title!r} is {members!r}; list factors in it")
    for title in sets.keys() & {member for members in sets.values() for member in members}:
        raise ValueError(
            f"{path}: {title!r} is a set and a factor of one; give the set another name"
        )
    if not all(map(_is_text, require)):
        raise ValueError(f"{path}: 'require' has {require!r}; write texts such as {EXAMPLES}")
    sums = {title: "(" + " + ".join(f"`{n}`" for n in sets[title]) + ")" for title in sets}
    if not sums:
        return require
    titles = "|".join(re.escape(title) for title in sorted(sums, key=len, reverse=True))
    titled = re.compile(rf"(?<![\w`'\"])({titles})(?![\w`'\"])")
    return [titled.sub(lambda match: sums[match[1]], text) for text in require]


def _as_percent(number: Fraction) -> str:
    """Write a number without unit as the percentage that is likely meant: 0.05 is a share."""
    return f"{float(100 * number if number <= 1 else number):g}%"


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


@dataclass
class _Side:
    """What stands on one side of a relation: multiples of factors, and percent of all."""

    factors: dict[str, Fraction] = field(default_factory=dict)
    percent: Fraction = Fraction(0)
    in_shares: set[bool] = field(default_factory=set)


def _parse_chain(text: str, names: Sequence[str]) -> list[Requirement]:
    """Return one requirement for each relation of a chain."""
    parts = _split(text, names)
    if len(parts) < 3:
        raise ValueError(f"{text!r} has no <=, >= or =; write constraints such as {EXAMPLES}")
    sides = [_Reader(part, text, names).read() for part in parts[::2]]
    return [
        _relate(text if len(sides) == 2 else f"{a.strip()} {sign} {b.strip()}", one, sign, other)
        for (a, b), (one, other), sign in zip(
            pairwise(parts[::2]), pairwise(sides), parts[1::2], strict=True
        )
    ]


def _split(text: str, names: Sequence[str]) -> list[str]:
    """Split at relations, but not inside the name of a factor that has one."""
    masked = text
    for name in sorted(names, key=len, reverse=True):
        if RELATION.search(name):
            masked = masked.replace(name, "\0" * len(name))
    parts, begin = [], 0
    for match in RELATION.finditer(masked):
        sign = SAME.get(match[0], match[0])
        if sign in LOOSE:
            raise ValueError(
                f"{text!r} has {sign!r}, but weights can come as close as they like; write "
                f"{LOOSE[sign]!r}"
            )
        parts += [text[begin : match.start()], sign]
        begin = match.end()
    return [*parts, text[begin:]]


def _relate(text: str, one: _Side, sign: str, other: _Side) -> Requirement:
    if sign == "<=":
        one, other = other, one
    units = one.in_shares | other.in_shares
    if len(units) > 1:
        raise ValueError(f"{text!r} compares weights with shares; write share() around all or none")
    names = dict.fromkeys([*one.factors, *other.factors])
    zero = Fraction(0)
    differences = ((n, one.factors.get(n, zero) - other.factors.get(n, zero)) for n in names)
    return Requirement(
        text=text.strip(),
        coefficients=tuple((name, value) for name, value in differences if value),
        percent=other.percent - one.percent,
        is_equation=sign == "=",
        in_shares=True in units,
    )


class _Reader:
    """Reads one side of a relation from left to right."""

    def __init__(self, side: str, text: str, names: Sequence[str]) -> None:
        self.rest, self.text = side.strip(), text
        self.names = sorted(names, key=len, reverse=True)

    def read(self) -> _Side:
        """Return the sum that the side is."""
        side = _Side()
        sign = self._take_sign(first=True)
        while True:
            self._read_item(side, sign)
            if not self.rest:
                return side
            sign = self._take_sign(first=False)

    def _take_sign(self, *, first: bool) -> int:
        if self._take("+"):
            return 1
        if self._take("-") or self._take("−"):
            return -1
        if first:
            return 1
        raise self._error(f"{self.rest!r} is not understood")

    def _read_item(self, side: _Side, sign: int) -> None:
        factor = Fraction(sign)
        number = None if self._name() else NUMBER.match(self.rest)
        if number:
            factor *= Fraction(number[0])
            self.rest = self.rest[number.end() :].lstrip()
            if self._take("%"):
                if re.match(r"of\b", self.rest):
                    self.rest = self.rest[2:].lstrip()
                    self._read_sum(side, factor / 100)
                else:
                    side.percent += factor
                return
            self._take("*")
            if not self.rest or self.rest[0] in "+-":
                if factor:
                    percent = _as_percent(Fraction(number[0]))
                    raise self._error(f"{number[0]} of what? Write {percent} or name a factor")
                return
        self._read_sum(side, factor)

    def _read_sum(self, side: _Side, factor: Fraction) -> None:
        """Read a factor, or a sum in parentheses."""
        if not self._take("("):
            self._read_term(side, factor)
            return
        self._read_term(side, factor)
        while self._take("+"):
            self._read_term(side, factor)
        if not self._take(")"):
            raise self._error("a parenthesis is not closed")

    def _read_term(self, side: _Side, factor: Fraction) -> None:
        in_shares = self._name() is None and bool(re.match(r"share\s*\(", self.rest))
        if in_shares:
            self.rest = self.rest[self.rest.index("(") + 1 :].lstrip()
        name = self._name()
        if name is None:
            known = ", ".join(map(repr, self.names))
            raise self._error(f"{self.rest!r} names no factor; the factors are {known}")
        self.rest = self.rest[len(name[1]) :].lstrip()
        if in_shares and not self._take(")"):
            raise self._error("share( is not closed")
        side.factors[name[0]] = side.factors.get(name[0], Fraction(0)) + factor
        side.in_shares.add(in_shares)

    def _name(self) -> tuple[str, str] | None:
        """Return the longest name that the rest begins with, and how it is written there."""
        for name in self.names:
            for written in (name, f"'{name}'", f'"{name}"', f"`{name}`"):
                if self.rest.startswith(written):
                    after = self.rest[len(written) : len(written) + 1]
                    if not (written[-1:].isalnum() and (after.isalnum() or after == "_")):
                        return name, written
        return None

    def _take(self, sign: str) -> bool:
        if not self.rest.startswith(sign):
            return False
        self.rest = self.rest[len(sign) :].lstrip()
        return True

    def _error(self, what: str) -> ValueError:
        return ValueError(f"in the constraint {self.text!r}, {what}")
