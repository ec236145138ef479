import type { FetchRow, FetchRun, PreprocessorRun, SearchAnswer, SearchRun } from '@trawl/client';

/** A run of a search on a made-up provider. */
export const searchRun = (given: Partial<SearchRun> = {}): SearchRun => ({
  id: 'run-1',
  preprocessor_name: 'alpha',
  status: 'succeeded',
  batch_index: 0,
  query: 'tidal power',
  request_payload: {},
  output_payload: {
    schema_version: 2,
    tier: 'default',
    fields: ['url', 'title', 'rank', 'summary'],
    results: [],
    latency_ms: 12,
    warnings: [],
  },
  raw_payload: null,
  error: null,
  latency_ms: 12,
  ...given,
});

export const withRows = (results: NonNullable<SearchRun['output_payload']>['results']) => ({
  output_payload: {
    schema_version: 2 as const,
    tier: null,
    fields: [],
    results,
    latency_ms: 12,
    warnings: [],
  },
});

/** A page that was read. */
export const page = (given: Partial<FetchRow> = {}): FetchRow => ({
  url: 'https://site.example/page',
  status: 'succeeded',
  error: null,
  title: 'A page',
  content: 'Some text.',
  content_format: 'markdown',
  content_length: [...(given.content ?? 'Some text.')].length,
  http_status: 200,
  provider: 'alpha',
  latency_ms: 30,
  warnings: [],
  truncated: false,
  warning: null,
  canonical_url: null,
  cache_state: null,
  request_id: null,
  ...given,
});

export const failedPage = (url: string, code: string): FetchRow =>
  page({
    url,
    status: 'failed',
    title: null,
    content: null,
    content_length: null,
    error: { code, message: `it is ${code}`, provider: 'alpha', retryable: false, attempts: 1 },
  });

export const fetchRun = (pages: readonly FetchRow[]): FetchRun => ({
  ...searchRun({ preprocessor_name: 'web_fetch', query: '' }),
  output_payload: {
    fetched_results: [...pages],
    succeeded_count: pages.length,
    failed_count: 0,
    warnings: [],
  },
});

export const answer = <Run extends PreprocessorRun>(...runs: readonly Run[]) =>
  ({ preprocessor_runs: runs }) satisfies Partial<Record<keyof SearchAnswer, unknown>>;
