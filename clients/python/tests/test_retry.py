from __future__ import annotations

import unittest

from trawl import (
    ApiError,
    ConnectionFailedError,
    ProviderUnavailableError,
    RateLimitedError,
)

from .stub import Script, answers, breaks_off
from .support import ANSWER, StubCase

UNAVAILABLE = {
    "error": {
        "code": "provider_unavailable",
        "message": "none",
        "session_id": "s1",
        "interaction_id": "i1",
    }
}


class Retry(StubCase):
    def test_repeats_once_with_the_same_key_and_body(self) -> None:
        faults: list[Script] = [
            breaks_off,
            answers(200, ANSWER, length=9),
            answers(500, {"detail": "no"}),
            answers(502, "<html>bad gateway</html>"),
            answers(503, {"detail": "later"}, {"retry-after": "0"}),
            answers(504, ""),
            answers(429, {"detail": "slower"}, {"retry-after": "0"}),
        ]
        for fault in faults:
            with self.subTest(fault=faults.index(fault)):
                stub = self.stub(fault, answers(200, ANSWER))
                self.assertEqual(self.client_of(stub).search("tidal power"), ANSWER)
                first, second = stub.received
                self.assertRegex(first.headers["idempotency-key"], r"^[0-9a-f-]{36}$")
                self.assertEqual(*stub.keys())
                self.assertEqual(first.body, second.body)

    def test_each_call_has_a_new_key_unless_one_is_given(self) -> None:
        stub = self.stub(answers(200, ANSWER))
        client = self.client_of(stub)
        client.search("a")
        client.search("a")
        client.fetch("https://a.example", idempotency_key="mine")
        self.assertEqual(len(set(stub.keys())), 3)
        self.assertEqual(stub.keys()[2], "mine")

    def test_a_second_failure_has_the_key_to_repeat_the_call(self) -> None:
        stub = self.stub(answers(500, {"detail": "no"}, {"x-request-id": "r1"}))
        with self.assertRaises(ApiError) as caught:
            self.client_of(stub).search("a")
        self.assertEqual(len(stub.received), 2)
        error = caught.exception
        self.assertEqual((error.status, error.request_id, str(error)), (500, "r1", "500: no"))
        self.assertEqual(error.idempotency_key, stub.keys()[0])

    def test_what_was_billed_is_not_repeated(self) -> None:
        stub = self.stub(answers(502, UNAVAILABLE))
        with self.assertRaises(ProviderUnavailableError) as caught:
            self.client_of(stub).fetch("https://a.example")
        self.assertEqual(len(stub.received), 1)
        self.assertEqual(caught.exception.session_id, "s1")
        self.assertEqual(caught.exception.interaction_id, "i1")

    def test_a_refusal_is_not_repeated(self) -> None:
        for status in (400, 401, 402, 403, 404, 409, 413, 422, 429):
            with self.subTest(status=status):
                stub = self.stub(answers(status, {"detail": "no"}))
                with self.assertRaises(ApiError) as caught:
                    self.client_of(stub).search("a")
                self.assertEqual(caught.exception.status, status)
                self.assertEqual(len(stub.received), 1)

    def test_paid_calls_without_a_key_are_not_repeated(self) -> None:
        stub = self.stub(breaks_off)
        client = self.client_of(stub)
        with self.assertRaises(ConnectionFailedError):
            client.search("a", idempotency_key=None)
        with self.assertRaises(ConnectionFailedError):
            client.probe("exa", {"operation": "search"}, idempotency_key=None)
        self.assertEqual(stub.keys(), [None, None])

    def test_reads_and_dry_runs_are_repeated_without_a_key(self) -> None:
        stub = self.stub(breaks_off, answers(200, {}), breaks_off, answers(200, {}))
        client = self.client_of(stub)
        client.usage()
        client.search_dry_run("a")
        self.assertEqual(stub.keys(), [None, None, None, None])

    def test_max_retries(self) -> None:
        stub = self.stub(breaks_off)
        with self.assertRaises(ConnectionFailedError):
            self.client_of(stub, max_retries=0).search("a")
        self.assertEqual(len(stub.received), 1)

    def test_a_long_retry_after_ends_the_call(self) -> None:
        for status, kind in ((503, ApiError), (429, RateLimitedError)):
            stub = self.stub(answers(status, {}, {"retry-after": "60"}))
            with self.assertRaises(kind) as caught:
                self.client_of(stub).search("a")
            self.assertEqual(caught.exception.retry_after, 60)
            self.assertEqual(len(stub.received), 1)

    def test_a_retry_after_beyond_the_time_does_not_turn_the_error_into_a_timeout(self) -> None:
        stub = self.stub(answers(503, {}, {"retry-after": "5"}))
        with self.assertRaises(ApiError) as caught:
            self.client_of(stub, timeout=2).search("a")
        self.assertEqual(caught.exception.status, 503)


if __name__ == "__main__":
    unittest.main()
