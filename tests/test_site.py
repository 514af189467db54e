"""The sources of the site: links, navigation, and a place for every public name."""

import importlib.util
import re
from pathlib import Path

import pytest

import rankwright as rw

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CONFIGURATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAVIGATION = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", CONFIGURATION, re.MULTILINE)

specification = importlib.util.spec_from_file_location("assemble", DOCS / "assemble.py")
assemble = importlib.util.module_from_spec(specification)
specification.loader.exec_module(assemble)

PAGES = [path for path in assemble.files() if path.suffix == ".md"]


def documented():
    text = "\n".join(page.read_text() for page in (DOCS / "reference").glob("*.md"))
    return re.findall(r"^::: rankwright\.(\S+)$", text, re.MULTILINE)


def test_every_public_name_is_in_the_reference_once():
    names = documented()
    public = {name for name in rw.__all__ if name not in rw._MODULES}
    inside = {f"{module}.{name}" for module in rw._MODULES for name in getattr(rw, module).__all__}
    assert sorted(names) == sorted(public | inside)


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
    specification = importlib.util.spec_from_file_location("drawings", source)
    drawings = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(drawings)
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
