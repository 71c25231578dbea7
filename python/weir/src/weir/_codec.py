"""Converts frozen dataclasses to JSON and back.

A field is called as in Python, with hyphens in JSON; ``metadata={"json": NAME}`` names another.
Fields with their default are left out. Unknown fields of an answer are ignored, so that an older
client understands a newer server.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import typing
from typing import Any, Optional, TypeVar, Union

from weir.errors import InvalidAnswerError

T = TypeVar("T")


def json_name(field: dataclasses.Field[Any]) -> str:
    """Returns the name of a field in JSON."""
    return str(field.metadata.get("json", field.name.rstrip("_").replace("_", "-")))


def encode(value: Any) -> Any:
    """Returns what ``json.dumps`` writes for a value."""
    if dataclasses.is_dataclass(value):
        return {
            json_name(field): encode(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if not _is_default(field, getattr(value, field.name))
        }
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError(f"The time {value} has no time zone: add one, such as timezone.utc")
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return utc.isoformat() + "Z"
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def _is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    if field.metadata.get("always"):
        return False
    if field.default_factory is not dataclasses.MISSING:
        return bool(value == field.default_factory())
    return field.default is not dataclasses.MISSING and bool(value == field.default)


def decode(kind: type[T], value: Any, place: str) -> T:
    """Returns the value of a type from parsed JSON.

    :param place: where the JSON is from, for messages
    """
    return typing.cast(T, _decode(kind, value, place))


def optional(kind: Any) -> Optional[Any]:
    """Returns ``X`` for ``Optional[X]``, else None."""
    if typing.get_origin(kind) is Union:
        (only,) = (each for each in typing.get_args(kind) if each is not type(None))
        return only
    return None


def field_types(kind: type[Any]) -> dict[str, Any]:
    """Returns the types of a dataclass's fields."""
    return typing.get_type_hints(kind)


def _decode(kind: Any, value: Any, place: str) -> Any:
    if kind is Any:
        return value
    inner = optional(kind)
    if inner is not None:
        return None if value is None else _decode(inner, value, place)
    origin = typing.get_origin(kind)
    if origin is tuple:
        items = _checked(list, value, place)
        item_kind = typing.get_args(kind)[0]
        return tuple(_decode(item_kind, item, f"{place}[{i}]") for i, item in enumerate(items))
    if origin is dict:
        fields = _checked(dict, value, place)
        item_kind = typing.get_args(kind)[1]
        return {key: _decode(item_kind, item, f"{place}.{key}") for key, item in fields.items()}
    if dataclasses.is_dataclass(kind):
        return _object(kind, _checked(dict, value, place), place)
    if issubclass(kind, enum.Enum):
        return _member(kind, value, place)
    if issubclass(kind, datetime.datetime):
        return _time(_checked(str, value, place), place)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return _checked(kind, value, place)


def _object(kind: Any, value: dict[str, Any], place: str) -> Any:
    types = field_types(kind)
    arguments: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        name = json_name(field)
        if name in value:
            arguments[field.name] = _decode(types[field.name], value[name], f"{place}.{name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise _invalid(place, f"lacks the field '{name}'")
    return kind(**arguments)


def _member(kind: Any, value: Any, place: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise _invalid(place, f"is {value!r}, which this version does not know") from None


def _time(text: str, place: str) -> datetime.datetime:
    # fromisoformat reads neither Z nor nanoseconds before Python 3.11.
    seconds, _, fraction = text.rstrip("Z").partition(".")
    try:
        return datetime.datetime.fromisoformat(seconds).replace(
            microsecond=int(fraction[:6].ljust(6, "0")), tzinfo=datetime.timezone.utc
        )
    except ValueError:
        raise _invalid(place, f"is {text!r}, which is no time") from None


def _checked(kind: type[T], value: Any, place: str) -> T:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise _invalid(place, f"is {value!r}, not of the type {kind.__name__}")
    return value


def _invalid(place: str, problem: str) -> InvalidAnswerError:
    return InvalidAnswerError(
        f"{place} {problem}: the server may be newer than this package, or not be Weir's"
    )
