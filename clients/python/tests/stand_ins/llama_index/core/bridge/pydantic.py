"""A few names of pydantic, which LlamaIndex itself always has."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

try:
    from pydantic import BaseModel, Field, create_model
except ImportError:

    class FieldInfo(NamedTuple):
        annotation: Any
        default: Any
        description: str

        def is_required(self) -> bool:
            return self.default is ...

    class BaseModel:  # type: ignore[no-redef]
        model_fields: dict[str, FieldInfo]

        @classmethod
        def model_json_schema(cls) -> dict[str, Any]:
            fields = cls.model_fields.items()
            return {
                "title": cls.__name__,
                "type": "object",
                "properties": {
                    name: {"description": field.description, "anyOf": get_args(field.annotation)}
                    for name, field in fields
                },
                "required": [name for name, field in fields if field.is_required()],
            }

    def Field(*, default: Any, description: str, **_limits: Any) -> Any:
        return default, description

    def create_model(name: str, **fields: Any) -> Any:
        made = {each: FieldInfo(hint, *given) for each, (hint, given) in fields.items()}
        return type(name, (BaseModel,), {"model_fields": made})


__all__ = ["BaseModel", "Field", "create_model"]
