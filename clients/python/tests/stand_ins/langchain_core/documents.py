from __future__ import annotations

from typing import Any, Optional


class Document:
    """A pydantic model there: a wrong type is an error."""

    def __init__(
        self, page_content: str, *, id: Optional[str] = None, metadata: Optional[dict[Any, Any]] = None
    ) -> None:
        if not isinstance(page_content, str) or not isinstance(id, (str, type(None))):
            raise ValueError("page_content and id are strings")
        self.page_content = page_content
        self.id = id
        self.metadata = {} if metadata is None else metadata
