"""The studio as people use it, in a real browser."""

import os
import signal
import urllib.error
import urllib.request

import pytest

from studio_browser import (
    EVIL,
    GERMAN,
    HOSTILE,
    SHOW_TIPS,
    downloaded,
    drop,
    find_formula,
    go,
    grip,
    noise,
    panel,
)
from studio_tasks import until

pytestmark = pytest.mark.xdist_group("studio")


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


def test_a_german_spreadsheet_is_read_and_a_role_is_corrected(page):
    drop(page, GERMAN, "Produkte.csv")
    page.get_by_text("5 items, 3 factors").wait_for()
    page.get_by_label("Role of Note").select_option("ignore")
    page.get_by_text("5 items, 2 factors.").wait_for()


def test_a_wrong_file_is_a_message_and_the_page_lives_on(page):
    drop(page, bytes(range(256)) * 9, "holiday.png")
    page.get_by_text("That did not work").wait_for()
    drop(page, GERMAN)
    page.get_by_text("5 items, 3 factors").wait_for()


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
    page.get_by_text("5 items, 3 factors").wait_for()


def test_votes_and_comparisons_are_ranked(page):
    go(page, "Votes")
    drop(page, "film,ann,bob\nUp,1,2\nHer,2,1\nM,3,3\n", "votes.csv")
    page.get_by_text("proved to be the least possible").wait_for()
    battles = "a,b,left\nb,c,left\na,c,left\nc,a,left\nb,a,left\n" * 4
    drop(page, f"left,right,outcome\n{battles}", "battles.csv", place=2)
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
