"""A module or a folder for each paper; each defines its ``STUDY``."""

__all__: list[str] = []
