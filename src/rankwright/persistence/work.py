"""A piece of work that is saved as it is: what was chosen and found, and the files it rests on."""

import json
from dataclasses import dataclass

from rankwright.persistence.errors import ModelFileError

__all__ = ["Work"]


@dataclass(frozen=True)
class Work:
    """Hold a state as a JSON text, and files by name as bytes: nothing that could be run.

    Parameters
    ----------
    state : str
    files : dict of str to bytes
    """

    state: str
    files: dict[str, bytes]

    def _check_arrays(self) -> None:
        """Refuse what no work holds."""
        if not isinstance(self.state, str) or not isinstance(self.files, dict):
            raise ModelFileError("its Work holds no state and files")
        for name, content in self.files.items():
            if not isinstance(name, str) or not isinstance(content, bytes):
                raise ModelFileError(f"its Work has a file {name!r:.80} that is not one")
        try:
            json.loads(self.state)
        except (ValueError, RecursionError):
            raise ModelFileError("the state of its Work is no JSON") from None
