"""The routes of the HTTP API. Made from the contract by `npm run generate -w @trawl/client`; not to be edited."""

from typing import NamedTuple


class Route(NamedTuple):
    method: str
    path: str
    needs_key: bool
    query: tuple[str, ...]
    """Names of its parameters."""


ROUTES: dict[str, Route] = {
    "search": Route("POST", "/v1/search", True, ("dry_run", "max_chars",)),
    "fetch": Route("POST", "/v1/fetch", True, ("dry_run", "max_chars",)),
    "create_interaction": Route("POST", "/v1/interactions", True, ("dry_run", "max_chars",)),
    "read_interaction": Route("GET", "/v1/interactions", True, ("session_id", "interaction_id", "max_chars",)),
    "context": Route("POST", "/v1/context", True, ("dry_run",)),
    "give_feedback": Route("POST", "/v1/interactions/{interaction_id}/feedback", True, ()),
    "read_feedback": Route("GET", "/v1/interactions/{interaction_id}/feedback", True, ()),
    "replay": Route("POST", "/v1/interactions/{interaction_id}/replay", True, ("dry_run",)),
    "diff": Route("GET", "/v1/interactions/{interaction_id}/diff", True, ("with",)),
    "verify": Route("POST", "/v1/verify", True, ()),
    "list_sessions": Route("GET", "/v1/sessions", True, ("limit", "before", "session_id", "include", "before_id",)),
    "session_history": Route("GET", "/v1/sessions/{session_id}/history", True, ("type", "limit", "after",)),
    "session_trajectory": Route("GET", "/v1/sessions/{session_id}/trajectory", True, ("limit", "after",)),
    "delete_session": Route("DELETE", "/v1/sessions/{session_id}", True, ()),
    "usage": Route("GET", "/v1/usage", True, ("from", "to", "group_by", "format",)),
    "preprocessors": Route("GET", "/v1/preprocessors", False, ()),
    "fetch_providers": Route("GET", "/v1/fetch-providers", False, ()),
    "probe": Route("POST", "/v1/providers/{name}/probe", True, ("dry_run",)),
    "provider_health": Route("GET", "/v1/providers/{name}/health", True, ()),
    "reset_provider_health": Route("POST", "/v1/providers/{name}/health/reset", True, ()),
    "create_watch": Route("POST", "/v1/watches", True, ("dry_run",)),
    "list_watches": Route("GET", "/v1/watches", True, ("limit", "after",)),
    "read_watch": Route("GET", "/v1/watches/{watch_id}", True, ()),
    "change_watch": Route("PATCH", "/v1/watches/{watch_id}", True, ()),
    "delete_watch": Route("DELETE", "/v1/watches/{watch_id}", True, ()),
    "run_watch": Route("POST", "/v1/watches/{watch_id}/run", True, ("dry_run",)),
    "watch_news": Route("GET", "/v1/watches/{watch_id}/news", True, ("after", "limit",)),
    "list_projects": Route("GET", "/v1/admin/projects", True, ("name", "limit", "after",)),
    "create_project": Route("POST", "/v1/admin/projects", True, ()),
    "read_project": Route("GET", "/v1/admin/projects/{project_id}", True, ()),
    "change_project": Route("PATCH", "/v1/admin/projects/{project_id}", True, ()),
    "delete_project": Route("DELETE", "/v1/admin/projects/{project_id}", True, ()),
    "list_keys": Route("GET", "/v1/admin/keys", True, ("project_id", "name", "limit", "after",)),
    "create_key": Route("POST", "/v1/admin/keys", True, ()),
    "read_key": Route("GET", "/v1/admin/keys/{key_id}", True, ()),
    "change_key": Route("PATCH", "/v1/admin/keys/{key_id}", True, ()),
    "delete_key": Route("DELETE", "/v1/admin/keys/{key_id}", True, ()),
    "rotate_key": Route("POST", "/v1/admin/keys/{key_id}/rotate", True, ()),
    "list_members": Route("GET", "/v1/admin/members", True, ("project_id", "limit", "after",)),
    "health": Route("GET", "/healthz", False, ()),
    "readiness": Route("GET", "/readyz", False, ()),
    "openapi": Route("GET", "/openapi.json", False, ()),
}
