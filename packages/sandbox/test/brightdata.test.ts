import { describe, expect, test } from 'vitest';
import { startSandbox } from '../src/index.ts';
import type { JsonObject } from '../src/util/json.ts';
import { type Answer, answerOf, useSandbox } from './support.ts';

const sandbox = useSandbox();
const DATASETS = {
  company: 'gd_l1vikfnt1wgvvqz95w',
  job: 'gd_lpfll7v5hcqtkxl6l',
  post: 'gd_lyy3tktm25m4avu764',
} as const;
type Kind = keyof typeof DATASETS;
const URLS: Readonly<Record<Kind, string>> = {
  company: 'https://www.linkedin.com/company/example-archive',
  job: 'https://www.linkedin.com/jobs/view/4000000001',
  post: 'https://www.linkedin.com/posts/example-archive_room-activity-7000000000000000001-abcd',
};
const KINDS = ['company', 'job', 'post'] as const;
const NAMING: Readonly<Record<Kind, readonly string[]>> = {
  company: [
    'employees',
    'alumni',
    'alumni_information',
    'similar',
    'affiliated',
    'investors',
    'updates',
  ],
  job: ['job_poster'],
  post: [
    'tagged_people',
    'top_visible_comments',
    'more_relevant_posts',
    'repost',
    'author_profile_pic',
    'user_title',
    'num_connections',
  ],
};
type Query = Readonly<Record<string, string>>;
const KEY = { authorization: 'Bearer test-key' };

async function send(
  path: string,
  body: unknown,
  query: Query,
  headers: Query = KEY,
): Promise<Answer> {
  const url = `${sandbox().baseUrl('brightdata')}/datasets/v3${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answerOf(response);
}

async function get(path: string, headers: Query = KEY): Promise<Answer> {
  return answerOf(
    await fetch(`${sandbox().baseUrl('brightdata')}/datasets/v3${path}`, { headers }),
  );
}

const base = (kind: Kind): Query => ({
  dataset_id: DATASETS[kind],
  format: 'json',
  include_errors: 'true',
});
const scrape = (kind: Kind, url = URLS[kind], more: Query = {}) =>
  send('/scrape', { input: [{ url }] }, { ...base(kind), ...more });
const recordOf = async (...args: Parameters<typeof scrape>): Promise<JsonObject> => {
  const answer = await scrape(...args);
  const records: unknown = JSON.parse(answer.text);
  if (!Array.isArray(records) || records.length !== 1) throw new Error(`no record: ${answer.text}`);
  return records[0];
};

describe('a record', () => {
  test.each(KINDS)(
    'of a %s has its time, its input and the lists that name people',
    async (kind) => {
      const record = await recordOf(kind);
      expect(record).toMatchObject({
        timestamp: expect.stringMatching(/Z$/),
        input: { url: URLS[kind] },
        url: expect.stringContaining('linkedin.com'),
      });
      for (const field of NAMING[kind]) expect(record).toHaveProperty(field);
    },
  );

  test.each(KINDS)('of a %s has the asked fields alone', async (kind) => {
    const custom_output_fields = 'url|timestamp|input|job_poster_not|base_salary.currency';
    const record = await recordOf(kind, URLS[kind], { custom_output_fields });
    expect(Object.keys(record).sort()).toEqual(
      ['input', 'timestamp', 'url', ...(kind === 'job' ? ['base_salary'] : [])].sort(),
    );
  });

  test('may come whole although fields were asked for', async () => {
    const leaky = 'https://www.linkedin.com/company/leaky-archive';
    expect(await recordOf('company', leaky, { custom_output_fields: 'url' })).toHaveProperty(
      'employees',
    );
  });

  test.each<[Kind, string, JsonObject]>([
    [
      'company',
      'https://at.linkedin.com/showcase/example-cells?trk=x',
      { id: 'example-cells', name: 'Example Cells' },
    ],
    [
      'job',
      'https://www.linkedin.com/jobs/view/process-engineer-4000000007',
      { job_posting_id: '4000000007' },
    ],
    [
      'post',
      'https://www.linkedin.com/feed/update/urn:li:activity:7000000000000000009',
      { id: '7000000000000000009', account_type: 'Organization' },
    ],
    [
      'post',
      'https://www.linkedin.com/posts/by-a-person_x-activity-7000000000000000001-ab',
      { account_type: 'Person', use_url: 'https://www.linkedin.com/in/mara-lindqvist' },
    ],
  ])('of a %s at %s', async (kind, url, expected) => {
    expect(await recordOf(kind, url)).toMatchObject(expected);
  });

  test.each(KINDS)('of a %s may be thin', async (kind) => {
    const url = URLS[kind].replace(/(company|view|posts)\//, '$1/thin-record-');
    const record = await recordOf(kind, url);
    expect(Object.keys(record).length).toBeLessThan(7);
    for (const field of ['about', 'job_summary', 'post_text'])
      expect(record).not.toHaveProperty(field);
  });

  test.each([
    ['dead-page', { error: expect.any(String), error_code: 'dead_page', status_code: 404 }],
    ['crawl-failed', { error: expect.any(String), error_code: 'crawl_failed' }],
    ['warned-page', { warning_code: 'dead_page', name: expect.any(String) }],
  ])('of %s reports its failure, when errors are requested', async (word, expected) => {
    const url = `https://www.linkedin.com/company/${word}`;
    expect(await recordOf('company', url)).toMatchObject({ ...expected, input: { url } });
    const quiet = await scrape('company', url, { include_errors: 'false' });
    expect(JSON.parse(quiet.text)).toHaveLength('warning_code' in expected ? 1 : 0);
  });

  test('is one line each unless JSON is requested', async () => {
    const answer = await send(
      '/scrape',
      { input: [{ url: URLS.job }, { url: URLS.job }] },
      { dataset_id: DATASETS.job },
    );
    expect(
      answer.text
        .trim()
        .split('\n')
        .map((line) => typeof JSON.parse(line)),
    ).toEqual(['object', 'object']);
  });
});

