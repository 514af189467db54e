"""What all plots share: colours that everyone can tell apart, and quiet axes."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Any

from matplotlib import pyplot
from matplotlib.axes import Axes

from rankwright.explanation import one_line
from rankwright.palette import LIGHT

__all__ = [
    "ACCENT",
    "AMBER",
    "COLOURS",
    "CONTRAST",
    "GREEN",
    "GRID",
    "HATCHES",
    "INK",
    "LINES",
    "MARKERS",
    "MUTED",
    "NAME",
    "SERIES",
    "TEXT",
    "add_legend",
    "dress",
    "folded",
    "shortened",
]

# By the names under which a page may replace them, for a dark background perhaps.
COLOURS = LIGHT
ACCENT, CONTRAST, GREEN = LIGHT["accent"], LIGHT["contrast"], LIGHT["green"]
AMBER, SKY, PINK = LIGHT["amber"], LIGHT["sky"], LIGHT["pink"]
INK, MUTED, GRID = LIGHT["ink"], LIGHT["muted"], LIGHT["grid"]
# How all texts are written that may hold the user's words: a dollar sign in them is no formula.
TEXT: dict[str, Any] = {"parse_math": False}
NAME: dict[str, Any] = {"color": INK, **TEXT}
SERIES = (ACCENT, CONTRAST, GREEN, AMBER, PINK, SKY)
# What tells series apart where there is no colour, on paper and to many eyes.
LINES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1)), (0, (8, 2)), (0, (6, 2, 1, 2, 1, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "///", "...", "xxx", "---", "ooo")


def dress(
    ax: Axes | None,
    *,
    size: tuple[float, float] = (6.4, 4.2),
    title: str | None = None,
    x: str | None = None,
    y: str | None = None,
    grid: str | None = None,
) -> Axes:
    """Return the axes, new ones unless given, with labels, a light grid and no needless frame."""
    if ax is None:
        ax = pyplot.subplots(figsize=size, layout="constrained")[1]
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        ax.spines[side].set_color(MUTED)
    ax.tick_params(colors=INK, length=3)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(axis=grid, color=GRID, linewidth=0.8)  # type: ignore[arg-type]
    if title:
        ax.set_title(one_line(title), loc="left", fontsize=11, **NAME)
    if x:
        ax.set_xlabel(one_line(x), **NAME)
    if y:
        ax.set_ylabel(one_line(y), **NAME)
    return ax


def shortened(text: object, longest: int) -> str:
    """Return a name in one line of so many letters at most; long ones often differ at the end."""
    line = one_line(text)
    tail = longest // 3
    return line if len(line) <= longest else f"{line[: longest - tail - 1]}…{line[-tail:]}"


def folded(text: object, width: int) -> str:
    """Return a name in as many lines as it needs, at most so many letters wide."""
    return "\n".join(wrap(one_line(text), width)) or str(text)


def add_legend(ax: Axes, entries: Iterable[tuple[Any, object]], **options: Any) -> None:
    """Name what is drawn; unlike matplotlib's, a name may begin with an underscore.

    ``entries`` are pairs of an artist and its name.
    """
    listed = list(entries)
    placed = ax.legend([artist for artist, _ in listed], ["x"] * len(listed), **options)
    for shown, (_, name) in zip(placed.get_texts(), listed, strict=True):
        shown.set(text=one_line(name), **TEXT)
