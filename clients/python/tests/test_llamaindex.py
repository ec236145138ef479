from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest import mock

from trawl import AsyncTrawl, Trawl, UsageError
from trawl import fetch_tool as plain_fetch_tool
from trawl import search_tool as plain_search_tool

from .frameworks import ImportCase, failed_page, failed_run, fetched, found, imported, page, run
from .stub import answers
from .support import KEY, StubCase

llamaindex: Any = imported("trawl.llamaindex", "llama_index.core")

ROWS = found(
    run("alpha", {"url": "https://a.example", "title": "A", "full_content": "the whole page"}),
    failed_run("beta"),
)
PAGES = fetched(page("https://a.example", "the text"), failed_page("https://c.example"))


class Tools(StubCase):
    def setUp(self) -> None:
        self.server = self.stub(answers(200, ROWS))
        self.client = self.client_of(self.server, raise_on_failure=True)

    def test_call_and_acall_return_the_text_of_the_plain_tool(self) -> None:
        async def texts() -> list[str]:
            async with AsyncTrawl(self.server.url, KEY) as client:
                tools = [llamaindex.search_tool(self.client), llamaindex.search_tool(client)]
                return [str(await tool.acall(query="tides")) for tool in tools]

        expected = plain_search_tool(self.client).call({"query": "tides"})
        self.assertEqual(str(llamaindex.search_tool(self.client).call(query="tides")), expected)
        self.assertEqual(asyncio.run(texts()), [expected] * 2)
        sent = [json.loads(request.body) for request in self.server.received]
        self.assertEqual(sent, [sent[0]] * 4)

    def test_it_has_the_name_description_and_arguments_of_the_plain_tool(self) -> None:
        pairs = [
            (llamaindex.search_tool(self.client), plain_search_tool(self.client)),
            (llamaindex.fetch_tool(self.client), plain_fetch_tool(self.client)),
        ]
        for tool, plain in pairs:
            metadata = tool.metadata
            self.assertEqual((metadata.name, metadata.description), (plain.name, plain.description))
            parameters = metadata.get_parameters_dict()
            wanted = plain.parameters["properties"]
            self.assertEqual(parameters.get("required", []), plain.parameters.get("required", []))
            self.assertEqual(
                {name: each["description"] for name, each in parameters["properties"].items()},
                {name: each["description"] for name, each in wanted.items()},
            )
            for name, field in metadata.fn_schema.model_fields.items():
                self.assertEqual(field.is_required(), name in plain.parameters.get("required", []))

    def test_an_agent_passes_an_error_on_to_the_model(self) -> None:
        from llama_index.core.tools.calling import call_tool  # type: ignore[import-not-found,unused-ignore]

        output = call_tool(llamaindex.fetch_tool(self.client), {"url": "https://a.example"})
        self.assertIn('web_fetch has no argument "url": write "urls"', output.content)
        self.assertEqual(self.server.received, [])

    def test_an_unknown_option_is_an_error_that_names_it(self) -> None:
        cases: list[tuple[Any, str]] = [
            (llamaindex.search_tool, 'search_tool() has no option "serch": write "search"'),
            (llamaindex.fetch_tool, 'fetch_tool() has no option "serch": write "fetch"'),
            (llamaindex.TrawlRetriever, 'TrawlRetriever() has no option "serch": write "search"'),
            (llamaindex.TrawlReader, 'TrawlReader() has no option "serch": write "fetch"'),
        ]
        for make, message in cases:
            with self.assertRaises(UsageError) as caught:
                make(self.client, serch={})
            self.assertIn(message, str(caught.exception))


class Documents(StubCase):
    def test_rows_are_nodes_and_failures_are_reported(self) -> None:
        server = self.stub(answers(200, ROWS))
        failures: list[Any] = []
        retriever = llamaindex.TrawlRetriever(
            self.client_of(server), session_id="own", on_failure=failures.append, verbose=False
        )
        for nodes in (retriever.retrieve("tides"), asyncio.run(retriever.aretrieve("tides"))):
            (only,) = nodes
            self.assertIsNone(only.score)
            node = only.node
            self.assertEqual((node.node_id, node.text), ("alpha https://a.example", "the whole page"))
            self.assertEqual(node.metadata["source"], "https://a.example")
            self.assertEqual(node.metadata["interaction_id"], "i")
            self.assertEqual(node.excluded_llm_metadata_keys, ["session_id", "interaction_id"])
        self.assertEqual([failure["provider"] for failure in failures], ["beta", "beta"])
        body = {"user_input": {"query": "tides"}, "session_id": "own"}
        self.assertEqual([json.loads(each.body) for each in server.received], [body, body])

    def test_options_of_the_framework_are_passed_on_also_those_of_a_newer_version(self) -> None:
        client = Trawl("http://127.0.0.1:1", KEY)
        retriever = llamaindex.TrawlRetriever(client, object_map={"a": 1})
        self.assertEqual(retriever.object_map, {"a": 1})
        before = llamaindex.BaseRetriever.__init__
        given: list[Any] = []

        def newer(self: Any, callback_manager: Any = None, cache: Any = None) -> None:
            given.append(cache)
            before(self, callback_manager)

        with mock.patch.object(llamaindex.BaseRetriever, "__init__", newer):
            llamaindex.TrawlRetriever(client, cache="kept")
        self.assertEqual(given, ["kept"])

    def test_pages_are_documents_and_none_at_all_is_an_error(self) -> None:
        server = self.stub(answers(200, PAGES), answers(200, PAGES), answers(200, fetched()))
        failures: list[Any] = []
        options = {"inline_max_chars": 6_000}
        reader = llamaindex.TrawlReader(
            self.client_of(server), fetch=options, on_failure=failures.append
        )
        urls = ["https://a.example", "https://c.example"]
        for documents in (reader.load_data(urls), asyncio.run(reader.aload_data(urls))):
            (only,) = documents
            self.assertEqual((only.doc_id, only.text), ("https://a.example", "the text"))
            self.assertEqual(only.metadata["content_length"], 9)
        self.assertEqual([failure["code"] for failure in failures], ["not_found", "not_found"])
        bodies = [json.loads(request.body) for request in server.received]
        self.assertEqual(bodies, [{"urls": urls, "options": options}] * 2)

        gone = self.stub(answers(200, fetched(failed_page("https://c.example"))))
        with self.assertRaisesRegex(llamaindex.NoDocumentsError, "c.example: not_found"):
            llamaindex.TrawlReader(self.client_of(gone)).load_data(["https://c.example"])


class Imports(ImportCase):
    def test_a_missing_framework_is_an_error_that_names_the_extra(self) -> None:
        self.assert_names_the_extra(
            "llamaindex",
            "llama_index.core",
            "llama_index.core.tools",
            "trawl.llamaindex needs llama-index-core 0.12 or newer: pip install 'trawl-client[llamaindex]'",
        )

    def test_the_client_itself_does_not_import_it(self) -> None:
        self.assert_only_when_asked("llama_index")
