"""The studio as people use it, in a real browser."""

import os
import signal
import urllib.error
import urllib.request

import numpy as np
import pytest

from studio_tasks import until

pytestmark = pytest.mark.xdist_group("studio")

GERMAN = """Modell;Preis;Gewicht;Note;Platz
Adler;1.299,00 €;1,5 kg;4,5;1
Bussard;999,00 €;1,2 kg;4,0;2
Condor;899,50 €;1,9 kg;3,5;3
Dohle;1.050,00 €;2,1 kg;3,0;4
Elster;700,00 €;2,0 kg;2,5;5
"""
EVIL = "<img src=x onerror=alert(1)>"
HOSTILE = f"""name,":label","<script>alert(2)</script>",stars,rank
{EVIL},9,1,5,1
=cmd(),7,3,4,2
{{{{7*7}}}},5,2,3,3
"</td><script>alert(3)</script>",3,1,2,4
@SUM(A1),1,0,1,5
"""

# Let every chart show the tooltip of its first point, and return their texts.
SHOW_TIPS = """() => [...document.querySelectorAll('.chart')].map(element => {
  const chart = getElement(Number(element.id.slice(1)))?.chart;
  chart?.dispatchAction({type: 'showTip', seriesIndex: 0, dataIndex: 0});
  return [...element.querySelectorAll('div')].map(part => part.innerText).join(' ');
}).join(' ')"""


def panel(page):
    return page.locator(".q-tab-panel:visible")


def go(page, name):
    page.get_by_role("tab", name=name).click()
    panel(page).get_by_role("heading", level=1).wait_for()


def drop(page, content, name="table.csv", place=0):
    content = content.encode() if isinstance(content, str) else content
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    panel(page).locator("input[type=file]").nth(place).set_input_files(file)


def grip(page, name):
    """Return the part of a slider that keys move."""
    return page.get_by_role("slider", name=name).locator("[tabindex='0']")


def find_formula(page, seconds=3):
    go(page, "Formula")
    page.get_by_label("Seconds for everything").fill(str(seconds))
    page.get_by_role("switch", name="Held-out products and chance").click()
    page.get_by_role("button", name="Find the formula").click()


def downloaded(page, name):
    with page.expect_download() as event:
        page.get_by_role("button", name=name).click()
    return event.value


def noise(n_products=60, n_factors=9):
    """Return a table whose ranks follow from nothing: no proof ends soon."""
    rng = np.random.default_rng(0)
    columns = ",".join(f"f{factor}" for factor in range(n_factors))
    rows = "".join(
        f"P{place},{place},{','.join(f'{value:.3f}' for value in rng.random(n_factors))}\n"
        for place in range(1, n_products + 1)
    )
    return f"name,rank,{columns}\n{rows}"


@pytest.fixture(scope="module")
def cameras(open_tab):
    """A tab in which the formula behind the bundled cameras was found, and plans were made."""
    page = open_tab(viewport={"width": 1280, "height": 900})
    page.get_by_role("button", name="Take the bundled example").click()
    page.get_by_text("200 items in 5 subcategories").wait_for()
    find_formula(page)
    page.get_by_role("button", name="Download report.html").wait_for()
    go(page, "Improve")
    page.get_by_role("button", name="Take the cameras' changes").click()
    page.get_by_label("Changes that can be made").wait_for()
    page.get_by_role("button", name="Find the plans").click()
    page.get_by_role("heading", name="Plans for").wait_for()
    return page


def test_the_report_of_the_bundled_example_is_downloaded(cameras):
    go(cameras, "Formula")
    report = downloaded(cameras, "Download report.html")
    assert report.suggested_filename == "report.html"
    assert "The formula behind cameras.csv" in report.path().read_text()


def test_moving_a_factor_moves_the_score(cameras):
    go(cameras, "Formula")
    answer = cameras.get_by_role("status").filter(has_text="Score")
    answer.wait_for()
    before = answer.inner_text()
    grip(cameras, "photo_quality").press("ArrowRight")
    cameras.wait_for_function(
        "before => [...document.querySelectorAll('.answer')].some("
        "one => one.innerText && one.innerText !== before)",
        arg=before,
    )


def test_a_budget_buys_a_plan_and_its_table_is_downloaded(cameras):
    go(cameras, "Improve")
    for _ in range(3):
        grip(cameras, "Budget").press("PageUp")
    panel(cameras).get_by_text("Cost 29").wait_for()
    plans = downloaded(cameras, "Download plans.csv").path().read_text()
    assert plans.startswith("changes,cost,gain,score,position")


def test_a_cell_of_the_changes_is_edited_in_place(cameras):
    go(cameras, "Improve")
    cell = cameras.get_by_label("cost of Larger battery")
    cell.fill("3,5")
    cell.press("Tab")
    cameras.get_by_role("button", name="Find the plans").click()
    cameras.get_by_role("slider", name="Budget").wait_for()
    cameras.wait_for_function(
        "() => [...document.querySelectorAll('[role=slider][aria-label=Budget]')]"
        ".some(one => one.getAttribute('aria-valuemax') === '30.5')"
    )


def test_saved_work_is_opened_in_another_tab(cameras, open_tab):
    saved = downloaded(cameras, "Save work")
    other = open_tab()
    drop(other, saved.path().read_bytes(), "monday.rwork")
    other.get_by_role("heading", name="cameras.csv").wait_for()
    go(other, "Formula")
    other.get_by_role("button", name="Download report.html").wait_for()
    go(other, "Improve")
    other.get_by_role("heading", name="Plans for").wait_for()
    other.context.close()


