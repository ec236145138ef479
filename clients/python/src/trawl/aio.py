"""The client for asyncio: the same methods, each run in a thread."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import ssl
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from ._admin import Admin
from ._calls import CURRENT_TASK, Headers
from ._connection import Task
from ._names import named
from ._options import ApiKey, whole
from .client import Trawl

R = TypeVar("R")

if TYPE_CHECKING:
    # newer than Python 3.9
    from typing import Concatenate, ParamSpec

    P = ParamSpec("P")

_END: Any = object()
_CONCURRENCY = 32


def _threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(whole("max_concurrency", count, 1, 1024), thread_name_prefix="trawl")


def _awaited(
    method: Callable[Concatenate[Any, P], R],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """A method of `Trawl` or `Admin` as a coroutine."""

    @functools.wraps(method)
    async def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        task = Task()
        context = contextvars.copy_context()
        context.run(CURRENT_TASK.set, task)
        try:
            return await self._in_thread(context, method, self._client, *args, **kwargs)
        except asyncio.CancelledError:
            task.abort()
            raise

    return call


def _iterated(
    method: Callable[Concatenate[Trawl, P], Generator[R, None, None]],
) -> Callable[Concatenate[AsyncTrawl, P], AsyncGenerator[R, None]]:
    """A generator of `Trawl` as an asynchronous one. Leaving the loop closes its connection."""

    @functools.wraps(method)
    async def iterate(
        self: AsyncTrawl, /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncGenerator[R, None]:
        task = Task()
        context = contextvars.copy_context()
        context.run(CURRENT_TASK.set, task)
        items = method(self._client, *args, **kwargs)
        try:
            while True:
                item = await self._in_thread(context, next, items, _END)
                if item is _END:
                    return
                yield item
        finally:
            task.abort()
            try:
                items.close()
            except ValueError:
                # a thread still waits in it; the abort ends that
                pass

    return iterate


class AsyncAdmin:
    """The operator API for asyncio, with the methods and options of `Admin`."""

    def __init__(self, client: AsyncTrawl) -> None:
        self._client = client._client.admin
        self._in_thread = client._in_thread

    list_projects = _awaited(Admin.list_projects)
    create_project = _awaited(Admin.create_project)
    read_project = _awaited(Admin.read_project)
    change_project = _awaited(Admin.change_project)
    delete_project = _awaited(Admin.delete_project)
    list_keys = _awaited(Admin.list_keys)
    create_key = _awaited(Admin.create_key)
    read_key = _awaited(Admin.read_key)
    change_key = _awaited(Admin.change_key)
    delete_key = _awaited(Admin.delete_key)
    rotate_key = _awaited(Admin.rotate_key)
    list_members = _awaited(Admin.list_members)


class AsyncTrawl:
    """A client of one server for asyncio, with the methods and options of `Trawl`.

    A call takes one of `max_concurrency` threads while it waits. A cancelled task ends its call.
    """

    @classmethod
    def from_settings(cls, **options: Any) -> AsyncTrawl:
        """As `Trawl.from_settings`. The options are those of `AsyncTrawl`."""
        client = cls(**options)
        client._client._configure()
        return client

    @classmethod
    def _around(cls, client: Trawl) -> AsyncTrawl:
        """The same client for asyncio, with its connections and settings."""
        around = cls.__new__(cls)
        around._client, around._threads = client, _threads(_CONCURRENCY)
        return around

    @named("AsyncTrawl()")
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
        max_concurrency: int = _CONCURRENCY,
    ) -> None:
        """The options of `Trawl`; further calls than `max_concurrency` wait for their turn. Raises UsageError."""
        self._client = Trawl(
            base_url,
            api_key,
            timeout=timeout,
            max_retries=max_retries,
            retry_delay=retry_delay,
            max_response_bytes=max_response_bytes,
            raise_on_failure=raise_on_failure,
            headers=headers,
            ssl_context=ssl_context,
        )
        self._threads = _threads(max_concurrency)

    search = _awaited(Trawl.search)
    search_stream = _iterated(Trawl.search_stream)
    search_dry_run = _awaited(Trawl.search_dry_run)
    fetch = _awaited(Trawl.fetch)
    fetch_stream = _iterated(Trawl.fetch_stream)
    fetch_dry_run = _awaited(Trawl.fetch_dry_run)
    context = _awaited(Trawl.context)
    context_stream = _iterated(Trawl.context_stream)
    context_dry_run = _awaited(Trawl.context_dry_run)
    create_interaction = _awaited(Trawl.create_interaction)
    create_interaction_stream = _iterated(Trawl.create_interaction_stream)
    read_interaction = _awaited(Trawl.read_interaction)
    replay = _awaited(Trawl.replay)
    replay_dry_run = _awaited(Trawl.replay_dry_run)
    diff = _awaited(Trawl.diff)
    give_feedback = _awaited(Trawl.give_feedback)
    read_feedback = _awaited(Trawl.read_feedback)
    verify = _awaited(Trawl.verify)
    list_sessions = _awaited(Trawl.list_sessions)
    sessions = _iterated(Trawl.sessions)
    session_history = _awaited(Trawl.session_history)
    history = _iterated(Trawl.history)
    session_trajectory = _awaited(Trawl.session_trajectory)
    delete_session = _awaited(Trawl.delete_session)
    create_watch = _awaited(Trawl.create_watch)
    create_watch_dry_run = _awaited(Trawl.create_watch_dry_run)
    list_watches = _awaited(Trawl.list_watches)
    read_watch = _awaited(Trawl.read_watch)
    change_watch = _awaited(Trawl.change_watch)
    run_watch = _awaited(Trawl.run_watch)
    run_watch_dry_run = _awaited(Trawl.run_watch_dry_run)
    delete_watch = _awaited(Trawl.delete_watch)
    watch_news = _awaited(Trawl.watch_news)
    usage = _awaited(Trawl.usage)
    preprocessors = _awaited(Trawl.preprocessors)
    fetch_providers = _awaited(Trawl.fetch_providers)
    probe = _awaited(Trawl.probe)
    probe_dry_run = _awaited(Trawl.probe_dry_run)
    provider_health = _awaited(Trawl.provider_health)
    reset_provider_health = _awaited(Trawl.reset_provider_health)
    health = _awaited(Trawl.health)
    readiness = _awaited(Trawl.readiness)
    openapi = _awaited(Trawl.openapi)

    @property
    def base_url(self) -> str:
        """Address of the server."""
        return self._client.base_url

    @property
    def admin(self) -> AsyncAdmin:
        """The operator API, for a client whose key has the permission `admin`."""
        return AsyncAdmin(self)

    async def aclose(self) -> None:
        """Closes the connections. Calls in progress end first."""
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self._client.close()

    async def __aenter__(self) -> AsyncTrawl:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncTrawl({self.base_url!r})"

    async def _in_thread(
        self, context: contextvars.Context, work: Callable[..., R], *args: Any, **kwargs: Any
    ) -> R:
        bound = functools.partial(context.run, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, bound)
