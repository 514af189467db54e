"""Which forms of training data a ranker learns from: what the table of docs/data.md says."""

import re
from pathlib import Path

import numpy as np
import pytest

import rankwright as rw

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
ROW = re.compile(r"^\| (`.*`) \|" + 4 * r" (.+?) \|" + "$", re.MULTILINE)

X = np.random.default_rng(0).normal(size=(8, 2))
Y, GROUPS = np.tile([0.0, 1.0], 4), np.repeat(np.arange(4), 2)
FORMS = {
    "X, y": (X, Y),
    "groups": (X, Y, GROUPS),
    "Rankings": (rw.Rankings.from_rows(X, Y, GROUPS),),
    "PreferencePairs": (X, rw.PreferencePairs([1, 3, 5, 7], [0, 2, 4, 6])),
}


def table():
    """Return what the page says of each ranker, form by form."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {
        name: dict(zip(FORMS, cells, strict=True))
        for names, *cells in rows
        for name in re.findall(r"`(\w+)`", names)
    }


@pytest.fixture
def said(name):
    return table()[name.split()[0]]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_taken_or_refused_with_the_reason_as_the_page_says(ranker, said, form):
    model = ranker.make()
    if said[form] != "no":
        assert np.isfinite(model.fit(*FORMS[form]).rank(X)).all()
        return
    with pytest.raises(ValueError, match=r"groups|Rankings|PreferencePairs"):
        model.fit(*FORMS[form])


def test_a_ranker_that_takes_no_pairs_names_those_that_do(ranker, said):
    if said["PreferencePairs"] != "no":
        pytest.skip("takes pairs")
    named = r"PairwiseRanker, PreferenceRanker and BoostedRanker\(loss='logistic'\) can"
    with pytest.raises(ValueError, match=named):
        ranker.make().fit(*FORMS["PreferencePairs"])


def test_other_losses_of_boosted_rankers_take_no_pairs():
    assert table()["BoostedRanker"]["PreferencePairs"] == '`loss="logistic"`'
    with pytest.raises(ValueError, match="loss='top' needs graded lists"):
        rw.BoostedRanker(loss="top").fit(*FORMS["PreferencePairs"])
