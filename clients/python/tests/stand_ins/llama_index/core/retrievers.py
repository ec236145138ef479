from __future__ import annotations

from typing import Any, Optional, Union

from .schema import NodeWithScore, QueryBundle


class BaseRetriever:
    def __init__(
        self,
        callback_manager: Any = None,
        object_map: Optional[dict[str, Any]] = None,
        objects: Optional[list[Any]] = None,
        verbose: bool = False,
    ) -> None:
        self.callback_manager = callback_manager
        self.object_map = object_map or {}
        self._verbose = verbose

    def retrieve(self, str_or_query_bundle: Union[str, QueryBundle]) -> list[NodeWithScore]:
        return self._retrieve(_bundle(str_or_query_bundle))

    async def aretrieve(self, str_or_query_bundle: Union[str, QueryBundle]) -> list[NodeWithScore]:
        # by keyword there, too
        return await self._aretrieve(query_bundle=_bundle(str_or_query_bundle))

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        raise NotImplementedError

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._retrieve(query_bundle)


def _bundle(query: Union[str, QueryBundle]) -> QueryBundle:
    return QueryBundle(query) if isinstance(query, str) else query
