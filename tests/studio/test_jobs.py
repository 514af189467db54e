import os

import pytest

import studio_tasks
from rankwright.studio.jobs import Jobs, JobState, Moment
from studio_tasks import until


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def jobs():
    return Jobs(2)


def test_a_job_tells_and_returns(jobs):
    job = jobs.submit(studio_tasks.double, 21)
    assert job.wait() is JobState.DONE
    assert job.value == 42
    assert job.progress.done == 0.5
    assert job.moments == [Moment(1.0, 0.5, 0.75)]
    assert job.notes == ["twice"]


@pytest.mark.parametrize(
    ("task", "state", "message"),
    [
        (studio_tasks.refuse, JobState.FAILED, "'x' can't be doubled; give a number"),
        (studio_tasks.break_down, JobState.CRASHED, "RuntimeError: a defect"),
        (studio_tasks.vanish, JobState.CRASHED, "signal 9"),
    ],
)
def test_what_goes_wrong_in_a_job_is_a_message(jobs, task, state, message):
    job = jobs.submit(task, "x")
    assert job.wait() is state
    assert message in job.message


def test_a_warning_in_a_job_is_a_note_of_one_line(jobs):
    job = jobs.submit(studio_tasks.warn, None)
    job.wait()
    assert job.notes == ["be careful"]


def test_stop_keeps_what_was_found(jobs):
    job = jobs.submit(studio_tasks.endless, "keep")
    until(lambda: job.progress.words == "Waiting")
    jobs.stop(job)
    assert job.wait() is JobState.DONE
    assert job.value == "the best so far"


def test_stop_before_anything_was_found_says_so(jobs):
    job = jobs.submit(studio_tasks.endless, None)
    until(lambda: job.progress.words == "Waiting")
    jobs.stop(job)
    assert job.wait() is JobState.STOPPED
    assert "nothing was found" in job.message


def test_a_job_that_does_not_listen_is_ended_and_its_process_is_gone(jobs):
    job = jobs.submit(studio_tasks.deaf, None)
    until(lambda: job.progress.words == "Waiting")
    pid = job.pid
    jobs.stop(job)
    assert job.state is JobState.STOPPING
    jobs.kill(job)
    assert job.wait() is JobState.STOPPED
    until(lambda: not is_alive(pid))


def test_jobs_beyond_the_limit_wait_in_line_and_say_how_many_are_before_them():
    jobs = Jobs(1)
    first = jobs.submit(studio_tasks.endless, None)
    until(lambda: first.state is JobState.RUNNING)
    second, third = (jobs.submit(studio_tasks.double, n) for n in (1, 2))
    until(lambda: jobs.ahead_of(third) == 2)
    assert second.state is third.state is JobState.WAITING
    assert jobs.ahead_of(second) == 1
    jobs.kill(first)
    assert (second.wait(), third.wait()) == (JobState.DONE, JobState.DONE)


def test_a_job_that_waits_can_leave_the_line():
    jobs = Jobs(1)
    first = jobs.submit(studio_tasks.endless, None)
    until(lambda: first.state is JobState.RUNNING)
    second = jobs.submit(studio_tasks.double, 1)
    jobs.stop(second)
    assert second.wait() is JobState.STOPPED
    until(lambda: jobs.ahead_of(second) == 0)
    jobs.kill(first)


def test_what_takes_no_time_does_not_wait():
    jobs = Jobs(1)
    first = jobs.submit(studio_tasks.endless, None)
    until(lambda: first.state is JobState.RUNNING)
    assert jobs.submit(studio_tasks.double, 4, at_once=True).wait() is JobState.DONE
    jobs.kill(first)
