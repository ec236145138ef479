"""The turns that lead to a search or fetch."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Optional

from ._names import checks_names
from .errors import UsageError


@checks_names
class Conversation:
    """A call with a conversation sends the turns that its session does not have yet, as `metadata.conversation`. They are
    recorded with the interaction, and never sent to a provider. Without a `session_id`, a call joins the session of the
    previous one."""

    def __init__(
        self,
        id: Optional[str] = None,
        turns: Iterable[Mapping[str, str]] = (),
        *,
        sent: Optional[Mapping[str, int]] = None,
        session_id: Optional[str] = None,
        incremental: Optional[bool] = None,
    ) -> None:
        """`turns`, `sent` (how many of them each session has) and `session_id` restore a conversation from its `state()`. With
        `incremental=False` every call sends all turns; when absent, SERVICE_INCREMENTAL of `Trawl.from_settings()` decides."""
        self.id = str(uuid.uuid4()) if id is None else id
        self._turns = [_turn(turn.get("role"), turn.get("content")) for turn in turns]
        self._sent = dict(sent or {})
        self._session_id = session_id
        self._incremental = incremental
        self._lock = threading.Lock()

    def add(self, role: str, content: str) -> int:
        """Adds a turn and returns its index."""
        turn = _turn(role, content)
        with self._lock:
            self._turns.append(turn)
            return len(self._turns) - 1

    def state(self) -> dict[str, Any]:
        """What `Conversation(**state)` restores, for example in another process."""
        with self._lock:
            return {
                "id": self.id,
                "turns": list(self._turns),
                "sent": dict(self._sent),
                "session_id": self._session_id,
            }

    def _attach(self, request: Mapping[str, Any], incremental: bool) -> tuple[dict[str, Any], int]:
        """A request with the turns that its session does not have, and how many turns there are."""
        metadata = request.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            raise UsageError("metadata must be an object")
        if metadata.get("conversation") is not None:
            raise UsageError("metadata.conversation is set by the conversation: leave it out")
        with self._lock:
            given = request.get("session_id") or self._session_id
            session = None if given is None else given.lower()
            if self._incremental is not None:
                incremental = self._incremental
            first = self._sent.get(session, 0) if incremental and session is not None else 0
            turns = [{"index": index, **turn} for index, turn in enumerate(self._turns)]
        lineage = {"id": self.id, "from": first, "turns": turns[first:]}
        body = {**request, "metadata": {**metadata, "conversation": lineage}}
        return (body if session is None else {**body, "session_id": session}), len(turns)

    def _recorded(self, session_id: str, count: int) -> None:
        with self._lock:
            self._session_id = session_id.lower()
            # two requests may run at once, and their answers may arrive in either order
            self._sent[self._session_id] = max(count, self._sent.get(self._session_id, 0))


class Lineage(NamedTuple):
    """The turns of a call: once it is recorded, its session has the first `turn_count` of them."""

    conversation: Conversation
    turn_count: int

    def recorded(self, session_id: str) -> None:
        self.conversation._recorded(session_id, self.turn_count)


def _turn(role: Any, content: Any) -> dict[str, str]:
    if isinstance(role, str) and isinstance(content, str):
        return {"role": role, "content": content}
    raise UsageError("a turn has a role and a content, both strings")
