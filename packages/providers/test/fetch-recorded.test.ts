import type { RowErrorCode } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { FETCH_PROVIDERS } from '../src/index.ts';
import { expectCleanReading } from './support/clean-page.ts';
import { fetchPlan, readPage } from './support/fetch-plan.ts';
import { hasRecordings, NO_RECORDINGS, readIndex, readRecording } from './support/recordings.ts';

interface Recording {
  readonly file: string;
  readonly provider: string;
  readonly kind: string;
  readonly http_status: number | null;
  readonly request: { readonly path?: string; readonly body?: { readonly url?: unknown } };
}

/** Recordings of an endpoint that collects whole sites, which we never call. */
const isOfAnotherEndpoint = ({ request }: Recording) => /^\/v\d\/crawl\//.test(request.path ?? '');

/** Answers to calls that asked only for excerpts; ours asks for the page. */
const WITHOUT_PAGE = new Set(['parallel/fetch/docs-v1-extract-quickstart-un-history.json']);

/** The verdict of each failed answer that is about the page; the others are about the call. */
const VERDICTS: Readonly<Record<string, RowErrorCode>> = {
  'brightdata/error/linkedin-post-crawl-failed-record.json': 'provider_error',
  'firecrawl/error/issue-scrape-timeout.json': 'timeout',
  'linkup/error/sdk-test-fetch-400-fetch-error.json': 'target_error',
  'linkup/error/sdk-test-fetch-400-fetch-response-too-large.json': 'too_large',
  'linkup/error/sdk-test-fetch-400-fetch-target-unreachable.json': 'target_error',
};
/** The status of a recording without one: the vendor documents it for this body. */
const TIMED_OUT = 408;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The address that an answer is about, if the recording has it. */
function addressOf(body: unknown, { request }: Recording): string {
  const record = Object(body);
  const [row] = Array.isArray(record.results) ? record.results : [record];
  const asked = textOf(request.body?.url) ?? textOf(Object(Object(row).input).url);
  const inPath = /^\/(https?:.+)$/.exec(request.path ?? '')?.[1];
  return asked ?? inPath ?? textOf(Object(row).url) ?? 'https://www.example.com/';
}

/**
 * The pages of a recording: a list holds records that were collected together, and each is a page
 * of its own.
 */
function bodiesOf({ file, provider }: Recording): readonly unknown[] {
  const text = readRecording(file);
  if (file.endsWith('.txt')) return [vendorOf(provider)?.readText?.(text)];
  const body: unknown = JSON.parse(text);
  if (Array.isArray(body)) return body.map((record) => [record]);
  // recorded without its envelope
  return file.endsWith('-data-object.json') ? [{ code: 200, status: 20000, data: body }] : [body];
}

const VENDORS = FETCH_PROVIDERS.filter((provider) => provider.kind === 'vendor');
const vendorOf = (slug: string) => VENDORS.find((vendor) => vendor.slug === slug);

if (!hasRecordings) {
  test.skip(`recorded pages ${NO_RECORDINGS}`, () => {});
} else {
  const recorded = readIndex<Recording>().filter(
    (one) => ['fetch', 'error'].includes(one.kind) && !isOfAnotherEndpoint(one),
  );
  // some vendors lack recorded pages
  const known = VENDORS.filter(({ slug }) => recorded.some(({ provider }) => provider === slug));

  describe.each(known.map((vendor) => [vendor.slug, vendor] as const))(
    'real pages of %s',
    (slug, provider) => {
      const own = recorded.filter(({ provider: name }) => name === slug);
      const cases = (kind: string) =>
        own.filter((one) => one.kind === kind).map((one) => [one.file, one] as const);

      test.each(cases('fetch'))('%s is a page with content', (file, recording) => {
        const bodies = bodiesOf(recording);
        expect(bodies.length).toBeGreaterThan(0);
        for (const body of bodies) {
          const first = Array.isArray(body) ? body[0] : body;
          const reading = readPage(provider, body, fetchPlan(addressOf(first, recording), 'max'));
          if (reading?.kind !== 'page') throw new Error(`no page: ${JSON.stringify(reading)}`);
          expectCleanReading(reading);
          const { content } = reading.page;
          if (WITHOUT_PAGE.has(file)) expect(content).toBeNull();
          else expect(content?.trim()).toBeTruthy();
        }
      });

      test.each(cases('error'))('%s gets the right verdict or failure', (file, recording) => {
        const [body] = bodiesOf(recording);
        const status = recording.http_status ?? TIMED_OUT;
        const plan = fetchPlan(addressOf(Array.isArray(body) ? body[0] : body, recording), 'max');
        const reading =
          status === 200
            ? readPage(provider, body, plan)
            : provider.readFailedAnswer?.({ status, body, headers: {} }, plan);
        const code = reading?.kind === 'verdict' ? reading.verdict.code : undefined;
        expect(code).toBe(VERDICTS[file]);
        // never read as a page, with any status
        expect(readPage(provider, body, plan)?.kind).not.toBe('page');
      });
    },
  );
}
