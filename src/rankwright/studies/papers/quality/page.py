"""What came out of reverse-engineering quality ratings."""

from rankwright.studies.page import Page
from rankwright.studies.papers.quality.cameras import write_cameras
from rankwright.studies.papers.quality.flexible import write_flexible
from rankwright.studies.papers.quality.ratings import write_ratings
from rankwright.studies.results import Results

__all__ = ["write"]


def write(results: Results, page: Page) -> None:
    """Tell what sections 7, 8 and 9 of the paper claim, and what came out here."""
    write_flexible(results, page)
    write_ratings(results, page)
    write_cameras(results, page)
