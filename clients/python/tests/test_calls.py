from __future__ import annotations

import json
import os
import pickle
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from trawl import (
    AuthError,
    CallTimeoutError,
    ConnectionFailedError,
    InvalidResponseError,
    NothingSucceededError,
    Trawl,
    TrawlError,
    UsageError,
    ValidationError,
)

from .stub import Stub, answers, breaks_off, streams
from .support import ANSWER, KEY, StubCase

FAILED = {
    "session_id": "s",
    "preprocessor_runs": [
        {
            "id": "r",
            "preprocessor_name": "alpha",
            "status": "failed",
            "batch_index": 0,
            "query": "a",
            "output_payload": None,
            "error": {"code": "timeout", "message": "alpha did not answer", "warnings": []},
        }
    ],
}


class Requests(StubCase):
    def body(self, stub: Stub) -> object:
        return json.loads(stub.received[-1].body)

    def test_short_forms(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        client.search("a", {"tier": "max", "filters": {"language": "de"}}, session_id="s")
        self.assertEqual(
            self.body(stub),
            {
                "user_input": {"query": "a"},
                "search": {"tier": "max", "filters": {"language": "de"}},
                "session_id": "s",
            },
        )
        client.search(("a", "b"), {"fallback": "auto"})
        self.assertEqual(
            self.body(stub),
            {"user_input": [{"query": "a"}, {"query": "b"}], "search": {"fallback": "auto"}},
        )
        client.search({"query": "a", "metadata": {"n": 1}})
        self.assertEqual(self.body(stub), {"user_input": {"query": "a"}, "metadata": {"n": 1}})
        client.search({"user_input": {"query": "é \ud800"}})
        self.assertEqual(self.body(stub), {"user_input": {"query": "é \ud800"}})
        client.fetch("https://a.example", {"tier": "max"})
        self.assertEqual(
            self.body(stub), {"urls": ["https://a.example"], "options": {"tier": "max"}}
        )
        client.fetch(["https://a.example", "https://b.example"])
        self.assertEqual(self.body(stub), {"urls": ["https://a.example", "https://b.example"]})

    def test_headers_query_and_path(self) -> None:
        stub = self.stub(answers(200, {"sessions": []}))
        client = self.client_of(stub, headers={"X-One": "1", "User-Agent": "mine"})
        client.read_feedback("a/b c")
        client.usage(from_="2026-01-01", group_by="day,provider", headers={"x-one": "2"})
        client.health()
        first, second, third = stub.received
        self.assertEqual(first.path, "/v1/interactions/a%2Fb%20c/feedback")
        self.assertEqual(second.path, "/v1/usage?from=2026-01-01&group_by=day%2Cprovider")
        self.assertEqual(first.headers["authorization"], f"Bearer {KEY}")
        self.assertRegex(first.headers["user-agent"], "^trawl-client-python/")
        self.assertEqual((first.headers["x-one"], second.headers["x-one"]), ("1", "2"))
        self.assertNotIn("authorization", third.headers)

    def test_a_path_before_the_routes_is_kept(self) -> None:
        stub = self.stub(answers(200, {}))
        for base in (f"{stub.url}/trawl/v1/", f"{stub.url}/trawl"):
            with Trawl(base, KEY) as client:
                client.health()
                self.assertEqual(client.base_url, f"{stub.url}/trawl")
        self.assertEqual({request.path for request in stub.received}, {"/trawl/healthz"})

    def test_the_environment_names_server_and_key(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        with mock.patch.dict(os.environ, SERVICE_BASE_URL=stub.url, SERVICE_API_KEY="tk_env"):
            with Trawl() as client:
                client.search("a")
        self.assertEqual(stub.received[0].headers["authorization"], "Bearer tk_env")

    def test_a_function_returns_the_key_of_each_request(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        keys = iter(["tk_1", "tk_2"])
        with Trawl(stub.url, lambda: next(keys)) as client:
            client.search("a")
            client.search("a")
        sent = [request.headers["authorization"] for request in stub.received]
        self.assertEqual(sent, ["Bearer tk_1", "Bearer tk_2"])

    def test_wrong_calls_are_errors_before_anything_is_sent(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        for options in (
            {"base_url": "trawl.example.com"},
            {"base_url": "https://user@trawl.example.com"},
            {"base_url": "https://trawl.example.com?x=1"},
            {"base_url": "http://a:99999"},
            {"timeout": 0},
            {"timeout": float("nan")},
            {"max_retries": 11},
            {"max_retries": 1.5},
        ):
            with self.subTest(options=options), self.assertRaises(UsageError):
                Trawl(**options)
        with mock.patch.dict(os.environ):
            os.environ.pop("SERVICE_API_KEY", None)
            with self.assertRaisesRegex(UsageError, "SERVICE_API_KEY"):
                Trawl(stub.url).search("a")
        for key in ("", "tk a", "tk\n", "tk_ü"):
            with self.assertRaises(UsageError) as caught:
                Trawl(stub.url, key).search("a")
            if key:
                self.assertNotIn(key, str(caught.exception))
        client = self.client_of(stub)
        with self.assertRaisesRegex(UsageError, "search is in the request"):
            client.search({"query": "a", "search": {"tier": "max"}}, {"tier": "max"})
        with self.assertRaisesRegex(UsageError, "JSON"):
            client.search({"query": "a", "metadata": {"n": float("nan")}})
        with self.assertRaisesRegex(UsageError, "header 'x-a'"):
            client.search("a", headers={"x-a": "b\r\nc: d"})
        self.assertEqual(stub.received, [])


class Errors(StubCase):
    def test_both_families_and_other_bodies(self) -> None:
        issue = {"type": "missing", "loc": ["body", "urls"], "msg": "Field required", "hint": "add"}
        stub = self.stub(
            answers(422, {"error": {"code": "invalid_url", "message": "no URL", "param": "urls"}}),
            answers(422, {"detail": [issue] * 5}),
            answers(401, {"detail": "no key", "hint": "send one"}),
            answers(403, f"<html>{KEY}</html>"),
        )
        client = self.client_of(stub)
        with self.assertRaises(ValidationError) as typed:
            client.fetch("x")
        self.assertEqual(
            (typed.exception.code, typed.exception.param, str(typed.exception)),
            ("invalid_url", "urls", "422: no URL"),
        )
        with self.assertRaises(ValidationError) as detailed:
            client.fetch("x")
        self.assertEqual(detailed.exception.code, "invalid_request")
        self.assertEqual(len(detailed.exception.issues), 5)
        self.assertEqual(detailed.exception.hint, "add")
        self.assertRegex(str(detailed.exception), r"^422: body\.urls: Field required \(add\).*and 2 more$")
        with self.assertRaisesRegex(AuthError, r"^401: no key \(send one\)$"):
            client.fetch("x")
        with self.assertRaises(AuthError) as quoted:
            client.fetch("x")
        self.assertEqual(quoted.exception.body, "<html>[redacted]</html>")

    def test_what_is_not_an_answer(self) -> None:
        stub = self.stub(
            answers(200, "<html></html>"),
            answers(301, "", {"location": "https://b.example"}),
            answers(200, {"long": "x" * 200}),
        )
        client = self.client_of(stub, max_response_bytes=100)
        for words in ("not JSON", "redirects .* https://b.example", "larger than 100 bytes"):
            with self.assertRaisesRegex(InvalidResponseError, words):
                client.search("a")
        self.assertEqual(len(stub.received), 3)

    def test_no_server(self) -> None:
        with self.assertRaises(ConnectionFailedError) as caught:
            Trawl("http://127.0.0.1:1", KEY, retry_delay=0).search("a")
        self.assertIsInstance(caught.exception, ConnectionError)

    def test_https_to_a_server_that_speaks_http_names_the_address_to_use(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        secure = Trawl(f"{stub.url.replace('http:', 'https:')}/prefix", KEY)
        for call in (secure.search, lambda query: next(secure.search_stream(query))):
            with self.assertRaises(ConnectionFailedError) as caught:
                call("a")
            self.assertEqual(str(caught.exception), f"the server speaks http: use {stub.url}/prefix")
            self.assertEqual(caught.exception.code, "server_speaks_http")
        self.assertEqual(stub.received, [])

    def test_the_time_is_for_the_whole_call(self) -> None:
        stub = self.stub(Stub.waits)
        started = time.monotonic()
        with self.assertRaises(CallTimeoutError) as caught:
            self.client_of(stub).search("a", timeout=0.2)
        self.assertLess(time.monotonic() - started, 5)
        self.assertIsInstance(caught.exception, TimeoutError)
        self.assertEqual(caught.exception.idempotency_key, stub.keys()[0])
        self.assertEqual(len(stub.received), 1)
        self.assertTrue(stub.hung_up.wait(10))

    def test_a_body_that_comes_in_drops_does_not_extend_the_time(self) -> None:
        over = threading.Event()
        self.addCleanup(over.set)

        def drips(handler: object) -> None:
            wfile = handler.wfile  # type: ignore[attr-defined]
            wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            while not over.wait(0.02):
                wfile.write(b" ")

        stub = self.stub(drips)
        with self.assertRaises(CallTimeoutError):
            self.client_of(stub).search("a", timeout=0.3)

    def test_nothing_succeeded(self) -> None:
        stub = self.stub(answers(200, FAILED))
        client = self.client_of(stub, raise_on_failure=True)
        with self.assertRaises(NothingSucceededError) as caught:
            client.search("a")
        self.assertEqual(caught.exception.code, "timeout")
        self.assertEqual(caught.exception.answer, FAILED)
        self.assertEqual(client.search("a", raise_on_failure=False), FAILED)

    def test_errors_can_be_sent_to_another_process(self) -> None:
        stub = self.stub(answers(422, {"error": {"code": "invalid_url", "message": "no URL"}}))
        with self.assertRaises(TrawlError) as caught:
            self.client_of(stub).fetch("x")
        copied = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(copied), copied.code), ("422: no URL", "invalid_url"))

    def test_the_key_is_not_shown(self) -> None:
        client = Trawl("http://127.0.0.1:1", KEY)
        self.assertNotIn(KEY, repr(client))


class Connections(StubCase):
    def test_are_used_again(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        for _ in range(5):
            client.search("a")
        self.assertEqual(len({request.port for request in stub.received}), 1)

    def test_one_that_the_server_closed_is_not_used(self) -> None:
        closed = threading.Event()

        def closes(handler: object) -> None:
            answers(200, ANSWER)(handler)  # type: ignore[arg-type]
            breaks_off(handler)  # type: ignore[arg-type]
            closed.set()

        stub = self.stub(closes)
        client = self.client_of(stub, max_retries=0)
        for _ in range(3):
            self.assertEqual(client.search("a"), ANSWER)
            self.assertTrue(closed.wait(10))
            closed.clear()

    def test_many_threads_share_a_client(self) -> None:
        def echo(handler: object) -> None:
            answers(200, {"path": handler.path})(handler)  # type: ignore[attr-defined,arg-type]

        stub = self.stub(echo)
        client = self.client_of(stub)
        with ThreadPoolExecutor(8) as threads:
            results = list(threads.map(client.read_feedback, map(str, range(200))))
        expected = [{"path": f"/v1/interactions/{number}/feedback"} for number in range(200)]
        self.assertEqual(results, expected)
        self.assertLessEqual(len({request.port for request in stub.received}), 8)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_process_does_not_share_connections(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        client.search("a")
        child = os.fork()
        if child == 0:
            try:
                client.search("a")
                os._exit(0)
            except BaseException:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        client.search("a")
        ports = [request.port for request in stub.received]
        self.assertEqual(ports[0], ports[2])
        self.assertNotEqual(ports[0], ports[1])


class Streams(StubCase):
    def test_events_then_the_answer(self) -> None:
        stub = self.stub(
            streams(
                ": hello\n\nevent: run\nda",
                'ta: {"query": "é"}\n\nevent: other\ndata: 1\n\n',
                'event: done\ndata: {"session_id": "s"}\n\n',
            )
        )
        events = list(self.client_of(stub).search_stream("a"))
        self.assertEqual(
            events,
            [
                {"type": "run", "run": {"query": "é"}},
                {"type": "done", "answer": {"session_id": "s"}},
            ],
        )
        self.assertEqual(stub.received[0].headers["accept"], "text/event-stream")

    def test_pages_of_a_fetch(self) -> None:
        stub = self.stub(
            streams('event: page\ndata: {"url": "u"}\n\n', "event: done\ndata: {}\n\n")
        )
        kinds = [event["type"] for event in self.client_of(stub).fetch_stream("https://a.example")]
        self.assertEqual(kinds, ["page", "done"])

    def test_what_ends_a_stream_early(self) -> None:
        error = 'event: error\ndata: {"error": {"code": "internal_error", "message": "no"}}\n\n'
        for script, kind in (
            (streams("event: run\ndata: {}\n\n"), InvalidResponseError),
            (streams("event: run\ndata: {\n\n"), InvalidResponseError),
            (streams("event: run\ndata: {}\n\n", end=breaks_off), ConnectionFailedError),
            (streams(error), TrawlError),
            (answers(200, ANSWER), InvalidResponseError),
        ):
            stub = self.stub(script)
            with self.assertRaises(kind) as caught:
                list(self.client_of(stub).search_stream("a"))
            self.assertEqual(caught.exception.idempotency_key, stub.keys()[0])
            self.assertEqual(len(stub.received), 1)

    def test_leaving_the_loop_closes_the_connection(self) -> None:
        stub = self.stub(streams("event: run\ndata: {}\n\n", end=Stub.waits))
        for _event in self.client_of(stub).search_stream("a"):
            break
        self.assertTrue(stub.hung_up.wait(10))


if __name__ == "__main__":
    unittest.main()
