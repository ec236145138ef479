from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from .documents import Document


class BaseLoader:
    def load(self) -> list[Document]:
        return list(self.lazy_load())

    async def aload(self) -> list[Document]:
        return [document async for document in self.alazy_load()]

    def lazy_load(self) -> Iterator[Document]:
        raise NotImplementedError

    async def alazy_load(self) -> AsyncIterator[Document]:
        loop = asyncio.get_running_loop()
        iterator: Any = await loop.run_in_executor(None, self.lazy_load)
        done = object()
        while True:
            document = await loop.run_in_executor(None, next, iterator, done)
            if document is done:
                return
            yield document
