"""One module for each capability; each lists its cases in ``CASES``."""
