"""Requests for metadata, which refer to the estimator that holds them: a circle to a file.

scikit-learn reads the owner of a request in messages alone, and takes a name for it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sklearn.utils.metadata_routing import MetadataRequest

__all__ = ["owners_by_name"]


@contextmanager
def owners_by_name(model: Any) -> Iterator[None]:
    """Let the requests of a model, and of all that it holds, know their owners by name only."""
    owned = [
        (part, part.owner)
        for request in _requests(model)
        for part in (request, *vars(request).values())
        if hasattr(part, "owner")
    ]
    try:
        for part, owner in owned:
            part.owner = owner if isinstance(owner, str) else type(owner).__name__
        yield
    finally:
        for part, owner in owned:
            part.owner = owner


def _requests(model: Any) -> Iterator[MetadataRequest]:
    waiting, seen = [model], set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type):
            continue
        seen.add(id(thing))
        if isinstance(thing, MetadataRequest):
            yield thing
        elif isinstance(thing, Mapping):
            waiting += thing.values()
        elif isinstance(thing, list | tuple | set):
            waiting += thing
        else:
            waiting += getattr(thing, "__dict__", {}).values()
