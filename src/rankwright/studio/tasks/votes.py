"""One order out of many: the consensus of votes, and strengths from comparisons."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.studio.blocks import Block, Chart, Drawing, Grid, Section, Tone, Words
from rankwright.studio.jobs import Progress, Tell
from rankwright.studio.tasks.grids import grid_of
from rankwright.studio.tasks.rank import RankFound
from rankwright.studio.tasks.table import File, named, open_sheet

if TYPE_CHECKING:
    from rankwright.aggregation import Consensus
    from rankwright.leaderboards import Leaderboard

__all__ = ["BoardRequest", "VotesRequest", "columns_of", "find_consensus", "find_strengths"]

MOST_VOTERS, MOST_ROWS = 40, 60


@dataclass(frozen=True)
class VotesRequest:
    """A file of votes, and how to aggregate them."""

    file: File
    method: str = "auto"
    scores: bool | None = None
    strict: bool = False
    seconds: float = 60.0
    item: str | None = None
    voters: tuple[str, ...] = ()


@dataclass(frozen=True)
class BoardRequest:
    """A file of comparisons, and how to take them; columns that are None are guessed."""

    file: File
    left: str | None = None
    right: str | None = None
    outcome: str | None = None
    left_points: str | None = None
    right_points: str | None = None
    counts: str | None = None
    weights: str | None = None
    cluster: str | None = None
    context: tuple[str, ...] = ()
    smaller: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    side_advantage: bool = False
    smaller_is_better: bool = False
    features: File | None = None
    model: str = "auto"
    alpha: float = 0.0
    level: float = 0.95
    bootstrap: int = 0

    @property
    def results(self) -> str | tuple[str, str] | None:
        """The column of outcomes, or those of points."""
        points = (self.left_points, self.right_points)
        if self.outcome is not None and any(points):
            raise ValueError("outcomes and points both say who won; choose one of them")
        if any(points) and not all(points):
            raise ValueError("the points of one side have no column; choose it, or neither")
        return (str(points[0]), str(points[1])) if all(points) else self.outcome


def columns_of(request: File, tell: Tell) -> tuple[str, ...]:
    """Return the columns of a table; a file of orders has none."""
    from rankwright.data.preflib import KINDS

    if Path(request.path).suffix.lower().removeprefix(".") in KINDS:
        return ()
    with named(request):
        return tuple(map(str, open_sheet(request).frame.columns))


def find_consensus(request: VotesRequest, tell: Tell) -> RankFound:
    """Find the consensus of votes, and how close to optimal it is proved to be."""
    from rankwright.aggregation import aggregate
    from rankwright.aggregation.votes import read_votes
    from rankwright.data.ballots import read_ballots
    from rankwright.report import csv_text
    from rankwright.report.consensus import consensus_table, consensus_words, open_votes
    from rankwright.report.time_left import seconds_left

    begun = time.monotonic()
    tell(Progress(f"Reading {request.file.name}"))
    with named(request.file):
        votes = read_ballots(
            request.file.path, item=request.item, voters=request.voters, scores=request.scores
        )
        tell(Progress("Searching for the consensus"))
        consensus = aggregate(
            votes,
            request.method,
            scores=bool(request.scores),
            ties=not request.strict,
            time_limit=seconds_left(request.seconds, time.monotonic() - begun),
        )
        positions = read_votes(votes, scores=bool(request.scores)).positions
    listed = consensus_table(consensus)
    notes = tuple(open_votes(votes, "scores" if request.scores else "positions"))
    certificate = consensus_words(consensus)
    blocks: tuple[Block, ...] = (
        Words((f"{certificate[0].upper()}{certificate[1:]}.",),
              Tone.GOOD if consensus.optimal else Tone.PLAIN),
        Chart(Drawing.PLACES, _places(consensus, positions, getattr(votes, "columns", None))),
        *([Words(notes, Tone.WARNING)] if notes else []),
    )  # fmt: skip
    return RankFound((Section("Consensus", blocks),), {"consensus.csv": csv_text(listed).encode()})


def find_strengths(request: BoardRequest, tell: Tell) -> RankFound:
    """Rank items by their comparisons, and say which ranks each of them may have."""
    from rankwright.data import read_numbers
    from rankwright.leaderboards import leaderboard
    from rankwright.report import csv_text
    from rankwright.report.bundle import leaderboard_bundle
    from rankwright.report.leaderboard import leaderboard_words

    tell(Progress("Comparing"))
    features = request.features
    with named(request.file, *([] if features is None else [features])):
        board = leaderboard(
            request.file.path,
            left=request.left,
            right=request.right,
            outcome=request.results,
            counts=request.counts,
            weights=request.weights,
            cluster=request.cluster,
            context=list(request.context) or None,
            side_advantage=request.side_advantage,
            smaller_is_better=request.smaller_is_better or list(request.smaller) or False,
            tasks=list(request.tasks) or None,
            item_features=None if features is None else read_numbers(features.path),
            model=request.model,
            alpha=request.alpha,
            level=request.level,
            bootstrap=request.bootstrap,
        )
    bundle = leaderboard_bundle(board, request.file.name)
    blocks: tuple[Block, ...] = (
        Words(tuple(leaderboard_words(board))),
        Chart(Drawing.INTERVALS, _board(board)),
        *([_effects(board)] if board.effect_names else []),
        *([Words(tuple(map(str, board.notes)))] if board.notes else []),
    )
    return RankFound(
        (Section("Leaderboard", blocks),),
        {
            "leaderboard.html": bundle.page,
            "leaderboard.json": bundle.result,
            "leaderboard.rw": bundle.model,
            "leaderboard.csv": csv_text(board.table()).encode(),
        },
    )


def _places(consensus: "Consensus", positions: Any, voters: Any) -> Grid:
    """Return the consensus beside the voters, the closest first."""
    import numpy as np

    nearest = np.argsort(consensus.disagreement, kind="stable")[:MOST_VOTERS]
    order = np.argsort(consensus.positions, kind="stable")[:MOST_ROWS]
    names = [str(number + 1) if voters is None else str(voters[number]) for number in nearest]
    rows = (
        (str(consensus.items[item]), consensus.positions[item], *positions[nearest, item])
        for item in order.tolist()
    )
    return grid_of("The consensus, and the voters' places", ("item", "consensus", *names), rows)


def _effects(board: "Leaderboard") -> Grid:
    table = board.effect_table()
    return grid_of("Effects", ("effect", *table.columns), table.itertuples(name=None))


def _board(board: "Leaderboard") -> Grid:
    table = board.table()
    shown = table.head(MOST_ROWS)
    ranks, together = (
        [f"{low}" if low == high else f"{low}–{high}" for low, high in zip(*ends, strict=True)]
        for ends in (
            (shown["rank_low"], shown["rank_high"]),
            (shown["all_low"], shown["all_high"]),
        )
    )
    shown = shown[["strength", "standard_error", "low", "high"]].assign(ranks=ranks, all=together)
    more = f", the first {MOST_ROWS} of {len(table):,}" if len(table) > MOST_ROWS else ""
    columns = ("item", "strength", "standard error", "low", "high", "ranks", "all at once")
    title = f"Leaderboard, {board.level:.0%} intervals{more}"
    return grid_of(title, columns, shown.itertuples(name=None))
