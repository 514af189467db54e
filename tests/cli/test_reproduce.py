import re

import pytest

from rankwright.studies import find_study, study_names


# The tests of the quality study run its quick form themselves.
@pytest.mark.parametrize("name", sorted({*study_names()} - {"quality"}))
def test_every_study_runs_quickly_and_tells_what_became_of_its_claims(name, rankwright, tmp_path):
    answer = rankwright("reproduce", name, "--quick", "--json", "--out", "results")
    assert answer.code == 0, answer.err
    claims = answer.json["studies"][name]
    assert claims
    assert all(claim["why"].endswith(".") for claim in claims)
    page = (tmp_path / "results" / f"{name}.md").read_text()
    assert page.startswith(f"# {find_study(name).title}\n")
    assert all(claim["text"] in page for claim in claims)
    assert not re.search(r"\bnan\b", page)
    files = {path.name for path in (tmp_path / "results" / name).iterdir()}
    assert any(file.endswith(".png") for file in files)
    assert any(file.endswith(".csv.gz") for file in files)
    assert all(f"({name}/{file})" in page for file in files if not file.endswith(".gz"))


def test_a_run_goes_on_from_its_folder(rankwright):
    first = rankwright("reproduce", "transform", "--replications", 2, "--out", "results")
    again = rankwright("reproduce", "transform", "--replications", 2, "--out", "results")
    assert first.code == again.code == 0
    assert "The transformed pairs are separable by a line" in again.out


def test_pages_without_their_results_are_not_overwritten(rankwright, tmp_path):
    (tmp_path / "transform.md").write_text("mine")
    refused = rankwright("reproduce", "transform", "--quick", "--out", ".")
    assert refused.code == 1
    assert "transform.md exists, and . has no results.sqlite to resume from" in refused.err
    assert (tmp_path / "transform.md").read_text() == "mine"


def test_a_quick_run_does_not_overwrite_the_page_of_a_full_one(rankwright, tmp_path):
    rankwright("reproduce", "transform", "--replications", 2, "--out", ".")
    page = (tmp_path / "transform.md").read_text()
    assert "`rankwright reproduce transform --replications 2` measured" in page
    refused = rankwright("reproduce", "transform", "--quick", "--out", ".")
    assert refused.code == 1
    assert "transform.md exists, and it does not come from a quick run like this one" in refused.err
    assert (tmp_path / "transform.md").read_text() == page
    assert rankwright("reproduce", "transform", "--quick", "--out", ".", "--force").code == 0
    assert rankwright("reproduce", "transform", "--quick", "--out", ".").code == 0


def test_a_damaged_store_is_said(rankwright, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.sqlite").write_text("damaged" * 1000)
    answer = rankwright("reproduce", "transform", "--quick", "--out", "results")
    assert answer.code == 1
    assert "results.sqlite are damaged" in answer.err
    assert "move the file away" in answer.err


@pytest.mark.parametrize("given", ["cystic-fibrosis", "votes=a.csv"])
def test_files_that_no_study_uses_are_refused(given, rankwright):
    answer = rankwright("reproduce", "transform", "--file", given)
    assert answer.code == 1
    assert f"--file {given}: write NAME=PATH; files for transform: none" in answer.err


def test_an_unknown_study_is_refused_with_those_there_are(rankwright):
    answer = rankwright("reproduce", "hostels")
    assert answer.code == 1
    assert "no study is called 'hostels'; choose from" in answer.err
