import numpy as np
import pytest

from rankwright.explanation import Explanation
from rankwright.plots import plot_explanation


def explanation(n, item="A1", features=None):
    values = np.arange(float(n))
    names = [f"factor {j}" for j in range(n)] if features is None else features
    parts = values[::-1] * (-1) ** np.arange(n)
    return Explanation(
        item,
        "B2",
        np.array(names, dtype=object),
        parts,
        values,
        values + 10,
        float(parts.sum()),
        0.0,
    )


def texts(ax):
    labels = [*ax.get_yticklabels(), *ax.texts]
    return [label.get_text() for label in labels]


def test_bars_are_the_contributions_with_the_values_beside_them():
    ax = plot_explanation(explanation(4))
    assert [bar.get_width() for bar in ax.patches] == [3, -2, 1, 0]
    assert texts(ax) == [
        *(f"factor {j}" for j in range(4)),
        *("A1", "0", "1", "2", "3"),
        *("B2", "10", "11", "12", "13"),
    ]


def test_the_smallest_contributions_are_one_bar_and_nothing_is_lost():
    why = explanation(40)
    ax = plot_explanation(why, most=10)
    widths = [bar.get_width() for bar in ax.patches]
    assert len(widths) == 10
    assert sum(widths) == pytest.approx(why.difference)
    assert texts(ax)[9] == "the 31 other features"


def test_one_bar_can_hold_everything():
    ax = plot_explanation(explanation(5), most=1)
    assert texts(ax) == ["all features", "A1", "B2"]
    with pytest.raises(ValueError, match="most=0; give a whole number of bars from 1 on"):
        plot_explanation(explanation(3), most=0)


@pytest.mark.parametrize("name", ["$x$ for $5", "\\frac $", "[b]x[/b]", "a_b^c"])
def test_names_are_drawn_as_they_are(name):
    ax = plot_explanation(explanation(2, item=name, features=[name, "zoom"]))
    ax.figure.canvas.draw()
    assert texts(ax)[0] == name
    assert name in texts(ax)[2:]
    assert ax.get_title(loc="left").startswith(f"{name} is above B2")


def test_long_names_and_names_of_several_lines_keep_to_their_line():
    ax = plot_explanation(explanation(2, item="A\n" * 50, features=["zoom\nor\n" * 20, "price"]))
    assert all("\n" not in text and len(text) <= 36 for text in texts(ax))
    assert ax.get_title(loc="left").count("\n") <= 1
