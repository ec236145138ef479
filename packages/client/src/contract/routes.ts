// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.

export const ROUTES = {
  search: { method: 'POST', path: '/v1/search', needsKey: true },
  fetch: { method: 'POST', path: '/v1/fetch', needsKey: true },
  createInteraction: { method: 'POST', path: '/v1/interactions', needsKey: true },
  readInteraction: { method: 'GET', path: '/v1/interactions', needsKey: true },
  giveFeedback: {
    method: 'POST',
    path: '/v1/interactions/{interaction_id}/feedback',
    needsKey: true,
  },
  readFeedback: {
    method: 'GET',
    path: '/v1/interactions/{interaction_id}/feedback',
    needsKey: true,
  },
  listSessions: { method: 'GET', path: '/v1/sessions', needsKey: true },
  sessionHistory: { method: 'GET', path: '/v1/sessions/{session_id}/history', needsKey: true },
  sessionTrajectory: {
    method: 'GET',
    path: '/v1/sessions/{session_id}/trajectory',
    needsKey: true,
  },
  deleteSession: { method: 'DELETE', path: '/v1/sessions/{session_id}', needsKey: true },
  usage: { method: 'GET', path: '/v1/usage', needsKey: true },
  preprocessors: { method: 'GET', path: '/v1/preprocessors', needsKey: false },
  fetchProviders: { method: 'GET', path: '/v1/fetch-providers', needsKey: false },
  probe: { method: 'POST', path: '/v1/providers/{name}/probe', needsKey: true },
  health: { method: 'GET', path: '/healthz', needsKey: false },
  readiness: { method: 'GET', path: '/readyz', needsKey: false },
  openapi: { method: 'GET', path: '/openapi.json', needsKey: false },
} as const;

export type RouteId = keyof typeof ROUTES;

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
