"""Sends calls: time limit, retry, errors."""

from __future__ import annotations

import codecs
import http.client
import json
import random
import socket
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any, Optional, TypeVar, Union
from urllib.parse import quote, urlencode

from ._connection import Connection, Limit, Pool
from ._conversation import Lineage
from ._options import Options
from ._refusal import read_refusal
from ._routes import ROUTES
from ._version import __version__
from .errors import (
    ApiError,
    ConnectionFailedError,
    InvalidResponseError,
    ProviderUnavailableError,
    RateLimitedError,
    TrawlError,
    UsageError,
)

_RETRY_WAIT_MAX = 10.0
"""A retry that would have to wait longer than this is not made."""

_REFUSAL_BYTES = 4 * 1024 * 1024
_PIECE = 65536

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """One call of a route."""

    route: str
    in_path: str = ""
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Mapping[str, Any]] = None
    headers: Optional[Mapping[str, str]] = None
    idempotency_key: Optional[str] = None
    buys: bool = False
    """Whether the call pays or makes something: without a key a retry would do it twice."""

    lineage: Optional[Lineage] = None

    also_answers: Optional[int] = None
    """A status outside 2xx that counts as an answer."""


@dataclass(frozen=True)
class TextAnswer:
    """An answer as text for a model."""

    text: str
    session_id: Optional[str]


@dataclass(frozen=True)
class _Outgoing:
    """A call as it is sent, the same for each attempt."""

    method: str
    path: str
    body: Optional[bytes]
    headers: dict[str, str]
    key: Optional[str]
    may_repeat: bool


class Transport:
    """Any number of threads may use one at the same time."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._pool = Pool(options)

    def close(self) -> None:
        self._pool.close()

    def json(self, call: Call, limit: Limit) -> Any:
        """The answer of a call; None when it is empty."""

        def read(text: bytes, _headers: Message) -> Any:
            if text == b"":
                return None
            return parsed(text, "the answer is not JSON: is base_url that of a trawl server?", call)

        return self._whole(call, limit, "application/json", read)

    def plain(self, call: Call, limit: Limit) -> TextAnswer:
        """The answer of a call as text for a model."""

        def read(text: bytes, headers: Message) -> TextAnswer:
            if not headers.get("content-type", "").startswith("text/"):
                raise _keyed(InvalidResponseError("the answer is not text: the server is older"), call)
            return TextAnswer(text.decode("utf-8", "replace"), headers.get("x-trawl-session-id"))

        return self._whole(call, limit, "text/markdown", read)

    def _whole(
        self, call: Call, limit: Limit, accept: str, read: Callable[[bytes, Message], T]
    ) -> T:
        outgoing = self._outgoing(call, accept)

        def attempt() -> T:
            connection, response = self._answered(call, outgoing, limit)
            try:
                text = b"".join(_pieces(response, self.options.max_response_bytes))
            except BaseException:
                connection.close()
                raise
            self._done(connection, response, limit)
            return read(text, response.headers)

        return self._with_retry(call, outgoing, limit, attempt)

    def text(self, call: Call, limit: Limit) -> Generator[str, None, None]:
        """The text of a stream in pieces. Closing the generator closes the connection."""
        outgoing = self._outgoing(call, "text/event-stream")
        connection, response = self._with_retry(
            call, outgoing, limit, lambda: self._answered(call, outgoing, limit)
        )
        try:
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                raise _keyed(InvalidResponseError("the answer is not a stream of events"), call)
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            for piece in _translated(
                _pieces(response, self.options.max_response_bytes), call, outgoing, limit
            ):
                yield decoder.decode(piece)
            yield decoder.decode(b"", True)
        finally:
            limit.watch(None)
            connection.close()

    def _outgoing(self, call: Call, accept: str) -> _Outgoing:
        route = ROUTES[call.route]
        key = self.options.key() if route.needs_key else None
        headers = _joined_headers(
            self.options.headers,
            call.headers,
            {
                "accept": accept,
                "user-agent": f"trawl-client-python/{__version__}",
                "authorization": None if key is None else f"Bearer {key}",
                "content-type": None if call.body is None else "application/json",
                "idempotency-key": call.idempotency_key,
            },
        )
        place, brace, rest = route.path.partition("{")
        path = place + (quote(call.in_path, safe="") + rest.partition("}")[2] if brace else "")
        return _Outgoing(
            route.method,
            f"{self.options.path}{path}{_query_text(call.query)}",
            _body_bytes(call.body),
            headers,
            key,
            not call.buys or call.idempotency_key is not None,
        )

    def _answered(
        self, call: Call, outgoing: _Outgoing, limit: Limit
    ) -> tuple[Connection, http.client.HTTPResponse]:
        """One attempt. Returns the response if it is an answer, and raises for any other."""
        limit.check()
        # an idle connection may be closed by the server just now, and such a call cannot be
        # repeated
        connection = self._pool.take(fresh=not outgoing.may_repeat)
        try:
            response = connection.send(
                limit, outgoing.method, outgoing.path, outgoing.body, outgoing.headers
            )
            if 200 <= response.status < 300 or response.status == call.also_answers:
                return connection, response
            content = b"".join(_pieces(response, _REFUSAL_BYTES))
        except BaseException:
            limit.watch(None)
            connection.close()
            raise
        self._done(connection, response, limit)
        text = _without_key(content.decode("utf-8", "replace"), outgoing.key)
        if response.status >= 400:
            raise read_refusal(response.status, response.headers, text)
        place = response.headers.get("location", "an unknown place")
        raise InvalidResponseError(
            f"the server redirects ({response.status}) to {place}: set base_url to that address"
        )

    def _done(
        self, connection: Connection, response: http.client.HTTPResponse, limit: Limit
    ) -> None:
        limit.watch(None)
        if response.will_close:
            connection.close()
        else:
            self._pool.give_back(connection)

    def _with_retry(
        self, call: Call, outgoing: _Outgoing, limit: Limit, attempt: Callable[[], T]
    ) -> T:
        retries = 0
        while True:
            try:
                return attempt()
            except (TrawlError, OSError, http.client.HTTPException) as error:
                failure = _failure_of(error, call, outgoing, limit)
                if failure is not error:
                    failure.__cause__ = error
            is_last = retries >= self.options.max_retries or not outgoing.may_repeat
            wait = None if is_last else self._wait_before_retry(failure, retries)
            if wait is None or wait > min(_RETRY_WAIT_MAX, limit.remaining()):
                raise failure
            limit.pause(wait)
            retries += 1

    def _wait_before_retry(self, failure: TrawlError, retries: int) -> Optional[float]:
        """Seconds, or None where the same call would fail again or be paid twice."""
        delay: float = self.options.retry_delay * 2**retries * (0.5 + random.random())
        if isinstance(failure, ConnectionFailedError):
            # with a code, it fails again
            return delay if failure.code is None else None
        if not isinstance(failure, ApiError) or isinstance(failure, ProviderUnavailableError):
            return None
        after = failure.retry_after
        if isinstance(failure, RateLimitedError):
            # refused before anything was done, and safe to repeat when the server says from when on
            return None if after is None else max(delay, after)
        return max(delay, after or 0.0) if (failure.status or 0) >= 500 else None


def parsed(text: Union[str, bytes], complaint: str, call: Call) -> Any:
    """Raises InvalidResponseError when a text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _keyed(InvalidResponseError(complaint), call) from None


