"""Draw the concepts as SVG: ``python docs/concepts/drawings.py``.

Plain shapes on a light ground of their own, so that they read in both themes.
"""

from html import escape
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).parent
INK, PALE, BLUE, ORANGE, GREEN = "#1f2933", "#9aa5b1", "#2b6cb0", "#c05621", "#2f855a"


def text(x: float, y: float, words: str, *, size: int = 14, fill: str = INK, anchor: str = "start"):
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(words)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = INK, extra: str = ""):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}" stroke-width="2" {extra}/>'


def dot(x: float, y: float, *, fill: str = BLUE, r: float = 6):
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'


def box(x: float, y: float, w: float, h: float, *, fill: str = "#fff", stroke: str = PALE):
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="5" fill="{fill}" stroke="{stroke}" '
        'stroke-width="1.5"/>'
    )


def polygon(points: str, *, fill: str, opacity: float = 0.35):
    return f'<polygon points="{points}" fill="{fill}" fill-opacity="{opacity}"/>'


def write(name: str, width: int, height: int, title: str, *shapes: str) -> None:
    body = "\n".join(shapes)
    (HERE / f"{name}.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="system-ui, sans-serif">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#f7f8fa"/>\n{body}\n</svg>\n',
        encoding="utf-8",
    )


def certificate() -> None:
    scale = {0.70: 120, 0.93: 380, 0.97: 490, 1.0: 570}
    write(
        "certificate", 660, 210, "What formulas reach, from a search below and a proof above",
        line(80, 120, 620, 120, stroke=PALE),
        text(80, 150, "worse", fill=PALE), text(620, 150, "every pair", fill=PALE, anchor="end"),
        dot(scale[0.70], 120, fill=PALE), dot(250, 120, fill=PALE), dot(scale[0.93], 120),
        text(scale[0.93], 90, "best formula found", fill=BLUE, anchor="middle"),
        text(scale[0.93], 178, "checked again in", size=12, fill=BLUE, anchor="middle"),
        text(scale[0.93], 194, "rational numbers", size=12, fill=BLUE, anchor="middle"),
        line(scale[0.97], 70, scale[0.97], 140, stroke=ORANGE),
        text(scale[0.97] + 8, 62, "bound: no formula is right of this", fill=ORANGE, anchor="middle"),
        box(scale[0.93] + 7, 112, scale[0.97] - scale[0.93] - 7, 16, fill="#fbd38d", stroke=ORANGE),
        text(435, 106, "gap", size=12, fill=ORANGE, anchor="middle"),
        text(40, 28, "The search moves the blue dot right, the proof moves the orange line left.", size=14),
        text(40, 48, "When they meet, the formula is optimal.", size=14),
    )  # fmt: skip


def pairs() -> None:
    shapes = [text(40, 30, "Five rows, ten pairs"), text(340, 30, "One pass over the sorted rows")]
    places = [(60, 60), (60, 95), (60, 130), (60, 165), (60, 200)]
    for i, (x, y) in enumerate(places):
        for j in range(i + 1, 5):
            mid = x + 60 + 22 * (j - i)
            shapes.append(
                f'<path d="M{x + 6},{y} Q{mid},{(y + places[j][1]) / 2} {x + 6},{places[j][1]}" '
                f'fill="none" stroke="{PALE}" stroke-width="1.3"/>'
            )
        shapes.append(dot(x, y))
    sums = ["0", "e⁻ᵃ", "e⁻ᵃ + e⁻ᵇ", "e⁻ᵃ + e⁻ᵇ + e⁻ᶜ", "e⁻ᵃ + … + e⁻ᵈ"]
    for (_, y), words in zip(places, sums, strict=True):
        shapes += [dot(360, y), box(390, y - 14, 200, 28), text(490, y + 5, words, anchor="middle")]
    for (_, y), (_, below) in pairwise(places):
        shapes.append(line(360, y + 8, 360, below - 8, stroke=BLUE))
    shapes.append(
        text(320, 240, "Each row needs the sum of what is above it, not a list of pairs.", size=12)
    )
    write("pairs", 720, 260, "Sums over pairs by one pass instead of a list of pairs", *shapes)


