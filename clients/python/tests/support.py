from __future__ import annotations

import unittest
from typing import Any

from trawl import Trawl

from .stub import Script, Stub

KEY = "tk_a-secret-key-of-the-tests"
ANSWER = {"session_id": "s", "preprocessor_runs": []}


class StubCase(unittest.TestCase):
    def stub(self, *scripts: Script) -> Stub:
        stub = Stub(*scripts)
        self.addCleanup(stub.stop)
        return stub

    def client_of(self, stub: Stub, **options: Any) -> Trawl:
        client = Trawl(stub.url, KEY, **{"retry_delay": 0.001, **options})
        self.addCleanup(client.close)
        return client
