from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest import mock

from trawl import AsyncTrawl, Conversation, Trawl, TrawlError, UsageError
from trawl import fetch_tool as plain_fetch_tool
from trawl import search_tool as plain_search_tool

from .frameworks import (
    ImportCase,
    failed_page,
    failed_run,
    fetched,
    found,
    imported,
    page,
    run,
)
from .stub import answers
from .support import KEY, StubCase

langchain: Any = imported("trawl.langchain", "langchain_core")

ROWS = found(
    run(
        "alpha",
        {"url": "https://a.example", "title": "A", "summary": "short", "excerpt": "a long text"},
        {"url": None, "title": "Untitled", "publish_date": "2026-01-02"},
        {"url": "https://empty.example", "title": None},
    ),
    failed_run("beta"),
)
PAGES = fetched(
    page("https://a.example", "the text"), page("https://b.example"), failed_page("https://c.example")
)
CALL = {"type": "tool_call", "id": "call-1", "name": "web_search", "args": {"query": "tides"}}


class Tools(StubCase):
    def setUp(self) -> None:
        self.server = self.stub(answers(200, ROWS))
        self.client = self.client_of(self.server, raise_on_failure=True)

    def sent(self) -> list[Any]:
        return [json.loads(request.body) for request in self.server.received]

    def test_the_model_gets_text_and_the_program_the_answer(self) -> None:
        tool = langchain.search_tool(self.client, search={"tier": "max"}, max_characters=5_000)
        plain = plain_search_tool(self.client, search={"tier": "max"}, max_characters=5_000)
        message = tool.invoke(CALL)
        self.assertEqual(message.content, plain.call({"query": "tides"}))
        self.assertEqual(message.artifact, ROWS)
        self.assertEqual((message.status, message.tool_call_id), ("success", "call-1"))
        self.assertEqual(tool.invoke({"query": "tides"}), message.content)
        self.assertEqual(self.sent(), [self.sent()[0]] * 3)

    def test_it_has_the_name_description_and_arguments_of_the_plain_tool(self) -> None:
        pairs = [
            (langchain.search_tool(self.client), plain_search_tool(self.client)),
            (langchain.fetch_tool(self.client), plain_fetch_tool(self.client)),
        ]
        for tool, plain in pairs:
            self.assertEqual((tool.name, tool.description), (plain.name, plain.description))
            schema = tool.tool_call_schema
            self.assertEqual(schema, {**plain.parameters, "description": plain.description})

    def test_asyncio_uses_the_same_client_and_so_does_a_client_of_asyncio(self) -> None:
        urls = ["https://a.example"]

        async def texts() -> list[str]:
            tool = langchain.fetch_tool(self.client)
            async with AsyncTrawl(self.server.url, KEY) as client:
                other = langchain.fetch_tool(client)
                return [
                    await tool.ainvoke({"urls": urls}),
                    await other.ainvoke({"urls": urls}),
                    other.invoke({"urls": urls}),
                ]

        by_thread = langchain.fetch_tool(self.client).invoke({"urls": urls})
        self.assertEqual(asyncio.run(texts()), [by_thread] * 3)
        self.assertEqual(self.sent(), [self.sent()[0]] * 4)

    def test_an_error_is_text_for_the_model_unless_it_is_to_be_raised(self) -> None:
        tool = langchain.search_tool(self.client)
        wrong = {**CALL, "args": {"qeury": "tides"}}
        words = 'web_search has no argument "qeury": write "query"'
        for message in (tool.invoke(wrong), asyncio.run(tool.ainvoke(wrong))):
            self.assertEqual((message.content, message.status), (words, "error"))
            self.assertIsNone(message.artifact)
        tool.handle_tool_error = False
        with self.assertRaises(Exception) as caught:
            tool.invoke(wrong)
        self.assertIsInstance(caught.exception.__cause__, UsageError)
        self.assertEqual(self.server.received, [])

    def test_calls_of_a_conversation_share_its_session(self) -> None:
        conversation = Conversation("chat")
        conversation.add("user", "How?")
        tool = langchain.search_tool(self.client, conversation=conversation)
        failures: list[Any] = []
        retriever = langchain.TrawlRetriever(
            self.client, conversation=conversation, on_failure=failures.append
        )
        tool.invoke({"query": "tides"})
        retriever.invoke("waves")
        first, second = self.sent()
        self.assertEqual(first["metadata"]["conversation"]["turns"][0]["content"], "How?")
        self.assertEqual(second["session_id"], "s")

    def test_an_unknown_option_is_an_error_that_names_it(self) -> None:
        cases: list[tuple[Any, str]] = [
            (langchain.search_tool, 'search_tool() has no option "serch": write "search"'),
            (langchain.fetch_tool, 'fetch_tool() has no option "serch": write "fetch"'),
            (langchain.TrawlRetriever, 'TrawlRetriever() has no option "serch": write "search"'),
            (langchain.TrawlLoader, 'TrawlLoader() has no option "serch": write "fetch"'),
        ]
        for make, message in cases:
            with self.assertRaises(UsageError) as caught:
                make(client=self.client, serch={})
            self.assertIn(message, str(caught.exception))


