"""Model files that can't execute code."""

from rankwright.persistence.files import load, save

__all__ = ["load", "save"]
