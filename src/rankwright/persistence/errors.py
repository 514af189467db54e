"""The one error of model files, and how it is raised of what does not fit together."""

__all__ = ["ModelFileError", "require"]


class ModelFileError(ValueError):
    """A model file is missing, damaged, not one of ours, or holds what ``load`` refuses.

    Examples
    --------
    >>> import rankwright as rw
    >>> try:
    ...     rw.load("cameras.rw")
    ... except rw.ModelFileError as error:
    ...     print(error)
    there is no file cameras.rw; rw.save(model, path) writes one
    """


def require(condition: bool, what: str) -> None:
    """Raise an error unless a part of a model fits the others."""
    if not condition:
        raise ModelFileError(f"{what} can't be right")
