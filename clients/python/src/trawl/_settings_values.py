"""The keys of settings files and variables, and what they may be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, get_args, get_type_hints

from . import types
from ._names import nearest
from .errors import UsageError

Check = Callable[[Any], Optional[str]]
"""What to write instead of a wrong value; None for a valid one."""


def _words(member: str) -> tuple[str, ...]:
    """The values that the contract allows for a member of `search`, or for the items of its list."""
    return _texts(get_type_hints(types.SearchOptions)[member])


def _texts(hint: Any) -> tuple[str, ...]:
    inside = get_args(hint)
    texts = tuple(each for each in inside if isinstance(each, str))
    return texts or tuple(text for each in inside for text in _texts(each))


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _one_of(words: Sequence[str]) -> Check:
    return lambda value: None if value in words else f"write one of {_quoted(words)}"


def _list_of(example: str, minimum: int, words: Optional[Sequence[str]] = None) -> Check:
    def check(value: Any) -> Optional[str]:
        if not isinstance(value, list):
            return f"write a list, such as {example}"
        if not all(isinstance(item, str) and item.strip() for item in value):
            return f"write a list of names, such as {example}"
        if len(value) < minimum:
            return "name at least one, or remove the key"
        unknown = [item for item in value if words is not None and item not in words]
        if not unknown:
            return None
        return f'"{unknown[0]}" is not a field; the fields are {_quoted(words or ())}'

    return check


def _boolean(value: Any) -> Optional[str]:
    return None if isinstance(value, bool) else "write true or false, without quotes"


_NAMES = '["name-one", "name-two"]'
CHECKS: Mapping[str, Check] = {
    "tier": _one_of(_words("tier")),
    "fields": _list_of('["url", "title"]', 1, _words("fields")),
    "providersInclude": _list_of(_NAMES, 1),
    "providersExclude": _list_of(_NAMES, 0),
    "fullContent": _boolean,
    "autoRouting": _one_of(("accuracy", "off")),
}


def variable_of(name: str) -> str:
    """`providersInclude` → `SERVICE_PROVIDERS_INCLUDE`."""
    return "SERVICE_" + re.sub("([A-Z])", r"_\1", name).upper()


def file_values(text: str, path: str) -> dict[str, Any]:
    """The settings in a file's text. Null counts as not set. Raises UsageError naming file, key and remedy."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        # the message quotes nothing of the file, which may contain a key
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be parsed"
        message = f"{path}: it is not JSON ({reason}): correct it, or remove the file"
        raise UsageError(message) from None
    if not isinstance(values, dict):
        raise UsageError(
            f'{path}: it is not a JSON object: write {{ "tier": "default" }}, for example'
        )
    given = {key: value for key, value in values.items() if key != "$schema" and value is not None}
    for key, value in given.items():
        if key not in CHECKS:
            raise UsageError(f'{path}: "{key}" {_unknown_key(key)}')
        remedy = CHECKS[key](value)
        if remedy:
            raise UsageError(f'{path}: "{key}" is {_shown(value)}: {remedy}')
    return given


def environment_values(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings in variables. An empty one is not set. Raises UsageError naming variable and remedy."""
    given: dict[str, Any] = {}
    for name, check in CHECKS.items():
        text = environment.get(variable_of(name), "")
        value = _from_variable(name, text)
        if value is None:
            continue
        remedy = check(value)
        if remedy:
            raise UsageError(f"{variable_of(name)} is {_shown(text)}: {remedy}")
        given[name] = value
    return given


def _from_variable(name: str, text: str) -> Any:
    if name == "fullContent":
        return True if text == "1" else None
    if not text.strip():
        return None
    if name in ("tier", "autoRouting"):
        return text
    return [item.strip() for item in text.split(",") if item.strip()]


def _unknown_key(key: str) -> str:
    if re.search("key|token|secret", key, re.IGNORECASE):
        return (
            "does not belong in a file: put the API key into the environment variable"
            " SERVICE_API_KEY, and remove this line"
        )
    near = nearest(key, list(CHECKS))
    if near:
        return f'is not known: write "{near}"'
    return f"is not known: the keys are {_quoted(list(CHECKS))}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= 60 else f"{text[:57]}…"
