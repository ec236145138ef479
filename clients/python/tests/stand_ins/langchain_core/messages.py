from __future__ import annotations

from typing import Any, Optional


class ToolMessage:
    def __init__(
        self, content: Any, *, tool_call_id: str, name: str, artifact: Any, status: str
    ) -> None:
        self.content = content
        self.tool_call_id = tool_call_id
        self.name: Optional[str] = name
        self.artifact = artifact
        self.status = status
