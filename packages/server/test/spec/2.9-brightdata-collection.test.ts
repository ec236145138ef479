import { beforeAll, describe, expect, test } from 'vitest';
import {
  COMPANY,
  COMPANY_URL,
  JOB,
  JOB_URL,
  POST,
  POST_URL,
  SYSTEM,
} from './support/brightdata-records.ts';
import {
  booked,
  fetchPage,
  pageOf,
  type StubCall,
  type StubReply,
  useStubFor,
  useUnclearedStubFor,
} from './support/fetched-pages.ts';
import { asLine, callsTo, useServer, useUnclearedServer } from './support/search-runs.ts';

const SITE = 'https://www.linkedin.com';
const server = useServer();
const stub = useStubFor('brightdata');
const ALONE = { providers: ['brightdata'] };

/** A page that was reached but gave no text: a failed row of a 200. */
async function failed(records: unknown, url: string) {
  stub().respond(() => ({ body: records }));
  const fetched = await fetchPage(stub(), url, { ...ALONE, tier: 'max' });
  expect(fetched.row).toMatchObject({
    status: 'failed',
    provider: 'brightdata',
    content: null,
    title: null,
    structured: null,
    metadata: null,
  });
  expect(fetched.row.error?.code).toBe('provider_error');
  expect(fetched.row.warnings.map(asLine)).toEqual([
    expect.stringMatching(/^provider_error .*brightdata/),
  ]);
  expect(stub().received).toHaveLength(1);
  return fetched;
}

describe('2.9 brightdata: a post by an individual account', () => {
  const { account_type: _, ...untyped } = POST;
  const by = { user_id: 'orla-quench', title: 'Orla Quench on LinkedIn', headline: 'Orla Quench' };
  const inProfile = `${SITE}/in/orla-quench`;
  test.each([
    ['of type Person', { ...POST, account_type: 'Person' }],
    ['of type personal', { ...POST, account_type: 'personal' }],
    ['of type PERSON', { ...POST, account_type: 'PERSON' }],
    ['without a type, at a profile (use_url)', { ...untyped, use_url: inProfile }],
    [
      'without a type, at a profile (user_url)',
      { ...untyped, use_url: undefined, user_url: inProfile },
    ],
    ['of no known type, at a profile', { ...POST, account_type: 'Creator', use_url: inProfile }],
    ['of type null, at a profile', { ...POST, account_type: null, use_url: `${inProfile}/` }],
    [
      'of type null, at a profile in another language',
      { ...POST, account_type: null, use_url: 'https://at.linkedin.com/in/orla-quench?trk=x' },
    ],
  ])('2.9 brightdata: a post %s fails with a provider_error', async (_how, record) => {
    const { text } = await failed([{ ...record, ...by, ...SYSTEM }], POST_URL);
    expect(text).not.toContain('Orla Quench');
    expect(text).not.toContain('Our new reading room');
  });
});

test('2.9 brightdata: a dead page fails with a provider_error', async () => {
  const error = { error: 'Page does not exist.', error_code: 'dead_page', status_code: 404 };
  await failed([{ ...error, ...SYSTEM }], COMPANY_URL);
});

test('2.9 brightdata: a dead page that was delivered with a warning fails the same way', async () => {
  await failed([{ ...COMPANY, warning_code: 'dead_page', warning: 'Gone.' }], COMPANY_URL);
});

test.each([
  ['code', { error_code: 'blocked' }],
  ['text', { error: 'Collection failed' }],
  ['code of an unknown kind', { error_code: 'never_seen_before', status_code: 500 }],
])('2.9 brightdata: a record with an error %s fails with a provider_error', async (_how, error) => {
  await failed([{ ...error, ...SYSTEM }], COMPANY_URL);
});

test('2.9 brightdata: the texts of a failed record are not passed on', async () => {
  const error = { error: 'Orla Quench has left the page', error_code: 'parse_error' };
  const { text } = await failed([{ ...error, ...SYSTEM }], COMPANY_URL);
  expect(text).not.toContain('Orla Quench');
});

test('2.9 brightdata: an answer without a record fails with a provider_error', async () => {
  await failed([], COMPANY_URL);
});

