"""Parts of texts for a model that searches and fetches share.

Both clients make the same text. The TypeScript client counts in UTF-16 units, hence so do these functions: they get texts of
`to_units`, in which a character outside the basic plane is a surrogate pair, and `from_units` makes plain text of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Optional, TypeVar

from ._options import whole
from .answers import HasRuns, WarningGroup, pages_of, runs_of, warnings_of

Item = TypeVar("Item")
Key = TypeVar("Key")

DEFAULT_CHARACTERS = 40_000
_MIN_CHARACTERS = 2_000
"""With less, ids, failures and warnings leave no room for results."""

WHITE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""White space of JavaScript. That of Python differs."""

GAPS = re.compile(f"[{WHITE}]+")
_WIDE = re.compile("[\U00010000-\U0010ffff]")
_TAG = re.compile(
    f"<([{WHITE}]*(?:/[{WHITE}]*)?(?:results|source)\\b)", re.IGNORECASE | re.ASCII
)
_OPTION = re.compile(r"\boptions\.(?=\w)", re.ASCII)
_WORD = re.compile(r"\w+", re.ASCII)


def to_units(value: Any) -> Any:
    """A copy of a value of JSON whose texts have one character per UTF-16 unit."""
    if isinstance(value, str):
        return _WIDE.sub(_surrogates, value)
    if isinstance(value, Mapping):
        return {name: to_units(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_units(item) for item in value]
    return value


def from_units(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _surrogates(match: re.Match[str]) -> str:
    code = ord(match[0]) - 0x10000
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def budget_of(max_characters: int) -> int:
    """The longest text for a model. Raises UsageError."""
    return whole("max_characters", max_characters, _MIN_CHARACTERS, 2**53 - 1)


def cut_at(text: str, length: int) -> str:
    """The beginning of a text. Does not split a surrogate pair."""
    if len(text) <= length:
        return text
    is_half = length > 0 and "\ud800" <= text[length - 1] <= "\udbff"
    return text[: length - 1 if is_half else length]


def cut_text(text: str, length: int) -> str:
    """The same, with an ellipsis where the text was cut."""
    return text if len(text) <= length else f"{cut_at(text, length)}…"


def attribute(text: str) -> str:
    """Escapes a text for an attribute of a fence."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def fenced(text: str) -> str:
    """Escapes tags of fences, so that a page or row cannot end its own fence or begin another."""
    return _TAG.sub(r"&lt;\1", text)


def one_line(text: str) -> str:
    return fenced(GAPS.sub(" ", text).strip(WHITE))


def grouped(items: Iterable[Item], key_of: Callable[[Item], Key]) -> list[list[Item]]:
    """Groups items by a key, in the order of first appearance."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key_of(item), []).append(item)
    return list(groups.values())


def argument_names(message: str) -> str:
    """Removes `options.`: the arguments of the tools are flat."""
    return _OPTION.sub("", message)


_SHOWN_WARNINGS = 12


def warning_lines(answer: HasRuns, room: Optional[float] = None) -> list[str]:
    """The warnings of an answer: all gaps in one line, then each other warning once, the most frequent first, up to `room`
    characters."""
    groups = warnings_of(answer)
    others = [group for group in groups if not _gap_fields(group)]
    known = [*_gap_line(groups), *map(_warning_line, others)]
    lines: list[str] = []
    left = float("inf") if room is None else room
    for line in known[:_SHOWN_WARNINGS]:
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    more = len(known) - len(lines)
    rest = [f"- and {more} more"] if more else []
    return ["\n".join(["Warnings:", *lines, *rest])] if known else []


_ABOUT_THE_CALL = ("num_results", "query", "content_format")
"""Gaps that concern the call, not a field of the results."""


def _gap_fields(group: WarningGroup) -> list[str]:
    """The fields that a gap names: `a, b: x cannot supply these; c: why`. Empty for any other warning."""
    if group["code"] != "capability_gap":
        return []
    fields: list[str] = []
    for part in group["message"].split("; "):
        listed, colon, _ = part.partition(": ")
        names = listed.split(", ")
        if colon and all(_WORD.fullmatch(name) and name not in _ABOUT_THE_CALL for name in names):
            fields += names
    return fields


def _gap_line(groups: list[WarningGroup]) -> list[str]:
    missing: dict[str, dict[str, None]] = {}
    for group in groups:
        for field in _gap_fields(group):
            missing.setdefault(field, {}).update(dict.fromkeys(group["providers"]))
    parts = [f"{field} ({', '.join(by)})" if by else field for field, by in missing.items()]
    return [f"- not supplied: {one_line(cut_text(', '.join(parts), 1_000))}"] if parts else []


def _warning_line(group: WarningGroup) -> str:
    # provider_error names the failed provider in its message; another one may have read the page
    # after it
    is_named = group["code"] == "provider_error" or not group["providers"]
    by = "" if is_named else f" ({', '.join(group['providers'])})"
    text = one_line(cut_text(argument_names(group["message"]), 300))
    times = f" ×{group['count']}" if group["count"] > 1 else ""
    return f"- {group['code']}{by}: {text}{times}"


def cost_line(answer: HasRuns) -> list[str]:
    """The sum of the costs that the answer has, with their providers. Empty without any."""
    given = [
        (run["preprocessor_name"], (run["output_payload"] or {}).get("usage"))
        for run in runs_of(answer)
        # a recorded answer shows what it had cost
        if "results" in (run["output_payload"] or {}) and (run.get("cache") or {}).get("state", "miss") == "miss"
    ] + [(page["provider"], page.get("usage")) for page in pages_of(answer)]
    total = 0.0
    providers: dict[str, None] = {}
    has_cost = False
    for provider, usage in given:
        cost = (usage or {}).get("cost_usd")
        if not isinstance(cost, (int, float)) or isinstance(cost, bool):
            continue
        has_cost = True
        total += cost
        if provider:
            providers[provider] = None
    shown = Decimal(total).quantize(Decimal("0.000001"), ROUND_HALF_UP)
    amount = f"{shown:f}".rstrip("0").rstrip(".")
    return [f"Cost: ${amount} ({', '.join(providers)})"] if has_cost else []
