"""One server and one browser for all tests in a browser."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from studio_browser import find_formula, go

SOURCES = Path(__file__).parents[2] / "src"

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PATIENCE = 120_000  # milliseconds: a loaded machine compiles kernels on the way
MEGABYTES = 1


class Server:
    """A studio in a process of its own."""

    def __init__(self, folder):
        command = [sys.executable, "-m", "rankwright.cli", "studio", "--no-open"]
        # NiceGUI serves no page to what it takes for a test of its own.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
        environment["PYTHONPATH"] = str(SOURCES)  # no more: other tests add what shadows packages
        errors = folder / "errors.txt"
        self.process = subprocess.Popen(
            [*command, "--limit", str(MEGABYTES), "--jobs", "2", "--port", str(free_port())],
            stdout=subprocess.PIPE,
            stderr=errors.open("w"),
            text=True,
            cwd=folder,
            env=environment,
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, errors.read_text()
        self.address = found[0]

    def jobs(self):
        """Return the processes of jobs: the children of the process that forks them."""
        return [job for child in children(self.process.pid) for job in children(child)]

    def close(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


def free_port():
    """Return a port that no other studio of this machine tries first."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]


def children(pid):
    """Return the children of a process, as Linux lists them."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task") if os.path.isdir(f"/proc/{pid}/task") else ():
        try:
            with open(f"/proc/{pid}/task/{task}/children") as listed:
                found += map(int, listed.read().split())
        except OSError:
            continue
    return found


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    pytest.importorskip("nicegui", reason="needs the extra studio")
    pytest.importorskip("playwright", reason="needs Playwright to drive a browser")
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    made = Server(tmp_path_factory.mktemp("server"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def browser(server):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def open_tab(server, browser):
    """Return what opens the studio in a context of its own, which nobody else sees."""
    opened = []

    def open_it(**options):
        context = browser.new_context(accept_downloads=True, **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.dialogs = []
        page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(server.address)
        page.get_by_role("button", name="Take the bundled example").wait_for()
        opened.append(context)
        return page

    yield open_it
    for context in opened:
        context.close()


@pytest.fixture
def page(open_tab):
    made = open_tab()
    yield made
    made.context.close()


@pytest.fixture(scope="session")
def cameras(open_tab):
    """A tab in which the formula of the bundled cameras was found, with plans and a ranker."""
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
    go(page, "Rank")
    page.get_by_role("button", name="Fit", exact=True).click()
    page.get_by_role("button", name="Download model.rw").wait_for()
    return page
