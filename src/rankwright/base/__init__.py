"""The contract that every ranker keeps."""

from rankwright.base.ranker import RankerMixin
from rankwright.base.validation import as_rows

__all__ = ["RankerMixin", "as_rows"]
