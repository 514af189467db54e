"""A report, its result and its model as contents of files that belong together."""

from dataclasses import dataclass
from typing import Any

from rankwright.leaderboards import Leaderboard
from rankwright.persistence.files import dump, model_checksum
from rankwright.report.leaderboard import leaderboard_report, leaderboard_result
from rankwright.report.plain_values import json_text
from rankwright.report.rating import rating_report, rating_result
from rankwright.reverse import Investigation

__all__ = ["Bundle", "MODEL_STAMP", "json_bytes", "leaderboard_bundle", "rating_bundle"]

# Where a result says which model it was written with.
MODEL_STAMP = "model_checksum"


@dataclass(frozen=True)
class Bundle:
    """The report, the result and the model: the last one's checksum stands in the others."""

    page: bytes
    result: bytes
    model: bytes


def json_bytes(result: Any) -> bytes:
    """Return a result as JSON."""
    return (json_text(result) + "\n").encode()


def rating_bundle(found: Investigation) -> Bundle:
    """Return what ``reverse`` writes."""
    model = dump(found.model)
    stamp = model_checksum(model)
    result = json_bytes({**rating_result(found), MODEL_STAMP: stamp})
    return Bundle(rating_report(found, stamp).encode(), result, model)


def leaderboard_bundle(board: Leaderboard, source: str) -> Bundle:
    """Return what ``leaderboard`` writes."""
    model = dump(board)
    result = {**leaderboard_result(board, source), MODEL_STAMP: model_checksum(model)}
    return Bundle(leaderboard_report(board, source).encode(), json_bytes(result), model)
