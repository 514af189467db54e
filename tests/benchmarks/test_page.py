"""The page of the benchmarks is what the stored results say."""

import pytest

from benchmarks import page, report
from benchmarks.case import Case
from benchmarks.runner import Measurement

CASE = Case("kendall-toy", "How fast?", sizes=(10, 1000), quick=(10,), prepare=lambda _: None)
ROWS = [
    Measurement(10, "rankwright", 1.0, 1.0, {"tau": 0.5}),
    Measurement(10, "slow", 9.0, 9.0, {"tau": 0.4}),
    Measurement(1000, "rankwright", 2.0, 1.0, {"tau": 0.5}),
    Measurement(1000, "slow", 8.0, 4.0, {"tau": 0.4}),
    Measurement(1000, "fast", 1.0, 0.5, {"tau": 0.3}),
    Measurement(10, "absent", None, None, {}, "not installed (No module named 'absent')"),
    Measurement(1000, "absent", None, None, {}, "not installed (No module named 'absent')"),
]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that stores measurements of a case and returns the page."""
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(report, "PAGE", tmp_path / "benchmarks.md")

    def write(case, rows):
        report.store(case, rows, 0.0)
        page.write_page()
        return report.PAGE.read_text(encoding="utf-8")

    return write


def test_the_page_is_what_is_written_from_the_stored_results(tmp_path, monkeypatch):
    shipped = report.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(report, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr(report, "plot_growth", lambda rows, path: None)
    page.write_page()
    assert report.PAGE.read_text(encoding="utf-8") == shipped


def test_the_summary_has_the_fastest_peer_at_the_largest_size(written):
    line = "| [kendall-toy](#kendall-toy) | 1,000 | 2 s | fast 1 s | 0.5 |"
    assert line in written(CASE, ROWS)


def test_who_was_not_run_is_named_once_with_the_reason(written):
    text = written(CASE, ROWS)
    assert text.count("absent") == 1
    assert "Not run (not installed): absent." in text


def test_a_size_of_several_numbers_says_what_they_are(written):
    case = Case("boosting-speed", "How fast?", (), (), lambda _: None)
    rows = [Measurement([100_000, 50, 1], "rankwright", 1.0, 1.0, {})]
    assert "| 100,000 rows, 50 features, threads: 1 | seconds |" in written(case, rows)


def test_a_lead_stands_beside_what_it_is_a_lead_in(written):
    case = Case("boosting-hotels", "How good?", (), (), lambda _: None, timed=False)
    rows = [
        Measurement("h", "rankwright", None, None, {"tau": 0.8}),
        Measurement("h", "one", None, None, {"tau": 0.9, "we are ahead by (tau)": (-0.1, 0.03)}),
        Measurement("h", "two", None, None, {"tau": 0.7, "we are ahead by (tau)": (0.1, 0.03)}),
    ]
    text = written(case, rows)
    assert "| one | 0.9 (-0.10 ± 0.03) |" in text
    assert "| h | tau | 0.8 | one 0.9 | -0.10 ± 0.03 |" in text


def test_every_measure_of_the_summary_is_one_of_its_case():
    for path in report.RESULTS.glob("*.json"):
        if path.stem in page.QUALITY:
            text = path.read_text(encoding="utf-8")
            assert f'"{page.QUALITY[path.stem].measure}"' in text, path.stem
