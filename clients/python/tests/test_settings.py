"""What the table of cases in `test/client-settings` of the repository does not cover."""

from __future__ import annotations

import inspect
import json
import os
import tempfile
from typing import Any
from unittest import mock

from trawl import AsyncTrawl, Trawl, UsageError

from .stub import Stub, answers
from .support import ANSWER, KEY, StubCase

SETTINGS = {"providersInclude": ["exa", "brave"], "providersExclude": ["brave", "tavily"]}


class FromSettings(StubCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        self.served = self.stub(answers(200, ANSWER))
        variables = {"SERVICE_BASE_URL": self.served.url, "SERVICE_API_KEY": KEY, "HOME": folder.name}
        patch = mock.patch.dict(os.environ, variables, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, **settings: Any) -> None:
        with open("trawl.config.json", "w", encoding="utf-8") as file:
            json.dump(settings, file)

    def bodies(self) -> list[Any]:
        return [json.loads(request.body) for request in self.served.received]

    def test_the_providers_that_an_interaction_names_are_those_of_the_call(self) -> None:
        self.write(**SETTINGS)
        query = {"user_input": {"query": "x"}}
        with Trawl.from_settings() as client:
            client.create_interaction({**query, "preprocessor_names": ["tavily", "linkup"]})
            client.create_interaction(query)
            client.create_interaction({"metadata": {"note": "a step"}})
            client.fetch("https://a.example")
        self.assertEqual(
            self.bodies(),
            [
                {**query, "preprocessor_names": ["linkup"], "search": {}},
                {**query, "search": {"providers": {"include": ["exa"]}}},
                {"metadata": {"note": "a step"}},
                {"urls": ["https://a.example"]},
            ],
        )

    def test_what_the_server_refuses_is_sent_as_it_is(self) -> None:
        self.write(**SETTINGS)
        wrong: list[Any] = [
            {"providers": ["exa"]},
            {"providers": {"include": "exa"}},
            {"providers": {"exclude": 3}},
            "max",
            [],
        ]
        with Trawl.from_settings() as client:
            for search in wrong:
                client.search("x", search)
            client.search("x", {"providers": {"includes": ["exa"]}, "tierr": "max"})  # type: ignore[arg-type]
        unknown = {"providers": {"includes": ["exa"], "include": ["exa"]}, "tierr": "max"}
        self.assertEqual([body["search"] for body in self.bodies()], [*wrong, unknown])

    def test_so_are_names_that_are_no_list(self) -> None:
        self.write(**SETTINGS)
        request: Any = {"user_input": {"query": "x"}, "preprocessor_names": "exa"}
        with Trawl.from_settings() as client:
            client.create_interaction(request)
        self.assertEqual(self.bodies(), [request])

    def test_a_dry_run_and_a_stream_have_the_settings(self) -> None:
        self.write(tier="max")
        with Trawl.from_settings() as client:
            client.search_dry_run("x")
            with self.assertRaises(Exception):
                next(client.search_stream("x"))
        self.assertEqual([body["search"] for body in self.bodies()], [{"tier": "max"}] * 2)

    def test_the_options_of_the_client_win_over_the_variables(self) -> None:
        os.environ["SERVICE_BASE_URL"] = "http://127.0.0.1:1"
        with Trawl.from_settings(base_url=self.served.url, api_key="tk_own") as client:
            client.search("x")
        self.assertEqual(self.served.received[0].headers["authorization"], "Bearer tk_own")

    def test_a_plain_client_reads_no_file(self) -> None:
        self.write(tier="max")
        with Trawl() as client:
            client.search("x", {"auto_routing": "off"})
        self.assertEqual(self.bodies()[0]["search"], {})


class UnknownOptions(StubCase):
    def assert_refused(self, expected: str, call: Any, **options: Any) -> None:
        with self.assertRaises(UsageError) as caught:
            call(**options)
        self.assertIn(expected, str(caught.exception))

    def test_of_a_client(self) -> None:
        near = 'has no option "baseUrl": write "base_url"'
        self.assert_refused(f"Trawl() {near}", Trawl, baseUrl="https://trawl.example.com")
        self.assert_refused(f"Trawl() {near}", Trawl.from_settings, baseUrl="x")
        self.assert_refused(f"AsyncTrawl() {near}", AsyncTrawl, baseUrl="x")
        self.assert_refused('"timeout_s": write "timeout"', AsyncTrawl.from_settings, timeout_s=5)
        self.assert_refused('"proxy": write one of base_url, api_key, timeout', Trawl, proxy="x")

    def test_of_a_call_before_anything_is_sent(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        ask: dict[str, Any] = {"request": "x"}
        elsewhere = 'options of the API are the second argument, as in {"num_results": 2}'
        self.assert_refused('search() has no option "tier": write', client.search, tier="max", **ask)
        self.assert_refused(elsewhere, client.search, tier="max", **ask)
        self.assert_refused('"time_out": write "timeout"', client.search_stream, time_out=1, **ask)
        self.assert_refused('"sessionId": write "session_id"', client.fetch, sessionId="s", **ask)
        self.assert_refused('"pageSize": write "page_size"', client.sessions, pageSize=5)
        self.assert_refused('"headres": write "headers"', client.usage, headres={})
        for name in inspect.signature(Trawl.search).parameters:
            if name in ("self", "request", "options"):
                continue
            misplaced = f'"{name}" is an option of the call, not of the API: write {name}=…'
            for call in (client.search, client.search_dry_run, client.fetch, client.fetch_stream):
                with self.assertRaises(UsageError) as caught:
                    call("https://a.example", {name: None})  # type: ignore[misc]
                self.assertIn(misplaced, str(caught.exception))
        self.assertEqual(stub.received, [])

    def test_a_wrong_address_of_the_environment_is_named(self) -> None:
        with mock.patch.dict(os.environ, SERVICE_BASE_URL="trawl.example.com"):
            self.assert_refused("SERVICE_BASE_URL must be an absolute http(s) URL", Trawl)
        self.assert_refused("base_url must be an absolute http(s) URL", Trawl, base_url="x")
