"""Tools for a model, for any agent framework: name, description, parameters, and a call that returns text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Optional

from ._conversation import Conversation
from ._names import named
from ._text import DEFAULT_CHARACTERS
from ._tool_calls import Arguments, ToolCalls, fetch_calls, search_calls
from .aio import AsyncTrawl
from .client import Trawl
from .types import FetchOptions, PerCallOptions


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
    ask = client or Trawl.from_settings()
    calls = search_calls(ask, search, session_id, conversation, description, max_characters)
    return _tool(calls, ask)


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
    ask = client or Trawl.from_settings()
    calls = fetch_calls(ask, fetch, session_id, conversation, description, max_characters)
    return _tool(calls, ask)


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
    ask = client or AsyncTrawl.from_settings()
    calls = search_calls(ask, search, session_id, conversation, description, max_characters)
    return _async_tool(calls, ask)


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
    ask = client or AsyncTrawl.from_settings()
    calls = fetch_calls(ask, fetch, session_id, conversation, description, max_characters)
    return _async_tool(calls, ask)


def _tool(calls: ToolCalls, client: Trawl) -> Tool:
    def call(arguments: Arguments) -> str:
        return calls.run(arguments)[0]

    return Tool(calls.name, calls.description, calls.parameters, call, client)


def _async_tool(calls: ToolCalls, client: AsyncTrawl) -> AsyncTool:
    async def call(arguments: Arguments) -> str:
        return (await calls.arun(arguments))[0]

    return AsyncTool(calls.name, calls.description, calls.parameters, call, client)
