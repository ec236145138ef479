"""The client of one server."""

from __future__ import annotations

import ssl
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Literal, Optional, Union, overload

from . import types as t
from ._admin import Admin
from ._calls import NEW_KEY, Headers, IdempotencyKey, events, execute, limit_of, paid
from ._conversation import Conversation, Lineage
from ._names import checks_names
from ._options import MAX_SECONDS, ApiKey, Options, address, bounded, whole
from ._requests import (
    ContextInput,
    FetchInput,
    SearchBlock,
    SearchInput,
    context_request,
    fetch_request,
    search_request,
    without_off,
)
from ._settings import Settings, filled, is_incremental, load_settings
from ._transport import Call, Transport
from .answers import ContextEvent, FetchEvent, SearchEvent

_PAGE = 50


@checks_names
class Trawl:
    """A client of one server. Any number of threads may use one at the same time; it keeps its connections open.

    Requests and answers have the names of the HTTP API. Methods raise a `TrawlError`. A provider that failed is a failed run
    of the answer, not an error (see `failures`); with `raise_on_failure` an answer in which nothing succeeded is an error.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[ApiKey] = None,
        *,
        timeout: float = 150.0,
        max_retries: int = 1,
        retry_delay: float = 0.5,
        max_response_bytes: int = 128 * 1024 * 1024,
        raise_on_failure: bool = False,
        headers: Headers = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """Address and key come from SERVICE_BASE_URL and SERVICE_API_KEY when absent. `timeout` (seconds) is for a whole call,
        retries included. `api_key` may be a function, which is called for each request. Raises UsageError."""
        self._settings: Optional[Settings] = None
        self._incremental = True
        scheme, host, port, path = address(base_url)
        if scheme == "https" and ssl_context is None:
            ssl_context = ssl.create_default_context()
        self._transport = Transport(
            Options(
                scheme,
                host,
                port,
                path,
                api_key,
                bounded("timeout", timeout, 0.001, MAX_SECONDS),
                whole("max_retries", max_retries, 0, 10),
                bounded("retry_delay", retry_delay, 0, MAX_SECONDS),
                whole("max_response_bytes", max_response_bytes, 1, 2**53),
                raise_on_failure,
                dict(headers or {}),
                ssl_context,
            )
        )

    @classmethod
    def from_settings(cls, **options: Any) -> Trawl:
        """A client whose searches take what they do not set themselves from the settings files and the variables of this
        process, as they are now. The options are those of `Trawl`. Raises UsageError naming file or variable, key and remedy."""
        client = cls(**options)
        client._configure()
        return client

    @property
    def base_url(self) -> str:
        """Address of the server."""
        return self._transport.options.base_url

    @property
    def admin(self) -> Admin:
        """The operator API, for a client whose key has the permission `admin`."""
        return Admin(self._read)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Trawl:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Trawl({self.base_url!r})"

    @overload
    def search(
        self,
        request: SearchInput,
        options: Optional[SearchBlock] = None,
        *,
        text: Literal[True],
        max_chars: Optional[int] = None,
        **call: Any,
    ) -> str: ...

    @overload
    def search(
        self,
        request: SearchInput,
        options: Optional[SearchBlock] = None,
        *,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: Literal[False] = False,
        max_chars: Optional[int] = None,
    ) -> t.SearchAnswer: ...

    def search(
        self,
        request: SearchInput,
        options: Optional[SearchBlock] = None,
        *,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: bool = False,
        max_chars: Optional[int] = None,
    ) -> Union[t.SearchAnswer, str]:
        """Runs one query, or a list of them, across providers. `options` are the members of `search` in the API. With `text=True` the text for a model that the server makes of it, of at most `max_chars` characters."""
        body = self._filled(search_request(request, options, session_id))
        call = self._paid("search", body, conversation, idempotency_key, headers)
        if text:
            return self._text(replace(call, query={"max_chars": max_chars}), timeout)
        return execute(self._transport, call, timeout, raise_on_failure)

    def search_stream(
        self,
        request: SearchInput,
        options: Optional[SearchBlock] = None,
        *,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> Generator[SearchEvent, None, None]:
        """The same as a stream: each run when it arrives, then `done` with the whole answer."""
        body = self._filled(search_request(request, options, session_id))
        call = self._paid("search", body, conversation, idempotency_key, headers)
        return events(self._transport, call, timeout, raise_on_failure, "run")

    def search_dry_run(
        self,
        request: SearchInput,
        options: Optional[SearchBlock] = None,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.DryRun:
        """The calls a search would make, and their prices. Nothing is sent to a provider, recorded or billed."""
        body = self._filled(search_request(request, options, None))
        call = Call("search", query={"dry_run": True}, body=body, headers=headers)
        return self._read(call, timeout)

    @overload
    def fetch(
        self,
        request: FetchInput,
        options: Optional[t.FetchOptions] = None,
        *,
        text: Literal[True],
        max_chars: Optional[int] = None,
        **call: Any,
    ) -> str: ...

    @overload
    def fetch(
        self,
        request: FetchInput,
        options: Optional[t.FetchOptions] = None,
        *,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: Literal[False] = False,
        max_chars: Optional[int] = None,
    ) -> t.FetchAnswer: ...

    def fetch(
        self,
        request: FetchInput,
        options: Optional[t.FetchOptions] = None,
        *,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: bool = False,
        max_chars: Optional[int] = None,
    ) -> Union[t.FetchAnswer, str]:
        """Reads whole pages by URL: one, or a list. A page that cannot be read is a failed row. With `text=True` the text for a model that the server makes of it, of at most `max_chars` characters."""
        body = fetch_request(request, options, session_id)
        call = self._paid("fetch", body, conversation, idempotency_key, headers)
        if text:
            return self._text(replace(call, query={"max_chars": max_chars}), timeout)
        return execute(self._transport, call, timeout, raise_on_failure)

    def fetch_stream(
        self,
        request: FetchInput,
        options: Optional[t.FetchOptions] = None,
        *,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> Generator[FetchEvent, None, None]:
        """The same as a stream: each page when it arrives, then `done` with the whole answer."""
        body = fetch_request(request, options, session_id)
        call = self._paid("fetch", body, conversation, idempotency_key, headers)
        return events(self._transport, call, timeout, raise_on_failure, "page")

    def fetch_dry_run(
        self,
        request: FetchInput,
        options: Optional[t.FetchOptions] = None,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.DryRun:
        """The calls a fetch would make, and their prices."""
        body = fetch_request(request, options, None)
        call = Call("fetch", query={"dry_run": True}, body=body, headers=headers)
        return self._read(call, timeout)

    @overload
    def context(
        self,
        request: ContextInput,
        options: Optional[Mapping[str, Any]] = None,
        *,
        text: Literal[True],
        **call: Any,
    ) -> str: ...

    @overload
    def context(
        self,
        request: ContextInput,
        options: Optional[Mapping[str, Any]] = None,
        *,
        session_id: Optional[str] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: Literal[False] = False,
    ) -> t.ContextResponse: ...

    def context(
        self,
        request: ContextInput,
        options: Optional[Mapping[str, Any]] = None,
        *,
        session_id: Optional[str] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: bool = False,
    ) -> Union[t.ContextResponse, str]:
        """One question, and a context that fits a model: numbered passages of the best pages. `options` are the other members
        of the request, such as `max_tokens`. With `text=True` only its text."""
        body = context_request(request, options, session_id)
        call = paid("context", body, idempotency_key, headers)
        return self._text(call, timeout) if text else self._read(call, timeout)

    def context_stream(
        self,
        request: ContextInput,
        options: Optional[Mapping[str, Any]] = None,
        *,
        session_id: Optional[str] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> Generator[ContextEvent, None, None]:
        """The same as a stream: each source when its text arrives, then `done` with the whole answer."""
        body = context_request(request, options, session_id)
        call = paid("context", body, idempotency_key, headers)
        return events(self._transport, call, timeout, False, "source")

    def context_dry_run(
        self,
        request: ContextInput,
        options: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.DryRun:
        """The calls a context would make at most, and their prices."""
        body = context_request(request, options, None)
        call = Call("context", query={"dry_run": True}, body=body, headers=headers)
        return self._read(call, timeout)

    @overload
    def create_interaction(
        self,
        request: t.InteractionRequest,
        *,
        text: Literal[True],
        max_chars: Optional[int] = None,
        **call: Any,
    ) -> str: ...

    @overload
    def create_interaction(
        self,
        request: t.InteractionRequest,
        *,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: Literal[False] = False,
        max_chars: Optional[int] = None,
    ) -> t.SearchAnswer: ...

    def create_interaction(
        self,
        request: t.InteractionRequest,
        *,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: bool = False,
        max_chars: Optional[int] = None,
    ) -> Union[t.SearchAnswer, str]:
        """The general form of a search: postprocessors, a user label, or a step of a trajectory without any query. With `text=True` the text for a model that the server makes of it, of at most `max_chars` characters."""
        body = self._filled(request)
        call = self._paid("create_interaction", body, conversation, idempotency_key, headers)
        if text:
            return self._text(replace(call, query={"max_chars": max_chars}), timeout)
        return execute(self._transport, call, timeout, raise_on_failure)

    def create_interaction_stream(
        self,
        request: t.InteractionRequest,
        *,
        conversation: Optional[Conversation] = None,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> Generator[SearchEvent, None, None]:
        """The same as a stream."""
        body = self._filled(request)
        call = self._paid("create_interaction", body, conversation, idempotency_key, headers)
        return events(self._transport, call, timeout, raise_on_failure, "run")

    @overload
    def read_interaction(
        self,
        session_id: str,
        interaction_id: str,
        *,
        text: Literal[True],
        max_chars: Optional[int] = None,
        **call: Any,
    ) -> str: ...

    @overload
    def read_interaction(
        self,
        session_id: str,
        interaction_id: str,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: Literal[False] = False,
        max_chars: Optional[int] = None,
    ) -> t.InteractionDetails: ...

    def read_interaction(
        self,
        session_id: str,
        interaction_id: str,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
        text: bool = False,
        max_chars: Optional[int] = None,
    ) -> Union[t.InteractionDetails, str]:
        """Reads one interaction back, as it was answered. With `text=True` the text for a model that the server makes of it, of at most `max_chars` characters."""
        query = {"session_id": session_id, "interaction_id": interaction_id, "max_chars": max_chars}
        call = Call("read_interaction", query=query, headers=headers)
        return self._text(call, timeout) if text else self._read(call, timeout)

    def replay(
        self,
        interaction_id: str,
        *,
        idempotency_key: IdempotencyKey = NEW_KEY,
        raise_on_failure: Optional[bool] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.SearchAnswer:
        """Runs a recorded search again with the providers of today, in its session. Costs what the search costs now."""
        call = paid("replay", {}, idempotency_key, headers, interaction_id)
        return execute(self._transport, call, timeout, raise_on_failure)

    def replay_dry_run(
        self, interaction_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.DryRun:
        """The calls a replay would make, and their prices."""
        call = Call("replay", interaction_id, query={"dry_run": True}, headers=headers)
        return self._read(call, timeout)

    def diff(
        self,
        interaction_id: str,
        later_id: str,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.InteractionDiff:
        """What differs between a search and a later one, by query and provider."""
        call = Call("diff", interaction_id, query={"with": later_id}, headers=headers)
        return self._read(call, timeout)

    def give_feedback(
        self,
        interaction_id: str,
        feedback: t.FeedbackRequest,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.FeedbackResponse:
        """Records which results were used, right or wrong. Replaces earlier feedback on the same results."""
        call = Call("give_feedback", interaction_id, body=feedback, headers=headers)
        return self._read(call, timeout)

    def read_feedback(
        self, interaction_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.FeedbackResponse:
        """The latest feedback on each result of an interaction."""
        return self._read(Call("read_feedback", interaction_id, headers=headers), timeout)

    def verify(
        self,
        session_id: str,
        quotes: Sequence[t.WantedQuote],
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.VerifyResponse:
        """Checks quotes against the records of a session. Costs nothing."""
        body = {"session_id": session_id, "quotes": list(quotes)}
        return self._read(Call("verify", body=body, headers=headers), timeout)

    def list_sessions(
        self,
        *,
        limit: Optional[int] = None,
        before: Optional[str] = None,
        before_id: Optional[str] = None,
        session_id: Optional[str] = None,
        include: Optional[Literal["summary"]] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.SessionsResponse:
        """One page of sessions, newest activity first."""
        query = {
            "limit": limit,
            "before": before,
            "before_id": before_id,
            "session_id": session_id,
            "include": include,
        }
        return self._read(Call("list_sessions", query=query, headers=headers), timeout)

    def sessions(
        self,
        *,
        include: Optional[Literal["summary"]] = None,
        page_size: int = _PAGE,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> Generator[t.Session, None, None]:
        """All sessions; pages are read when they are needed. One that becomes active during the loop may be missed."""
        before: Optional[str] = None
        before_id: Optional[str] = None
        while True:
            page = self.list_sessions(
                limit=page_size,
                before=before,
                before_id=before_id,
                include=include,
                timeout=timeout,
                headers=headers,
            )["sessions"]
            yield from page
            if len(page) < page_size:
                return
            before, before_id = page[-1]["latest_interaction_at"], page[-1]["id"]

    def session_history(
        self,
        session_id: str,
        *,
        type: Optional[Literal["short", "full"]] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.SessionHistoryResponse:
        """One page of a session's interactions, oldest first. `next_after` is there when more follow."""
        query = {"type": type, "limit": limit, "after": after}
        return self._read(Call("session_history", session_id, query, headers=headers), timeout)

    def history(
        self,
        session_id: str,
        *,
        type: Optional[Literal["short", "full"]] = None,
        page_size: int = _PAGE,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> Generator[t.InteractionRecordSummary, None, None]:
        """All interactions of a session. Pages are read when they are needed."""
        after: Optional[str] = None
        while True:
            page = self.session_history(
                session_id,
                type=type,
                limit=page_size,
                after=after,
                timeout=timeout,
                headers=headers,
            )
            yield from page["interactions"]
            after = page.get("next_after")
            if after is None:
                return

    def session_trajectory(
        self,
        session_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.SessionTrajectoryResponse:
        """A session as a tree of interactions, runs and results."""
        query = {"limit": limit, "after": after}
        return self._read(Call("session_trajectory", session_id, query, headers=headers), timeout)

    def delete_session(
        self, session_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> None:
        """Deletes a session with all its records."""
        self._read(Call("delete_session", session_id, headers=headers), timeout)

    def create_watch(
        self, watch: t.NewWatch, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.Watch:
        """Makes a watch of a search or of pages. It belongs to this key, and its first run follows within seconds."""
        call = Call("create_watch", body=watch, headers=headers, buys=True)
        return self._read(call, timeout)

    def create_watch_dry_run(
        self, watch: t.NewWatch, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.WatchDryRun:
        """What each run of a watch would call and cost, and a day of them. Nothing is made."""
        call = Call("create_watch", query={"dry_run": True}, body=watch, headers=headers)
        return self._read(call, timeout)

    def list_watches(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.WatchesResponse:
        """One page of the watches of the project. `next_after` is there when more follow."""
        query = {"limit": limit, "after": after}
        return self._read(Call("list_watches", query=query, headers=headers), timeout)

    def read_watch(
        self, watch_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.Watch:
        """One watch, and how its last run ended."""
        return self._read(Call("read_watch", watch_id, headers=headers), timeout)

    def change_watch(
        self,
        watch_id: str,
        change: t.WatchChange,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.Watch:
        """Pauses or resumes a watch, or changes its name or interval."""
        return self._read(Call("change_watch", watch_id, body=change, headers=headers), timeout)

    def run_watch(
        self,
        watch_id: str,
        *,
        idempotency_key: IdempotencyKey = NEW_KEY,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.WatchRun:
        """Makes one run of a watch now. Costs what its search or its pages cost."""
        return self._read(paid("run_watch", None, idempotency_key, headers, watch_id), timeout)

    def run_watch_dry_run(
        self, watch_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.DryRun:
        """The calls a run of a watch would make, and their prices."""
        return self._read(Call("run_watch", watch_id, {"dry_run": True}, headers=headers), timeout)

    def delete_watch(
        self, watch_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> None:
        """Deletes a watch with its news. What its runs recorded stays."""
        self._read(Call("delete_watch", watch_id, headers=headers), timeout)

    def watch_news(
        self,
        watch_id: str,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.NewsResponse:
        """One page of what a watch found that is new. `next_after` is there when more follows."""
        query = {"after": after, "limit": limit}
        return self._read(Call("watch_news", watch_id, query, headers=headers), timeout)

    def usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        group_by: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.UsageReport:
        """Calls and cost of the key, or of the whole project with permission `manage`."""
        query = {"from": from_, "to": to, "group_by": group_by}
        return self._read(Call("usage", query=query, headers=headers), timeout)

    def preprocessors(
        self, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.PreprocessorRoster:
        """The search providers of this server."""
        return self._read(Call("preprocessors", headers=headers), timeout)

    def fetch_providers(
        self, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.FetchProviderRoster:
        """The fetch providers of this server."""
        return self._read(Call("fetch_providers", headers=headers), timeout)

    def probe(
        self,
        provider: str,
        request: t.ProbeRequest,
        *,
        idempotency_key: IdempotencyKey = NEW_KEY,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.ProbeResponse:
        """Asks one provider once, to see whether it works. Costs what one call costs; a failure is in the answer."""
        return self._read(paid("probe", request, idempotency_key, headers, provider), timeout)

    def probe_dry_run(
        self,
        provider: str,
        request: t.ProbeRequest,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.DryRun:
        """The call a probe would make, and its price."""
        call = Call("probe", provider, {"dry_run": True}, body=request, headers=headers)
        return self._read(call, timeout)

    def provider_health(
        self, provider: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.HealthReport:
        """How good the answers of a search provider are, next to its own of before."""
        return self._read(Call("provider_health", provider, headers=headers), timeout)

    def reset_provider_health(
        self, provider: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.HealthReport:
        """Forgets that a provider is ill, for one that works again."""
        return self._read(Call("reset_provider_health", provider, headers=headers), timeout)

    def health(self, *, timeout: Optional[float] = None, headers: Headers = None) -> t.Health:
        """Whether the process is up."""
        return self._read(Call("health", headers=headers), timeout)

    def readiness(self, *, timeout: Optional[float] = None, headers: Headers = None) -> t.Health:
        """Whether the server accepts requests. A 503 is an answer here, not an error."""
        return self._read(Call("readiness", headers=headers, also_answers=503), timeout)

    def openapi(
        self, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.JsonObject:
        """The server's OpenAPI document."""
        return self._read(Call("openapi", headers=headers), timeout)

    def _filled(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        return without_off(request) if self._settings is None else filled(self._settings, request)

    def _read(self, call: Call, timeout: Optional[float]) -> Any:
        """The contract defines the answer of each route, so its JSON is not validated again."""
        return self._transport.json(call, limit_of(self._transport, timeout))

    def _text(self, call: Call, timeout: Optional[float]) -> str:
        """The answer as text for a model."""
        answer = self._transport.plain(call, limit_of(self._transport, timeout))
        if call.lineage is not None and answer.session_id is not None:
            call.lineage.recorded(answer.session_id)
        return answer.text

    def _configure(self) -> None:
        """Takes the settings of this process, as they are now."""
        self._settings = load_settings()
        self._incremental = is_incremental()

    def _paid(
        self,
        route: str,
        body: Mapping[str, Any],
        conversation: Optional[Conversation],
        key: IdempotencyKey,
        headers: Headers,
    ) -> Call:
        if conversation is None:
            return paid(route, body, key, headers)
        attached, count = conversation._attach(body, self._incremental)
        return paid(route, attached, key, headers, lineage=Lineage(conversation, count))
