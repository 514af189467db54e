"""What the shell completes: values that are known without reading the user's files."""

__all__ = ["complete_methods", "complete_metrics", "complete_rankers", "complete_studies"]


def complete_rankers(incomplete: str) -> list[str]:
    """Return the names of rankers that begin so."""
    from rankwright.comparison.catalogue import available, installed_foreign

    names = [*available(), *installed_foreign()]
    return [name for name in names if name.startswith(incomplete)]


def complete_metrics(incomplete: str) -> list[str]:
    """Return the names of metrics that begin so."""
    from rankwright.metrics.measure import AVERAGED

    return [name for name in AVERAGED if name.startswith(incomplete)]


def complete_methods(incomplete: str) -> list[str]:
    """Return the methods of aggregation that begin so."""
    from rankwright.aggregation.methods import METHODS

    return [name for name in ("auto", *METHODS) if name.startswith(incomplete)]


def complete_studies(incomplete: str) -> list[str]:
    """Return the names of studies that begin so."""
    from rankwright.studies import study_names

    return [name for name in study_names() if name.startswith(incomplete)]