describe('a collection that takes its time', () => {
  const SLOW = 'https://www.linkedin.com/company/slow-record';

  async function started(url: string): Promise<string> {
    const answer = await scrape('company', url);
    expect([answer.status, answer.body]).toEqual([
      202,
      { snapshot_id: expect.stringMatching(/^s_/), message: expect.any(String) },
    ]);
    return String(answer.body.snapshot_id);
  }
  const statusOf = async (id: string) => (await get(`/progress/${id}`)).body.status;

  test('gives an id, is pending for two requests, then has the records', async () => {
    const id = await started(SLOW);
    expect((await get(`/snapshot/${id}?format=json`)).status).toBe(202);
    expect([await statusOf(id), await statusOf(id), await statusOf(id)]).toEqual([
      'starting',
      'running',
      'ready',
    ]);
    const records: unknown = JSON.parse((await get(`/snapshot/${id}?format=json`)).text);
    expect(records).toMatchObject([{ name: 'Slow Record', input: { url: SLOW } }]);
  });

  test('may be requested by a fault, with any number of requests for progress', async () => {
    const url = `${URLS.company}?x=[[brightdata:pending=1]]`;
    const id = await started(url);
    expect([await statusOf(id), await statusOf(id)]).toEqual(['starting', 'ready']);
    const five = await started(`${SLOW}-5`);
    for (let n = 0; n < 5; n += 1) expect(await statusOf(five)).not.toBe('ready');
    expect(await statusOf(five)).toBe('ready');
  });

  test('may fail in the end', async () => {
    const id = await started('https://www.linkedin.com/company/failing-snapshot');
    for (let n = 0; n < 2; n += 1) await statusOf(id);
    expect((await get(`/progress/${id}`)).body).toEqual({
      snapshot_id: id,
      dataset_id: DATASETS.company,
      status: 'failed',
      error_message: expect.any(String),
    });
  });

  test('can be started by a trigger, with a bare list', async () => {
    const answer = await send('/trigger', [{ url: URLS.job }], base('job'));
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['snapshot_id']]);
  });

  test('is known only in its own sandbox', async () => {
    const id = await started(SLOW);
    const other = await startSandbox();
    const response = await fetch(`${other.baseUrl('brightdata')}/datasets/v3/progress/${id}`, {
      headers: KEY,
    });
    expect([response.status, await response.text()]).toEqual([404, 'Snapshot does not exist']);
    await other.stop();
  });
});

describe('what is refused', () => {
  const input = { input: [{ url: URLS.company }] };

  test.each<[string, unknown, Query, number, RegExp]>([
    ['no data set', input, { format: 'json' }, 404, /^Collector not found$/],
    [
      'people',
      input,
      { dataset_id: 'gd_l1viktl72bvl7bjuj0' },
      400,
      /^This dataset is not allowed for API$/,
    ],
    ['a bare list to scrape', [{ url: URLS.company }], base('company'), 400, /validation_error/],
    ['no input', { input: [] }, base('company'), 400, /^No data to trigger$/],
    [
      '21 inputs',
      { input: Array.from({ length: 21 }, () => ({ url: URLS.company })) },
      base('company'),
      400,
      /validation_error/,
    ],
    [
      'a person',
      { input: [{ url: 'https://www.linkedin.com/in/person' }] },
      base('company'),
      400,
      /validation_error/,
    ],
    [
      'people of a company',
      { input: [{ url: `${URLS.company}/people` }] },
      base('company'),
      400,
      /validation_error/,
    ],
    [
      'another site',
      { input: [{ url: 'https://linkedin.com.example.org/company/x' }] },
      base('company'),
      400,
      /validation_error/,
    ],
    ['an unknown parameter', input, { ...base('company'), fields: 'url' }, 400, /validation_error/],
    ['a format it lacks', input, { ...base('company'), format: 'xml' }, 400, /validation_error/],
  ])('%s', async (_name, body, query, status, expected) => {
    const answer = await send('/scrape', body, query);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(expected)]);
  });

  test.each<[string, Query, number, string]>([
    ['no key', {}, 401, 'Credentials are missing'],
    ['an unknown key', { authorization: 'Bearer bad-key' }, 401, 'Invalid credentials'],
  ])('%s, in plain text', async (_name, headers, status, expected) => {
    const posted = await send('/scrape', input, base('company'), headers);
    const polled = await get('/progress/s_x', headers);
    for (const answer of [posted, polled])
      expect([answer.status, answer.text]).toEqual([status, expected]);
  });

  test('an exhausted account, in JSON', async () => {
    const answer = await send('/scrape', input, base('company'), {
      authorization: 'Bearer quota-key',
    });
    expect([answer.status, answer.body]).toEqual([
      402,
      { error: expect.stringContaining('balance') },
    ]);
  });

  test.each([
    [429, /too many running jobs/],
    [403, /^Access denied\.$/],
    [500, /^Internal server error$/],
  ])('everything, when a fault or the address says status %i', async (status, expected) => {
    const byFault = await scrape('company', `${URLS.company}?[[brightdata:status=${status}]]`);
    const byWord = await scrape('company', `${URLS.company}-answers-${status}`);
    for (const answer of [byFault, byWord]) {
      expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(expected)]);
    }
  });
});