const NO_TEXT = { about: null, description: '', industries: null, followers: null };
test.each<readonly [string, string, object]>([
  ['company without a name', COMPANY_URL, { ...COMPANY, name: null }],
  ['company with a blank name', COMPANY_URL, { ...COMPANY, name: '  ' }],
  ['company with nothing but a name', COMPANY_URL, { ...COMPANY, ...NO_TEXT }],
  ['job without a title', JOB_URL, { ...JOB, job_title: null }],
  [
    'job without a description',
    JOB_URL,
    { ...JOB, job_summary: null, job_description_formatted: null },
  ],
  ['post without text', POST_URL, { ...POST, post_text: null }],
  ['post with blank text', POST_URL, { ...POST, post_text: ' \n ' }],
])(
  '2.9 brightdata: a record with too little, a %s, fails with a provider_error',
  async (_how, url, record) => {
    await failed([{ ...record, ...SYSTEM }], url);
  },
);

test.each<readonly [string, string, object]>([
  ['company with only followers', COMPANY_URL, { ...COMPANY, ...NO_TEXT, followers: 12 }],
  ['job with only its formatted description', JOB_URL, { ...JOB, job_summary: null }],
])('2.9 brightdata: a %s is enough', async (_how, url, record) => {
  stub().respond(() => ({ body: [{ ...record, ...SYSTEM }] }));
  await pageOf(stub(), 'brightdata', url);
});

test('2.9 brightdata: the same pages fail the same way with the sandbox', async () => {
  const urls = [
    `${SITE}/company/dead-page`,
    `${SITE}/company/warned-page`,
    `${SITE}/company/thin-record`,
    `${SITE}/jobs/view/thin-record-4000000001`,
    `${SITE}/posts/by-a-person_room-activity-7000000000000000001-abcd`,
    `${SITE}/posts/thin-record_room-activity-7000000000000000001-abcd`,
    `${SITE}/company/crawl-failed`,
  ];
  const { rows } = await fetchPage(server(), urls, ALONE);
  expect(rows.map(({ error }) => error?.code)).toEqual(urls.map(() => 'provider_error'));
  expect(callsTo(server(), 'brightdata')).toHaveLength(urls.length);
});

test('2.9 brightdata: after a failed record the next of the pinned chain is asked', async () => {
  const { row, warnings } = await fetchPage(server(), `${SITE}/company/thin-record`, {
    providers: ['brightdata', 'tavily'],
  });
  expect(row.error?.attempts).toBe(2);
  expect(warnings.filter((line) => line.startsWith('provider_error'))).toHaveLength(2);
});

/** How a snapshot that is not ready answers: its status and its word. */
const NOT_READY = [
  ['202', 202, 'running'],
  ['200', 200, 'starting'],
  ['409', 409, 'building'],
] as const;

