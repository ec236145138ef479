"""The methods are those of the contract, from which types and routes are made."""

from __future__ import annotations

import contextlib
import inspect
import typing
import unittest
from unittest import mock

import trawl
from trawl import AsyncTrawl, Trawl, types
from trawl._admin import Admin
from trawl._routes import ROUTES
from trawl._transport import Transport
from trawl.aio import AsyncAdmin

ID = "0190a0a0-0000-7000-8000-000000000001"
OF_THE_OBJECT = {"from_settings", "base_url", "admin", "close", "aclose"}
BODIES = {"feedback", "request", "project", "key", "change"}
CLIENTS = ((Trawl, AsyncTrawl), (Admin, AsyncAdmin))

OPTIONS_OF_A_CALL = {"timeout", "headers"}
OPTIONS_OF_A_PAID_CALL = {"conversation", "idempotency_key", "raise_on_failure"}


def methods_of(client: type) -> dict[str, typing.Any]:
    return {
        name: value
        for name, value in vars(client).items()
        if not name.startswith("_") and name not in OF_THE_OBJECT
    }


def sent_by(owner: type, name: str) -> typing.Any:
    """What a method sends when each of its parameters has a value."""
    signature = inspect.signature(getattr(owner, name))
    given = {
        each: {"dict": "value"} if each in BODIES else 7 if each == "page_size" else ID
        for each in signature.parameters
        if each not in ("self", "options", *OPTIONS_OF_A_PAID_CALL, *OPTIONS_OF_A_CALL)
    }
    sent: list[typing.Any] = []

    def record(_self: Transport, call: typing.Any, _limit: object) -> typing.NoReturn:
        sent.append(call)
        raise InterruptedError

    with contextlib.ExitStack() as stack:
        for way in ("json", "text", "plain"):
            stack.enter_context(mock.patch.object(Transport, way, record))
        try:
            client = Trawl("http://127.0.0.1:1", "k")
            answer = getattr(client if owner is Trawl else client.admin, name)(**given)
            if inspect.isgenerator(answer):
                next(answer)
        except InterruptedError:
            pass
    return sent[0]


# a dry run of an interaction is that of a search, and methods return what JSON has
NOT_SENT = {"create_interaction": {"dry_run"}, "usage": {"format"}}


class Contract(unittest.TestCase):
    def test_each_route_has_a_method_with_all_its_parameters(self) -> None:
        sent: dict[str, set[str]] = {}
        for owner, name in [(one, name) for one, _ in CLIENTS for name in methods_of(one)]:
            call = sent_by(owner, name)
            self.assertIn(call.route, ROUTES, name)
            self.assertEqual("{" in ROUTES[call.route].path, call.in_path == ID, name)
            sent.setdefault(call.route, set()).update(call.query or {})
        for route, (_method, _path, _needs_key, query) in ROUTES.items():
            expected = set(query) - NOT_SENT.get(route, set())
            self.assertEqual(sent.get(route), expected, route)

    def test_both_clients_have_the_same_methods_and_options(self) -> None:
        for blocking, asynchronous in CLIENTS:
            self.assertEqual(list(methods_of(blocking)), list(methods_of(asynchronous)))
            for name, method in methods_of(asynchronous).items():
                of_both = [inspect.signature(each) for each in (method, getattr(blocking, name))]
                self.assertEqual(*of_both)
                is_stream = inspect.isgeneratorfunction(inspect.unwrap(getattr(blocking, name))) or "_stream" in name
                self.assertEqual(inspect.isasyncgenfunction(method), is_stream, name)
                self.assertNotEqual(inspect.iscoroutinefunction(method), is_stream, name)
        options = [dict(inspect.signature(each).parameters) for each in (Trawl, AsyncTrawl)]
        options[1].pop("max_concurrency")
        self.assertEqual(*options)

    def test_every_type_can_be_resolved(self) -> None:
        described = [value for value in vars(types).values() if isinstance(value, type)]
        self.assertGreater(len(described), 40)
        functions = [
            getattr(trawl, name)
            for name in trawl.__all__
            if name not in ("NEW_KEY", "__version__", "types")
        ]
        for each in [*described, *filter(callable, functions), *methods_of(Trawl).values()]:
            if isinstance(each, type) or inspect.isfunction(each):
                typing.get_type_hints(each)
        for name, method in methods_of(Trawl).items():
            self.assertIn("return", typing.get_type_hints(method), name)
            self.assertTrue(method.__doc__, name)


if __name__ == "__main__":
    unittest.main()
