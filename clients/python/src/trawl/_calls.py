"""What each method sends, for the client and the client of asyncio."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping
from contextvars import ContextVar
from typing import Any, Optional, Union

from ._connection import Limit, Task
from ._conversation import Lineage
from ._options import MAX_SECONDS, bounded
from ._refusal import refusal_of
from ._sse import EventParser
from ._transport import Call, Transport, parsed
from .answers import failures, nothing_succeeded
from .errors import InvalidResponseError, NothingSucceededError, ProviderUnavailableError


class NewKey:
    """The default of `idempotency_key`: a new uuid for each call."""

    def __repr__(self) -> str:
        return "NEW_KEY"


NEW_KEY = NewKey()

IdempotencyKey = Union[str, None, NewKey]
"""The same key with the same body gets the same answer for 24 hours and is paid once. None: no key, so no retry."""

Headers = Optional[Mapping[str, str]]

CURRENT_TASK: ContextVar[Optional[Task]] = ContextVar("trawl_task", default=None)
"""Set by the client of asyncio, which aborts the calls of a cancelled task."""


def limit_of(transport: Transport, timeout: Optional[float]) -> Limit:
    seconds = transport.options.timeout
    if timeout is not None:
        seconds = bounded("timeout", timeout, 0.001, MAX_SECONDS)
    limit = Limit(seconds)
    task = CURRENT_TASK.get()
    if task is not None:
        task.add(limit)
    return limit


def paid(
    route: str,
    body: Optional[Mapping[str, Any]],
    key: IdempotencyKey,
    headers: Headers,
    in_path: str = "",
    lineage: Optional[Lineage] = None,
) -> Call:
    """A call that pays providers. All its attempts share one key."""
    chosen = str(uuid.uuid4()) if isinstance(key, NewKey) else key
    return Call(
        route,
        in_path,
        body=body,
        headers=headers,
        idempotency_key=chosen,
        buys=True,
        lineage=lineage,
    )


def execute(
    transport: Transport, call: Call, timeout: Optional[float], raise_on_failure: Optional[bool]
) -> Any:
    try:
        answer = transport.json(call, limit_of(transport, timeout))
    except ProviderUnavailableError as error:
        if call.lineage is not None and error.session_id is not None:
            call.lineage.recorded(error.session_id)
        raise
    if call.lineage is not None:
        call.lineage.recorded(answer["session_id"])
    _check(transport, answer, raise_on_failure, call)
    return answer


def events(
    transport: Transport,
    call: Call,
    timeout: Optional[float],
    raise_on_failure: Optional[bool],
    item: str,
) -> Generator[Any, None, None]:
    """The events of a stream up to `done`. A stream that ends earlier is an error: its answer is lost."""
    parser = EventParser()
    pieces = transport.text(call, limit_of(transport, timeout))
    try:
        for piece in pieces:
            for name, data in parser.feed(piece):
                value = parsed(data, f"the data of a {name!r} event is not JSON", call)
                if name == "error":
                    error = refusal_of(value, None)
                    error.idempotency_key = call.idempotency_key
                    raise error
                if name == item:
                    yield {"type": item, item: value}
                if name == "done":
                    if call.lineage is not None:
                        call.lineage.recorded(value["session_id"])
                    _check(transport, value, raise_on_failure, call)
                    yield {"type": "done", "answer": value}
                    return
    finally:
        pieces.close()
    ended = InvalidResponseError("the stream ended before its answer was complete")
    ended.idempotency_key = call.idempotency_key
    raise ended


def _check(
    transport: Transport, answer: Any, raise_on_failure: Optional[bool], call: Call
) -> None:
    """Raises NothingSucceededError when nothing succeeded and the caller asked for the error."""
    raises = transport.options.raise_on_failure if raise_on_failure is None else raise_on_failure
    if not raises or not nothing_succeeded(answer):
        return
    failed = failures(answer)
    reasons = list(dict.fromkeys(failure["message"] for failure in failed))
    more = [f"and {len(reasons) - 3} more"] if len(reasons) > 3 else []
    error = NothingSucceededError(f"nothing succeeded: {'; '.join([*reasons[:3], *more])}")
    codes = {failure["code"] for failure in failed}
    error.code = codes.pop() if len(codes) == 1 else "all_failed"
    error.answer = answer
    error.idempotency_key = call.idempotency_key
    raise error
