"""The rows of a search as text for a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Optional

from ._text import GAPS, WHITE, attribute, fenced, grouped, one_line
from .answers import fused, rows_of
from .types import FoundRow

_PASSAGES_MAX = 20
"""Texts of more passages than this are compared as a whole: each passage costs a search of the longer texts."""

_PASSAGE_GAP = re.compile(r" ?\[(?:\.{3}|…)\] ?|\n")
"""Vendors join passages of a page by these, or by line breaks."""


def query_blocks(runs: list[Any]) -> list[str]:
    """The results as one fence per query: the rows of all providers that answered, each page once."""
    answered = [run for run in runs if run["output_payload"] is not None]
    return [_query_block(group) for group in grouped(answered, lambda run: run["batch_index"])]


def _query_block(runs: list[Any]) -> str:
    extras = [
        _indented(f"{what} of {run['preprocessor_name']}: {text}")
        for run in runs
        for what, text in _extras_of(run["output_payload"])
    ]
    answer: Any = {"preprocessor_runs": runs}
    rows = [
        _row_text(found, index + 1, len(runs) > 1)
        for index, (_, found) in enumerate(fused(rows_of(answer)))
    ]
    body = fenced("\n".join([*extras, *(rows or ["No results."])]))
    providers = attribute(", ".join(run["preprocessor_name"] for run in runs))
    query = attribute(runs[0]["query"])
    return f'<results provider="{providers}" query="{query}">\n{body}\n</results>'


def _extras_of(output: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a provider returned in addition to pages: an answer, entities, related searches."""
    things = [
        one_line(f"{name} ({description})" if description else name)
        for name, description in (
            (entity["name"], entity.get("description")) for entity in output.get("entities") or []
        )
    ]
    related = output.get("related") or []
    extras = [("Answer", output["answer"]["text"])] if output.get("answer") else []
    extras += [("Entities", "; ".join(things))] if things else []
    return extras + ([("Related searches", one_line("; ".join(related)))] if related else [])


def _row_text(found: list[FoundRow], place: int, is_merged: bool) -> str:
    """Place, title and date; the URL and the providers that found it, with their ranks; then the texts, each only once. Lines
    after the first one are indented by one space, which costs no token."""
    by_rank: list[Any] = sorted(found, key=lambda row: row["rank"])

    def first(name: str) -> Optional[str]:
        """The text of the best ranked row that has it."""
        return next((row[name] for row in by_rank if row.get(name)), None)

    title = one_line(first("title") or "(no title)")
    published = first("publish_date")
    date = f" [{published.split('T', 1)[0]}]" if published else ""
    finds = [f"{row['provider']}#{row['rank']}" for row in found] if is_merged else []
    where = " ".join([part for part in (first("url"), *finds) if part])
    given = (GAPS.sub(" ", first("summary") or ""), first("excerpt"), first("full_content"))
    texts = [_without_empty_lines(_without_title(text or "", title)) for text in given]
    lines = [f"{place}. {title}{date}", where, *_distinct_texts(texts)]
    head, *rest = [line for line in lines if line]
    return "\n".join([head, *(f" {_indented(line)}" for line in rest)])


def _without_title(text: str, title: str) -> str:
    """Without a heading that repeats the title of the row."""
    heading = f"# {title}"
    rest = text.lstrip(WHITE)
    following = rest[len(heading) : len(heading) + 1]
    if rest.startswith(heading) and not following.strip(WHITE):
        return rest[len(heading) :].lstrip(WHITE)
    return text


def _without_empty_lines(text: str) -> str:
    """Removes empty lines, which would end the item of the list."""
    lines = (line.rstrip(WHITE) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _indented(text: str) -> str:
    return _without_empty_lines(text).replace("\n", "\n ")


def _distinct_texts(texts: list[str]) -> list[str]:
    """Texts about one page, without what a longer one of them has too: a whole text, or passages of it. Line breaks do not
    count. Their order stays."""
    kept: dict[int, str] = {}
    words = [_plain(text) for text in texts]
    seen: list[str] = []
    for index in sorted(range(len(texts)), key=lambda index: -len(words[index])):
        if not words[index] or _is_known(words[index], seen):
            continue
        kept[index] = _without_passages(texts[index], seen) if seen else texts[index]
        seen.append(words[index])
    return [text for _, text in sorted(kept.items()) if text]


def _without_passages(text: str, seen: list[str]) -> str:
    """The passages that are not known. Gaps between those that stay are kept."""
    passages = _PASSAGE_GAP.split(text)
    if len(passages) > _PASSAGES_MAX:
        return text
    fresh = [part for part in passages if part.strip(WHITE) and not _is_known(_plain(part), seen)]
    return text if len(fresh) == len(passages) else " [...] ".join(fresh)


def _is_known(words: str, seen: list[str]) -> bool:
    return any(words in longer for longer in seen)


def _plain(text: str) -> str:
    return GAPS.sub(" ", text).strip(WHITE)
