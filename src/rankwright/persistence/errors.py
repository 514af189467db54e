"""The one error of model files."""

__all__ = ["ModelFileError"]


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
