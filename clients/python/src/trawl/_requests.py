"""The short forms of requests. Nothing is validated here: the server reports mistakes with hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from .errors import UsageError
from .types import (
    ContextRequest,
    FetchOptions,
    FetchRequest,
    PerCallOptions,
    QueryRequest,
    SearchOptions,
    SearchRequest,
)

SearchInput = Union[str, Sequence[str], QueryRequest, SearchRequest]
"""A query, a list of them (a batch), `{"query": …}` with other members of a request, or the request of the API."""

FetchInput = Union[str, Sequence[str], FetchRequest]
"""A URL, several, or the request of the API."""


ContextInput = Union[str, ContextRequest]
"""A question, or the request of the API."""

SearchBlock = Union[PerCallOptions, SearchOptions]


def search_request(
    request: SearchInput, options: Optional[SearchBlock], session_id: Optional[str]
) -> Mapping[str, Any]:
    body: dict[str, Any]
    if isinstance(request, str):
        body = {"user_input": {"query": request}}
    elif isinstance(request, Mapping):
        body = dict(request)
        if "query" in body and body.get("user_input") is None:
            body["user_input"] = {"query": body.pop("query")}
    else:
        body = {"user_input": [{"query": query} for query in request]}
    _refuse_call_options(options)
    return _with_members(body, search=options, session_id=session_id)


def fetch_request(
    request: FetchInput, options: Optional[FetchOptions], session_id: Optional[str]
) -> Mapping[str, Any]:
    body: dict[str, Any]
    if isinstance(request, str):
        body = {"urls": [request]}
    elif isinstance(request, Mapping):
        body = dict(request)
    else:
        body = {"urls": list(request)}
    _refuse_call_options(options)
    return _with_members(body, options=options, session_id=session_id)


def context_request(
    request: ContextInput, options: Optional[Mapping[str, Any]], session_id: Optional[str]
) -> Mapping[str, Any]:
    body: dict[str, Any] = {"query": request} if isinstance(request, str) else dict(request)
    _refuse_call_options(options)
    return _with_members(body, **(options or {}), session_id=session_id)


def without_off(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The API has no `off`: without a value nothing is routed."""
    search = request.get("search")
    if not isinstance(search, Mapping) or search.get("auto_routing") != "off":
        return request
    others = {name: value for name, value in search.items() if name != "auto_routing"}
    return {**request, "search": others}


_CALL_OPTIONS = (
    "session_id",
    "conversation",
    "idempotency_key",
    "raise_on_failure",
    "timeout",
    "headers",
    "text",
    "max_chars",
)
"""Of a call, and of no block of the API."""


def _refuse_call_options(options: Any) -> None:
    for name in options if isinstance(options, Mapping) else ():
        if name in _CALL_OPTIONS:
            raise UsageError(
                f'"{name}" is an option of the call, not of the API: write {name}=… after the other arguments'
            )


def _with_members(body: dict[str, Any], **members: Any) -> dict[str, Any]:
    given = {name: value for name, value in members.items() if value is not None}
    for name in given:
        if body.get(name) is not None:
            raise UsageError(f"{name} is in the request and given separately: leave one of them out")
    return {**body, **given}
