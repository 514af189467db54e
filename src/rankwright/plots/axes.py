"""What all plots share: colours that everyone can tell apart, and quiet axes."""

from typing import Any

from matplotlib import pyplot
from matplotlib.axes import Axes

from rankwright.explanation import one_line

__all__ = [
    "ACCENT",
    "AMBER",
    "COLOURS",
    "CONTRAST",
    "GREEN",
    "GRID",
    "INK",
    "MUTED",
    "NAME",
    "SERIES",
    "dress",
    "shortened",
]

# Okabe and Ito's colours, which stay apart for colour-blind eyes and in grey.
ACCENT = "#0072b2"
CONTRAST = "#d55e00"
GREEN = "#009e73"
AMBER = "#e69f00"
SKY = "#56b4e9"
PINK = "#cc79a7"
INK = "#222831"
MUTED = "#6b7280"
GRID = "#d9dde3"
# How names from the user's data are written: a dollar sign in them is no formula.
NAME: dict[str, Any] = {"color": INK, "parse_math": False}
SERIES = (ACCENT, CONTRAST, GREEN, AMBER, PINK, SKY)
# By the names under which a page may replace them, for a dark background perhaps.
COLOURS = {
    "accent": ACCENT,
    "contrast": CONTRAST,
    "green": GREEN,
    "amber": AMBER,
    "sky": SKY,
    "pink": PINK,
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
}


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
        ax.set_title(title, loc="left", fontsize=11, **NAME)
    if x:
        ax.set_xlabel(x, color=INK)
    if y:
        ax.set_ylabel(y, color=INK)
    return ax


def shortened(text: object, longest: int) -> str:
    """Return a name in one line of so many letters at most."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
