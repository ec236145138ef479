"""The arguments that a model gives a tool, checked against the tool's schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from ._names import refuse_unknown
from .errors import UsageError


def checked_arguments(
    tool: str, parameters: Mapping[str, Any], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments. One that is None is left out: models send None for what they do not set. Raises UsageError naming the argument."""
    if not isinstance(arguments, Mapping):
        raise UsageError(f"{tool}: the arguments must be an object")
    properties = parameters["properties"]
    refuse_unknown(f"{tool} has no argument", arguments, list(properties))
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in parameters.get("required", []):
        if name not in given:
            raise UsageError(f"{tool}: {name} is missing")
    for name, value in given.items():
        wanted = _wanted(properties[name], value)
        if wanted is not None:
            raise UsageError(f"{tool}: {name} must be {wanted}")
    return given


def _wanted(schema: Mapping[str, Any], value: Any) -> Optional[str]:
    """What the schema asks for when the value is something else."""
    if "enum" in schema:
        return None if value in schema["enum"] else f"one of {', '.join(schema['enum'])}"
    if schema["type"] == "integer":
        low, high = schema["minimum"], schema.get("maximum")
        is_whole = isinstance(value, int) and not isinstance(value, bool) and value >= low
        if is_whole and (high is None or value <= high):
            return None
        return f"a whole number, {low} or more" + ("" if high is None else f", at most {high}")
    if schema["type"] == "string":
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        if isinstance(value, str) and low <= len(value) and (high is None or len(value) <= high):
            return None
        return f"a text of {low} characters" if low == high else "a text that is not empty"
    most = schema.get("maxItems")
    is_list = isinstance(value, (list, tuple)) and len(value) >= schema.get("minItems", 0)
    if is_list and (most is None or len(value) <= most):
        if all(_wanted(schema["items"], item) is None for item in value):
            return None
    return "a list of texts that are not empty" + ("" if most is None else f", at most {most}")
