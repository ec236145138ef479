"""Settings files and variables: where they are, which of them wins, and the `search` block that they give."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Optional

from ._requests import without_off
from ._settings_values import CHECKS, environment_values, file_values, variable_of
from .errors import UsageError

_PROJECT_FILE = "trawl.config.json"
_ORDER: tuple[str, ...] = ("call", "project", "user", "environment")
"""Highest precedence first."""


class Setting(NamedTuple):
    value: Any
    origin: str
    place: str
    """The path of a file, or the name of a variable."""


Settings = Mapping[str, Setting]


def load_settings() -> Settings:
    """The settings of this process, as they are now. Raises UsageError naming file or variable, key and remedy."""
    sources: dict[str, dict[str, Setting]] = {}
    paths = {"project": _project_file(Path.cwd()), "user": _user_file()}
    for origin, path in paths.items():
        text = None if path is None else _read_if_exists(path)
        if text is not None:
            values = file_values(text, str(path))
            sources[origin] = {
                name: Setting(value, origin, str(path)) for name, value in values.items()
            }
    sources["environment"] = {
        name: Setting(value, "environment", variable_of(name))
        for name, value in environment_values(os.environ).items()
    }
    settings: dict[str, Setting] = {}
    for name in CHECKS:
        order = _ORDER
        if name == "autoRouting":
            order = ("environment", "project", "user")
        found = [sources[origin][name] for origin in order if name in sources.get(origin, {})]
        if found:
            settings[name] = found[0]
    return settings


def is_incremental() -> bool:
    """Whether conversations send only new turns."""
    return os.environ.get("SERVICE_INCREMENTAL") != "off"


def filled(settings: Settings, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """A search or an interaction with the settings that it does not set itself. Raises UsageError when no provider is left."""
    search = request.get("search")
    names = request.get("preprocessor_names")
    # a step without a query asks no provider
    if request.get("user_input") is None or _is_refused(search, names):
        return without_off(request)
    providers = dict((search or {}).get("providers") or {})
    if names is not None:
        # they are the included providers of this call
        providers["include"] = names
    block = _search_options(settings, {**(search or {}), "providers": providers})
    if names is not None:
        left = block.pop("providers")["include"]
        return {**request, "preprocessor_names": left, "search": block}
    # without options, the request stays as it was
    return request if search is None and not block else {**request, "search": block}


def _is_refused(search: Any, names: Any) -> bool:
    """Whether the server refuses the request in any case. It says why, so the request is sent as it is."""
    if search is not None and not isinstance(search, Mapping):
        return True
    providers = (search or {}).get("providers")
    if providers is not None and not isinstance(providers, Mapping):
        return True
    include = (providers or {}).get("include")
    lists = (include, (providers or {}).get("exclude"), names)
    if any(each is not None and not isinstance(each, (list, tuple)) for each in lists):
        return True
    return names is not None and include is not None


def _search_options(settings: Settings, call: Mapping[str, Any]) -> dict[str, Any]:
    taken = ("auto_routing", "tier", "fields", "providers", "include_full_content")
    block = {name: value for name, value in call.items() if name not in taken}

    def chosen(member: str, name: str) -> Optional[Setting]:
        given = call.get(member)
        return settings.get(name) if given is None else Setting(given, "call", "this call")

    routing = chosen("auto_routing", "autoRouting")
    if routing is not None and routing.value != "off":
        block["auto_routing"] = routing.value
    tier, fields = chosen("tier", "tier"), chosen("fields", "fields")
    if fields is not None and (tier is None or _rank(fields) <= _rank(tier)):
        block["fields"] = fields.value
    elif tier is not None:
        block["tier"] = tier.value
    providers = _providers(settings, call["providers"])
    if providers:
        block["providers"] = providers
    full_content = chosen("include_full_content", "fullContent")
    if full_content is not None and full_content.value is not False:
        block["include_full_content"] = full_content.value
    return block


def _rank(setting: Setting) -> int:
    return _ORDER.index(setting.origin)


def _providers(settings: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    def chosen(member: str, name: str) -> Optional[Setting]:
        own = given.get(member)
        return settings.get(name) if own is None else Setting(own, "call", "this call")

    # others are unknown to the server, which says so
    others = {name: value for name, value in given.items() if name not in ("include", "exclude")}
    include = chosen("include", "providersInclude")
    exclude = chosen("exclude", "providersExclude")
    if include is None:
        if exclude is None or not exclude.value:
            return others
        return {**others, "exclude": exclude.value}
    left = [name for name in include.value if exclude is None or name not in exclude.value]
    if left:
        return {**others, "include": left}
    sentences = [f"{include.place} includes {', '.join(include.value) or 'none'}"]
    if exclude is not None:
        sentences.append(f"{exclude.place} excludes {', '.join(exclude.value) or 'none'}")
    raise UsageError(f"no provider is left: {', '.join(sentences)}; include another one")


def _project_file(directory: Path) -> Path:
    """In the directory or its nearest parent that has one, up to the root of the repository. Outside a repository only the
    directory itself counts: otherwise the owner of a parent folder could control the searches of everyone below it."""
    inside: list[Path] = []
    for folder in (directory, *directory.parents):
        inside.append(folder)
        if (folder / ".git").exists():
            break
    else:
        inside = [directory]
    return next(
        (folder / _PROJECT_FILE for folder in inside if (folder / _PROJECT_FILE).exists()),
        directory / _PROJECT_FILE,
    )


def _user_file() -> Optional[Path]:
    """None when the user's folder is unknown. A relative path is not used, since it depends on the working directory."""
    home = os.environ.get("HOME") or os.path.expanduser("~")
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        folder = Path(roaming) if roaming else Path(os.path.expanduser("~"), "AppData", "Roaming")
    else:
        named = os.environ.get("XDG_CONFIG_HOME", "")
        # the XDG specification says to ignore relative paths
        folder = Path(named) if os.path.isabs(named) else Path(home, ".config")
    return folder / "trawl" / "config.json" if folder.is_absolute() else None


def _read_if_exists(path: Path) -> Optional[str]:
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0)
        raise UsageError(
            f"{path}: it cannot be read ({code}): correct its permissions, or remove it"
        ) from None
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UsageError(f"{path}: it is UTF-16 text: save it as UTF-8")
    try:
        # with or without a byte order mark
        text: Optional[str] = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    # UTF-16 without a byte order mark has NUL characters
    if text is None or "\0" in text:
        raise UsageError(f"{path}: it is not UTF-8 text: save it as UTF-8")
    return text
