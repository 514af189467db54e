"""Former names of ``export_text`` and ``export_rules`` for ranking trees."""

from typing import Any
from warnings import warn

from rankwright.trees.bipartite.tree import TreeRank
from rankwright.trees.export import Rule, export_rules, export_text

__all__ = ["export_ranking_rules", "export_ranking_text"]


def export_ranking_text(model: TreeRank, **options: Any) -> str:
    """Return ``export_text(model)``, which takes ordinal trees as well.

    .. deprecated:: 0.1.0
    """
    warn("export_ranking_text is now rw.export_text", DeprecationWarning, stacklevel=2)
    return export_text(model, **options)


def export_ranking_rules(model: TreeRank, **options: Any) -> list[Rule]:
    """Return ``export_rules(model)``, which takes ordinal trees as well.

    .. deprecated:: 0.1.0
    """
    warn("export_ranking_rules is now rw.export_rules", DeprecationWarning, stacklevel=2)
    return export_rules(model, **options)
