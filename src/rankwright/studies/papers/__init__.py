"""One module for each paper; each defines its ``STUDY``."""

__all__: list[str] = []
