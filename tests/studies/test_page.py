import gzip
import os

import pandas as pd
import pytest

from rankwright.studies import Page, Verdict
from rankwright.studies.page import markdown


def test_a_page_begins_with_what_was_claimed(tmp_path):
    page = Page(tmp_path, "study")
    page.text("Details.")
    page.claim("The earth is flat", Verdict.FAILED, "It is round.")
    page.save("The earth", "A study.")
    assert page.path.read_text() == (
        "# The earth\n\nA study.\n\n## What was claimed, and what came out\n\n"
        "- The earth is flat: **did not hold**. It is round.\n\nDetails.\n"
    )


def test_a_table_is_written_whole_and_shown_in_digest(tmp_path):
    page = Page(tmp_path, "study")
    frame = pd.DataFrame({"size": [1, 2], "tau": [0.123456789, 0.5]})
    page.table("taus", frame, "All taus", shown=frame.head(1))
    assert page.parts == [
        "**All taus** ([taus.csv](study/taus.csv))",
        "| size | tau |\n| ---: | ---: |\n| 1 | 0.1235 |",
    ]
    page.save("Taus", "All of them.")
    assert len(pd.read_csv(tmp_path / "study" / "taus.csv")) == 2


def test_raw_measurements_are_the_same_bytes_every_time(tmp_path):
    frame, written = pd.DataFrame({"tau": [1 / 3]}), []
    for _ in range(2):
        page = Page(tmp_path, "study")
        page.raw("taus", frame)
        page.save("Taus", "All of them.")
        written.append((tmp_path / "study" / "taus.csv.gz").read_bytes())
    assert written[0] == written[1]
    assert gzip.decompress(written[0]).decode() == "tau\n0.3333333333333333\n"


def test_a_page_and_its_files_are_of_one_run_or_of_the_other(tmp_path, monkeypatch):
    def write(text):
        page = Page(tmp_path, "study")
        page.table("words", pd.DataFrame({"word": [text]}), "Words")
        page.save(text, "A study.")

    write("old")
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", _crash)
    with pytest.raises(KeyboardInterrupt):
        write("new")
    monkeypatch.setattr(os, "fsync", sync)
    assert (tmp_path / "study" / "words.csv").read_text() == "word\nold\n"
    assert (tmp_path / "study.md").read_text().startswith("# old")


def _crash(descriptor):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("value", "shown"),
    [(True, "yes"), (None, ""), (float("nan"), ""), (0.25, "0.25"), ("a|b", "a\\|b"), (7, "7")],
)
def test_values_are_shown_for_readers(value, shown):
    assert markdown(pd.DataFrame({"x": [value]}, dtype=object)).splitlines()[-1] == f"| {shown} |"
