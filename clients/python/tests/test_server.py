"""Against a running server with a key of its own, named by SERVICE_BASE_URL and SERVICE_API_KEY."""

from __future__ import annotations

import asyncio
import os
import typing
import unittest
from collections.abc import Mapping

from trawl import (
    AsyncTrawl,
    AuthError,
    Trawl,
    ValidationError,
    failures,
    merged,
    pages_of,
    rows_of,
    search_as_text,
    types,
)

PAGES = ["https://news.example.com/a-page", "https://news.example.com/missing"]


def complaints(value: object, kind: object, place: str = "answer") -> list[str]:
    """Where a value differs from its type."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind is typing.Any:
        return []
    if origin is typing.Union:
        each = [complaints(value, part, place) for part in parts]
        return [] if [] in each else min(each, key=len)
    if origin is typing.Literal:
        return [] if value in parts else [f"{place}: {value!r}"]
    if origin is list:
        if not isinstance(value, list):
            return [f"{place}: no list"]
        return [
            line
            for index, item in enumerate(value)
            for line in complaints(item, parts[0], f"{place}.{index}")
        ]
    if origin is dict:
        return [] if isinstance(value, dict) else [f"{place}: no object"]
    if typing.is_typeddict(kind) if hasattr(typing, "is_typeddict") else hasattr(kind, "__total__"):
        return members_complaints(value, kind, place)
    if kind is float:
        return [] if isinstance(value, (int, float)) else [f"{place}: no number"]
    return [] if isinstance(value, kind) else [f"{place}: {value!r} is not {kind}"]  # type: ignore[arg-type]


def members_complaints(value: object, kind: typing.Any, place: str) -> list[str]:
    if not isinstance(value, Mapping):
        return [f"{place}: no object"]
    hints = typing.get_type_hints(kind)
    missing = [f"{place}.{name} is missing" for name in kind.__required_keys__ if name not in value]
    unknown = [f"{place}.{name} is not in {kind.__name__}" for name in value if name not in hints]
    return [
        *missing,
        *unknown,
        *(
            line
            for name in value
            if name in hints
            for line in complaints(value[name], hints[name], f"{place}.{name}")
        ),
    ]


@unittest.skipUnless(os.environ.get("SERVICE_API_KEY"), "needs SERVICE_BASE_URL and SERVICE_API_KEY")
class Server(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Trawl()
        self.addCleanup(self.client.close)

    def assert_is(self, value: object, kind: object) -> None:
        self.assertEqual(complaints(value, kind), [])

    def test_a_search_with_filters_and_fallback(self) -> None:
        answer = self.client.search(
            ["tidal power", "wave power"],
            {
                "tier": "max",
                "num_results": 3,
                "providers": {"include": ["exa", "brave"]},
                "filters": {"published_after": "2020-01-01", "language": "en"},
                "fallback": "auto",
            },
        )
        self.assert_is(answer, types.SearchAnswer)
        self.assertEqual(failures(answer), [])
        self.assertEqual({row["provider"] for row in rows_of(answer)}, {"exa", "brave"})
        self.assertEqual({row["batch_index"] for row in merged(answer)}, {0, 1})
        self.assert_is(self.client.search_dry_run("tidal power", {"tier": "max"}), types.DryRun)

    def test_a_fetch(self) -> None:
        answer = self.client.fetch(PAGES, {"tier": "max"})
        self.assert_is(answer, types.FetchAnswer)
        self.assertEqual([page["url"] for page in pages_of(answer)], PAGES)
        self.assertEqual([failure.get("url") for failure in failures(answer)], PAGES[1:])
        self.assert_is(self.client.fetch_dry_run(PAGES), types.DryRun)

    def test_streams(self) -> None:
        events = list(self.client.search_stream("tidal power", {"providers": {"include": ["exa"]}}))
        self.assertEqual([event["type"] for event in events], ["run", "done"])
        pages = list(self.client.fetch_stream(PAGES))
        self.assertEqual([event["type"] for event in pages], ["page", "page", "done"])

    def test_a_context(self) -> None:
        options = {"max_tokens": 1500, "max_pages": 1, "search": {"providers": {"include": ["exa"]}}}
        answer = self.client.context("tidal power", options)
        self.assert_is(answer, types.ContextResponse)
        self.assertLessEqual(answer["context"]["tokens"], 1500)
        self.assert_is(self.client.context_dry_run("tidal power"), types.DryRun)
        events = list(self.client.context_stream({"query": "tidal power", "max_pages": 1}))
        self.assertEqual([events[0]["type"], events[-1]["type"]], ["source", "done"])
        again = self.client.context("tidal power", options, text=True)
        self.assertTrue(again.startswith("Pages from the web"), again)

    def test_text_answers(self) -> None:
        answer = self.client.search("tidal power")
        text = self.client.read_interaction(
            answer["session_id"], answer["interaction_id"], text=True
        )
        self.assertTrue(text.startswith("Results from the web"), text)
        self.assertEqual(text, search_as_text(answer))
        short = self.client.search("tidal power", text=True, max_chars=2000)
        self.assertLessEqual(len(short), 2000)
        self.assertIn('<source number="1"', self.client.fetch(PAGES, text=True))

    def test_a_key_makes_a_repeat_free(self) -> None:
        first, second = (self.client.search("tidal power", idempotency_key="k-1") for _ in "ab")
        self.assertEqual(first, second)

    def test_interactions_sessions_and_feedback(self) -> None:
        answer = self.client.create_interaction(
            {"user_input": {"query": "tides"}, "postprocessor_names": ["rank_fusion"]}
        )
        session, interaction = answer["session_id"], answer["interaction_id"]
        self.client.search("waves", session_id=session)
        self.assert_is(self.client.read_interaction(session, interaction), types.InteractionDetails)
        given = self.client.give_feedback(
            interaction, {"results": [{"url": rows_of(answer)[0]["url"], "verdict": "used"}]}
        )
        self.assert_is(given, types.FeedbackResponse)
        self.assert_is(self.client.read_feedback(interaction), types.FeedbackResponse)
        self.assert_is(self.client.list_sessions(include="summary"), types.SessionsResponse)
        listed = [each["id"] for each in self.client.sessions(page_size=1)]
        self.assertIn(session, listed)
        self.assertEqual(len(set(listed)), len(listed))
        records = list(self.client.history(session, type="full", page_size=1))
        self.assert_is(records, list[types.InteractionRecordSummary])
        self.assertEqual(len(records), 2)
        self.assertEqual(rows_of(records[0]), rows_of(answer))
        self.assert_is(self.client.session_trajectory(session), types.SessionTrajectoryResponse)
        self.assert_is(self.client.replay_dry_run(interaction), types.DryRun)
        again = self.client.replay(interaction)
        self.assertEqual(again["session_id"], session)
        diff = self.client.diff(interaction, again["interaction_id"])
        self.assert_is(diff, types.InteractionDiff)
        self.client.delete_session(session)
        self.assertNotIn(session, [each["id"] for each in self.client.sessions()])

    def test_watches(self) -> None:
        search = {"user_input": {"query": "tidal power"}}
        made = self.client.create_watch({"interval_minutes": 60, "search": search})
        self.assert_is(made, types.Watch)
        self.assert_is(self.client.list_watches(), types.WatchesResponse)
        self.assertEqual(self.client.read_watch(made["id"])["search"], search)
        paused = self.client.change_watch(made["id"], {"state": "paused"})
        self.assertEqual(paused["state"], "paused")
        news = self.client.watch_news(made["id"], after="0", limit=1)
        self.assert_is(news, types.NewsResponse)
        self.client.delete_watch(made["id"])
        self.assertEqual(self.client.list_watches()["watches"], [])

    def test_usage_rosters_and_health(self) -> None:
        self.client.search("tidal power")
        self.assert_is(self.client.usage(group_by="provider,day"), types.UsageReport)
        self.assert_is(self.client.preprocessors(), types.PreprocessorRoster)
        self.assert_is(self.client.fetch_providers(), types.FetchProviderRoster)
        self.assert_is(self.client.probe("exa", {"operation": "search"}), types.ProbeResponse)
        self.assert_is(self.client.probe_dry_run("exa", {"operation": "search"}), types.DryRun)
        self.assert_is(self.client.health(), types.Health)
        self.assertEqual(self.client.readiness(), {"status": "ok"})
        self.assertEqual(self.client.openapi()["openapi"], "3.1.0")

    def test_refusals(self) -> None:
        with self.assertRaises(ValidationError) as wrong:
            self.client.fetch("not a URL")
        self.assertEqual((wrong.exception.code, wrong.exception.param), ("invalid_url", "urls[0]"))
        self.assertTrue(wrong.exception.request_id)
        with self.assertRaises(ValidationError) as filtered:
            self.client.search("a", {"filters": {"country": "Germany"}})
        self.assertIn("country", str(filtered.exception))
        with self.assertRaises(AuthError):
            Trawl(api_key="tk_wrong").usage()

    def test_asyncio(self) -> None:
        async def run() -> None:
            async with AsyncTrawl() as client:
                answers = await asyncio.gather(client.search("tides"), client.search("waves"))
                for answer in answers:
                    self.assert_is(answer, types.SearchAnswer)
                kinds = [event["type"] async for event in client.fetch_stream(PAGES)]
                self.assertEqual(kinds, ["page", "page", "done"])
                async for session in client.sessions(page_size=1):
                    self.assert_is(session, types.Session)
                    break

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
