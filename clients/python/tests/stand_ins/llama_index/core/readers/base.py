from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable
from typing import Any

from ..schema import Document


class BaseReader:
    def lazy_load_data(self, *args: Any, **load_kwargs: Any) -> Iterable[Document]:
        raise NotImplementedError

    async def alazy_load_data(self, *args: Any, **load_kwargs: Any) -> Iterable[Document]:
        work = functools.partial(self.lazy_load_data, *args, **load_kwargs)
        return await asyncio.get_running_loop().run_in_executor(None, work)

    def load_data(self, *args: Any, **load_kwargs: Any) -> list[Document]:
        return list(self.lazy_load_data(*args, **load_kwargs))

    async def aload_data(self, *args: Any, **load_kwargs: Any) -> list[Document]:
        work = functools.partial(self.load_data, *args, **load_kwargs)
        return await asyncio.get_running_loop().run_in_executor(None, work)
