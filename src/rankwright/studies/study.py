"""What a study is: experiments to run, and the page that tells what came out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rankwright.studies.experiment import Experiment, check_name

if TYPE_CHECKING:
    from rankwright.studies.page import Page
    from rankwright.studies.results import Results

__all__ = ["Settings", "Study"]


@dataclass(frozen=True)
class Settings:
    """How thoroughly to run a study, and on which files of the user's.

    Attributes
    ----------
    quick : bool
        Run in reduced form, to see that everything works.
    replications : int or None
        Instead of those that the study foresees.
    files : mapping of str to Path
        Files that the user hands in, by the names that the study gives them.

    Examples
    --------
    >>> from rankwright.studies import Settings
    >>> Settings().repeat(30), Settings(quick=True).repeat(30), Settings(replications=5).repeat(30)
    (30, 2, 5)
    """

    quick: bool = False
    replications: int | None = None
    files: Mapping[str, Path] = field(default_factory=dict)

    def repeat(self, full: int, quick: int = 2) -> int:
        """Return how often to repeat what the paper repeated ``full`` times."""
        return self.replications or (quick if self.quick else full)


@dataclass(frozen=True)
class Study:
    """The experiments of a paper, and how their results are told.

    Attributes
    ----------
    name : str
        As given to ``rankwright reproduce``.
    title : str
        The heading of its page.
    paper : str
        Whose claims are tested: authors, title, year.
    plan : callable
        ``plan(settings)`` returns the experiments.
    write : callable
        ``write(results, page)`` fills the page with tables, figures and verdicts.
    files : mapping of str to str
        Files that a user may hand in, and what they are for.

    Examples
    --------
    >>> from rankwright.studies import Experiment, Settings, Study
    >>> def measure(rng):
    ...     return {"draw": float(rng.random())}
    >>> def plan(settings):
    ...     return [Experiment("draws", measure, grid=[{}], replications=settings.repeat(100))]
    >>> def write(results, page):
    ...     page.text(f"The mean is {results.frame('draws')['draw'].mean():.1f}.")
    >>> study = Study("draws", "Numbers at random", "A made-up question.", plan, write)
    >>> study.command(Settings(quick=True))
    'rankwright reproduce draws --quick'
    """

    name: str
    title: str
    paper: str
    plan: Callable[[Settings], Sequence[Experiment]]
    write: Callable[["Results", "Page"], None]
    files: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_name("a study", self.name)

    def command(self, settings: Settings) -> str:
        """Return what a user types to run the study so; files by their names, not their places."""
        options = ["--quick"] if settings.quick else []
        if settings.replications is not None:
            options.append(f"--replications {settings.replications}")
        options += [
            f"--file {name}={Path(settings.files[name]).name}"
            for name in self.files
            if name in settings.files
        ]
        return " ".join(["rankwright reproduce", self.name, *options])
