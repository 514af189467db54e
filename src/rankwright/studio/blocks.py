"""What a page shows, as plain values: jobs make them, pages draw them, files keep them.

A chart is a drawing of its table: it has no numbers of its own.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Block", "Cell", "Chart", "Drawing", "Grid", "Section", "Tone", "Words"]

Cell = str | float | int | bool | None


class Tone(StrEnum):
    """How sentences are meant."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"


class Drawing(StrEnum):
    """The kinds of charts."""

    WEIGHTS = "weights"
    SLOPE = "slope"
    PROGRESS = "progress"
    FRONTIER = "frontier"
    POINTS = "points"
    INTERVALS = "intervals"
    SCORES = "scores"
    PLACES = "places"


@dataclass(frozen=True)
class Words:
    """Sentences."""

    sentences: tuple[str, ...]
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True)
class Grid:
    """A table: its title, the names of its columns, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Chart:
    """A drawing of a table."""

    drawing: Drawing
    grid: Grid


Block = Words | Grid | Chart


@dataclass(frozen=True)
class Section:
    """A part of a page under its title; a folded one is opened by its reader."""

    title: str
    blocks: tuple[Block, ...]
    folded: bool = False
