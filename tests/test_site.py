"""The sources of the site: links, navigation, and a place for every public name."""

import ast
import functools
import importlib.util
import inspect
import re
from pathlib import Path

import griffe
import pytest

import rankwright as rw

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CONFIGURATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAVIGATION = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", CONFIGURATION, re.MULTILINE)


def script(path):
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


assemble = script(DOCS / "assemble.py")

PAGES = [path for path in assemble.files() if path.suffix == ".md"]


def documented():
    text = "\n".join(page.read_text() for page in (DOCS / "reference").glob("*.md"))
    return re.findall(r"^::: rankwright\.(\S+)$", text, re.MULTILINE)


def test_every_public_name_is_in_the_reference_once():
    names = documented()
    public = {name for name in rw.__all__ if name not in rw._MODULES}
    public.add("base.RankerMixin")  # what all rankers inherit is shown in one place
    inside = {f"{module}.{name}" for module in rw._MODULES for name in getattr(rw, module).__all__}
    assert sorted(names) == sorted(public | inside)


@pytest.fixture(scope="module")
def reference():
    """Return what the site's reference reads: the package, by Griffe with our extension."""
    extensions = griffe.load_extensions(str(DOCS / "docstrings.py"))
    loader = griffe.GriffeLoader(
        extensions=extensions, search_paths=[ROOT / "src"], docstring_parser="numpy"
    )
    loader.load("rankwright")
    return loader.modules_collection


@pytest.mark.xdist_group("reference")
def test_the_reference_shows_public_names_and_not_modules_called_the_same(reference):
    shown = {name: reference[f"rankwright.{name}"] for name in documented()}
    assert [name for name, one in shown.items() if one.is_module or one.docstring is None] == []


def entries(shown):
    sections = shown.docstring.parse(warnings=False)
    return [entry for one in sections if one.kind.value == "parameters" for entry in one.value]


def literal(default):
    """Return the value that is written, None where a name or a call is."""
    try:
        return ast.literal_eval(str(default))
    except (SyntaxError, ValueError):
        return None


@pytest.mark.xdist_group("reference")
def test_the_reference_shows_the_defaults_of_the_signatures(reference):
    seen, wrong = 0, []
    for name in documented():
        public = functools.reduce(getattr, name.split("."), rw)
        if not callable(public) or (isinstance(public, type) and issubclass(public, Exception)):
            continue
        signature = inspect.signature(public).parameters
        for entry in entries(reference[f"rankwright.{name}"]):
            if entry.name in signature and (shown := literal(entry.default)) is not None:
                seen += 1
                wrong += [(name, entry.name)] if shown != signature[entry.name].default else []
    assert wrong == []
    assert seen > 200


@pytest.mark.xdist_group("reference")
def test_the_reference_describes_every_parameter_that_it_lists(reference):
    silent = [
        f"{name}: {entry.name}"
        for name in documented()
        for entry in entries(reference[f"rankwright.{name}"])
        if not entry.description.strip()
    ]
    assert silent == []


@pytest.mark.xdist_group("reference")
def test_the_reference_lists_every_parameter_of_functions_and_estimators(reference):
    missing = []
    for name in documented():
        public = functools.reduce(getattr, name.split("."), rw)
        is_estimator = isinstance(public, type) and hasattr(public, "get_params")
        if inspect.isfunction(public) or is_estimator:
            listed = {entry.name.lstrip("*") for entry in entries(reference[f"rankwright.{name}"])}
            parameters = inspect.signature(public).parameters
            missing += [f"{name}: {one}" for one in parameters if one not in listed]
    assert missing == []


@pytest.mark.xdist_group("reference")
def test_the_reference_shows_values_and_not_the_names_of_constants(reference):
    shown = [reference[f"rankwright.{name}"] for name in documented()]
    functions = [one for one in shown if one.is_function]
    defaults = [str(parameter.default) for one in functions for parameter in one.parameters]
    assert [default for default in defaults if re.fullmatch(r"[A-Z_]+", default)] == []


@pytest.mark.xdist_group("reference")
def test_the_reference_takes_no_list_of_kinds_for_a_tuple(reference):
    kinds = {one.name: str(one.annotation) for one in entries(reference["rankwright.TreeRank"])}
    assert kinds["random_state"] == "int or RandomState or None"


@pytest.mark.xdist_group("reference")
def test_the_reference_keeps_the_quotes_of_choices(reference):
    kinds = {one.name: str(one.annotation) for one in entries(reference["rankwright.OrdinalTree"])}
    assert kinds["splitter"] == 'one of "hist", "exact", "random"'
    assert kinds["prune"] == 'either None or "cv"'


@pytest.mark.xdist_group("reference")
def test_the_reference_speaks_no_language_of_another_tool(reference):
    public = [reference[f"rankwright.{name}"] for name in documented()]
    methods = [one for shown in public for one in shown.members.values() if one.is_function]
    told = [one.docstring.value for one in (*public, *methods) if one.docstring is not None]
    assert re.findall(r":\w+:`", "".join(told)) == []


def test_the_navigation_leads_to_every_page_and_only_to_pages():
    places = {assemble.place_on_site(page).as_posix() for page in PAGES}
    assert sorted(NAVIGATION) == sorted(places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_something_on_the_site(page):
    assert assemble.turned(page, page.read_text(encoding="utf-8"))
    missing = [
        link
        for link in assemble.links(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert missing == []


def headings(page):
    """Return the anchors of a page's headings, as the site and the forges make them."""
    text = assemble.CODE.sub(lambda code: code[0].strip("`") * (code[0][:3] != "```"), page)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_anchor_of_a_page_is_a_heading(page):
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)]+)\)", assemble.CODE.sub("", text)):
        place = page.parent / target if target else page
        assert anchor in headings(place.read_text(encoding="utf-8"))


def test_nothing_of_the_site_is_fetched_from_elsewhere():
    assert "font: false" in CONFIGURATION
    assert re.findall(r"https?://", CONFIGURATION) == []
    assert re.findall(r"https?://", (DOCS / "stylesheets" / "site.css").read_text()) == []


def test_the_drawings_are_what_their_script_draws(tmp_path):
    source = DOCS / "concepts" / "drawings.py"
    drawings = script(source)
    drawings.HERE = tmp_path
    for draw in (
        drawings.certificate,
        drawings.pairs,
        drawings.tree,
        drawings.bound,
        drawings.problem,
    ):
        draw()
    drawn = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.svg")}
    assert len(drawn) == 5
    assert all((source.parent / name).read_text(encoding="utf-8") == drawn[name] for name in drawn)
