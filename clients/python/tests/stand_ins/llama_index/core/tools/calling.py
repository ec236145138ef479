from __future__ import annotations

from typing import Any

from . import FunctionTool, ToolOutput


def call_tool(tool: FunctionTool, arguments: dict[str, Any]) -> ToolOutput:
    """As an agent calls a tool: an error is text for the model."""
    try:
        if len(tool.metadata.get_parameters_dict()["properties"]) == 1 and len(arguments) == 1:
            return tool(arguments[next(iter(arguments))])
        return tool(**arguments)
    except Exception as error:
        name = tool.metadata.get_name()
        text = f"Encountered error: {error}"
        return ToolOutput(text, name, arguments, str(error), is_error=True)
