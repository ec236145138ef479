"""LangChain: tools, a retriever and a loader. Needs `langchain-core`, which `pip install 'trawl-client[langchain]'` installs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Optional

from ._conversation import Conversation
from ._documents import Found, NoDocumentsError, OnFailure, found_pages, found_rows
from ._extras import needs
from ._names import named, refuse_unknown
from ._text import DEFAULT_CHARACTERS
from ._tool_calls import AnyClient, ToolCalls, both_clients, fetch_calls, search_calls
from .errors import TrawlError
from .types import FetchOptions, PerCallOptions

with needs("langchain-core", "0.3.40", module="langchain_core", extra="langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import StructuredTool, ToolException

__all__ = ["NoDocumentsError", "OnFailure", "TrawlLoader", "TrawlRetriever", "fetch_tool", "search_tool"]


@named("search_tool()")
def search_tool(
    client: Optional[AnyClient] = None,
    *,
    search: Optional[PerCallOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> StructuredTool:
    """A tool that searches the web: text for the model, and the whole answer as artifact. `invoke` and `ainvoke` use the same
    client. The options are those of `trawl.search_tool`. The message of a TrawlError goes to the model, as that of a
    ToolException; with `handle_tool_error = False` it is raised. Raises UsageError."""
    calls = search_calls(client, search, session_id, conversation, description, max_characters)
    return _tool(calls)


@named("fetch_tool()")
def fetch_tool(
    client: Optional[AnyClient] = None,
    *,
    fetch: Optional[FetchOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> StructuredTool:
    """A tool that reads pages: text for the model, and the whole answer as artifact. The options are those of
    `trawl.fetch_tool`; the rest is as for `search_tool`."""
    calls = fetch_calls(client, fetch, session_id, conversation, description, max_characters)
    return _tool(calls)


def _tool(calls: ToolCalls) -> StructuredTool:
    def run(**arguments: Any) -> tuple[str, Any]:
        try:
            return calls.run(arguments)
        except TrawlError as error:
            raise ToolException(str(error)) from error

    async def arun(**arguments: Any) -> tuple[str, Any]:
        try:
            return await calls.arun(arguments)
        except TrawlError as error:
            raise ToolException(str(error)) from error

    return StructuredTool.from_function(
        func=run,
        coroutine=arun,
        name=calls.name,
        description=calls.description,
        args_schema=calls.parameters,
        response_format="content_and_artifact",
        # else one wrong argument of the model ends the agent
        handle_tool_error=True,
    )


class TrawlRetriever(BaseRetriever):
    """The rows of a search as documents, provider by provider in the order of the answer. `invoke` and `ainvoke` raise
    NoDocumentsError when every provider failed."""

    _clients: Any
    _search: Any
    _record: Any
    _on_failure: Any

    def __init__(
        self,
        client: Optional[AnyClient] = None,
        *,
        search: Optional[PerCallOptions] = None,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        on_failure: Optional[OnFailure] = None,
        **framework: Any,
    ) -> None:
        """`search` has the options of the API. `on_failure` is called with each provider that failed while others answered, and
        each row without text; when absent, the logger `trawl` warns. Other options are those of LangChain's retrievers, such as
        `tags`. The client is one of `Trawl.from_settings()` when absent. Raises UsageError."""
        own = ("client", "search", "session_id", "conversation", "on_failure")
        known = [*own, *BaseRetriever.model_fields]
        refuse_unknown("TrawlRetriever() has no option", framework, known)
        super().__init__(**framework)
        self._clients = both_clients(client)
        self._search = search
        self._record = {"session_id": session_id, "conversation": conversation}
        self._on_failure = on_failure

    def _get_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Document]:
        ask, _ = self._clients
        answer = ask.search(query, self._search, raise_on_failure=False, **self._record)
        return [*map(_document, found_rows(answer, self._on_failure))]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: Any = None
    ) -> list[Document]:
        _, ask = self._clients
        answer = await ask.search(query, self._search, raise_on_failure=False, **self._record)
        return [*map(_document, found_rows(answer, self._on_failure))]


class TrawlLoader(BaseLoader):
    """Pages as documents, in the order of their URLs, read by one fetch. `load` and the others raise NoDocumentsError when no
    page could be read."""

    @named("TrawlLoader()")
    def __init__(
        self,
        urls: Sequence[str],
        client: Optional[AnyClient] = None,
        *,
        fetch: Optional[FetchOptions] = None,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        on_failure: Optional[OnFailure] = None,
    ) -> None:
        """`fetch` has the options of the API. `on_failure` is called with each page that failed while others were read. The rest
        is as for `TrawlRetriever`. Raises UsageError."""
        self._urls = urls
        self._clients = both_clients(client)
        self._fetch = fetch
        self._record: Any = {"session_id": session_id, "conversation": conversation}
        self._on_failure = on_failure

    def lazy_load(self) -> Iterator[Document]:
        ask, _ = self._clients
        answer = ask.fetch(self._urls, self._fetch, raise_on_failure=False, **self._record)
        yield from map(_document, found_pages(answer, self._on_failure))

    async def alazy_load(self) -> AsyncIterator[Document]:
        _, ask = self._clients
        answer = await ask.fetch(self._urls, self._fetch, raise_on_failure=False, **self._record)
        for found in found_pages(answer, self._on_failure):
            yield _document(found)


def _document(found: Found) -> Document:
    return Document(page_content=found.text, id=found.id, metadata=found.metadata)
