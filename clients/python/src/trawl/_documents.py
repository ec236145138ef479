"""Rows and pages as the documents of a framework."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple, Optional, cast

from .answers import Failure, failures, pages_of, rows_of
from .errors import TrawlError
from .types import FetchAnswer, SearchAnswer

OnFailure = Callable[[Failure], None]
"""Called with each run, page or row that gave no document."""


class NoDocumentsError(TrawlError):
    """Not a single document: every run failed, or every page failed or has no text."""

    failures: tuple[Failure, ...] = ()


class Found(NamedTuple):
    """What becomes a document."""

    id: str
    text: str
    metadata: dict[str, Any]
    """A value that the provider did not send is None."""


def found_rows(answer: SearchAnswer, on_failure: Optional[OnFailure]) -> list[Found]:
    """The rows of a search, provider by provider in the order of the answer. Raises NoDocumentsError when every provider failed."""
    rows: list[Any] = list(rows_of(answer))
    found = [
        Found(
            _id_of(row),
            _text_of(row),
            {
                "source": row.get("url"),
                "title": row.get("title"),
                "provider": row["provider"],
                "rank": row["rank"],
                "published": row.get("publish_date"),
                "query": row["query"],
                **_ids_of(answer),
            },
        )
        for row in rows
        if _text_of(row)
    ]
    empty = [_no_text(row["provider"], row.get("url")) for row in rows if not _text_of(row)]
    has_answered = any(run["status"] == "succeeded" for run in answer["preprocessor_runs"])
    return _checked(found, [*failures(answer), *empty], has_answered, on_failure)


def found_pages(answer: FetchAnswer, on_failure: Optional[OnFailure]) -> list[Found]:
    """The pages of a fetch, in the order of their URLs. Raises NoDocumentsError when no page has a text."""
    read: list[Any] = [page for page in pages_of(answer) if page["status"] == "succeeded"]
    found = [
        Found(
            page["url"],
            page["content"],
            {
                "source": page["url"],
                "title": page["title"],
                "provider": page["provider"],
                "published": page.get("publish_date"),
                "truncated": page["truncated"],
                "content_length": page["content_length"],
                **_ids_of(answer),
            },
        )
        for page in read
        if page.get("content")
    ]
    empty = [_no_text(page["provider"], page["url"]) for page in read if not page.get("content")]
    return _checked(found, [*failures(answer), *empty], bool(found), on_failure)


IDS = ("session_id", "interaction_id")
"""Members of the metadata that say nothing to a model."""


def _ids_of(answer: Any) -> dict[str, Any]:
    return {name: answer[name] for name in IDS}


def _id_of(row: Any) -> str:
    """The same page of the same provider has the same id in every search."""
    url = row.get("url")
    return f"{row['provider']} {row['run_id']} {row['rank']}" if url is None else f"{row['provider']} {url}"


def _text_of(row: Any) -> str:
    """The whole page of a row where it has one, else its excerpt, its summary or its title, in this order."""
    names = ("full_content", "excerpt", "summary", "title")
    return next((row[name] for name in names if row.get(name)), "")


def _no_text(provider: Optional[str], url: Optional[str]) -> Failure:
    error = {"code": "no_text", "message": "it has no text"}
    failure: Any = {"provider": provider, **error, "error": error}
    if url is not None:
        failure["url"] = url
    return cast(Failure, failure)


def _checked(
    found: list[Found],
    failed: list[Failure],
    has_answered: bool,
    on_failure: Optional[OnFailure],
) -> list[Found]:
    """The documents, after the failures were reported. Failures without any answer are an error."""
    if failed and not has_answered:
        error = NoDocumentsError("\n".join(["no documents:", *map(_words, failed)]))
        error.failures = tuple(failed)
        raise error
    for failure in failed:
        (on_failure or _warn)(failure)
    return found


def _words(failure: Failure) -> str:
    message = f": {failure['message']}" if failure["message"] else ""
    where = failure.get("url") or failure["provider"] or "the request"
    return f"{where}: {failure['code']}{message}"


def _warn(failure: Failure) -> None:
    """The default, so that no failure goes unnoticed."""
    logging.getLogger("trawl").warning("%s", _words(failure))
