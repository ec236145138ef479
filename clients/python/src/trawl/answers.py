"""Lists made from an answer, an interaction that was read back, or an entry of a full history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Optional, TypedDict, Union, cast

from .types import (
    ContextResponse,
    FetchAnswer,
    FetchRow,
    FoundRow,
    InteractionDetails,
    InteractionRecordSummary,
    InteractionResponse,
    JsonObject,
    ResultSource,
    SearchAnswer,
    SearchRun,
    Warning,
)

HasRuns = Union[
    SearchAnswer, FetchAnswer, InteractionResponse, InteractionDetails, InteractionRecordSummary
]
"""Anything with runs."""

_FUSION_K = 60
"""The constant of reciprocal rank fusion. The server's `rank_fusion` uses the same."""


class SearchRunEvent(TypedDict):
    """A run of a search that has ended."""

    type: Literal["run"]
    run: SearchRun


class SearchDoneEvent(TypedDict):
    """The whole answer of a search; the last event."""

    type: Literal["done"]
    answer: SearchAnswer


class FetchPageEvent(TypedDict):
    """A page of a fetch that has ended."""

    type: Literal["page"]
    page: FetchRow


class FetchDoneEvent(TypedDict):
    """The whole answer of a fetch; the last event."""

    type: Literal["done"]
    answer: FetchAnswer


class ContextSourceEvent(TypedDict):
    """A source of a context, without its number and its passages."""

    type: Literal["source"]
    source: dict[str, Any]


class ContextDoneEvent(TypedDict):
    """The whole context."""

    type: Literal["done"]
    answer: ContextResponse


SearchEvent = Union[SearchRunEvent, SearchDoneEvent]
FetchEvent = Union[FetchPageEvent, FetchDoneEvent]
ContextEvent = Union[ContextSourceEvent, ContextDoneEvent]


class _Failure(TypedDict):
    provider: Optional[str]
    code: str
    message: str
    error: JsonObject


class Failure(_Failure, total=False):
    """A failed run, or a failed page of a fetch."""

    query: str
    """Only for a search."""

    url: str
    """Only for a fetch."""


class Find(TypedDict):
    """A provider that found a page, and the page's rank there, from 1."""

    provider: str
    rank: int
    run_id: str


class MergedRow(TypedDict):
    """One page of one query, merged over all runs of the query. A text that no run has is None."""

    query: str
    batch_index: int
    rank: int
    """Place in the merged list of the query, from 1."""

    url: Optional[str]
    """None where `fields` leaves URLs out; then nothing is merged."""

    title: Optional[str]
    summary: Optional[str]
    """This and the following ones are of the row with the best rank; of equal ranks, that of the first run."""

    excerpt: Optional[str]
    publish_date: Optional[str]
    source: Optional[ResultSource]
    score: float
    """Sum of 1 / (60 + rank) over the providers that found it."""

    sources: list[Find]
    """Who found it, in the order of the runs."""


class WarningGroup(TypedDict):
    """Equal warnings of an answer."""

    code: str
    message: str
    count: int
    providers: list[str]
    queries: list[str]
    """For a search: the queries it concerns."""

    urls: list[str]
    """For a fetch: the pages it concerns."""


def rows_of(answer: HasRuns) -> list[FoundRow]:
    """All rows over all runs of a search, run by run in the answer's order."""
    rows: list[FoundRow] = []
    for run in runs_of(answer):
        for index, row in enumerate((run["output_payload"] or {}).get("results", [])):
            rank = row.get("rank")
            found = {
                **row,
                "rank": index + 1 if rank is None else rank,
                "provider": run["preprocessor_name"],
                "query": run["query"],
                "batch_index": run["batch_index"],
                "run_id": run["id"],
            }
            rows.append(cast(FoundRow, found))
    return rows


def pages_of(answer: HasRuns) -> list[FetchRow]:
    """The pages of a fetch in the order sent. One that could not be read is among them: its `error` says why."""
    return [
        page
        for run in runs_of(answer)
        for page in (run["output_payload"] or {}).get("fetched_results", [])
    ]


def failures(answer: HasRuns) -> list[Failure]:
    """All failed runs and pages of an answer; empty when everything succeeded."""
    of_runs = [
        _failure(run["error"], {"provider": run["preprocessor_name"], "query": run["query"]})
        for run in runs_of(answer)
        if run["error"] is not None
    ]
    of_pages = [
        _failure(page["error"], {"provider": page["provider"], "url": page["url"]})
        for page in pages_of(answer)
        if page["error"] is not None
    ]
    return of_runs + of_pages


