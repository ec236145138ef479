"""Tools for models. Made from those of the TypeScript client by `npm run generate -w @trawl/client`; not to be edited."""

from typing import Any

QUERY_OR_QUERIES = "Pass either query, or queries for several at once."

TOOLS: dict[str, dict[str, Any]] = {
    "web_search": {
        "description": "Searches the web through several providers at once and returns one list (title, URL, summary): each page once, best first, with the providers that found it and its rank there (exa#2). Use it for current facts and for finding pages; to read a page whose URL is known, use web_fetch. A provider that failed is marked FAILED: that is not \"nothing found\".",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {
                    "description": "What to search for.",
                    "type": "string",
                    "minLength": 1,
                },
                "queries": {
                    "description": "Several queries at once, instead of `query`.",
                    "minItems": 1,
                    "maxItems": 32,
                    "type": "array",
                    "items": {
                        "type": "string",
                        "minLength": 1,
                    },
                },
                "num_results": {
                    "description": "Results per provider and query.",
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 20,
                },
                "include_domains": {
                    "description": "Only these sites, such as docs.python.org.",
                    "minItems": 1,
                    "type": "array",
                    "items": {
                        "type": "string",
                        "minLength": 1,
                    },
                },
                "exclude_domains": {
                    "description": "Not these sites.",
                    "minItems": 1,
                    "type": "array",
                    "items": {
                        "type": "string",
                        "minLength": 1,
                    },
                },
                "published_after": {
                    "description": "Published on this day or later: YYYY-MM-DD.",
                    "type": "string",
                },
                "published_before": {
                    "description": "Published on this day or earlier.",
                    "type": "string",
                },
                "country": {
                    "description": "Two letters: DE.",
                    "type": "string",
                    "minLength": 2,
                    "maxLength": 2,
                },
                "language": {
                    "description": "Two letters: de.",
                    "type": "string",
                    "minLength": 2,
                    "maxLength": 2,
                },
                "safe_search": {
                    "description": "Leave out adult content.",
                    "type": "string",
                    "enum": [
                        "off",
                        "moderate",
                        "strict",
                    ],
                },
            },
        },
    },
    "web_fetch": {
        "description": "Reads whole web pages and documents by URL and returns their text as numbered sources. Use it when a URL is known, such as one from web_search; it does not search. A page that could not be read is marked FAILED, with the reason.",
        "parameters": {
            "type": "object",
            "properties": {
                "urls": {
                    "minItems": 1,
                    "type": "array",
                    "items": {
                        "type": "string",
                        "minLength": 1,
                    },
                    "description": "The pages, each an absolute http or https URL.",
                },
                "offset": {
                    "description": "Skips this many characters of each page, to read on where one was cut.",
                    "type": "integer",
                    "minimum": 0,
                },
            },
            "required": [
                "urls",
            ],
        },
    },
}
