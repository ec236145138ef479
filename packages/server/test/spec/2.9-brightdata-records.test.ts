import { describe, expect, test } from 'vitest';
import {
  COMPANY,
  COMPANY_URL,
  EXCLUDED,
  JOB,
  JOB_URL,
  OTHER_PEOPLE,
  POST,
  POST_URL,
  SYSTEM,
} from './support/brightdata-records.ts';
import { fetchPage, hasFormatGap, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const stub = useStubFor('brightdata');
const server = useServer();

const KINDS = [
  {
    kind: 'company',
    url: COMPANY_URL,
    record: COMPANY,
    dataset: 'gd_l1vikfnt1wgvvqz95w',
    shown: ['Example Archive', 'keeps records for small teams', 'Records that last', '2009'],
  },
  {
    kind: 'job',
    url: JOB_URL,
    record: JOB,
    dataset: 'gd_lpfll7v5hcqtkxl6l',
    shown: ['Process Engineer', 'Example Archive', 'Northmere', 'compare them every week'],
  },
  {
    kind: 'post',
    url: POST_URL,
    record: POST,
    dataset: 'gd_lyy3tktm25m4avu764',
    shown: ['Our new reading room is open', '#archive', '2026-06-20'],
  },
];

function collected(url: string, record: object, tier: 'default' | 'extended' | 'max' = 'max') {
  stub().respond(() => ({ body: [record] }));
  return pageOf(stub(), 'brightdata', url, { tier });
}
const delivered = (record: object) => ({ ...record, ...SYSTEM, ...EXCLUDED });

describe.each(KINDS)('2.9 brightdata: a $kind', ({ kind, url, record, dataset, shown }) => {
  test(`2.9 brightdata: a ${kind}'s content is the record rendered as markdown`, async () => {
    const { row } = await collected(url, delivered(record));
    expect(row.content_format).toBe('markdown');
    if (kind !== 'post') expect(row.content).toMatch(/^# \S/);
    for (const value of shown) expect(row.content).toContain(value);
    expect(row.content).not.toMatch(/^\s*[[{]/);
  });

  test(`2.9 brightdata: a ${kind}'s structured has the whole record, without the members that name other people`, async () => {
    const { row } = await collected(url, delivered(record));
    expect(row.structured).toMatchObject(record);
    const system = Object.keys(SYSTEM);
    const kept = Object.keys(row.structured ?? {}).filter((key) => !system.includes(key));
    expect(kept.sort()).toEqual(Object.keys(record).sort());
  });

  test(`2.9 brightdata: a ${kind}'s answer does not name the people in the lists of its record`, async () => {
    const { text, interactionId } = await collected(url, delivered(record));
    for (const name of OTHER_PEOPLE) expect(text, interactionId).not.toContain(name);
    for (const list of Object.keys(EXCLUDED)) expect(text).not.toContain(`"${list}"`);
  });

  test(`2.9 brightdata: a ${kind} is requested with the allowlist, which has no list of people`, async () => {
    await collected(url, delivered(record));
    const asked = new URL(stub().received[0]?.path ?? '', 'http://x').searchParams;
    const fields = asked.get('custom_output_fields')?.split('|') ?? [];
    expect(fields.length).toBeGreaterThan(10);
    for (const list of Object.keys(EXCLUDED)) expect(fields).not.toContain(list);
    expect([asked.get('dataset_id'), asked.get('format')]).toEqual([dataset, 'json']);
  });

  test(`2.9 brightdata: a ${kind}'s structured is only there at max, with the same request at each tier`, async () => {
    for (const tier of ['default', 'extended'] as const) {
      const { row } = await collected(url, delivered(record), tier);
      expect(row).not.toHaveProperty('structured');
    }
    await collected(url, delivered(record), 'max');
    const [first, ...others] = stub().received.map(({ path, body }) => [path, body]);
    expect(others).toEqual([first, first]);
  });

  test(`2.9 brightdata: a ${kind}'s metadata holds record_type, dataset_id, scraped_at and the warning`, async () => {
    const { row } = await collected(url, delivered(record));
    expect(row.metadata).toEqual({
      record_type: kind,
      dataset_id: dataset,
      scraped_at: SYSTEM.timestamp,
      warning: null,
    });
    const warned = await collected(url, { ...delivered(record), warning: 'Partly collected.' });
    expect(warned.row.metadata?.warning).toBe('Partly collected.');
    const coded = await collected(url, { ...delivered(record), warning_code: 'partial' });
    expect(coded.row.metadata?.warning).toBe('partial');
  });

  test(`2.9 brightdata: a ${kind} is markdown even if text was asked for, and says so`, async () => {
    stub().respond(() => ({ body: [delivered(record)] }));
    const { row } = await pageOf(stub(), 'brightdata', url, { content_format: 'text' });
    expect([row.content_format, hasFormatGap(row)]).toEqual(['markdown', true]);
  });

  test(`2.9 brightdata: a ${kind} costs one record`, async () => {
    const { row } = await collected(url, delivered(record), 'extended');
    expect(row.usage).toMatchObject({ requests: 1, units: { records: 1 } });
  });
});

test('2.9 brightdata: title: the company name, the job title, a label of the post', async () => {
  const company = await collected(COMPANY_URL, delivered(COMPANY));
  expect(company.row.title).toBe(COMPANY.name);
  const job = await collected(JOB_URL, delivered(JOB));
  expect(job.row.title).toBe(JOB.job_title);
  const post = await collected(POST_URL, delivered(POST));
  expect(post.row.title).toMatch(/post/i);
  expect(post.row.title).toMatch(/example.archive/i);
  expect(post.row.title).toContain('2026-06-20');
});

test('2.9 brightdata: a post without company and date still has a label for a title', async () => {
  const url = 'https://www.linkedin.com/feed/update/urn:li:activity:7000000000000000001';
  const { use_url, date_posted, user_id, title, headline, ...bare } = POST;
  const { row } = await collected(url, { ...bare, ...SYSTEM, url });
  expect(row.title).toMatch(/post/i);
});

test('2.9 brightdata: description: the first 300 characters of the company text, with none split', async () => {
  const about = `${'é🌊 '.repeat(150)}end`;
  const { row } = await collected(COMPANY_URL, { ...delivered(COMPANY), about });
  expect(row.description).toBe([...about].slice(0, 300).join('').trim());
  expect(row.content).toContain(about);
});

test('2.9 brightdata: description: the first 300 characters of the post text', async () => {
  const post_text = 'Reading room. '.repeat(60).trim();
  const { row } = await collected(POST_URL, { ...delivered(POST), post_text });
  expect(row.description).toBe(post_text.slice(0, 300).trim());
});

test('2.9 brightdata: description: the company and the place of a job', async () => {
  const { row } = await collected(JOB_URL, delivered(JOB));
  expect(row.description).toContain('Example Archive');
  expect(row.description).toContain('Northmere, Example County');
});

test('2.9 brightdata: an upstream that ignores the allowlist leaks nothing, also with the sandbox', async () => {
  const urls = [
    'https://www.linkedin.com/company/leaky-archive',
    'https://www.linkedin.com/jobs/view/leaky-archivist-4000000001',
    'https://www.linkedin.com/posts/leaky-archive_room-activity-7000000000000000001-abcd',
  ];
  const { rows, text } = await fetchPage(server(), urls, {
    providers: ['brightdata'],
    tier: 'max',
  });
  expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  for (const name of [
    'Lindqvist',
    'Okoye',
    'R. Vale',
    'Duarte',
    'Park-Hale',
    'Renner',
    'Castellan',
  ])
    expect(text).not.toContain(name);
  for (const name of ['Novak', 'Talent partner', 'face.png', 'See you there', 'Another Archive'])
    expect(text).not.toContain(name);
});

test('2.9 brightdata: each page is one call, with one address and with errors included', async () => {
  await fetchPage(server(), [COMPANY_URL, JOB_URL], { providers: ['brightdata'] });
  expect(bodiesTo(server(), 'brightdata')).toHaveLength(2);
  for (const body of bodiesTo(server(), 'brightdata'))
    expect(body).toMatchObject({ input: [{ url: expect.any(String) }] });
  for (const call of callsTo(server(), 'brightdata'))
    expect(call.query).toContainEqual(['include_errors', 'true']);
});
