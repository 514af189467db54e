import time

import pytest

from rankwright import aggregation
from rankwright.data import ballots

VOTES = "film,ann,bob,cy\nUp,1,1,2\nHer,2,3,1\nJaws,3,2,\n"
PREFLIB = "3\n1,Up\n2,Her\n3,Jaws\n5,5,2\n4,2,{1,3}\n1,3\n"


def test_a_table_of_positions_is_aggregated_with_its_certificate(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text(VOTES)
    answer = rankwright("aggregate", "votes.csv", "--method", "kemeny")
    assert answer.code == 0, answer.err
    assert "proved to be the least possible" in answer.out
    assert answer.out.index("Up") < answer.out.index("Jaws")


def test_a_preflib_file_counts_its_voters(rankwright, tmp_path):
    (tmp_path / "votes.toi").write_text(PREFLIB)
    consensus = rankwright("aggregate", "votes.toi", "--json").json["consensus"]
    assert consensus["optimal"]
    assert consensus["order"][0] == "Her"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("votes.csv", VOTES, "1 of 9 positions is missing"),
        ("votes.toi", PREFLIB, "1 of 5 voters left items open"),
    ],
)
def test_what_voters_left_open_is_said_with_how_it_counts(rankwright, tmp_path, name, text, found):
    (tmp_path / name).write_text(text)
    answer = rankwright("aggregate", name, "--json")
    (note,) = answer.json["notes"]
    assert (
        note
        == f"{found}: pairs with such an item do not count for that voter; it is not ranked last."
    )
    assert note in answer.err


def test_reading_and_writing_come_off_the_time_limit(rankwright, tmp_path, monkeypatch):
    (tmp_path / "votes.csv").write_text(VOTES)
    limits, aggregate, read = [], aggregation.aggregate, ballots.read_ballots

    def read_slowly(*given, **options):
        time.sleep(0.5)
        return read(*given, **options)

    def recorded(*given, time_limit, **options):
        limits.append(time_limit)
        return aggregate(*given, time_limit=time_limit, **options)

    monkeypatch.setattr(aggregation, "aggregate", recorded)
    monkeypatch.setattr(ballots, "read_ballots", read_slowly)
    assert rankwright("aggregate", "votes.csv", "--time", "60").code == 0
    assert limits[0] <= 58.0  # half a second was spent, and writing is given one and a half


def test_complete_votes_need_no_note(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text("film,ann,bob\nUp,1,2\nHer,2,1\n")
    assert rankwright("aggregate", "votes.csv", "--json").json["notes"] == []


def test_scores_are_larger_is_better(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text("film,ann,bob\nUp,9,8\nHer,2,3\n")
    found = rankwright("aggregate", "votes.csv", "--scores", "--json").json["consensus"]
    assert found["order"] == ["Up", "Her"]


def test_scores_are_not_taken_for_positions_and_summaries_do_not_vote(rankwright, tmp_path):
    (tmp_path / "skate.csv").write_text("Name,J1,J2,Total\nAnn,9.5,9,18.5\nCy,7,7.25,14.25\n")
    answer = rankwright("aggregate", "skate.csv")
    assert answer.code == 1
    assert "--positions if 1 is best" in answer.err
    answer = rankwright("aggregate", "skate.csv", "--scores")
    assert "Voters are 'J1', 'J2'; left out: 'Total'" in answer.err
    assert answer.out.index("Ann") < answer.out.index("Cy")
    assert rankwright("aggregate", "skate.csv", "--positions").code == 0


def test_the_columns_of_voters_can_be_named(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text('film,"a, b",cy,dee\nUp,1,1,9\nHer,2,2,bad\n')
    answer = rankwright("aggregate", "votes.csv", "--voters", '"a, b",cy', "--json")
    assert answer.json["consensus"]["disagreement"] == [0, 0]


def test_the_consensus_is_written_and_drawn(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text(VOTES)
    answer = rankwright("aggregate", "votes.csv", "--out", "order.csv", "--out", "votes.png")
    assert answer.code == 0, answer.err
    assert (tmp_path / "order.csv").read_text().startswith("item,position\nUp,1\n")
    assert (tmp_path / "votes.png").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [("film,ann\nUp,good\n", "'good' in row 2"), ("film,ann\nUp,1\nUp,2\n", "more than once")],
)
def test_a_wrong_table_is_named(rankwright, tmp_path, text, message):
    (tmp_path / "votes.csv").write_text(text)
    answer = rankwright("aggregate", "votes.csv")
    assert answer.code == 1
    assert message in answer.err


def test_a_picture_of_another_kind_is_refused_before_the_work(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text("film,ann,bob\nUp,1,2\nHer,2,1\n")
    answer = rankwright("aggregate", "votes.csv", "--out", "v.csv", "--out", "v.gif")
    assert answer.code == 1
    assert (
        "--out v.gif: the suffix says what to write; choose from .csv, .xlsx, .json, .png"
        in answer.err
    )
    assert not (tmp_path / "v.csv").exists()


def test_characters_that_the_font_lacks_are_named_in_one_sentence(rankwright, tmp_path):
    (tmp_path / "votes.csv").write_text("item,a,b\n日本,1,2\n本,2,1\n", encoding="utf-8")
    answer = rankwright("aggregate", "votes.csv", "--out", "picture.png")
    assert answer.code == 0, answer.err
    assert "Note: pictures show boxes for what their font lacks: 日" in answer.err
    assert answer.err.count("what their font lacks") == 1
    assert "Glyph" not in answer.err
