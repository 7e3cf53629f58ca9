"""Configs as dictionaries: dict → TOML. The standard library reads TOML and does not write it."""
from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_NOT_LITERAL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def dumps(config: Mapping[str, Any]) -> str:
    """The config as TOML: tables as `[table]`, lists of tables as `[[table]]`, all else inline.

    Takes dict, list, tuple, range, str, bool, int, float, paths, and NumPy's numbers and arrays.
    Raises TypeError or ValueError with the place of what TOML cannot say.
    """
    lines: list[str] = []
    _write_table(lines, config, "")
    return "\n".join(lines).lstrip("\n") + "\n"


def _write_table(lines: list[str], table: Mapping[str, Any], path: str) -> None:
    """Keys with values first: below the head of another table they would belong to that one."""
    tables: list[tuple[str, Any]] = []
    for name, value in table.items():
        key = _key(name, path or "the config")
        place = f"{path}.{key}" if path else key
        if isinstance(value, Mapping) or _is_list_of_tables(value):
            tables.append((place, value))
        else:
            lines.append(f"{key} = {_value(value, place)}")
    for place, value in tables:
        if isinstance(value, Mapping):
            if not value or not all(isinstance(inner, Mapping) for inner in value.values()):  # else it has no line of its own
                lines.extend(["", f"[{place}]"])
            _write_table(lines, value, place)
        else:
            for element in value:
                lines.extend(["", f"[[{place}]]"])
                _write_table(lines, element, place)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(element, Mapping) for element in value)


def _value(value: Any, place: str) -> str:
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"{place}: {value} does not fit into 64 bits")
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, (str, PurePath)):
        return _text(str(value), place)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key, place)} = {_value(inner, f'{place}.{key}')}" for key, inner in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(_value(element, f"{place}[{index}]") for index, element in enumerate(value)) + "]"
    if value is None:
        raise TypeError(f"{place}: TOML has nothing for None: leave the key out")
    raise TypeError(f"{place}: TOML has nothing for {type(value).__name__}")


def _key(key: Any, place: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{place}: the key {key!r} is not a text")
    return key if _BARE_KEY.fullmatch(key) else _basic(key, place)


def _text(text: str, place: str) -> str:
    """Source code stays readable: several lines become a literal string, where one can hold them."""
    if "\n" in text and "'''" not in text and not _NOT_LITERAL.search(text):
        return f"'''\n{_encodable(text, place)}'''"
    return _basic(text, place)


def _basic(text: str, place: str) -> str:
    """A string of JSON is one of TOML, but for DEL."""
    return json.dumps(_encodable(text, place), ensure_ascii=False).replace("\x7f", "\\u007f")


def _encodable(text: str, place: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{place}: a text that is not Unicode: {error}") from None
    return text
