"""Frozen dataclasses as values that JSON knows, and back: a file may hold anything."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

__all__ = ["decode", "encode"]

PLAIN = (str, int, float, bool, types.NoneType)


def encode(value: Any, files: dict[str, bytes], path: str = "") -> Any:
    """Return a value for JSON; bytes go to ``files`` under the path at which they were found."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        listed = dataclasses.fields(value)
        return {f.name: encode(getattr(value, f.name), files, f"{path}/{f.name}") for f in listed}
    if isinstance(value, bytes):
        files[path] = value
        return path
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: encode(one, files, f"{path}/{key}") for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [encode(one, files, f"{path}/{place}") for place, one in enumerate(value)]
    return value


def decode(kind: Any, value: Any, files: Mapping[str, bytes]) -> Any:
    """Return a value of a kind from what ``encode`` made; anything else is a ValueError."""
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        return _one_of(typing.get_args(kind), value, files)
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, value, files)
    if kind is bytes:
        return files[_checked(str, value)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if origin is tuple:
        return _tuple(typing.get_args(kind), _checked(list, value), files)
    if origin in (dict, Mapping):
        entry = typing.get_args(kind)[1]
        return {str(k): decode(entry, one, files) for k, one in _checked(dict, value).items()}
    if kind is float and type(value) is int:
        return float(value)
    return _checked(kind, value)


def _one_of(kinds: tuple[Any, ...], value: Any, files: Mapping[str, bytes]) -> Any:
    for kind in kinds:
        try:
            return decode(kind, value, files)
        except (ValueError, KeyError):
            continue
    raise ValueError(f"{value!r:.80} is none of {kinds}")


def _dataclass(kind: Any, value: Any, files: Mapping[str, bytes]) -> Any:
    hints = typing.get_type_hints(kind)
    if not isinstance(value, dict) or value.keys() != hints.keys():
        raise ValueError(f"{value!r:.80} is no {kind.__name__}")
    return kind(**{name: decode(hint, value[name], files) for name, hint in hints.items()})


def _tuple(kinds: tuple[Any, ...], value: list[Any], files: Mapping[str, bytes]) -> Any:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(decode(kinds[0], one, files) for one in value)
    if len(kinds) != len(value):
        raise ValueError(f"{value!r:.80} has another length than {len(kinds)}")
    return tuple(decode(kind, one, files) for kind, one in zip(kinds, value, strict=True))


def _checked(kind: Any, value: Any) -> Any:
    if kind not in (*PLAIN, list, dict) or type(value) is not kind:
        raise ValueError(f"{value!r:.80} is no {getattr(kind, '__name__', kind)}")
    return value
