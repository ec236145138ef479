"""Frameworks for tests: the real one where it is installed, else its replacement."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import unittest
from typing import Any
from unittest import mock

STAND_INS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins")

IDS = {"session_id": "s", "interaction_id": "i"}


def imported(name: str, framework: str) -> Any:
    """The module `name` of the client."""
    try:
        importlib.import_module(framework)
    except ImportError:
        # at the end: a framework that is installed comes first
        if STAND_INS not in sys.path:
            sys.path.append(STAND_INS)
    return importlib.import_module(name)


def run(provider: str, *rows: Any, **members: Any) -> Any:
    output = {"results": list(rows), "warnings": []}
    return {
        **{"id": f"run-{provider}", "preprocessor_name": provider, "query": "tides", "batch_index": 0},
        **{"status": "succeeded", "error": None, "output_payload": output},
        **members,
    }


def failed_run(provider: str) -> Any:
    error = {"code": "timeout", "message": f"{provider} took too long"}
    return run(provider, status="failed", output_payload=None, error=error)


def found(*runs: Any) -> Any:
    return {**IDS, "status": "succeeded", "preprocessor_runs": list(runs)}


def page(url: str, content: Any = None, **members: Any) -> Any:
    return {
        **{"url": url, "title": "A page", "provider": "alpha", "status": "succeeded", "error": None},
        **{"content": content, "content_length": 9, "truncated": False, "warnings": []},
        **members,
    }


def failed_page(url: str) -> Any:
    error = {"code": "not_found", "message": "no such page"}
    return page(url, status="failed", error=error, provider=None, title=None)


def fetched(*pages: Any) -> Any:
    output = {"fetched_results": list(pages), "warnings": []}
    whole = run("fetch", output_payload=output, query="https://a.example")
    return {**IDS, "status": "succeeded", "preprocessor_runs": [whole]}


class ImportCase(unittest.TestCase):
    """What each module of a framework has to do when the framework is missing or too old."""

    def assert_names_the_extra(self, name: str, framework: str, part: str, message: str) -> None:
        for missing in (framework, part):
            # as in a process that has not imported it
            gone = (f"trawl.{name}", missing)
            absent: dict[str, Any] = {
                each: module
                for each, module in sys.modules.items()
                if each not in gone and not each.startswith(f"{missing}.")
            }
            with mock.patch.dict(sys.modules, {**absent, missing: None}, clear=True):
                with self.assertRaises(ImportError) as caught:
                    importlib.import_module(f"trawl.{name}")
            self.assertEqual(str(caught.exception), message)

    def assert_only_when_asked(self, framework: str) -> None:
        # exits with 1 when it is imported
        program = f"import sys, trawl; sys.exit({framework!r} in sys.modules)"
        folders = os.pathsep.join(each for each in sys.path if each)
        environment = {**os.environ, "PYTHONPATH": folders}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