// their waits are those between two questions for a snapshot
describe.concurrent('2.9 brightdata: a collection that takes long', () => {
  const patient = useUnclearedServer();
  const impatient = useUnclearedServer({ env: { BRIGHTDATA_TIMEOUT_MS: '3000' } });
  const collecting = useUnclearedStubFor('brightdata');
  /** The name in a page is that of its snapshot. */
  const pageFor = (name: string) => `${SITE}/company/harbour-${name}`;
  const askedFor = (name: string) =>
    collecting()
      .received.filter(({ path }) => new RegExp(`/s_${name}(\\?|$)`).test(path))
      .map(({ method, path }) => `${method} ${path}`);
  const startsOf = (name: string) =>
    collecting()
      .received.filter(({ body }) => body.includes(JSON.stringify(pageFor(name))))
      .map(({ method, path }) => `${method} ${path}`);
  const START = expect.stringMatching(/^POST \/datasets\/v3\/scrape\?/);

  beforeAll(() => {
    collecting().respond(({ method, path, body }: StubCall): StubReply => {
      if (method === 'POST') {
        const name = /harbour-(\w+)/.exec(body)?.[1];
        return { status: 202, body: { snapshot_id: `s_${name}` } };
      }
      const name = /\/s_(\w+)/.exec(path)?.[1] ?? '';
      const isProgress = path.includes('/progress/');
      if (name === 'failed') {
        return isProgress
          ? { body: { status: 'failed', error_message: 'The collection failed' } }
          : { status: 404, body: 'No such snapshot' };
      }
      const [, status = 404, word] = NOT_READY.find(([how]) => how === name) ?? [];
      const isFirst = askedFor(name).length === 1;
      if (isProgress) return { body: { status: isFirst ? word : 'ready' } };
      return isFirst
        ? { status, body: { status: word, message: 'Snapshot is not ready yet' } }
        : { body: [{ ...COMPANY, ...SYSTEM }] };
    });
  });

  test('2.9 brightdata: a pending snapshot of the sandbox is asked for until it is ready', async () => {
    const url = `${SITE}/company/slow-record-1`;
    const { row } = await pageOf(patient(), 'brightdata', url, { tier: 'extended' });
    expect(row.title).toBe('Slow Record 1');
    expect(row.metadata).toMatchObject({ record_type: 'company' });
  }, 90_000);

  test.each(NOT_READY)(
    '2.9 brightdata: a snapshot not ready, as a %s (%i, %s), is asked for again',
    async (name) => {
      const fetched = await pageOf(collecting(), 'brightdata', pageFor(name), { tier: 'extended' });
      expect(fetched.row.title).toBe(COMPANY.name);
      expect(startsOf(name)).toEqual([START]);
      const asked = askedFor(name);
      expect(asked.length).toBeGreaterThanOrEqual(2);
      for (const one of asked) expect(one).toMatch(/^GET \/datasets\/v3\/(progress|snapshot)\/s_/);
      expect(await booked(collecting(), fetched)).toEqual([
        expect.objectContaining({ provider: 'brightdata', costMicros: 2_000 }),
      ]);
    },
    30_000,
  );

  test('2.9 brightdata: a snapshot that is not ready in time ends as a timeout', async () => {
    const answer = await impatient().fetch({
      urls: [`${SITE}/company/slow-record-50`],
      options: ALONE,
    });
    expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable']);
    const { session_id, interaction_id } = answer.json.error;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    const [run] = (await impatient().call('GET', path)).json.preprocessor_runs;
    expect(run.error.rows[0].error.code).toBe('timeout');
    expect(run.latency_ms).toBeLessThan(4_000);
  }, 90_000);

  test('2.9 brightdata: a failed snapshot is not waited for', async () => {
    const answer = await collecting().fetch({ urls: [pageFor('failed')], options: ALONE });
    const row = answer.json.preprocessor_runs?.[0]?.output_payload.fetched_results[0];
    expect(row?.status ?? answer.json.error.code).toMatch(/^(failed|provider_unavailable)$/);
    expect(startsOf('failed')).toEqual([START]);
    expect(askedFor('failed')).toHaveLength(1);
  }, 90_000);
});

test.each([
  ['a single record', { ...COMPANY, ...SYSTEM }],
  ['lines of JSON', `${JSON.stringify({ ...COMPANY, ...SYSTEM })}\n`],
])('2.9 brightdata: %s is read like a list of one', async (_how, body) => {
  stub().respond(() => ({ body }));
  expect((await pageOf(stub(), 'brightdata', COMPANY_URL)).row.title).toBe(COMPANY.name);
});

test('2.9 brightdata: a delivered record is booked', async () => {
  const fetched = await pageOf(server(), 'brightdata', COMPANY_URL);
  expect(await booked(server(), fetched)).toEqual([
    { provider: 'brightdata', calls: 1, costMicros: 2_000 },
  ]);
});

test.each([
  'status=429,retry-after=0',
  'status=500',
  'status=502',
  'status=503',
  'status=504',
  'reset',
])('2.9 brightdata: %s is never retried, even as the only provider of the chain', async (fault) => {
  server().sandbox.inject('brightdata', fault);
  const answer = await server().fetch({ urls: [COMPANY_URL], options: ALONE });
  expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable']);
  expect(callsTo(server(), 'brightdata')).toHaveLength(1);
});

describe('2.9 brightdata: no credential', () => {
  const keyless = useServer({ env: { BRIGHTDATA_API_KEY: undefined } });

  test('2.9 brightdata: without its key nothing is sent', async () => {
    const answer = await keyless().fetch({ urls: [COMPANY_URL], options: ALONE });
    expect([answer.status, answer.json.error.code]).toEqual([502, 'provider_unavailable']);
    expect(keyless().sandbox.calls).toEqual([]);
  });
});
