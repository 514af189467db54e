"""What the README and the pages show works: blocks of Python, names, commands, files."""

import doctest
import re
from operator import attrgetter
from pathlib import Path

import pytest
import sklearn
from matplotlib import pyplot
from typer.main import get_command

import rankwright as rw
from rankwright.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAME = re.compile(r"(?<![\w.])rw\.(\w+(?:\.\w+)*)(?![\w*])")
PLACE = re.compile(r"`((?:benchmarks|docs|examples|src|tests)/[\w./-]+)`")
SHELL = re.compile(r"^```(?:sh)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^rankwright ([a-z][a-z-]*)(.*)$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# A block that follows a line such as "`cameras.csv`, as a spreadsheet saves it:" is that file.
FILE = re.compile(r"^`([\w.-]+\.\w+)`[^\n]*:\n\n```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Pages that search for proofs, or grow a hundred trees, for minutes on a busy machine.
SLOW = {"ranking-forests", "reverse"}


def pages_with_python():
    for page in PAGES:
        if PYTHON.search(page.read_text(encoding="utf-8")):
            marks = pytest.mark.slow if page.stem in SLOW else ()
            yield pytest.param(page, id=page.stem, marks=marks)


@pytest.mark.parametrize("page", list(pages_with_python()))
def test_the_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    with sklearn.config_context(), pyplot.rc_context({"backend": "agg"}):
        try:
            missing = run(page, PYTHON.findall(text))
        finally:
            pyplot.close("all")
    if missing:
        pytest.skip(f"all ran but those that need {', '.join(missing)}, not installed here")


def run(page, blocks):
    """Run a page; return the packages for want of which blocks were left out."""
    if blocks[0].startswith(">>>"):
        assert doctest.testfile(str(page), module_relative=False).failed == 0
        return []
    names, missing = {"__name__": page.stem}, []
    for number, block in enumerate(blocks):
        try:
            exec(compile(block, f"{page.name}, block {number}", "exec"), names)
        except ModuleNotFoundError as absent:
            missing.append(absent.name)
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_names_commands_and_files_of_a_page_exist(page):
    text = page.read_text(encoding="utf-8")
    for name in NAME.findall(text):
        attrgetter(name)(rw)
    for place in PLACE.findall(text):
        assert (ROOT / place).exists(), place
    code = [*SHELL.findall(text), *re.findall(r"`([^`\n]+)`", SHELL.sub("", text))]
    for command, arguments in COMMAND.findall("\n".join(code)):
        known = get_command(app).commands[command].params
        options = {option for one in known for option in (*one.opts, *one.secondary_opts)}
        assert set(re.findall(r"(?<!\S)--[a-z-]+", arguments)) <= {*options, "--help"}, command
