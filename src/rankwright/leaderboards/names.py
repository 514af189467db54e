"""Names of items that may have been meant for one."""

from collections.abc import Hashable, Sequence

from rankwright.data.observations import examples

__all__ = ["note_alike"]


def note_alike(items: Sequence[Hashable]) -> list[str]:
    """Say which names differ only by case or spaces; they stay items of their own."""
    spelled: dict[str, list[str]] = {}
    for item in items:
        if isinstance(item, str):
            spelled.setdefault(" ".join(item.split()).casefold(), []).append(item)
    alike = [" and ".join(map(repr, names)) for names in spelled.values() if len(names) > 1]
    if not alike:
        return []
    return [
        f"Names that differ only by case or spaces are taken for different items: "
        f"{examples(alike, len(alike))}; spell them alike if they are one."
    ]
