"""Reads error responses, of either error family of the API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPMessage
from typing import Any, Optional

from .errors import (
    ApiError,
    AuthError,
    ProviderUnavailableError,
    RateLimitedError,
    ValidationError,
)

_MESSAGE_CHARACTERS = 500
_ISSUES_SHOWN = 3

_CODES = {
    401: "unauthorized",
    402: "budget_exceeded",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "payload_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    500: "internal_error",
}
"""Codes of the typed family by status, so that a code means the same on all routes."""

_CLASSES: Mapping[Optional[int], type[ApiError]] = {
    401: AuthError,
    403: AuthError,
    422: ValidationError,
    429: RateLimitedError,
}


def read_refusal(status: int, headers: HTTPMessage, text: str) -> ApiError:
    """The error of a response. A body of neither family, such as a proxy's page, is quoted in part."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = text
    error = refusal_of(body, status)
    error.request_id = headers.get("x-request-id")
    error.retry_after = _seconds(headers.get("retry-after"))
    return error


def refusal_of(body: Any, status: Optional[int]) -> ApiError:
    """The same for a body that arrived as an event of a stream (status None)."""
    outer = body if isinstance(body, dict) else {}
    error_member = outer.get("error")
    typed = error_member if isinstance(error_member, dict) else {}
    detail = outer.get("detail")
    issues = tuple(filter(_is_issue, detail)) if isinstance(detail, list) else ()
    hint = _text(outer.get("hint"))
    code = _text(typed.get("code")) or _text(outer.get("code")) or _code_of(status)
    reason = _text(typed.get("message")) or _text(detail) or _issues_text(issues) or _quoted(body)
    prefix = "" if status is None else f"{status}: "
    kind = ProviderUnavailableError if code == "provider_unavailable" else _CLASSES.get(status)
    error = (kind or ApiError)(f"{prefix}{reason}{_hinted(hint)}")
    error.status = status
    error.code = code
    error.param = _text(typed.get("param"))
    error.issues = issues
    error.hint = hint or next((issue["hint"] for issue in issues if issue.get("hint")), None)
    error.session_id = _text(typed.get("session_id"))
    error.interaction_id = _text(typed.get("interaction_id"))
    error.body = body
    return error


def _code_of(status: Optional[int]) -> Optional[str]:
    if status is None:
        return None
    return _CODES.get(status) or ("invalid_request" if status < 500 else "unavailable")


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _is_issue(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("loc"), list)
        and isinstance(value.get("msg"), str)
    )


def _issues_text(issues: tuple[Any, ...]) -> Optional[str]:
    if not issues:
        return None
    shown = [
        f"{'.'.join(map(str, issue['loc']))}: {issue['msg']}{_hinted(issue.get('hint'))}"
        for issue in issues[:_ISSUES_SHOWN]
    ]
    more = len(issues) - _ISSUES_SHOWN
    return "; ".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def _hinted(hint: Any) -> str:
    return f" ({hint})" if hint else ""


def _quoted(body: Any) -> str:
    content = (body if isinstance(body, str) else json.dumps(body)).strip()
    return content[:_MESSAGE_CHARACTERS] or "no reason was given"


def _seconds(header: Optional[str]) -> Optional[float]:
    """Seconds or a date, in seconds from now."""
    if header is None:
        return None
    if header.strip().isascii() and header.strip().isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except (TypeError, ValueError, IndexError):
        return None
    now = datetime.now(timezone.utc)
    return max(0.0, (at.replace(tzinfo=at.tzinfo or timezone.utc) - now).total_seconds())
