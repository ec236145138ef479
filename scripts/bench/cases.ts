/** What is measured: a request of ours next to the least code that does the same work, or alone. */
export interface Case {
  readonly name: string;
  readonly connections: number;
  readonly path: string;
  /** The body of each request, by its number; absent = a GET. */
  readonly body?: (request: number) => string;
  /** The answer is wanted in events. */
  readonly wantsEvents?: boolean;
  /** Requests before the first measurement, whose records it reads. */
  readonly before?: { readonly path: string; readonly body: () => string; readonly count: number };
  /** What it is compared with; absent = nothing. */
  readonly bare?: { readonly body: (request: number) => string };
  /** Compared with the one that records, too. */
  readonly isRecorded?: boolean;
  /** How much one request does, such as its runs: costs are shown for one of them. */
  readonly units?: number;
  /** Recorded in PostgreSQL; absent = in SQLite. */
  readonly isPostgres?: boolean;
}

const always = (value: unknown) => {
  const text = JSON.stringify(value);
  return () => text;
};

const SEARCH = always({
  user_input: { query: 'tidal power' },
  search: { tier: 'max', num_results: 10 },
});
const BATCH_QUERIES = 16;
const BATCH = always({
  user_input: Array.from({ length: BATCH_QUERIES }, (_, index) => ({ query: `tidal ${index}` })),
  search: { tier: 'max', num_results: 10 },
});
const CACHED = always({ urls: ['https://example.org/cached'] });
const PAGES = 20;
const CACHED_PAGES = always({
  urls: Array.from({ length: PAGES }, (_, index) => `https://example.org/cached-${index}`),
});
/** Its URL is new each time, so it is neither shared nor cached. */
const fresh = (request: number) =>
  JSON.stringify({ urls: [`https://example.org/page-${request}`], options: { no_cache: true } });

/** Of the session that the history is of. */
const SESSION = '018f0000-0000-7000-8000-000000000001';
const INTERACTIONS = 1000;
const IN_SESSION = always({
  user_input: { query: 'tidal power' },
  search: { tier: 'max', num_results: 10 },
  session_id: SESSION,
});

const search = (connections: number): Case => ({
  name: 'search',
  connections,
  path: '/v1/search',
  body: SEARCH,
  bare: { body: SEARCH },
  isRecorded: true,
});

export const CASES: readonly Case[] = [
  search(1),
  search(32),
  search(256),
  {
    name: 'fetch, page from the cache',
    connections: 32,
    path: '/v1/fetch',
    body: CACHED,
    bare: { body: fresh },
  },
  {
    name: 'fetch, one provider',
    connections: 32,
    path: '/v1/fetch',
    body: fresh,
    bare: { body: fresh },
  },
  {
    name: `fetch, ${PAGES} pages from the cache, a page`,
    connections: 8,
    path: '/v1/fetch',
    body: CACHED_PAGES,
    units: PAGES,
  },
  {
    name: `batch of ${BATCH_QUERIES} queries, a run`,
    connections: 4,
    path: '/v1/search',
    body: BATCH,
    units: 2 * BATCH_QUERIES,
  },
  {
    name: 'search, answer in events',
    connections: 32,
    path: '/v1/search',
    body: SEARCH,
    wantsEvents: true,
    // in one piece
    bare: { body: SEARCH },
  },
  {
    name: 'search, records in PostgreSQL',
    connections: 32,
    path: '/v1/search',
    body: SEARCH,
    bare: { body: SEARCH },
    isPostgres: true,
  },
  { name: 'dry run', connections: 32, path: '/v1/search?dry_run=true', body: SEARCH },
  // last, since its large answers grow the process
  {
    name: 'history, an interaction',
    connections: 1,
    path: `/v1/sessions/${SESSION}/history`,
    before: { path: '/v1/interactions', body: IN_SESSION, count: INTERACTIONS },
    units: INTERACTIONS,
  },
];

/** The case whose cost the check compares with the recorded one. */
export const CHECKED_CASE = CASES.find(
  ({ name, connections }) => name === 'search' && connections === 32,
);