def _pieces(response: http.client.HTTPResponse, max_bytes: int) -> Iterator[bytes]:
    """A body piece by piece. Raises InvalidResponseError once it is longer than `max_bytes`."""
    announced = response.length
    if announced is not None and announced > max_bytes:
        raise _too_large(max_bytes)
    count = 0
    while announced is None or count < announced:
        # read1 does not wait for a whole piece, but does not see the end of a body with a length
        piece = response.read1(_PIECE) if announced is None else response.read(_PIECE)
        if piece == b"":
            break
        count += len(piece)
        if count > max_bytes:
            raise _too_large(max_bytes)
        yield piece
    if announced is not None and count < announced:
        raise ConnectionFailedError("the connection to the server failed: the answer is incomplete")
    # lets http.client see the end, after which the connection can be used again
    response.close()


def _too_large(max_bytes: int) -> InvalidResponseError:
    return InvalidResponseError(
        f"the answer is larger than {max_bytes} bytes: request less, or raise max_response_bytes"
    )


def _translated(
    pieces: Iterator[bytes], call: Call, outgoing: _Outgoing, limit: Limit
) -> Iterator[bytes]:
    try:
        yield from pieces
    except (TrawlError, OSError, http.client.HTTPException) as error:
        raise _failure_of(error, call, outgoing, limit) from error


def _failure_of(
    error: Exception, call: Call, outgoing: _Outgoing, limit: Limit
) -> TrawlError:
    """The error of an attempt, with the idempotency key."""
    if isinstance(error, ApiError):
        return _keyed(error, call)
    try:
        # what fails after the end of the time, or an abort, failed because of it
        limit.check()
    except TrawlError as over:
        return _keyed(over, call)
    # with an errno it is the system's own limit, such as that of a connection attempt
    if isinstance(error, socket.timeout) and error.errno is None:
        return _keyed(limit.over(), call)
    if isinstance(error, TrawlError):
        return _keyed(error, call)
    reason = _without_key(str(error) or type(error).__name__, outgoing.key)
    return _keyed(ConnectionFailedError(f"the connection to the server failed: {reason}"), call)


def _keyed(error: TrawlError, call: Call) -> TrawlError:
    error.idempotency_key = call.idempotency_key
    return error


def _without_key(text: str, key: Optional[str]) -> str:
    if key is None:
        return text
    return text.replace(key, "[redacted]").replace(json.dumps(key)[1:-1], "[redacted]")


def _joined_headers(*layers: Optional[Mapping[str, Optional[str]]]) -> dict[str, str]:
    """Later layers replace headers of earlier ones. Names are case-insensitive."""
    headers: dict[str, str] = {}
    for layer in layers:
        for name, value in (layer or {}).items():
            if value is None:
                continue
            # an error of the standard library would quote the value
            if not _is_token(name) or not _is_field_value(value):
                raise UsageError(f"the header {name!r} contains characters that HTTP does not allow")
            headers[name.lower()] = value
    return headers


def _is_token(name: object) -> bool:
    return isinstance(name, str) and name != "" and all(
        character.isascii() and (character.isalnum() or character in "!#$%&'*+-.^_`|~")
        for character in name
    )


def _is_field_value(value: object) -> bool:
    return isinstance(value, str) and all(
        character == "\t" or " " <= character <= "~" or "\x80" <= character <= "\xff"
        for character in value
    )


def _body_bytes(body: Optional[Mapping[str, Any]]) -> Optional[bytes]:
    try:
        return None if body is None else json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as cause:
        raise UsageError("the request cannot be written as JSON") from cause


def _query_text(query: Optional[Mapping[str, Any]]) -> str:
    given = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in (query or {}).items()
        if value is not None
    }
    return f"?{urlencode(given)}" if given else ""
