/** https://docs.brightdata.com/api-reference/web-scraper-api/synchronous-requests */
import { isJsonObject, type JsonObject, parseJson } from '@trawl/contract';
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import { type PageReading, verdict } from '../parsed/page.ts';
import { objects } from '../values/json.ts';
import { text } from '../values/text.ts';
import { ALLOWED } from './allowlist.ts';
import { collectedUrl, DATASETS, type RecordKind, recordKind } from './kinds.ts';
import { readRecord } from './record.ts';

/** Where the kind is not known, no field is excluded. */
const isOf = ({ url }: FetchPlan, ...kinds: readonly RecordKind[]): boolean => {
  const kind = recordKind(new URL(url));
  return kind === null || kinds.includes(kind);
};

/** Its collection for the address. Only accepted addresses are ever planned. */
function target(plan: FetchPlan): { readonly kind: RecordKind; readonly url: string } {
  const url = new URL(plan.url);
  return { kind: recordKind(url) ?? 'company', url: collectedUrl(url) };
}

function request(plan: FetchPlan) {
  const { kind, url } = target(plan);
  return {
    method: 'POST',
    path: '/datasets/v3/scrape',
    query: {
      dataset_id: DATASETS[kind],
      format: 'json',
      include_errors: true,
      custom_output_fields: ALLOWED[kind].join('|'),
    },
    body: { input: [{ url }] },
  } as const;
}

/** Any other state is that of a collection that is not done. */
const isRecord = (answer: JsonObject): boolean =>
  ['timestamp', 'input', 'error_code', 'url'].some((key) => answer[key] !== undefined);

/** The name becomes part of a path. */
const SNAPSHOT = /^\w[\w-]{0,127}$/;

const ENDED = /^(?:failed|cancell?ed)$/i;

function isAnswer(body: unknown): body is JsonObject | readonly unknown[] {
  if (!isJsonObject(body)) return Array.isArray(body);
  if (isRecord(body)) return true;
  const [snapshot, status] = [text(body.snapshot_id), text(body.status)];
  const isWaiting = snapshot === null ? status !== null : SNAPSHOT.test(snapshot);
  return isWaiting && !ENDED.test(status ?? '');
}

/** Asks first for the progress, then for the record. The end of the path names the job. */
function pending(
  { snapshot_id: snapshot, status }: JsonObject,
  job: string | undefined,
): PageReading {
  const name = job === undefined ? text(snapshot) : job.replace(/^.*\//, '');
  if (name === null) return verdict('provider_error', 'no_snapshot');
  const isReady = job?.startsWith(PROGRESS) === true && status === 'ready';
  if (isReady) return { kind: 'pending', job: `${DOWNLOAD}${name}`, isDue: true };
  return { kind: 'pending', job: job ?? `${PROGRESS}${name}` };
}

const PROGRESS = 'progress/';
const DOWNLOAD = 'snapshot/';

function parse(body: unknown, plan: FetchPlan, job?: string): PageReading {
  if (isJsonObject(body) && !isRecord(body)) {
    return pending(body, job);
  }
  const [record] = isJsonObject(body) ? [body] : objects(body);
  const { kind, url } = target(plan);
  return record ? readRecord(record, kind, url) : verdict('provider_error', 'no_record');
}

/** One record on each line: it may send this form for any request. */
function readText(answer: string): unknown {
  try {
    const records: unknown[] = answer
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseJson(line));
    return records.every(isJsonObject) ? records : undefined;
  } catch {
    return undefined;
  }
}

export const brightdataFetch = defineFetch({
  description: 'LinkedIn companies, jobs and company posts as records. Only when pinned.',
  docsUrl: 'https://docs.brightdata.com/api-reference/web-scraper-api/synchronous-requests',
  chain: 'pinned_only',
  lowestMaxAgeSeconds: 0,
  accepts: (url) => recordKind(url) !== null,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: [
      'title',
      'canonical_url',
      'description',
      'thumbnail',
      'links',
      'images',
      'metadata',
      'usage',
      'structured',
    ],
    onCondition: {
      publish_date: {
        when: (plan) => isOf(plan, 'job', 'post'),
        reason: 'comes with jobs and posts only',
      },
      media: { when: (plan) => isOf(plan, 'post'), reason: 'comes with posts only' },
    },
  }),
  timeoutMs: 115_000,
  concurrency: 10,
  // each delivered record is billed, and a failed page may be a delivered record that is not shown
  price: (_plan, _page, rates) => ({ usd: rates.fetch_record ?? 0, kind: 'estimated' }),
  failedPages: 'unknown',
  neverRetried: true,
  request,
  // the record is cut to the same list here
  optionalParts: [
    {
      in: 'query',
      name: 'custom_output_fields',
      isRefused: refusesParameter('custom_output_fields'),
    },
  ],
  response: z.unknown().refine(isAnswer),
  parse,
  readText,
  readFailedAnswer: ({ status }, _plan, job) =>
    status === 409 && job !== undefined ? { kind: 'pending', job } : undefined,
  collect: {
    follow: (job) => ({
      method: 'GET',
      path: `/datasets/v3/${job}`,
      ...(job.startsWith(DOWNLOAD) ? { query: { format: 'json' } } : {}),
    }),
    everyMs: 2_000,
    withinMs: 110_000,
  },
});