@pytest.mark.parametrize("name", ["Data", "Formula", "Improve", "Rank", "Votes"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_pages_are_readable_for_everybody(cameras, name, theme, width):
    from axe_playwright_python.sync_playwright import Axe

    cameras.set_viewport_size({"width": width, "height": 900})
    is_dark = cameras.evaluate("document.body.classList.contains('body--dark')")
    if is_dark != (theme == "dark"):
        cameras.get_by_role("button", name="Light or dark").click()
        cameras.wait_for_function(
            "dark => document.body.classList.contains('body--dark') === dark", arg=not is_dark
        )
    go(cameras, name)
    rules = ["color-contrast", "button-name", "label", "select-name", "aria-input-field-name"]
    found = Axe().run(cameras, options={"runOnly": {"type": "rule", "values": rules}})
    told = [
        (one["id"], node["target"], node["failureSummary"])
        for one in found.response["violations"]
        for node in one["nodes"]
    ]
    assert not told
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert cameras.evaluate(overflow) <= 0


def test_a_page_is_reached_by_keyboard_alone(page):
    page.keyboard.press("Tab")
    for _ in range(12):
        focused = page.evaluate("document.activeElement.innerText || ''")
        if "Take the bundled example" in focused:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("200 items in 5 subcategories").wait_for()


def test_a_german_spreadsheet_is_read_and_a_role_is_corrected(page):
    drop(page, GERMAN, "Produkte.csv")
    page.get_by_text("5 items, 2 factors").wait_for()
    page.get_by_label("Role of Note").select_option("ignore")
    page.get_by_text("5 items, 1 factor.").wait_for()


def test_a_wrong_file_is_a_message_and_the_page_lives_on(page):
    drop(page, bytes(range(256)) * 9, "holiday.png")
    page.get_by_text("That did not work").wait_for()
    drop(page, GERMAN)
    page.get_by_text("5 items, 2 factors").wait_for()


def test_names_are_text_everywhere(page):
    drop(page, HOSTILE, "<b>bold.csv")
    page.get_by_text("5 items").first.wait_for()
    assert page.get_by_text(EVIL).count() > 0
    find_formula(page, seconds=2)
    page.get_by_role("button", name="Download report.html").wait_for()
    page.wait_for_function(SHOW_TIPS)
    assert EVIL in page.evaluate(SHOW_TIPS)
    go(page, "Rank")
    page.get_by_role("button", name="Fit", exact=True).click()
    ranking = downloaded(page, "Download ranking.csv").path().read_text()
    assert "'=cmd()" in ranking
    assert "'@SUM(A1)" in ranking
    assert page.evaluate("document.querySelectorAll('img[src=x]').length") == 0
    assert page.dialogs == []


def test_stop_in_the_middle_of_a_proof_keeps_the_best_formula(page):
    drop(page, noise())
    page.get_by_text("60 items, 9 factors").wait_for()
    find_formula(page, seconds=3600)
    page.get_by_text("Objective 0").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped early: the best formula so far").wait_for()
    page.get_by_role("button", name="Download formula.rw").wait_for()


@pytest.fixture
def proving(server, open_tab):
    """A tab in which a proof is under way, and the number of its process."""
    page = open_tab()
    drop(page, noise())
    page.get_by_text("60 items, 9 factors").wait_for()
    before = set(server.jobs())
    find_formula(page, seconds=3600)
    page.get_by_text("Objective 0").wait_for()
    until(lambda: len(set(server.jobs()) - before) == 1)  # others came to their end
    (job,) = set(server.jobs()) - before
    yield page, job
    page.context.close()


def test_a_killed_job_is_a_message_and_the_page_lives_on(proving):
    page, job = proving
    os.kill(job, signal.SIGKILL)
    page.get_by_text("The work ended unexpectedly (signal 9)").wait_for()
    go(page, "Data")
    page.get_by_role("button", name="Take the bundled example").click()
    page.get_by_text("200 items in 5 subcategories").wait_for()


def test_tabs_do_not_see_each_other_and_a_closed_one_ends_its_processes(proving, page, server):
    other, job = proving
    go(page, "Formula")
    page.get_by_text("Read a table on the Data page first.").locator("visible=true").wait_for()
    other.context.close()
    until(lambda: job not in server.jobs())
    go(page, "Data")
    drop(page, GERMAN)
    page.get_by_text("5 items, 2 factors").wait_for()


def test_votes_and_comparisons_are_ranked(page):
    go(page, "Votes")
    drop(page, "film,ann,bob\nUp,1,2\nHer,2,1\nM,3,3\n", "votes.csv")
    page.get_by_text("proved to be the least possible").wait_for()
    battles = "a,b,left\nb,c,left\na,c,left\nc,a,left\nb,a,left\n" * 4
    drop(page, f"left,right,outcome\n{battles}", "battles.csv", place=1)
    assert "strength" in downloaded(page, "Download leaderboard.csv").path().read_text()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Content-Length": "99000000"}, 413),
    ],
)
def test_what_others_send_is_refused(server, headers, status):
    request = urllib.request.Request(server.address, headers=headers)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == status
