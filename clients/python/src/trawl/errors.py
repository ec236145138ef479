"""Everything that the client raises."""

from __future__ import annotations

from typing import Any, Optional, Union

from .types import FetchAnswer, SearchAnswer, ValidationIssue


class TrawlError(Exception):
    """The base of all errors of this package."""

    idempotency_key: Optional[str] = None
    """The key of the request: send it again with the same body to get the missed answer without paying again."""


class UsageError(TrawlError, ValueError):
    """The call was wrong before anything was sent."""


class ConnectionFailedError(TrawlError, ConnectionError):
    """The server was not reached, or the connection broke."""

    code: Optional[str] = None
    """What failed, for programs, if that is known: `server_speaks_http`."""


class CallTimeoutError(TrawlError, TimeoutError):
    """No answer within the time of the call."""


class InvalidResponseError(TrawlError):
    """The answer is not an answer of trawl."""


class ApiError(TrawlError):
    """The server refused the call. Failed runs of an answer are not errors: see `failures`."""

    status: Optional[int] = None
    """None: it came as an event of a stream that had begun."""

    code: Optional[str] = None
    """A code of the list in the documentation; new ones may be added."""

    param: Optional[str] = None
    """The faulty field, where the route names one."""

    issues: tuple[ValidationIssue, ...] = ()
    """All faults of a request that failed validation."""

    hint: Optional[str] = None
    """What to send instead, where the server knows it."""

    session_id: Optional[str] = None
    """Set when the interaction was recorded although it was refused."""

    interaction_id: Optional[str] = None
    request_id: Optional[str] = None

    retry_after: Optional[float] = None
    """Seconds to wait before the next try, where the server says so."""

    body: Any = None
    """The body as it was read: JSON, or text."""


class AuthError(ApiError):
    """No key, a wrong key, or one that may not do this (401, 403)."""


class ValidationError(ApiError):
    """The body or a parameter failed validation (422): `issues` or `param` say where."""


class RateLimitedError(ApiError):
    """Too many requests (429): `retry_after` says when to try again."""


class ProviderUnavailableError(ApiError):
    """A pinned fetch reached no page. It was recorded and billed, so it is never tried again here."""


class NothingSucceededError(TrawlError):
    """Nothing in the answer succeeded, and the call had `raise_on_failure`. It may have been billed."""

    code: str = "all_failed"
    """The code that all failures share, otherwise `all_failed`."""

    answer: Union[SearchAnswer, FetchAnswer]
