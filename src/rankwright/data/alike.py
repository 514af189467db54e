"""Names of items or of groups that may have been meant for one."""

from collections.abc import Hashable, Iterable

from rankwright.data.observations import examples

__all__ = ["note_alike"]


def note_alike(names: Iterable[Hashable], what: str = "Names", ones: str = "items") -> list[str]:
    """Say which names differ only by case or spaces; they stay names of different ones."""
    spelled: dict[str, list[str]] = {}
    for name in names:
        if isinstance(name, str):
            spelled.setdefault(" ".join(name.split()).casefold(), []).append(name)
    alike = [" and ".join(map(repr, same)) for same in spelled.values() if len(same) > 1]
    if not alike:
        return []
    return [
        f"{what} that differ only by case or spaces are taken for different {ones}: "
        f"{examples(alike, len(alike))}; spell them alike if they are one."
    ]
