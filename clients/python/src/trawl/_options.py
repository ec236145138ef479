"""The options of a client, checked."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Optional, Union
from urllib.parse import urlsplit

from .errors import UsageError

ApiKey = Union[str, Callable[[], Optional[str]]]
"""A key, or a function that returns it and is called for each request."""

LOCAL = "http://127.0.0.1:8080"
MAX_SECONDS = min(threading.TIMEOUT_MAX, 2_147_483.0)


@dataclass(frozen=True)
class Options:
    scheme: str
    host: str
    port: Optional[int]
    path: str
    """Of the base URL, without the slash at its end."""

    api_key: Optional[ApiKey]
    timeout: float
    max_retries: int
    retry_delay: float
    max_response_bytes: int
    raise_on_failure: bool
    headers: Mapping[str, str]
    ssl_context: Optional[ssl.SSLContext]

    @property
    def base_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port is None else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    def key(self) -> str:
        """Raises UsageError when the key is missing or malformed."""
        given = self.api_key() if callable(self.api_key) else self.api_key
        key = given if self.api_key is not None else os.environ.get("SERVICE_API_KEY")
        if not key:
            raise UsageError("no API key: pass api_key, or set SERVICE_API_KEY")
        # an error of the standard library would quote the key
        if not all("!" <= character <= "~" for character in key):
            raise UsageError(
                "the API key contains a space, a line break or a character that is not ASCII"
            )
        return key


def address(base_url: Optional[str]) -> tuple[str, str, Optional[int], str]:
    """Scheme, host, port and path of the server. Raises UsageError."""
    name, given = "base_url", base_url
    if not given:
        name, given = "SERVICE_BASE_URL", os.environ.get("SERVICE_BASE_URL") or LOCAL
    try:
        url = urlsplit(given)
        port = url.port
    except ValueError:
        raise _no_url(name) from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise _no_url(name)
    if url.username is not None or url.password is not None or url.query or url.fragment:
        raise UsageError(f"{name} may not contain a user name, query or fragment")
    path = url.path.rstrip("/")
    if path.endswith("/v1"):
        path = path[: -len("/v1")].rstrip("/")
    return url.scheme, url.hostname, port, path


def bounded(name: str, value: float, low: float, high: float) -> float:
    """Raises UsageError when `value` is not a number in that range."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and low <= value <= high:
        return value
    raise UsageError(f"{name} must be a number from {low} to {high}")


def whole(name: str, value: int, low: int, high: int) -> int:
    """Raises UsageError when `value` is not a whole number in that range."""
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise UsageError(f"{name} must be a whole number from {low} to {high}")


def _no_url(name: str) -> UsageError:
    return UsageError(
        f"{name} must be an absolute http(s) URL, such as https://trawl.example.com"
    )
