"""The routes of the HTTP API. Made from the contract by `npm run generate -w @trawl/client`; not to be edited."""

from typing import NamedTuple


class Route(NamedTuple):
    method: str
    path: str
    needs_key: bool
    query: tuple[str, ...]
    """Names of its parameters."""


ROUTES: dict[str, Route] = {
    "search": Route("POST", "/v1/search", True, ("dry_run",)),
    "fetch": Route("POST", "/v1/fetch", True, ("dry_run",)),
    "create_interaction": Route("POST", "/v1/interactions", True, ("dry_run",)),
    "read_interaction": Route("GET", "/v1/interactions", True, ("session_id", "interaction_id",)),
    "give_feedback": Route("POST", "/v1/interactions/{interaction_id}/feedback", True, ()),
    "read_feedback": Route("GET", "/v1/interactions/{interaction_id}/feedback", True, ()),
    "replay": Route("POST", "/v1/interactions/{interaction_id}/replay", True, ("dry_run",)),
    "diff": Route("GET", "/v1/interactions/{interaction_id}/diff", True, ("with",)),
    "verify": Route("POST", "/v1/verify", True, ()),
    "list_sessions": Route("GET", "/v1/sessions", True, ("limit", "before", "session_id", "include", "before_id",)),
    "session_history": Route("GET", "/v1/sessions/{session_id}/history", True, ("type", "limit", "after",)),
    "session_trajectory": Route("GET", "/v1/sessions/{session_id}/trajectory", True, ("limit", "after",)),
    "delete_session": Route("DELETE", "/v1/sessions/{session_id}", True, ()),
    "usage": Route("GET", "/v1/usage", True, ("from", "to", "group_by",)),
    "preprocessors": Route("GET", "/v1/preprocessors", False, ()),
    "fetch_providers": Route("GET", "/v1/fetch-providers", False, ()),
    "probe": Route("POST", "/v1/providers/{name}/probe", True, ("dry_run",)),
    "health": Route("GET", "/healthz", False, ()),
    "readiness": Route("GET", "/readyz", False, ()),
    "openapi": Route("GET", "/openapi.json", False, ()),
}
