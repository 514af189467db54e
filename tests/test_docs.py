"""Every Python block of the README and of the documentation runs, page by page."""

import doctest
import re
from pathlib import Path

import pytest
import sklearn
from matplotlib import pyplot

ROOT = Path(__file__).parents[1]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# A block that follows a line such as "`cameras.csv`, as a spreadsheet saves it:" is that file.
FILE = re.compile(r"^`([\w.-]+\.\w+)`[^\n]*:\n\n```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Pages that search for proofs, or grow a hundred trees, for minutes on a busy machine.
SLOW = {"ranking-forests", "reverse"}


def pages_with_python():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if PYTHON.search(page.read_text(encoding="utf-8")):
            marks = pytest.mark.slow if page.stem in SLOW else ()
            yield pytest.param(page, id=page.stem, marks=marks)


@pytest.mark.parametrize("page", pages_with_python())
def test_the_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    with sklearn.config_context(), pyplot.rc_context({"backend": "agg"}):
        try:
            run(page, PYTHON.findall(text))
        except ModuleNotFoundError as missing:
            pytest.skip(f"needs {missing.name}, which is not installed")
        finally:
            pyplot.close("all")


def run(page, blocks):
    if blocks[0].startswith(">>>"):
        assert doctest.testfile(str(page), module_relative=False).failed == 0
        return
    names = {"__name__": page.stem}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)
