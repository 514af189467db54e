"""Which studies there are: one module for each, here or in a file of the user's."""

import pkgutil
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from rankwright.studies import papers
from rankwright.studies.study import Study

__all__ = ["find_study", "study_names"]


def study_names() -> list[str]:
    """Return the names of the studies that come with the package.

    Examples
    --------
    >>> from rankwright.studies import study_names
    >>> "hotels" in study_names()
    True
    """
    return sorted(module.name for module in pkgutil.iter_modules(papers.__path__))


def find_study(name: str) -> Study:
    """Return a study by its name, or by the path of the file that defines it.

    Parameters
    ----------
    name : str
        As in ``rankwright reproduce``, or a path that ends in ``.py``.

    Examples
    --------
    >>> from rankwright.studies import find_study
    >>> find_study("hotels").title
    'Pairwise against pointwise ranking'
    """
    if name.endswith(".py"):
        module = _module_of(Path(name))
    elif name in study_names():
        module = import_module(f"{papers.__name__}.{name}")
    else:
        raise ValueError(
            f"no study is called {name!r}; choose from {study_names()}, or give the path of a "
            "Python file that defines STUDY"
        )
    study = getattr(module, "STUDY", None)
    if not isinstance(study, Study):
        raise ValueError(f"{name} defines no STUDY; see docs/extending.md")
    return study


def _module_of(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    sys.path.insert(0, str(path.resolve().parent))  # where other processes will look, too
    module = import_module(path.stem)
    if module.__file__ is None or not path.samefile(module.__file__):
        raise ValueError(f"{path}: a module called {path.stem!r} exists already; rename the file")
    return module
