"""Model files that can't execute code."""

from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.files import load, save

__all__ = ["ModelFileError", "load", "save"]
