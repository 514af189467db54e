"""Figures as files, and as drawings inside a page that follow its colours."""

import io
import re
import warnings
from pathlib import Path

from matplotlib import pyplot, rc_context
from matplotlib.axes import Axes

from rankwright.plots.axes import COLOURS

__all__ = ["figure_bytes", "inline_svg"]

# The same figure makes the same file, whenever it is written.
UNDATED = {"pdf": {"CreationDate": None}, "png": {"Software": None}, "svg": {"Date": None}}


def figure_bytes(ax: Axes, path: Path) -> bytes:
    """Return the figure of some axes as content of a .png, .svg or .pdf file, and close it."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in UNDATED:
        raise ValueError(
            f"{path}: figures are written to {', '.join('.' + k for k in UNDATED)} files"
        )
    return _rendered(ax, kind)


def inline_svg(ax: Axes, name: str, description: str) -> str:
    """Return the figure of some axes as SVG for a page, and close it.

    Texts stay texts, colours become the page's so that they follow light and dark, and the name
    keeps the identifiers of several drawings apart.
    """
    with (
        warnings.catch_warnings(),
        rc_context({"svg.fonttype": "none", "svg.hashsalt": name}),
    ):
        # The browser draws the texts, with fonts of its own.
        warnings.filterwarnings("ignore", r"Glyph .* missing from ")
        svg = _rendered(ax, "svg").decode()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<[^>]*>", lambda tag: _of_the_page(tag[0], name), svg)
    svg = re.sub(r'(<svg[^>]*?) width="([\d.]+)pt" height="[\d.]+pt"', _width, svg, count=1)
    label = description.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def _of_the_page(tag: str, name: str) -> str:
    """Give a tag the page's colours, and identifiers of its own; what is between tags is text."""
    tag = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{name}-", tag)
    for word, colour in COLOURS.items():
        tag = tag.replace(colour, f"var(--{word})")
    return tag


def _width(found: re.Match[str]) -> str:
    """Let the drawing shrink with a narrow page."""
    return f'{found[1]} style="max-width: {float(found[2]) * 4 / 3:.0f}px"'


def _rendered(ax: Axes, kind: str) -> bytes:
    figure = ax.get_figure(root=True)
    assert figure is not None  # axes are drawn on one
    content = io.BytesIO()
    figure.savefig(content, format=kind, metadata=UNDATED[kind], transparent=kind == "svg", dpi=150)
    pyplot.close(figure)
    return content.getvalue()
