"""Where a page shows the job it waits for: what it does, how far it is, and a Stop."""

import time
from collections.abc import Callable
from typing import Any

from nicegui import ui

from rankwright.studio.blocks import Chart, Drawing, Grid, Tone, Words
from rankwright.studio.jobs import Job, JobState, Moment
from rankwright.studio.render import primary_button, show_words
from rankwright.studio.session import Session
from rankwright.studio.theme import Theme

__all__ = ["Runner"]

LOOK = 0.2  # seconds between two looks at a job
MOST_POINTS = 400  # of a live chart
PROBLEMS = {
    JobState.FAILED: "That did not work",
    JobState.CRASHED: "Something went wrong",
    JobState.STOPPED: "Stopped",
}


class Runner:
    """A place on a page for one job at a time; the moments of a proof are drawn as they come."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self._session, self._theme = session, theme
        self._job: Job | None = None
        self._done: Callable[[Any], None] = lambda value: None
        self._shown = 0
        self._chart: Any = None
        with ui.column().classes("runner"):
            with ui.row().classes("runner-bar") as self._bar:
                ui.spinner(size="1.4rem").props("aria-hidden=true")
                self._words = ui.label().props("aria-live=polite role=status")
                self._stop = primary_button("Stop", "stop", self._press)
            self._meter = ui.linear_progress(show_value=False).props("aria-label=progress")
            self._figures = ui.label().classes("figures")
            self._live_place = ui.column().classes("runner")
            self._after = ui.column().classes("runner").props("role=status")
        self._timer = ui.timer(LOOK, self._look, active=False)
        self._show_bar(False)

    def start(self, task: Callable[..., Any], request: Any, done: Callable[[Any], None]) -> None:
        """Begin a job, and hand its value on; one that is under way is ended."""
        self.end()
        self._done = done
        self._job = self._session.submit(task, request)
        self._stop.text = "Stop"
        self._show_bar(True)
        self._look()
        self._timer.activate()

    def end(self, why: str = "") -> None:
        """End a job that is under way, if there is one, and say why; forget one that is over."""
        is_busy = self._job is not None and not self._job.state.is_over
        if self._job is not None and is_busy:
            self._session.kill(self._job)
        self._job, self._shown, self._chart = None, 0, None
        self._timer.deactivate()
        self._show_bar(False)
        self._figures.text = ""
        self._live_place.clear()
        self._after.clear()
        if is_busy and why:
            with self._after:
                show_words(Words((why,), Tone.WARNING))

    def _press(self) -> None:
        """Stop the job; one that does not come to an end is ended by pressing again."""
        if self._job is None:
            return
        if self._job.state is JobState.STOPPING:
            self._session.kill(self._job)
        else:
            self._session.stop(self._job)
            self._stop.text = "End now"

    def _look(self) -> None:
        job = self._job
        if job is None:
            return
        self._words.text = self._said(job)
        self._meter.visible = job.progress.done is not None and not job.state.is_over
        if job.progress.done is not None:
            self._meter.value = job.progress.done
        self._show_moments(list(job.moments))
        if job.state.is_over:
            self._timer.deactivate()
            self._finish(job)

    def _finish(self, job: Job) -> None:
        self._show_bar(False)
        with self._after:
            if job.state is not JobState.DONE:
                show_words(Words((f"{PROBLEMS[job.state]}: {job.message}",), Tone.WARNING))
            if job.notes:
                show_words(Words(tuple(dict.fromkeys(job.notes))))
        if job.state is JobState.DONE:
            self._live_place.clear()
            self._figures.text = ""
            self._done(job.value)

    def _said(self, job: Job) -> str:
        seconds = f"{time.monotonic() - job.began:.0f} s"
        if job.state is JobState.WAITING:
            ahead = self._session.ahead_of(job)
            return f"Waiting: {ahead} before this one" if ahead else f"Starting · {seconds}"
        if job.state is JobState.STOPPING:
            return f"Stopping, and keeping what was found ({seconds})"
        return f"{job.progress.words} · {seconds}"

    def _show_moments(self, moments: list[Moment]) -> None:
        if len(moments) == self._shown:
            return
        self._shown = len(moments)
        last = moments[-1]
        self._figures.text = (
            f"Objective {last.objective:.4f} · bound {last.bound:.4f} · "
            f"gap {last.bound - last.objective:.4f} · {last.seconds:.1f} s of search and proof"
        )
        every = max(1, len(moments) // MOST_POINTS)
        rows = tuple((m.seconds, m.objective, m.bound) for m in [*moments[::every], last])
        columns = ("seconds", "objective", "bound")
        chart = Chart(Drawing.PROGRESS, Grid("Objective and bound", columns, rows))
        if self._chart is None:
            with self._live_place:
                self._chart = self._theme.draw(chart, "Objective and bound over time")
        else:
            self._theme.redraw(self._chart, chart)

    def _show_bar(self, visible: bool) -> None:
        self._bar.visible = visible
        self._meter.visible = False
