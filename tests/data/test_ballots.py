"""Votes as people print them."""

import pandas as pd

from rankwright.data.ballots import read_ballots


def test_positions_are_read_as_they_are_printed(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("film,ann,bob\nUp,1st,2\nHer,=2,n/a\nJaws,T-2,1\n")
    found = read_ballots(path)
    assert found["ann"].tolist() == [1, 2, 2]
    assert found["bob"].isna().tolist() == [False, True, False]
    path.write_text("film,ann,bob\nUp,1st,2\nHer,=2,n/a\n")
    assert isinstance(read_ballots(path, item="film"), pd.DataFrame)
