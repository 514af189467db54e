from pathlib import Path

import pytest

import studio_tasks
from rankwright.studio.jobs import Jobs, JobState
from rankwright.studio.session import Session


@pytest.fixture
def session():
    made = Session(Jobs(1))
    yield made
    made.close()


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a\0b.csv", "x" * 5000, "", ".csv", "a.csv/../b"]
)
def test_a_file_is_kept_in_the_sessions_folder_whatever_its_name(session, name):
    file = session.keep(name, b"1")
    assert Path(file.path).parent == Path(session.folder)
    assert Path(file.path).read_bytes() == b"1"
    assert file.name


def test_the_ending_of_a_file_is_one_that_a_reader_knows(session):
    assert session.keep("a.XLSX", b"").path.endswith(".xlsx")
    assert session.keep("a.exe", b"").path.endswith(".txt")


def test_closing_ends_the_jobs_and_deletes_the_files(session):
    session.keep("a.csv", b"1")
    job = session.submit(studio_tasks.endless, None)
    studio_tasks.until(lambda: job.state is JobState.RUNNING)
    session.close()
    assert job.wait() is JobState.STOPPED
    assert not Path(session.folder).exists()


def test_jobs_of_a_session_wait_in_line_and_are_stopped(session):
    first, second = (session.submit(studio_tasks.endless, None) for _ in range(2))
    studio_tasks.until(lambda: first.state is JobState.RUNNING)
    assert session.ahead_of(second) == 1
    session.stop(second)
    assert second.wait() is JobState.STOPPED
    session.kill(first)
    assert first.wait() is JobState.STOPPED
    assert session.ahead_of(first) == 0


def test_sessions_share_nothing_but_the_line():
    jobs = Jobs(1)
    first, second = Session(jobs), Session(jobs)
    first.update(budget=3.0)
    assert second.state.budget == 0.0
    assert first.folder != second.folder
    first.close()
    second.close()
