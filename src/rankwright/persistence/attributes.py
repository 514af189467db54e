"""The attributes that an object of this package may have, and one of scikit-learn."""

import dataclasses
import dis
from functools import cache
from typing import Any

from rankwright.persistence.errors import ModelFileError

__all__ = ["check_attributes", "refuse_class_attributes"]

# Assigned by scikit-learn.
INHERITED = frozenset({"_metadata_request", "feature_names_in_", "n_features_in_"})


def check_attributes(cls: Any, state: Any) -> None:
    """Check that a state has the attributes of its class: all of its parameters, and no others.

    A dataclass has its fields. An estimator has its parameters, and what its methods assign.
    """
    required, known = _attributes(cls)
    if not isinstance(state, dict):
        raise ModelFileError(f"its {cls.__name__} has no attributes")
    missing, unknown = required - state.keys(), state.keys() - known
    if missing or unknown:
        words = [f"lacks {', '.join(sorted(missing))}"] if missing else []
        words += [f"has the unknown {', '.join(sorted(map(str, unknown)))}"] if unknown else []
        raise ModelFileError(f"its {cls.__name__} {' and '.join(words)}")


def refuse_class_attributes(cls: Any, state: Any) -> None:
    """Refuse a state that hides methods or other attributes of its class.

    Among them are texts that a notebook shows as they are.
    """
    if not isinstance(state, dict):  # of pairs, Python would make attributes as well
        raise ModelFileError(f"its {cls.__name__} has no attributes")
    for name in state:
        of_class = getattr(cls, name, None)
        is_hidden = hasattr(cls, name) and (callable(of_class) or name not in _assigned(cls))
        if name.startswith("__") or is_hidden:
            raise ModelFileError(f"its {cls.__name__} has {name!r} in place of that of its class")


@cache
def _attributes(cls: Any) -> tuple[frozenset[str], frozenset[str]]:
    if dataclasses.is_dataclass(cls):
        fields = frozenset(field.name for field in dataclasses.fields(cls))
        return fields, fields
    parameters = frozenset(cls._get_param_names())
    return parameters, parameters | INHERITED | _assigned(cls)


@cache
def _assigned(cls: type) -> frozenset[str]:
    """Return the names that the methods of a class assign to attributes."""
    members = [member for base in cls.__mro__ for member in vars(base).values()]
    return frozenset(
        str(instruction.argval)
        for member in members
        if hasattr(member, "__code__")
        for instruction in dis.get_instructions(member)
        if instruction.opname == "STORE_ATTR"
    )
