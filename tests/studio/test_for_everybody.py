"""The studio by keyboard alone, for screen readers, on a phone, light and dark."""

import pytest

from studio_browser import PAGES, go, grip, panel, set_theme, settle

pytestmark = pytest.mark.xdist_group("studio")

TAGS = ["wcag2a", "wcag2aa", "wcag21aa"]
# Quasar lays the input of files, which has no place in the order of Tab, over its button.
EXCEPTED = {"nested-interactive": {"enabled": False}}
# The controls that are seen and could have the focus of the keyboard, but had it not yet.
MISSED = """() => [...document.querySelectorAll(
    'button, a[href], input, select, textarea, [tabindex]')].filter(one =>
  one.tabIndex >= 0 && !one.disabled && one.checkVisibility({visibilityProperty: true})
  && one.getClientRects().length && one.type !== 'file'
  && !window.seen.has(one)).map(one => one.outerHTML.slice(0, 200))"""
# Number the element that has the focus, and tell whether that is seen.
FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  window.seen ??= new Map();
  if (!window.seen.has(one)) window.seen.set(one, window.seen.size);
  const field = one.closest('.q-field');
  const knob = one.querySelector('.q-slider__focus-ring');
  const marked = getComputedStyle(one).outlineStyle !== 'none' || knob
    || (field && field.classList.contains('q-field--focused'));
  return {number: window.seen.get(one), marked: Boolean(marked),
    name: one.ariaLabel || one.innerText || one.className, top: one.getBoundingClientRect().top};
}"""


def walk(page):
    """Press Tab from the top of the page to its end; return what had the focus."""
    page.evaluate("() => { window.seen = new Map(); window.scrollTo(0, 0); }")
    page.locator(".brand").click()
    page.locator(".q-tab--active[tabindex='0']").wait_for()  # Quasar gives it back in a moment
    found = {}
    for _ in range(len(page.evaluate(MISSED)) + 5):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or focused["number"] in found:
            break
        found[focused["number"]] = focused
    return list(found.values())


@pytest.mark.parametrize("name", PAGES)
def test_every_control_is_reached_by_tab_and_shows_it(cameras, name):
    cameras.set_viewport_size({"width": 1280, "height": 900})
    go(cameras, name)
    reached = walk(cameras)
    assert cameras.evaluate(MISSED) == []
    assert [one["name"] for one in reached if not one["marked"]] == []


def test_keys_open_close_and_move(cameras):
    go(cameras, "Formula")
    product = panel(cameras).get_by_role("combobox", name="Product")
    product.focus()
    cameras.keyboard.press("ArrowDown")
    cameras.get_by_role("listbox").wait_for()
    cameras.keyboard.press("Escape")
    cameras.get_by_role("listbox").wait_for(state="detached")
    table = panel(cameras).get_by_role("button", name="The same as a table").first
    table.focus()
    cameras.keyboard.press("Enter")
    head = panel(cameras).get_by_role("columnheader", name="percent")
    head.focus()
    cameras.keyboard.press("Enter")
    panel(cameras).locator("th.sorted").get_by_text("percent").wait_for()
    grip(cameras, "photo_quality").press("ArrowRight")
    panel(cameras).get_by_text("(was").first.wait_for()


def test_a_file_is_chosen_by_keyboard(page):
    plus = page.locator("a[role=button][aria-label^='Drop a table']")
    plus.focus()
    with page.expect_file_chooser():
        plus.press("Enter")


def test_what_is_typed_stays_while_a_job_tells(cameras):
    go(cameras, "Improve")
    cell = cameras.get_by_label("cost of Add 1 megapixel")
    cell.fill("12")
    cameras.get_by_role("button", name="Find the plans").dispatch_event("click")
    cameras.get_by_role("heading", name="Plans for").wait_for()
    assert cell.input_value() == "12"
    cell.fill("3")


def test_changing_a_role_keeps_the_focus(page):
    page.get_by_role("button", name="Take the bundled example").press("Enter")
    page.get_by_text("200 items in 5 subcategories, 11 factors").wait_for()
    role = page.get_by_label("Role of weight")
    role.focus()
    role.select_option("ignore")
    page.get_by_text("200 items in 5 subcategories, 10 factors").wait_for()
    assert page.evaluate("document.activeElement.ariaLabel") == "Role of weight"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_are_readable_for_everybody(cameras, theme, width):
    from axe_playwright_python.sync_playwright import Axe

    cameras.set_viewport_size({"width": width, "height": 900})
    set_theme(cameras, theme)
    for name in PAGES:
        go(cameras, name)
        settle(cameras)
        found = Axe().run(cameras, options={"runOnly": TAGS, "rules": EXCEPTED})
        told = [
            (name, one["id"], node["target"], node["failureSummary"])
            for one in found.response["violations"]
            for node in one["nodes"]
        ]
        assert not told
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert cameras.evaluate(overflow) <= 0
