from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass
class TextNode:
    text: str
    id_: str
    metadata: dict[str, Any] = field(default_factory=dict)
    excluded_llm_metadata_keys: list[str] = field(default_factory=list)
    excluded_embed_metadata_keys: list[str] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return self.id_


class Document(TextNode):
    @property
    def doc_id(self) -> str:
        return self.id_


@dataclass
class NodeWithScore:
    node: TextNode
    score: Optional[float] = None


@dataclass
class QueryBundle:
    query_str: str
