"""What the tools for a model send and return, for every framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from typing import Any, NamedTuple, Optional, Union

from ._conversation import Conversation
from ._fetch_text import fetch_as_text
from ._search_text import search_as_text
from ._text import budget_of
from ._tool_arguments import checked_arguments
from ._tool_definitions import QUERY_OR_QUERIES, TOOLS
from .aio import AsyncTrawl
from .client import Trawl
from .errors import UsageError
from .types import FetchOptions, PerCallOptions

Arguments = Mapping[str, Any]
AnyClient = Union[Trawl, AsyncTrawl]


class ToolCalls(NamedTuple):
    """A tool that has not the form of a framework yet."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments."""

    run: Callable[[Arguments], tuple[str, Any]]
    """Returns the text for the model, and the answer. Raises TrawlError."""

    arun: Callable[[Arguments], Awaitable[tuple[str, Any]]]


def both_clients(client: Optional[AnyClient]) -> tuple[Trawl, AsyncTrawl]:
    """The client in both forms, with the same connections; one of `Trawl.from_settings()` when absent."""
    if isinstance(client, AsyncTrawl):
        return client._client, client
    own = Trawl.from_settings() if client is None else client
    return own, AsyncTrawl._around(own)


def search_calls(
    client: Optional[AnyClient],
    search: Optional[PerCallOptions],
    session_id: Optional[str],
    conversation: Optional[Conversation],
    description: Optional[str],
    max_characters: int,
) -> ToolCalls:
    """The tool that searches. Raises UsageError."""
    budget, (ask, ask_async) = budget_of(max_characters), both_clients(client)
    name, text, parameters = _definition("web_search", description)
    how: dict[str, Any] = {"conversation": conversation, "raise_on_failure": False}

    def shown(answer: Any) -> tuple[str, Any]:
        return search_as_text(answer, max_characters=budget), answer

    def run(arguments: Arguments) -> tuple[str, Any]:
        return shown(ask.search(_search_body(name, arguments, search, session_id), **how))

    async def arun(arguments: Arguments) -> tuple[str, Any]:
        body = _search_body(name, arguments, search, session_id)
        return shown(await ask_async.search(body, **how))

    return ToolCalls(name, text, parameters, run, arun)


def fetch_calls(
    client: Optional[AnyClient],
    fetch: Optional[FetchOptions],
    session_id: Optional[str],
    conversation: Optional[Conversation],
    description: Optional[str],
    max_characters: int,
) -> ToolCalls:
    """The tool that reads pages. Raises UsageError."""
    budget, (ask, ask_async) = budget_of(max_characters), both_clients(client)
    name, text, parameters = _definition("web_fetch", description)
    how: dict[str, Any] = {"conversation": conversation, "raise_on_failure": False}

    def shown(answer: Any, offset: int) -> tuple[str, Any]:
        return fetch_as_text(answer, max_characters=budget, offset=offset), answer

    def run(arguments: Arguments) -> tuple[str, Any]:
        body, offset = _fetch_body(name, arguments, fetch, session_id, budget)
        return shown(ask.fetch(body, **how), offset)

    async def arun(arguments: Arguments) -> tuple[str, Any]:
        body, offset = _fetch_body(name, arguments, fetch, session_id, budget)
        return shown(await ask_async.fetch(body, **how), offset)

    return ToolCalls(name, text, parameters, run, arun)


class _Definition(NamedTuple):
    name: str
    description: str
    parameters: dict[str, Any]


def _definition(name: str, description: Optional[str]) -> _Definition:
    given = TOOLS[name]
    text = given["description"] if description is None else description
    # a copy, since frameworks change schemas in place
    return _Definition(name, text, deepcopy(given["parameters"]))


def _search_body(
    name: str, arguments: Arguments, search: Optional[PerCallOptions], session_id: Optional[str]
) -> Any:
    given = checked_arguments(name, TOOLS[name]["parameters"], arguments)
    query, queries = given.pop("query", None), given.pop("queries", None)
    if (query is None) == (queries is None):
        raise UsageError(f"{name}: {QUERY_OR_QUERIES}")
    count = {"num_results": given.pop("num_results")} if "num_results" in given else {}
    block = {**(search or {}), **count, **_filters(search or {}, given)}
    user_input = {"query": query} if queries is None else [{"query": one} for one in queries]
    return _with_session({"user_input": user_input, "search": block}, session_id)


def _with_session(body: dict[str, Any], session_id: Optional[str]) -> dict[str, Any]:
    return body if session_id is None else {**body, "session_id": session_id}


def _filters(search: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The model may add filters, but not loosen those of the developer."""
    own = search.get("filters") or {}
    lists = ("include_domains", "exclude_domains")
    # both lists in one request contradict each other
    has_domains = any(own.get(name) is not None for name in lists)
    added = {name: value for name, value in given.items() if not (has_domains and name in lists)}
    filters = {**added, **own}
    return {"filters": filters} if filters else {}


def _fetch_body(
    name: str,
    arguments: Arguments,
    fetch: Optional[FetchOptions],
    session_id: Optional[str],
    budget: int,
) -> tuple[Any, int]:
    """The request, and the offset from which the model reads its pages."""
    given = checked_arguments(name, TOOLS[name]["parameters"], arguments)
    offset = given.get("offset", 0)
    length = (fetch or {}).get("inline_max_chars")
    options = {**(fetch or {}), "inline_max_chars": offset + (budget if length is None else length)}
    return _with_session({"urls": given["urls"], "options": options}, session_id), offset
