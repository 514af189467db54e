"""Trees and forests that rank."""

from rankwright.trees.forest import OrdinalForest
from rankwright.trees.ordinal import OrdinalTree

__all__ = ["OrdinalForest", "OrdinalTree"]
