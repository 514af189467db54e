import re
import sys
from pathlib import Path

from rankwright.studies import Settings, find_study, reproduce

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


def test_the_study_on_the_page_runs_as_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    [study] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "noisy_grades.py"
    path.write_text(study, encoding="utf-8")
    [page] = reproduce([find_study(str(path))], tmp_path, settings=Settings(quick=True))
    assert page.path.read_text().startswith("# How many grades does a rating need?")
    assert (tmp_path / "noisy_grades" / "grades.png").stat().st_size > 1000
    assert len(page.claims) == 1
