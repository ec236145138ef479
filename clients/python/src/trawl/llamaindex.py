"""LlamaIndex: tools, a retriever and a reader. Needs `llama-index-core`, which `pip install 'trawl-client[llamaindex]'` installs."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Optional

from ._conversation import Conversation
from ._documents import IDS, Found, NoDocumentsError, OnFailure, found_pages, found_rows
from ._extras import needs
from ._names import named, refuse_unknown
from ._text import DEFAULT_CHARACTERS
from ._tool_calls import AnyClient, ToolCalls, both_clients, fetch_calls, search_calls
from .types import FetchOptions, PerCallOptions

with needs("llama-index-core", "0.12", module="llama_index", extra="llamaindex"):
    from llama_index.core.bridge.pydantic import Field, create_model
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import Document, NodeWithScore, QueryBundle, TextNode
    from llama_index.core.tools import FunctionTool, ToolMetadata

__all__ = ["NoDocumentsError", "OnFailure", "TrawlReader", "TrawlRetriever", "fetch_tool", "search_tool"]


@named("search_tool()")
def search_tool(
    client: Optional[AnyClient] = None,
    *,
    search: Optional[PerCallOptions] = None,
    session_id: Optional[str] = None,
    conversation: Optional[Conversation] = None,
    description: Optional[str] = None,
    max_characters: int = DEFAULT_CHARACTERS,
) -> FunctionTool:
    """A tool that searches the web and returns text for the model. `call` and `acall` use the same client. The options are those
    of `trawl.search_tool`. Agents pass the message of a TrawlError on to the model. Raises UsageError."""
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
) -> FunctionTool:
    """A tool that reads pages and returns text for the model. The options are those of `trawl.fetch_tool`; the rest is as for
    `search_tool`."""
    calls = fetch_calls(client, fetch, session_id, conversation, description, max_characters)
    return _tool(calls)


def _tool(calls: ToolCalls) -> FunctionTool:
    def run(**arguments: Any) -> str:
        return calls.run(arguments)[0]

    async def arun(**arguments: Any) -> str:
        return (await calls.arun(arguments))[0]

    required = calls.parameters.get("required", [])
    fields: Any = {
        name: _field(schema, name in required)
        for name, schema in calls.parameters["properties"].items()
    }
    metadata = ToolMetadata(
        name=calls.name,
        description=calls.description,
        fn_schema=create_model(calls.name, **fields),
    )
    return FunctionTool.from_defaults(fn=run, async_fn=arun, tool_metadata=metadata)


_TYPES: Mapping[str, Any] = {"string": str, "integer": int}


def _field(schema: Mapping[str, Any], is_required: bool) -> tuple[Any, Any]:
    """An argument as a field of pydantic, which is the only form that LlamaIndex takes."""
    hint: Any
    if "enum" in schema:
        hint = Literal[tuple(schema["enum"])]
    elif schema["type"] == "array":
        hint = list[_TYPES[schema["items"]["type"]]]  # type: ignore[misc]
    else:
        hint = _TYPES[schema["type"]]
    described = Field(
        default=... if is_required else None,
        description=schema["description"],
        ge=schema.get("minimum"),
        le=schema.get("maximum"),
        min_length=schema.get("minLength", schema.get("minItems")),
        max_length=schema.get("maxLength", schema.get("maxItems")),
    )
    return hint if is_required else Optional[hint], described


class TrawlRetriever(BaseRetriever):
    """The rows of a search as nodes without a score, provider by provider in the order of the answer. `retrieve` and `aretrieve`
    raise NoDocumentsError when every provider failed."""

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
        each row without text; when absent, the logger `trawl` warns. Other options are those of LlamaIndex's retrievers, such as
        `callback_manager`. The client is one of `Trawl.from_settings()` when absent. Raises UsageError."""
        own = ("client", "search", "session_id", "conversation", "on_failure")
        theirs = [*inspect.signature(BaseRetriever.__init__).parameters][1:]
        refuse_unknown("TrawlRetriever() has no option", framework, [*own, *theirs])
        super().__init__(**framework)
        self._clients = both_clients(client)
        self._search = search
        self._record: Any = {"session_id": session_id, "conversation": conversation}
        self._on_failure = on_failure

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        ask, _ = self._clients
        query = query_bundle.query_str
        answer = ask.search(query, self._search, raise_on_failure=False, **self._record)
        return [*map(_node, found_rows(answer, self._on_failure))]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        _, ask = self._clients
        query = query_bundle.query_str
        answer = await ask.search(query, self._search, raise_on_failure=False, **self._record)
        return [*map(_node, found_rows(answer, self._on_failure))]


class TrawlReader(BaseReader):
    """Pages as documents, in the order of their URLs, read by one fetch. `load_data` and the others take the URLs, and raise
    NoDocumentsError when no page could be read."""

    @named("TrawlReader()")
    def __init__(
        self,
        client: Optional[AnyClient] = None,
        *,
        fetch: Optional[FetchOptions] = None,
        session_id: Optional[str] = None,
        conversation: Optional[Conversation] = None,
        on_failure: Optional[OnFailure] = None,
    ) -> None:
        """`fetch` has the options of the API. `on_failure` is called with each page that failed while others were read. The rest
        is as for `TrawlRetriever`. Raises UsageError."""
        self._clients = both_clients(client)
        self._fetch = fetch
        self._record: Any = {"session_id": session_id, "conversation": conversation}
        self._on_failure = on_failure

    def lazy_load_data(self, urls: Sequence[str]) -> Iterable[Document]:
        ask, _ = self._clients
        answer = ask.fetch(urls, self._fetch, raise_on_failure=False, **self._record)
        return [*map(_page, found_pages(answer, self._on_failure))]

    async def aload_data(self, urls: Sequence[str]) -> list[Document]:
        _, ask = self._clients
        answer = await ask.fetch(urls, self._fetch, raise_on_failure=False, **self._record)
        return [*map(_page, found_pages(answer, self._on_failure))]


def _node(found: Found) -> NodeWithScore:
    return NodeWithScore(node=TextNode(**_members(found)))


def _page(found: Found) -> Document:
    return Document(**_members(found))


def _members(found: Found) -> dict[str, Any]:
    return {
        "id_": found.id,
        "text": found.text,
        "metadata": found.metadata,
        "excluded_llm_metadata_keys": list(IDS),
        "excluded_embed_metadata_keys": list(IDS),
    }