def merged(answer: HasRuns) -> list[MergedRow]:
    """One list per query with each page once, as the server's `rank_fusion` has it: ordered by reciprocal rank fusion, then
    best rank, then order of runs. Lists of a batch follow each other."""
    batches: dict[int, list[FoundRow]] = {}
    for row in rows_of(answer):
        batches.setdefault(row["batch_index"], []).append(row)
    return [
        _merged_row(score, rows, index + 1)
        for found in batches.values()
        for index, (score, rows) in enumerate(fused(found))
    ]


def warnings_of(answer: HasRuns) -> list[WarningGroup]:
    """All warnings of an answer, including those of failed runs and pages. Equal ones are grouped, the most frequent first."""
    groups: dict[tuple[str, str], WarningGroup] = {}
    for warning, provider, query, url in _placed_warnings(answer):
        code, message = warning["code"], warning["message"]
        group = groups.setdefault(
            (code, message),
            {
                "code": code,
                "message": message,
                "count": 0,
                "providers": [],
                "queries": [],
                "urls": [],
            },
        )
        group["count"] += 1
        for values, value in (
            (group["providers"], provider),
            (group["queries"], query),
            (group["urls"], url),
        ):
            if value is not None and value not in values:
                values.append(value)
    return sorted(groups.values(), key=lambda group: -group["count"])


def nothing_succeeded(answer: HasRuns) -> bool:
    """Whether every run failed, or every page of a fetch. False for an answer without runs."""
    runs, pages = runs_of(answer), pages_of(answer)
    return len(runs) > 0 and (
        all(run["status"] == "failed" for run in runs)
        or (len(pages) > 0 and all(page["status"] == "failed" for page in pages))
    )


def runs_of(answer: HasRuns) -> list[dict[str, Any]]:
    """The runs of an answer; a short history has none. Their output is a search's or a fetch's, hence `Any`."""
    return cast(Any, answer).get("preprocessor_runs") or []


def _failure(error: Mapping[str, Any], place: Mapping[str, Any]) -> Failure:
    code, message = error.get("code"), error.get("message")
    failure = {
        "code": "unknown" if code is None else str(code),
        "message": "" if message is None else str(message),
        "error": error,
    }
    return cast(Failure, {**failure, **place})


def fused(found: list[FoundRow]) -> list[tuple[float, list[FoundRow]]]:
    """The pages of the rows of one query, each with its score and its rows in the order of the runs. A page that a run has
    twice counts once, at its best rank."""
    pages: dict[str, list[FoundRow]] = {}
    for row in found:
        url = row.get("url")
        rows = pages.setdefault(f"{row['run_id']} {row['rank']}" if url is None else url, [])
        if all(other["run_id"] != row["run_id"] for other in rows):
            rows.append(row)
    scored = [(_score(rows), rows) for rows in pages.values()]
    return sorted(scored, key=lambda page: (-page[0], min(row["rank"] for row in page[1])))


def _score(rows: list[FoundRow]) -> float:
    score = 0.0
    # not sum(), which rounds differently from the TypeScript client since Python 3.12
    for row in rows:
        score += 1 / (_FUSION_K + row["rank"])
    return score


def _merged_row(score: float, rows: list[FoundRow], rank: int) -> MergedRow:
    by_rank = sorted(rows, key=lambda row: row["rank"])
    best = by_rank[0]
    return {
        "query": best["query"],
        "batch_index": best["batch_index"],
        "rank": rank,
        "url": best.get("url"),
        "title": next((title for title in map(_title, by_rank) if title), None),
        "summary": best.get("summary"),
        "excerpt": best.get("excerpt"),
        "publish_date": best.get("publish_date"),
        "source": best.get("source"),
        "score": score,
        "sources": [
            {"provider": row["provider"], "rank": row["rank"], "run_id": row["run_id"]}
            for row in rows
        ],
    }


def _title(row: FoundRow) -> Optional[str]:
    return row.get("title")


_Placed = tuple[Warning, Optional[str], Optional[str], Optional[str]]


def _placed_warnings(answer: HasRuns) -> Iterable[_Placed]:
    """Each warning with its provider, query and URL."""
    for run in runs_of(answer):
        source = run["output_payload"] if run["output_payload"] is not None else run["error"] or {}
        is_search = run["query"] != ""
        for warning in source.get("warnings") or []:
            provider = run["preprocessor_name"] if is_search else None
            yield warning, provider, run["query"] if is_search else None, None
    for page in pages_of(answer):
        for warning in page["warnings"]:
            yield warning, page["provider"], None, page["url"]
