from __future__ import annotations

import json
import os
from typing import Any
from unittest import mock

from trawl import Conversation, ProviderUnavailableError, Trawl, UsageError

from .stub import Stub, answers, streams
from .support import KEY, StubCase

SESSION = "5b1f7a52-7a0e-4c0e-9d0e-3f6a1c2b4d5e"
ANSWER = {"session_id": SESSION, "preprocessor_runs": []}
UNAVAILABLE = {
    "error": {"code": "provider_unavailable", "message": "none", "session_id": SESSION, "interaction_id": "i"}
}


def turn(index: int, content: str) -> dict[str, Any]:
    return {"index": index, "role": "user", "content": content}


class Conversations(StubCase):
    def lineages(self, stub: Stub) -> list[Any]:
        bodies = [json.loads(request.body) for request in stub.received]
        return [(body.get("session_id"), body["metadata"]["conversation"]) for body in bodies]

    def test_each_turn_is_sent_once_per_session(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        conversation = Conversation("c1")
        self.assertEqual(conversation.add("user", "one"), 0)
        client.search("tides", conversation=conversation)
        conversation.add("user", "two")
        client.fetch("https://a.example", conversation=conversation)
        client.create_interaction({"metadata": {"n": 1}}, conversation=conversation)
        client.search({"query": "x", "session_id": "Other"}, conversation=conversation)
        self.assertEqual(
            self.lineages(stub),
            [
                (None, {"id": "c1", "from": 0, "turns": [turn(0, "one")]}),
                (SESSION, {"id": "c1", "from": 1, "turns": [turn(1, "two")]}),
                (SESSION, {"id": "c1", "from": 2, "turns": []}),
                ("other", {"id": "c1", "from": 0, "turns": [turn(0, "one"), turn(1, "two")]}),
            ],
        )
        self.assertEqual(json.loads(stub.received[2].body)["metadata"]["n"], 1)

    def test_a_stream_and_a_recorded_failure_count_as_sent_a_refusal_does_not(self) -> None:
        stub = self.stub(
            answers(422, {"detail": []}),
            streams(f"event: done\ndata: {json.dumps(ANSWER)}\n\n"),
            answers(502, UNAVAILABLE),
            answers(200, ANSWER),
        )
        client = self.client_of(stub)
        conversation = Conversation("c2")
        conversation.add("user", "one")
        with self.assertRaises(Exception):
            client.search("x", conversation=conversation)
        list(client.search_stream("x", conversation=conversation))
        conversation.add("user", "two")
        with self.assertRaises(ProviderUnavailableError):
            client.fetch("https://a.example", conversation=conversation)
        client.search("x", conversation=conversation)
        self.assertEqual([each["from"] for _session, each in self.lineages(stub)], [0, 0, 1, 2])

    def test_a_conversation_goes_on_in_another_process(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        first = Conversation()
        first.add("user", "one")
        client.search("x", conversation=first)
        second = Conversation(**json.loads(json.dumps(first.state())))
        second.add("user", "two")
        client.search("y", conversation=second)
        restored = {"id": first.id, "from": 1, "turns": [turn(1, "two")]}
        self.assertEqual(self.lineages(stub)[1], (SESSION, restored))

    def test_5_5_incremental_off_sends_all_turns_each_time(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        cases: list[tuple[str, dict[str, Any], int]] = [
            ("off", {}, 2),
            ("", {}, 1),
            ("on", {}, 1),
            ("off", {"incremental": True}, 1),
            ("on", {"incremental": False}, 2),
        ]
        for value, options, count in cases:
            variables = {"SERVICE_INCREMENTAL": value, "HOME": "/nowhere", "SERVICE_API_KEY": KEY}
            with self.subTest(value=value, options=options), mock.patch.dict(os.environ, variables):
                conversation = Conversation(**options)
                with Trawl.from_settings(base_url=stub.url) as client:
                    for content in ("one", "two"):
                        conversation.add("user", content)
                        client.search("x", conversation=conversation)
                self.assertEqual(len(self.lineages(stub)[-1][1]["turns"]), count)

    def test_what_is_refused(self) -> None:
        client = self.client_of(self.stub(answers(200, ANSWER)))
        conversation = Conversation()
        with self.assertRaisesRegex(UsageError, "a turn has a role"):
            conversation.add("user", 1)  # type: ignore[arg-type]
        with self.assertRaisesRegex(UsageError, "metadata.conversation"):
            client.search({"query": "x", "metadata": {"conversation": 1}}, conversation=conversation)
        with self.assertRaisesRegex(UsageError, '"sessionId": write "session_id"'):
            Conversation(sessionId="s")  # type: ignore[call-arg]
