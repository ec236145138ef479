from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Optional


@dataclass
class ToolMetadata:
    description: str
    name: Optional[str] = None
    fn_schema: Any = None
    return_direct: bool = False

    def get_parameters_dict(self) -> dict[str, Any]:
        kept = ("type", "properties", "required", "definitions", "$defs")
        schema = self.fn_schema.model_json_schema()
        return {name: value for name, value in schema.items() if name in kept}

    def get_name(self) -> str:
        if self.name is None:
            raise ValueError("name is None.")
        return self.name


@dataclass
class ToolOutput:
    content: str
    tool_name: str
    raw_input: dict[str, Any]
    raw_output: Any
    is_error: bool = False

    def __str__(self) -> str:
        return self.content


class FunctionTool:
    def __init__(
        self,
        fn: Callable[..., Any],
        metadata: ToolMetadata,
        async_fn: Callable[..., Awaitable[Any]],
    ) -> None:
        self._fn = fn
        self._async_fn = async_fn
        self.metadata = metadata

    @classmethod
    def from_defaults(
        cls,
        fn: Any = None,
        name: Optional[str] = None,
        description: Optional[str] = None,
        return_direct: bool = False,
        fn_schema: Any = None,
        async_fn: Any = None,
        tool_metadata: Optional[ToolMetadata] = None,
    ) -> FunctionTool:
        if tool_metadata is None:
            raise ValueError("metadata must be provided")
        return cls(fn, tool_metadata, async_fn)

    def __call__(self, *args: Any, **kwargs: Any) -> ToolOutput:
        return self.call(*args, **kwargs)

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        return self._output(self._fn(*args, **kwargs), args, kwargs)

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        return self._output(await self._async_fn(*args, **kwargs), args, kwargs)

    def _output(self, raw: Any, args: Any, kwargs: Any) -> ToolOutput:
        return ToolOutput(str(raw), self.metadata.get_name(), {"args": args, "kwargs": kwargs}, raw)
