"""Client of trawl, the self-hostable web search and page fetch router."""

from . import types
from ._calls import NEW_KEY
from ._conversation import Conversation
from ._fetch_text import fetch_as_text
from ._page_text import PagesPrompt, PromptSource, pages_as_prompt
from ._requests import FetchInput, SearchInput
from ._search_text import search_as_text
from ._version import __version__
from .aio import AsyncTrawl
from .answers import (
    Failure,
    FetchEvent,
    Find,
    HasRuns,
    MergedRow,
    SearchEvent,
    WarningGroup,
    failures,
    merged,
    pages_of,
    rows_of,
    warnings_of,
)
from .client import Trawl
from .errors import (
    ApiError,
    AuthError,
    CallTimeoutError,
    ConnectionFailedError,
    InvalidResponseError,
    NothingSucceededError,
    ProviderUnavailableError,
    RateLimitedError,
    TrawlError,
    UsageError,
    ValidationError,
)
from .tools import (
    AsyncTool,
    Tool,
    async_fetch_tool,
    async_search_tool,
    fetch_tool,
    search_tool,
)

__all__ = [
    "NEW_KEY",
    "ApiError",
    "AsyncTool",
    "AsyncTrawl",
    "AuthError",
    "CallTimeoutError",
    "ConnectionFailedError",
    "Conversation",
    "Failure",
    "FetchEvent",
    "FetchInput",
    "Find",
    "HasRuns",
    "InvalidResponseError",
    "MergedRow",
    "NothingSucceededError",
    "PagesPrompt",
    "PromptSource",
    "ProviderUnavailableError",
    "RateLimitedError",
    "SearchEvent",
    "SearchInput",
    "Tool",
    "Trawl",
    "TrawlError",
    "UsageError",
    "ValidationError",
    "WarningGroup",
    "__version__",
    "async_fetch_tool",
    "async_search_tool",
    "failures",
    "fetch_as_text",
    "fetch_tool",
    "merged",
    "pages_as_prompt",
    "pages_of",
    "rows_of",
    "search_as_text",
    "search_tool",
    "types",
    "warnings_of",
]
