/** What is measured: a request of ours next to the least code that does the same work, or alone. */
export interface Case {
  readonly name: string;
  readonly connections: number;
  readonly path: string;
  /** The body of each request, by its number. */
  readonly body: (request: number) => string;
  /** What it is compared with; absent = nothing. */
  readonly bare?: { readonly body: (request: number) => string };
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

export const CASES: readonly Case[] = [
  { name: 'search', connections: 1, path: '/v1/search', body: SEARCH, bare: { body: SEARCH } },
  { name: 'search', connections: 32, path: '/v1/search', body: SEARCH, bare: { body: SEARCH } },
  { name: 'search', connections: 256, path: '/v1/search', body: SEARCH, bare: { body: SEARCH } },
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
    name: 'search, records in PostgreSQL',
    connections: 32,
    path: '/v1/search',
    body: SEARCH,
    bare: { body: SEARCH },
    isPostgres: true,
  },
  { name: 'dry run', connections: 32, path: '/v1/search?dry_run=true', body: SEARCH },
];

/** The case whose cost the check compares with the recorded one. */
export const CHECKED_CASE = CASES.find(
  ({ name, connections }) => name === 'search' && connections === 32,
);
