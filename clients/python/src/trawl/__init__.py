"""Client of trawl, the self-hostable web search and page fetch router."""

from . import types
from ._calls import NEW_KEY
from ._conversation import Conversation
from ._requests import FetchInput, SearchInput
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

__all__ = [
    "NEW_KEY",
    "ApiError",
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
    "ProviderUnavailableError",
    "RateLimitedError",
    "SearchEvent",
    "SearchInput",
    "Trawl",
    "TrawlError",
    "UsageError",
    "ValidationError",
    "WarningGroup",
    "__version__",
    "failures",
    "merged",
    "pages_of",
    "rows_of",
    "types",
    "warnings_of",
]
