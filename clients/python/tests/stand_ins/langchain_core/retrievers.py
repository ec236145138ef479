from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any, ClassVar

from .documents import Document


class BaseRetriever:
    """A pydantic model there: fields by keyword, others are ignored, and members with an underscore are its own."""

    model_fields: ClassVar[dict[str, Any]] = {"name": None, "tags": None, "metadata": None}
    _new_arg_supported = False
    _expects_other_args = False

    def __init__(self, **fields: Any) -> None:
        for name, default in self.model_fields.items():
            setattr(self, name, fields.get(name, default))

    def __init_subclass__(cls) -> None:
        parameters = inspect.signature(cls._get_relevant_documents).parameters
        cls._new_arg_supported = "run_manager" in parameters
        cls._expects_other_args = bool(set(parameters) - {"self", "query", "run_manager"})

    def invoke(self, input: str, config: Any = None, **kwargs: Any) -> list[Document]:
        return self._get_relevant_documents(input, **self._given(kwargs))

    async def ainvoke(self, input: str, config: Any = None, **kwargs: Any) -> list[Document]:
        return await self._aget_relevant_documents(input, **self._given(kwargs))

    def _given(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        managed = {"run_manager": object()} if self._new_arg_supported else {}
        return {**managed, **(kwargs if self._expects_other_args else {})}

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        raise NotImplementedError

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        work = functools.partial(self._get_relevant_documents, query, run_manager=run_manager)
        return await asyncio.get_running_loop().run_in_executor(None, work)
