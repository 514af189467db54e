"""What is said of the package, where tools read it."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import rankwright as rw

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = ("cluster", "excel", "onnx", "parquet", "studio", "studies")
OPTIONAL = {"polars"}  # frames that users bring


def imported():
    """Return the packages that any module imports, wherever in it."""
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield node.module.partition(".")[0]


def test_every_package_that_is_imported_is_a_declared_dependency():
    extras = (PROJECT["optional-dependencies"][extra] for extra in EXTRAS)
    lines = chain(PROJECT["dependencies"], *extras)
    declared = {re.match(r"[\w-]+", line)[0].lower() for line in lines}
    packages = set(imported()) - sys.stdlib_module_names - OPTIONAL - {"rankwright"}
    found = packages_distributions()
    missing = {
        name for name in packages if not declared & {one.lower() for one in found.get(name, [name])}
    }
    assert missing == set()


def test_the_citation_has_the_version():
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == rw.__version__