class Documents(StubCase):
    def retrieved(self, answer: Any, **options: Any) -> tuple[list[Any], list[Any]]:
        """The documents of `invoke`, which are those of `ainvoke`, and the failures."""
        server = self.stub(answers(200, answer))
        failures: list[Any] = []
        retriever = langchain.TrawlRetriever(
            self.client_of(server), search={"tier": "max"}, on_failure=failures.append, **options
        )
        documents = retriever.invoke("tides")
        reported = list(failures)
        in_asyncio = asyncio.run(retriever.ainvoke("tides"))
        self.assertEqual([*map(vars_of, in_asyncio)], [*map(vars_of, documents)])
        self.assertEqual(failures, reported * 2)
        body = {"user_input": {"query": "tides"}, "search": {"tier": "max"}}
        self.assertEqual([json.loads(each.body) for each in server.received], [body, body])
        return documents, reported

    def test_a_document_has_the_whole_page_before_shorter_kinds_of_text(self) -> None:
        row = {"title": "the title", "summary": "a summary", "excerpt": "excerpt", "full_content": "page"}
        rows = [row, {**row, "full_content": None}, {"title": "the title", "summary": "summary"}]
        documents, _ = self.retrieved(found(run("alpha", *rows)))
        texts = [document.page_content for document in documents]
        self.assertEqual(texts, ["page", "excerpt", "summary"])

    def test_rows_are_documents_and_failures_are_reported(self) -> None:
        (first, second), failures = self.retrieved(ROWS)
        self.assertEqual((first.id, first.page_content), ("alpha https://a.example", "a long text"))
        self.assertEqual(
            first.metadata,
            {
                **{"source": "https://a.example", "title": "A", "provider": "alpha", "rank": 1},
                **{"published": None, "query": "tides", "session_id": "s", "interaction_id": "i"},
            },
        )
        self.assertEqual((second.id, second.page_content), ("alpha run-alpha 2", "Untitled"))
        self.assertEqual(second.metadata["published"], "2026-01-02")
        self.assertEqual(
            [(failure["provider"], failure["code"], failure.get("url")) for failure in failures],
            [("beta", "timeout", None), ("alpha", "no_text", "https://empty.example")],
        )

    def test_no_answer_at_all_is_an_error_and_an_empty_one_is_not(self) -> None:
        self.assertEqual(self.retrieved(found(run("alpha")))[0], [])
        server = self.stub(answers(200, found(failed_run("alpha"), failed_run("beta"))))
        retriever = langchain.TrawlRetriever(self.client_of(server))
        for call in (retriever.invoke, lambda query: asyncio.run(retriever.ainvoke(query))):
            with self.assertRaises(langchain.NoDocumentsError) as caught:
                call("tides")
            self.assertIsInstance(caught.exception, TrawlError)
            self.assertIn("beta: timeout: beta took too long", str(caught.exception))
            self.assertEqual(len(caught.exception.failures), 2)

    def test_without_a_function_a_failure_is_logged(self) -> None:
        retriever = langchain.TrawlRetriever(self.client_of(self.stub(answers(200, ROWS))))
        with self.assertLogs("trawl", "WARNING") as logged:
            retriever.invoke("tides")
        self.assertEqual(logged.records[0].getMessage(), "beta: timeout: beta took too long")

    def test_options_of_the_framework_are_passed_on_also_those_of_a_newer_version(self) -> None:
        client = Trawl("http://127.0.0.1:1", KEY)
        self.assertEqual(langchain.TrawlRetriever(client, tags=["web"]).tags, ["web"])
        newer = {**langchain.BaseRetriever.model_fields, "extras": None}
        with mock.patch.object(langchain, "BaseRetriever", mock.Mock(model_fields=newer)):
            langchain.TrawlRetriever(client, extras={"cache": True})
        with self.assertRaisesRegex(UsageError, '"extras": write one of client'):
            langchain.TrawlRetriever(client, extras={"cache": True})

    def test_pages_are_documents_in_the_order_of_their_urls(self) -> None:
        server = self.stub(answers(200, PAGES))
        failures: list[Any] = []
        urls = ["https://a.example", "https://b.example", "https://c.example"]
        loader = langchain.TrawlLoader(urls, self.client_of(server), on_failure=failures.append)
        (only,) = loader.load()
        self.assertEqual((only.id, only.page_content), ("https://a.example", "the text"))
        self.assertEqual(
            only.metadata,
            {
                **{"source": "https://a.example", "title": "A page", "provider": "alpha"},
                **{"published": None, "truncated": False, "content_length": 9},
                **{"session_id": "s", "interaction_id": "i"},
            },
        )
        self.assertEqual(
            [(failure.get("url"), failure["code"]) for failure in failures],
            [("https://c.example", "not_found"), ("https://b.example", "no_text")],
        )
        self.assertEqual([*map(vars_of, asyncio.run(loader.aload()))], [vars_of(only)])
        bodies = [json.loads(request.body) for request in server.received]
        self.assertEqual(bodies, [{"urls": urls}] * 2)

    def test_no_page_at_all_is_an_error(self) -> None:
        server = self.stub(answers(200, fetched(page("https://b.example"))))
        loader = langchain.TrawlLoader(["https://b.example"], self.client_of(server))
        with self.assertRaisesRegex(langchain.NoDocumentsError, "b.example: no_text: it has no text"):
            loader.load()


class Imports(ImportCase):
    def test_a_missing_framework_is_an_error_that_names_the_extra(self) -> None:
        self.assert_names_the_extra(
            "langchain",
            "langchain_core",
            "langchain_core.tools",
            "trawl.langchain needs langchain-core 0.3.40 or newer: pip install 'trawl-client[langchain]'",
        )

    def test_the_client_itself_does_not_import_it(self) -> None:
        self.assert_only_when_asked("langchain_core")


def vars_of(document: Any) -> tuple[Any, ...]:
    return document.id, document.page_content, document.metadata
