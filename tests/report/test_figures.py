import html
from pathlib import Path

import pytest

from rankwright.plots import plot_comparison, plot_weights
from rankwright.report import figure_bytes, inline_svg


def drawn():
    return plot_comparison({"linear": (0.7, 0.1), "forest": (0.8, 0.1)})


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_the_ending_chooses_the_format(ending, start):
    assert figure_bytes(drawn(), Path(f"figure.{ending}")).startswith(start)


def test_another_ending_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"written to \.pdf, \.png, \.svg files"):
        figure_bytes(drawn(), Path("figure.gif"))


def test_the_same_figure_makes_the_same_drawing():
    assert inline_svg(drawn(), "one", "Means") == inline_svg(drawn(), "one", "Means")


def test_drawings_keep_their_identifiers_apart():
    one, two = (inline_svg(drawn(), name, "Means") for name in ("one", "two"))
    assert 'id="one-figure_1"' in one
    assert 'id="one-' not in two


def test_a_drawing_is_described_for_those_who_do_not_see_it():
    assert 'aria-label="Means &lt; 1 &amp; &quot;more&quot;"' in inline_svg(
        drawn(), "one", 'Means < 1 & "more"'
    )


def test_words_that_look_like_colours_or_identifiers_stay_as_they_are():
    odd = 'id="x" #0072b2 url(#a) <b>'
    svg = inline_svg(plot_weights({odd: 1.0}), "weights", "Shares")
    assert html.escape(odd, quote=False) in svg
    assert "var(--accent)" in svg
