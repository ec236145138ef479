from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Optional

from .messages import ToolMessage


class ToolException(Exception):
    """Its message goes to the model where `handle_tool_error` says so."""


class BaseTool:
    """A pydantic model there: fields by keyword, others are ignored."""

    def __init__(
        self,
        *,
        name: str,
        description: str,
        args_schema: Any = None,
        response_format: str = "content",
        handle_tool_error: Any = False,
        **_others: Any,
    ) -> None:
        if not isinstance(args_schema, dict):
            raise TypeError("args_schema must be a subclass of pydantic BaseModel or a JSON schema dict")
        self.name = name
        self.description = description
        self.args_schema = args_schema
        self.response_format = response_format
        self.handle_tool_error = handle_tool_error

    @property
    def args(self) -> dict[str, Any]:
        return self.args_schema["properties"]

    @property
    def tool_call_schema(self) -> dict[str, Any]:
        return {**self.args_schema, "description": self.description}

    def invoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        arguments, call_id = _arguments_of(input)
        try:
            # a run of the tool also has its config and the manager of its callbacks
            response = self._run(config=config or {}, run_manager=object(), **arguments)
        except ToolException as error:
            return self._failed(error, call_id)
        return self._output(response, call_id)

    async def ainvoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        arguments, call_id = _arguments_of(input)
        try:
            response = await self._arun(config=config or {}, run_manager=object(), **arguments)
        except ToolException as error:
            return self._failed(error, call_id)
        return self._output(response, call_id)

    def _run(self, **arguments: Any) -> Any:
        raise NotImplementedError

    async def _arun(self, **arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: self._run(**arguments))

    def _failed(self, error: ToolException, call_id: Optional[str]) -> Any:
        if self.handle_tool_error is False:
            raise error
        return _formatted(error.args[0], None, call_id, self.name, "error")

    def _output(self, response: Any, call_id: Optional[str]) -> Any:
        if self.response_format == "content":
            return _formatted(response, None, call_id, self.name, "success")
        if not isinstance(response, tuple) or len(response) != 2:
            raise ValueError("a two-tuple of the message content and raw tool output is expected")
        return _formatted(*response, call_id, self.name, "success")


class StructuredTool(BaseTool):
    def __init__(
        self,
        *,
        func: Optional[Callable[..., Any]] = None,
        coroutine: Optional[Callable[..., Awaitable[Any]]] = None,
        **fields: Any,
    ) -> None:
        super().__init__(**fields)
        self.func = func
        self.coroutine = coroutine

    @classmethod
    def from_function(
        cls,
        func: Optional[Callable[..., Any]] = None,
        coroutine: Optional[Callable[..., Awaitable[Any]]] = None,
        name: Optional[str] = None,
        description: Optional[str] = None,
        return_direct: bool = False,
        args_schema: Any = None,
        infer_schema: bool = True,
        *,
        response_format: str = "content",
        **fields: Any,
    ) -> StructuredTool:
        return cls(
            func=func,
            coroutine=coroutine,
            name=name,
            description=description,
            args_schema=args_schema,
            response_format=response_format,
            **fields,
        )

    def _run(self, *, config: Any, run_manager: Any = None, **arguments: Any) -> Any:
        if self.func is None:
            raise NotImplementedError("StructuredTool does not support sync invocation.")
        return self.func(**_with_callbacks(self.func, run_manager, arguments))

    async def _arun(self, *, config: Any, run_manager: Any = None, **arguments: Any) -> Any:
        if self.coroutine is None:
            return await super()._arun(config=config, run_manager=run_manager, **arguments)
        return await self.coroutine(**_with_callbacks(self.coroutine, run_manager, arguments))


def _arguments_of(input: Any) -> tuple[dict[str, Any], Optional[str]]:
    if isinstance(input, str):
        raise ValueError("String tool inputs are not allowed when using tools with JSON schema args_schema.")
    is_call = input.get("type") == "tool_call"
    return (dict(input["args"]), input["id"]) if is_call else (dict(input), None)


def _with_callbacks(function: Any, run_manager: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    asked = inspect.signature(function).parameters
    return {**arguments, "callbacks": run_manager} if "callbacks" in asked else arguments


def _formatted(content: Any, artifact: Any, call_id: Optional[str], name: str, status: str) -> Any:
    if call_id is None:
        return content
    return ToolMessage(content, artifact=artifact, tool_call_id=call_id, name=name, status=status)
