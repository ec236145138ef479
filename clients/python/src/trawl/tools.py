"""Tools for a model, for any agent framework: name, description, parameters, and a call that returns text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from ._conversation import Conversation
from ._fetch_text import fetch_as_text
from ._names import named
from ._search_text import search_as_text
from ._text import DEFAULT_CHARACTERS, budget_of
from ._tool_arguments import checked_arguments
from ._tool_definitions import QUERY_OR_QUERIES, TOOLS
from .aio import AsyncTrawl
from .client import Trawl
from .errors import UsageError
from .types import FetchOptions, PerCallOptions

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool for a model."""

    name: str
    description: str
    """For the model."""

    parameters: dict[str, Any]
    """JSON Schema of the arguments."""

    call: Callable[[Arguments], str]
    """Takes the arguments of the model, and returns the text for it. Raises a TrawlError, whose message the model may read."""

    client: Trawl
    """Makes the calls. One that the tool made keeps its connections until it is closed."""


@dataclass(frozen=True)
class AsyncTool:
    """The same for asyncio."""

    name: str
    description: str
    parameters: dict[str, Any]
    call: Callable[[Arguments], Awaitable[str]]
    client: AsyncTrawl


@named("search_tool()")
def search_tool(
    client: Optional[Trawl] = None,
    *,
    search: Optional[PerCallOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> Tool:
    """A tool that searches the web. The model sets queries, a count and filters; `search` sets everything else, as in the API.
    Its `num_results` applies when the model does not set it; a filter is not replaced by the model's. The client is
    `Trawl.from_settings()` when absent. Calls are recorded in the session or conversation, else each in a new session.
    Raises UsageError."""
    budget, ask = budget_of(max_characters), client or Trawl.from_settings()
    name, text, parameters = _definition("web_search", description)

    def call(arguments: Arguments) -> str:
        body = _search_body(name, arguments, search, session_id)
        answer = ask.search(body, conversation=conversation, raise_on_failure=False)
        return search_as_text(answer, max_characters=budget)

    return Tool(name, text, parameters, call, ask)


@named("fetch_tool()")
def fetch_tool(
    client: Optional[Trawl] = None,
    *,
    fetch: Optional[FetchOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> Tool:
    """A tool that reads pages. The model sets URLs, and an offset to read on; `fetch` sets everything else, as in the API. Its
    `inline_max_chars` is `max_characters` when absent. The other options are those of `search_tool`. Raises UsageError."""
    budget, ask = budget_of(max_characters), client or Trawl.from_settings()
    name, text, parameters = _definition("web_fetch", description)

    def call(arguments: Arguments) -> str:
        body, offset = _fetch_body(name, arguments, fetch, session_id, budget)
        answer = ask.fetch(body, conversation=conversation, raise_on_failure=False)
        return fetch_as_text(answer, max_characters=budget, offset=offset)

    return Tool(name, text, parameters, call, ask)


@named("async_search_tool()")
def async_search_tool(
    client: Optional[AsyncTrawl] = None,
    *,
    search: Optional[PerCallOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> AsyncTool:
    """`search_tool` for asyncio. The client is `AsyncTrawl.from_settings()` when absent."""
    budget, ask = budget_of(max_characters), client or AsyncTrawl.from_settings()
    name, text, parameters = _definition("web_search", description)

    async def call(arguments: Arguments) -> str:
        body = _search_body(name, arguments, search, session_id)
        answer = await ask.search(body, conversation=conversation, raise_on_failure=False)
        return search_as_text(answer, max_characters=budget)

    return AsyncTool(name, text, parameters, call, ask)


@named("async_fetch_tool()")
def async_fetch_tool(
    client: Optional[AsyncTrawl] = None,
    *,
    fetch: Optional[FetchOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> AsyncTool:
    """`fetch_tool` for asyncio. The client is `AsyncTrawl.from_settings()` when absent."""
    budget, ask = budget_of(max_characters), client or AsyncTrawl.from_settings()
    name, text, parameters = _definition("web_fetch", description)

    async def call(arguments: Arguments) -> str:
        body, offset = _fetch_body(name, arguments, fetch, session_id, budget)
        answer = await ask.fetch(body, conversation=conversation, raise_on_failure=False)
        return fetch_as_text(answer, max_characters=budget, offset=offset)

    return AsyncTool(name, text, parameters, call, ask)


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
