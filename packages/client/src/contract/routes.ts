// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.

/** The routes of the API: method and path, with `{name}` for a parameter. */
export type Endpoint =
  | 'POST /v1/search'
  | 'POST /v1/fetch'
  | 'POST /v1/interactions'
  | 'GET /v1/interactions'
  | 'POST /v1/context'
  | 'POST /v1/interactions/{interaction_id}/feedback'
  | 'GET /v1/interactions/{interaction_id}/feedback'
  | 'POST /v1/interactions/{interaction_id}/replay'
  | 'GET /v1/interactions/{interaction_id}/diff'
  | 'POST /v1/verify'
  | 'GET /v1/sessions'
  | 'GET /v1/sessions/{session_id}/history'
  | 'GET /v1/sessions/{session_id}/trajectory'
  | 'DELETE /v1/sessions/{session_id}'
  | 'GET /v1/usage'
  | 'GET /v1/preprocessors'
  | 'GET /v1/fetch-providers'
  | 'POST /v1/providers/{name}/probe'
  | 'GET /v1/providers/{name}/health'
  | 'POST /v1/providers/{name}/health/reset'
  | 'POST /v1/watches'
  | 'GET /v1/watches'
  | 'GET /v1/watches/{watch_id}'
  | 'PATCH /v1/watches/{watch_id}'
  | 'DELETE /v1/watches/{watch_id}'
  | 'POST /v1/watches/{watch_id}/run'
  | 'GET /v1/watches/{watch_id}/news'
  | 'GET /v1/admin/projects'
  | 'POST /v1/admin/projects'
  | 'GET /v1/admin/projects/{project_id}'
  | 'PATCH /v1/admin/projects/{project_id}'
  | 'DELETE /v1/admin/projects/{project_id}'
  | 'GET /v1/admin/keys'
  | 'POST /v1/admin/keys'
  | 'GET /v1/admin/keys/{key_id}'
  | 'PATCH /v1/admin/keys/{key_id}'
  | 'DELETE /v1/admin/keys/{key_id}'
  | 'POST /v1/admin/keys/{key_id}/rotate'
  | 'GET /v1/admin/members'
  | 'GET /healthz'
  | 'GET /readyz'
  | 'GET /openapi.json';

export const TIERS = ['minimalist', 'default', 'extended', 'max'] as const;

export const FIELDS = [
  'url',
  'title',
  'rank',
  'summary',
  'excerpt',
  'full_content',
  'publish_date',
  'thumbnail',
  'favicon',
  'source',
  'enrichments',
  'fetch_meta',
  'usage',
  'answer',
  'entities',
  'related',
  'verticals',
  'latency_ms',
  'warnings',
] as const;

/** The most of each that one search may ask for. */
export const LIMITS = { queries: 32, results: 20 } as const;
