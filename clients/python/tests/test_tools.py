from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest import mock

from trawl import (
    AsyncTrawl,
    Conversation,
    UsageError,
    async_fetch_tool,
    async_search_tool,
    fetch_as_text,
    fetch_tool,
    pages_as_prompt,
    search_as_text,
    search_tool,
)

from .stub import answers
from .support import KEY, StubCase

ANSWER: Any = {
    "session_id": "s",
    "interaction_id": "i",
    "status": "succeeded",
    "preprocessor_runs": [],
}


class ToolTest(StubCase):
    def setUp(self) -> None:
        self.server = self.stub(answers(200, ANSWER))
        self.client = self.client_of(self.server, raise_on_failure=True)

    def sent(self) -> list[Any]:
        return [json.loads(request.body) for request in self.server.received]

    def test_a_wrong_argument_is_an_error_that_names_it_and_nothing_is_sent(self) -> None:
        search, fetch = search_tool(self.client), fetch_tool(self.client)
        cases: list[tuple[Any, Any, str]] = [
            (search, {}, "web_search: Pass either query, or queries for several at once."),
            (search, {"query": "a", "queries": ["b"]}, "Pass either query, or queries"),
            (search, {"qeury": "a"}, 'web_search has no argument "qeury": write "query"'),
            (search, {"query": ""}, "web_search: query must be a text that is not empty"),
            (search, {"query": 3}, "query must be a text"),
            (search, {"queries": "a"}, "queries must be a list of texts that are not empty, at most 32"),
            (search, {"queries": ["a", None]}, "queries must be a list of texts"),
            (search, {"queries": ["a"] * 33}, "at most 32"),
            (search, {"query": "a", "num_results": True}, "num_results must be a whole number, 1 or more, at most 20"),
            (search, {"query": "a", "num_results": 21}, "num_results must be"),
            (search, {"query": "a", "country": "DEU"}, "country must be a text of 2 characters"),
            (search, {"query": "a", "safe_search": "on"}, "safe_search must be one of off, moderate, strict"),
            (search, {"query": "a", "safe_search": []}, "safe_search must be one of"),
            (search, "a", "web_search: the arguments must be an object"),
            (fetch, {}, "web_fetch: urls is missing"),
            (fetch, {"urls": []}, "urls must be a list of texts that are not empty"),
            (fetch, {"urls": ["https://a.example"], "offset": -1}, "offset must be a whole number, 0 or more"),
        ]
        for tool, arguments, message in cases:
            with self.subTest(arguments=arguments), self.assertRaises(UsageError) as raised:
                tool.call(arguments)
            self.assertIn(message, str(raised.exception))
        self.assertEqual(self.server.received, [])

    def test_an_argument_that_is_none_counts_as_absent(self) -> None:
        search_tool(self.client).call({"query": "a", "queries": None, "country": None})
        self.assertEqual(self.sent(), [{"user_input": {"query": "a"}, "search": {}}])

    def test_an_unknown_option_is_an_error_that_names_it(self) -> None:
        makers: list[Any] = [search_tool, fetch_tool, async_search_tool, async_fetch_tool]
        for make in makers:
            with self.assertRaisesRegex(UsageError, rf'{make.__name__}\(\) has no option "max_character": write "max_characters"'):
                make(self.client, max_character=3)
            with self.assertRaisesRegex(UsageError, "max_characters must be a whole number from 2000"):
                make(self.client, max_characters=1_999)
        texts: list[Any] = [search_as_text, fetch_as_text, pages_as_prompt]
        for text in texts:
            with self.assertRaisesRegex(UsageError, rf'{text.__name__}\(\) has no option "max_char"'):
                text(ANSWER, max_char=3)

    def test_the_calls_of_a_conversation_share_its_session(self) -> None:
        conversation = Conversation("chat")
        conversation.add("user", "How?")
        search_tool(self.client, conversation=conversation).call({"query": "a"})
        fetch_tool(self.client, conversation=conversation).call({"urls": ["https://a.example"]})
        first, second = self.sent()
        self.assertEqual(first["metadata"]["conversation"]["turns"][0]["content"], "How?")
        self.assertEqual(second["session_id"], "s")

    def test_a_description_replaces_that_for_the_model(self) -> None:
        self.assertEqual(search_tool(self.client, description="Own.").description, "Own.")

    def test_a_schema_that_a_framework_changes_is_that_of_one_tool(self) -> None:
        search_tool(self.client).parameters["properties"].clear()
        self.assertIn("query", search_tool(self.client).parameters["properties"])
        search_tool(self.client).call({"query": "a"})

    def test_without_a_client_the_settings_of_the_process_apply(self) -> None:
        environment = {"SERVICE_BASE_URL": self.server.url, "SERVICE_API_KEY": KEY}
        with mock.patch.dict("os.environ", {**environment, "SERVICE_TIER": "max"}):
            tool = search_tool()
            with tool.client:
                tool.call({"query": "a"})
        self.assertEqual(self.sent()[0]["search"], {"tier": "max"})

    def test_asyncio_tools_send_and_return_the_same(self) -> None:
        async def texts() -> list[str]:
            async with AsyncTrawl(self.server.url, KEY) as client:
                search, fetch = async_search_tool(client), async_fetch_tool(client)
                urls = ["https://a.example"]
                return [await search.call({"query": "a"}), await fetch.call({"urls": urls})]

        by_thread = [
            search_tool(self.client).call({"query": "a"}),
            fetch_tool(self.client).call({"urls": ["https://a.example"]}),
        ]
        self.assertEqual(asyncio.run(texts()), by_thread)
        sent = self.sent()
        self.assertEqual(sent[2:], sent[:2])
