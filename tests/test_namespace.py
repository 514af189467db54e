"""The public namespace: flat, lazy, sorted, and seen by type checkers."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import rankwright as rw

PACKAGE = Path(rw.__file__).parent
HEAVY = ["numba", "matplotlib", "highspy", "pandas", "sklearn", "scipy", "dask", "streamlit"]


def modules():
    found = pkgutil.walk_packages([str(PACKAGE)], prefix="rankwright.")
    return sorted(module.name for module in found)


def test_every_public_name_can_be_imported():
    assert all(getattr(rw, name) is not None for name in rw.__all__)


def test_dir_lists_the_public_names():
    assert set(rw.__all__) <= set(dir(rw))


def test_type_checkers_see_every_public_name():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    imported = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert imported == set(rw.__all__)


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(AttributeError, match="rankwright has no 'Ranker'; its public names are"):
        _ = rw.Ranker


def test_importing_the_package_imports_nothing_heavy():
    code = f"import sys, rankwright; print([m for m in {HEAVY} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr


@pytest.mark.parametrize("module", modules())
def test_all_is_a_sorted_list_of_names_that_exist(module):
    names = getattr(importlib.import_module(module), "__all__", [])
    assert names == sorted(set(names))
    assert all(hasattr(importlib.import_module(module), name) for name in names)


def callables():
    homes = [rw, *(getattr(rw, module) for module in rw._MODULES)]
    names = [(home, name) for home in homes for name in home.__all__]
    return [pytest.param(h, n, id=n) for h, n in names if callable(getattr(h, n))]


@pytest.mark.parametrize(("home", "name"), callables())
def test_every_public_callable_has_a_docstring_with_an_example(home, name):
    assert ">>>" in getattr(home, name).__doc__