def tree() -> None:
    def histogram(x: float, y: float, shares: list[float]) -> list[str]:
        colours = [ORANGE, PALE, BLUE]
        return [
            f'<rect x="{x + 22 * k}" y="{y + 40 - 40 * share}" width="18" height="{40 * share}" '
            f'fill="{colours[k]}"/>'
            for k, share in enumerate(shares)
        ] + [line(x - 4, y + 40, x + 66, y + 40, stroke=PALE)]

    write(
        "tree", 660, 330, "A node, its candidate cuts, and the cut that separates labels best",
        text(30, 28, "1  A node holds rows with labels (1 to 3 stars).", size=14),
        *histogram(300, 40, [0.8, 0.9, 1.0]),
        text(30, 120, "2  Rows lie in bins of each feature; one sweep counts labels left of every cut.", size=14),
        *[box(60 + 60 * k, 135, 56, 26, fill="#ebf4ff") for k in range(9)],
        *[text(88 + 60 * k, 153, n, size=12, anchor="middle") for k, n in enumerate(["1·0·0", "2·1·0", "3·1·0", "1·2·0", "1·2·1", "0·2·2", "0·1·3", "0·0·2", "0·0·2"])],
        line(298, 130, 298, 170, stroke=GREEN, extra='stroke-dasharray="5 3"'),
        text(304, 182, "best cut: labels far apart part first", size=12, fill=GREEN),
        text(30, 214, "3  Two children; each predicts the label of least expected distance.", size=14),
        line(335, 225, 200, 250, stroke=PALE), line(335, 225, 470, 250, stroke=PALE),
        *histogram(168, 252, [0.7, 0.4, 0.0]), *histogram(438, 252, [0.1, 0.5, 1.0]),
        text(200, 315, "1 star", size=13, anchor="middle"), text(470, 315, "3 stars", size=13, anchor="middle"),
    )  # fmt: skip


def bound() -> None:
    write(
        "bound", 700, 340, "Weights of three factors, cut into cells by the lines where products tie",
        text(30, 28, "All weights of three factors: corners are formulas of one factor.", size=14),
        polygon("180,60 40,300 320,300", fill="#e2e8f0", opacity=1),
        polygon("180,60 85,223 167.5,201.5 215,120", fill=PALE),
        polygon("167.5,201.5 250,180 271,216 230,300 110,300", fill=GREEN),
        line(85, 223, 250, 180, stroke=ORANGE), line(110, 300, 215, 120, stroke=ORANGE),
        line(230, 300, 271, 216, stroke=ORANGE),
        text(150, 150, "ruled out", size=12, anchor="middle"),
        text(180, 52, "speed", size=12, anchor="middle"), text(40, 318, "price", size=12, anchor="middle"), text(320, 318, "noise", size=12, anchor="middle"),
        text(256, 178, "A ties with B", size=12, fill=ORANGE),
        dot(185, 250, fill=GREEN), text(150, 275, "best formula", size=12, fill=GREEN),
        box(390, 60, 290, 62), text(400, 82, "In a cell every decided pair is won or lost", size=13), text(400, 104, "by all its formulas alike.", size=13),
        box(390, 136, 290, 62), text(400, 158, "Undecided pairs count as won: a bound", size=13), text(400, 180, "of everything inside the cell.", size=13),
        box(390, 212, 290, 62), text(400, 234, "A cell whose bound is no better than the", size=13), text(400, 256, "best formula is ruled out, unopened.", size=13),
        text(390, 304, "Cells left over: cut again, until none is.", size=13, fill=GREEN),
    )  # fmt: skip


def problem() -> None:
    rows = [("Elm", "3", "80"), ("Oak", "4", "95"), ("Ash", "5", "240")]
    shapes = [
        text(40, 30, "items with features"),
        text(300, 30, "what is known of their order"),
        text(560, 30, "a score for every item"),
    ]
    for k, (name, stars, price) in enumerate(rows):
        y = 55 + 45 * k
        shapes += [
            box(40, y, 190, 34),
            text(52, y + 22, name),
            text(130, y + 22, stars + " ★"),
            text(180, y + 22, price),
        ]
    for k, words in enumerate(
        ["ranks: 1, 2, 3", "pairs: Ash before Elm", "orders: Ash, Oak, Elm", "grades: ★★★, ★★, ★"]
    ):
        shapes += [
            box(300, 48 + 36 * k, 200, 28, fill="#ebf4ff", stroke=BLUE),
            text(312, 67 + 36 * k, words, size=13),
        ]
    for k, (name, width) in enumerate([("Ash", 150), ("Oak", 95), ("Elm", 60)]):
        shapes += [
            f'<rect x="600" y="{58 + 45 * k}" width="{width}" height="28" fill="{GREEN}"/>',
            text(592, 77 + 45 * k, name, anchor="end", size=13),
        ]
    shapes += [
        line(240, 116, 290, 116, stroke=PALE),
        line(506, 116, 552, 116, stroke=PALE),
        text(600, 205, "larger is better", size=12, fill=PALE),
    ]
    write("problem", 790, 220, "Items, what is known of their order, and a score", *shapes)


if __name__ == "__main__":
    for draw in (certificate, pairs, tree, bound, problem):
        draw()
