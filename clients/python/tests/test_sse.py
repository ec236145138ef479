from __future__ import annotations

import random
import unittest

from trawl._sse import EventParser

TEXT = (
    '\ufeff: hello\r\n\r\nevent: run\r\ndata: {"a":\r\ndata: 1}\r\n\r\n'
    "data:  ü€😀\nid: 4\nother\n\nevent: empty\n\nevent: done\rdata: 2\r\rdata: unfinished\n"
)
EVENTS = [("run", '{"a":\n1}'), ("message", " ü€😀"), ("done", "2")]


def parsed(*pieces: str) -> list[tuple[str, str]]:
    parser = EventParser()
    return [(name, data) for piece in pieces for name, data in parser.feed(piece)]


class ServerSentEvents(unittest.TestCase):
    def test_a_whole_stream(self) -> None:
        self.assertEqual(parsed(TEXT), EVENTS)

    def test_it_does_not_matter_where_a_stream_is_cut(self) -> None:
        self.assertEqual(parsed(*TEXT), EVENTS)
        chance = random.Random(1)
        for _ in range(200):
            places = sorted(chance.choices(range(len(TEXT)), k=6))
            pieces = [TEXT[a:b] for a, b in zip([0, *places], [*places, len(TEXT)])]
            self.assertEqual(parsed(*pieces), EVENTS, pieces)


if __name__ == "__main__":
    unittest.main()
