"""Server-sent events."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\r|\n")


class ServerSentEvent(NamedTuple):
    event: str
    """`message` when the stream does not name it."""

    data: str


class EventParser:
    """Takes the text of a `text/event-stream` in pieces of any size. A line is joined once, at its end, so the time for a
    large event grows with its length only."""

    def __init__(self) -> None:
        self._line_parts: list[str] = []
        self._data: list[str] = []
        self._name = ""
        self._is_first = True
        self._ended_with_return = False

    def feed(self, piece: str) -> list[ServerSentEvent]:
        """The events that this piece completes."""
        if piece == "":
            return []
        start = 1 if self._is_first and piece.startswith("\ufeff") else 0
        self._is_first = False
        # the line feed of a CRLF that was split between two pieces
        if self._ended_with_return and piece.startswith("\n", start):
            start += 1
        self._ended_with_return = piece.endswith("\r")
        events: list[ServerSentEvent] = []
        for end in _LINE_END.finditer(piece, start):
            self._line_parts.append(piece[start : end.start()])
            start = end.end()
            self._take_line("".join(self._line_parts), events)
            self._line_parts = []
        if start < len(piece):
            self._line_parts.append(piece[start:])
        return events

    def _take_line(self, line: str, events: list[ServerSentEvent]) -> None:
        if line == "":
            if self._data:
                events.append(ServerSentEvent(self._name or "message", "\n".join(self._data)))
            self._data = []
            self._name = ""
            return
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
