import ast
from pathlib import Path

import pytest

from rankwright.studies import Study, find_study, papers, study_names

PAPERS = Path(papers.__file__).parent
REPRODUCED = Path(__file__).parents[2] / "docs" / "reproduction"


@pytest.mark.parametrize("name", study_names())
def test_a_study_is_called_as_its_module(name):
    study = find_study(name)
    assert isinstance(study, Study)
    assert study.name == name


@pytest.mark.parametrize(
    "path", sorted(PAPERS.rglob("*.py")), ids=lambda path: str(path.relative_to(PAPERS))
)
def test_studies_use_public_names_only(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    ours = {name for name in imported if name.startswith("rankwright")}
    assert all(name == "rankwright" or name.startswith("rankwright.studies") for name in ours)


def test_an_unknown_study_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no study is called 'hostels'; choose from \['"):
        find_study("hostels")


def test_a_file_without_a_study_is_refused(tmp_path):
    (tmp_path / "empty_study.py").write_text("")
    with pytest.raises(ValueError, match="defines no STUDY"):
        find_study(str(tmp_path / "empty_study.py"))


def test_a_file_named_like_a_module_is_refused(tmp_path):
    (tmp_path / "json.py").write_text("")
    with pytest.raises(ValueError, match="a module called 'json' exists already; rename the file"):
        find_study(str(tmp_path / "json.py"))


def test_a_missing_file_is_named():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.py: no such file"):
        find_study("nowhere.py")


@pytest.mark.parametrize("name", study_names())
def test_every_study_has_been_run_in_full(name):
    page = (REPRODUCED / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {find_study(name).title}\n")
    assert f"`rankwright reproduce {name}` measured" in page  # not its reduced form
    assert f"[{name}]({name}.md)" in (REPRODUCED / "README.md").read_text(encoding="utf-8")
