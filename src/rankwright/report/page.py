"""A self-contained page: sections of paragraphs, tables and drawings, without any network."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

__all__ = [
    "HEAD",
    "Section",
    "details",
    "drawing",
    "html_table",
    "page",
    "paragraph",
    "preformatted",
    "verdict",
]

# How every page begins: whatever follows, a browser runs and loads nothing.
HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">"""  # noqa: E501
# Words of Hebrew, Arabic and their like, with the blanks between them.
RTL_WORD = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
RIGHT_TO_LEFT = re.compile(rf"{RTL_WORD}(?:[ \u00a0-]+{RTL_WORD})*")
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?( to -?\d+(\.\d+)?)?( found)?%?|–|")


@dataclass(frozen=True)
class Section:
    """A part of a page: its title and pieces of HTML, made by the functions of this module."""

    title: str
    parts: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """The name that links point to."""
        return re.sub(r"\W+", "-", self.title.lower()).strip("-")


def page(title: str, subtitle: str, sections: Iterable[Section], footer: str) -> str:
    """Return a whole HTML document: light and dark, printable, nothing loaded from elsewhere."""
    sections = list(sections)
    links = "".join(f'<li><a href="#{s.anchor}">{escape(s.title)}</a></li>' for s in sections)
    body = "\n".join(
        f'<section id="{s.anchor}">\n<h2>{escape(s.title)}</h2>\n'
        + "\n".join(s.parts)
        + "\n</section>"
        for s in sections
    )
    style = files("rankwright.report").joinpath("page.css").read_text(encoding="utf-8")
    return f"""{HEAD}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<p>{escape(subtitle)}</p>
<nav aria-label="Contents"><ul>{links}</ul></nav>
</header>
<main>
{body}
</main>
<footer>{escape(footer)}</footer>
</body>
</html>
"""


def paragraph(text: str) -> str:
    """Return a paragraph of plain text."""
    return f"<p>{_isolated(text)}</p>"


def preformatted(text: str) -> str:
    """Return text to be copied as it is."""
    return f"<pre>{escape(text)}</pre>"


def verdict(sentences: Iterable[str], *, warning: bool = False) -> str:
    """Return the sentences that matter most, set off from the rest."""
    kind = "verdict warning" if warning else "verdict"
    return f'<div class="{kind}">' + "".join(map(paragraph, sentences)) + "</div>"


def html_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str | None = None
) -> str:
    """Return a table; columns of numbers stand to the right."""
    listed = [list(row) for row in rows]
    numeric = [
        bool(listed) and all(_is_number(row[place]) for row in listed)
        for place in range(len(columns))
    ]
    kinds = [' class="number"' if right else "" for right in numeric]
    head = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for name, kind in zip(columns, kinds, strict=True)
    )
    lines = "\n".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{_isolated(_text(c))}</td>" for c, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in listed
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="scroll"><table>{title}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{lines}\n</tbody></table></div>"
    )


def drawing(svg: str, caption: str) -> str:
    """Return a drawing with its caption."""
    return f"<figure>\n{svg}\n<figcaption>{_isolated(caption)}</figcaption>\n</figure>"


def details(summary: str, *parts: str, shown: bool = False) -> str:
    """Return something that opens on demand."""
    is_open = " open" if shown else ""
    return (
        f"<details{is_open}><summary>{_isolated(summary)}</summary>\n"
        + "\n".join(parts)
        + "</details>"
    )


def _isolated(text: str) -> str:
    """Escape text; words of scripts that run from right to left do not turn what is around them."""
    return RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", escape(text))


def _is_number(cell: Any) -> bool:
    """Tell whether a cell is a number, or one that was written with its unit."""
    return isinstance(cell, int | float | None) or bool(NUMBER.fullmatch(str(cell)))


def _text(cell: Any) -> str:
    if cell is None or cell != cell:
        return "–"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
