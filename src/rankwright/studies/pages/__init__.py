"""What the studies say about their results, where that takes a module of its own."""

__all__: list[str] = []
