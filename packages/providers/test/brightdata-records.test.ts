import type { JsonObject } from '@trawl/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALLOWED, EXCLUDED } from '../src/brightdata/allowlist.ts';
import { type PageReading, type ParsedPage, pageGapsOf } from '../src/index.ts';
import { KINDS, type Kind, RECORDS, TIMESTAMP, URLS } from './support/brightdata-records.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { vendorOf } from './support/providers.ts';

const brightdataFetch = vendorOf('brightdata');

function read(kind: Kind, body: unknown, job?: string): PageReading | null {
  const answer = brightdataFetch.response.safeParse(body);
  return answer.success
    ? brightdataFetch.parse(answer.data, fetchPlan(URLS[kind], 'max'), job)
    : null;
}

function pageOf(kind: Kind, more: JsonObject = {}): ParsedPage {
  const reading = read(kind, [{ ...RECORDS[kind], ...more }]);
  if (reading?.kind !== 'page') throw new Error(`no page: ${JSON.stringify(reading)}`);
  return reading.page;
}

/** Why a record is refused; null when it is a page. */
function refusal(kind: Kind, more: JsonObject): string | null {
  const reading = read(kind, [{ ...RECORDS[kind], ...more }]);
  if (reading?.kind !== 'verdict') return null;
  expect(reading.verdict).toMatchObject({ code: 'provider_error', httpStatus: null });
  return reading.verdict.reason;
}

describe('2.9 a record is a page in markdown', () => {
  test('a company', () => {
    expect(pageOf('company')).toMatchObject({
      content: `# Example Pumps

Warm by water

- Industry: Renewable Energy, Machinery
- Company size: 51-200 employees
- Type: Privately Held
- Founded: 2019
- Headquarters: Graz, Styria
- Specialties: pumps, water
- Website: https://pumps.example.com/
- Followers: 4,210
- Employees on LinkedIn: 88

## About

We make heat pumps.
For harbours.`,
      title: 'Example Pumps',
      description: 'We make heat pumps.\nFor harbours.',
      canonical_url: URLS.company,
      publish_date: null,
      thumbnail: 'https://img.example.com/logo.png',
      images: ['https://img.example.com/logo.png', 'https://img.example.com/cover.png'],
      links: ['https://pumps.example.com/'],
      metadata: {
        record_type: 'company',
        dataset_id: 'gd_l1vikfnt1wgvvqz95w',
        scraped_at: TIMESTAMP,
        warning: null,
      },
      structured: RECORDS.company,
    });
  });

  test('a job', () => {
    expect(pageOf('job', { warning_code: 'late_parts' })).toMatchObject({
      content: `# Process Engineer

- Company: Example Pumps
- Location: Graz, Styria, Austria
- Employment type: Full-time
- Seniority: Associate
- Pay: 40,000 to 52,000 € yr
- Posted: 2026-03-02
- Applicants: 12
- Apply: https://pumps.example.com/jobs/1

## Description

You will run the coating line.`,
      title: 'Process Engineer',
      description: 'Example Pumps, Graz, Styria, Austria',
      canonical_url: URLS.job,
      publish_date: '2026-03-02T08:00:00.000Z',
      links: [
        'https://pumps.example.com/jobs/1',
        'https://www.linkedin.com/company/example-pumps?trk=x',
      ],
      metadata: { record_type: 'job', warning: 'late_parts' },
    });
  });

  test('a job whose text is only HTML', () => {
    const { content } = pageOf('job', {
      job_summary: null,
      job_description_formatted: '<section><p>Run &amp; repair</p></section>',
    });
    expect(content).toContain('## Description\n\nRun & repair');
  });

  test.each([
    [{ job_base_pay_range: '€40K to €52K' }, '- Pay: €40K to €52K'],
    [{ base_salary: { min_amount: null, currency: '€' } }, null],
    [{ base_salary: { max_amount: '52,000', currency: 'EUR' } }, '- Pay: 52,000 EUR'],
  ])('the pay of a job: %j', (more, line) => {
    const pay = pageOf('job', more)
      .content?.split('\n')
      .find((l) => l.startsWith('- Pay'));
    expect(pay ?? null).toBe(line);
  });

  test('the description is the first 300 characters and never splits one', () => {
    const { description } = pageOf('company', { about: '🌊'.repeat(400) });
    expect(description).toBe('🌊'.repeat(300));
  });

  test.each<[JsonObject, string]>([
    [{}, 'Post by example-pumps on 2026-03-04'],
    [{ date_posted: null }, 'Post by example-pumps'],
    [
      { use_url: null, user_url: 'https://www.linkedin.com/showcase/labs' },
      'Post by labs on 2026-03-04',
    ],
    [{ use_url: null, user_id: 'pumps-id' }, 'Post by pumps-id on 2026-03-04'],
    [{ use_url: null }, 'Post by example-pumps on 2026-03-04'],
    // its author is not known to be a company
    [{ use_url: null, user_id: 'a-person', account_type: null }, 'Post on 2026-03-04'],
  ])('the label of a post with %j', (more, label) => {
    expect(pageOf('post', more).title).toBe(label);
  });

  test('one record outside a list, and one record a line', () => {
    const page = pageOf('company');
    expect(read('company', RECORDS.company)).toEqual({ kind: 'page', page });
    const lines = `${JSON.stringify(RECORDS.company)}\n\n`;
    expect(read('company', brightdataFetch.readText?.(lines))).toEqual({ kind: 'page', page });
    expect(brightdataFetch.readText?.('Snapshot does not exist')).toBeUndefined();
    expect(brightdataFetch.readText?.('1\n2\n')).toBeUndefined();
    // cut within a line
    expect(brightdataFetch.readText?.(lines.slice(0, -5))).toBeUndefined();
  });

  test.each(KINDS)('dates and videos are gaps only for a %s without them', (kind) => {
    const gaps = pageGapsOf(brightdataFetch.capabilities, fetchPlan(URLS[kind], 'max'));
    const lacking = gaps.flatMap(({ field, reason }) => (reason === null ? [] : field));
    expect(lacking).toEqual({ company: ['publish_date', 'media'], job: ['media'], post: [] }[kind]);
  });
});

describe('2.9 a record that is not shown fails with provider_error', () => {
  test.each<[Kind, JsonObject, string | null]>([
    ['company', { error: 'Page is dead.', error_code: 'dead_page' }, 'dead_page'],
    ['company', { error_code: 'blocked' }, 'blocked'],
    ['company', { error: 'Something in words' }, 'record_error'],
    ['company', { error: null, error_code: '' }, null],
    ['company', { warning_code: 'dead_page' }, 'dead_page'],
    ['company', { warning: 'late', warning_code: 'late_parts' }, null],
    ['post', { account_type: 'Person' }, 'individual_account'],
    ['post', { account_type: 'personal' }, 'individual_account'],
    ['post', { account_type: null, use_url: 'https://linkedin.com/in/x' }, 'individual_account'],
    [
      'post',
      { account_type: 'Creator', use_url: null, user_url: 'https://linkedin.com/in/x' },
      'individual_account',
    ],
    ['post', { account_type: null }, null],
    ['company', { name: '' }, 'too_thin'],
    ['company', { about: null, description: null, industries: null, followers: null }, 'too_thin'],
    ['company', { about: null, description: null, industries: [], followers: 5 }, null],
    ['company', { about: null, description: null, followers: null }, null],
    ['job', { job_title: null }, 'too_thin'],
    ['job', { job_summary: ' ', job_description_formatted: null }, 'too_thin'],
    ['job', { job_summary: null, job_description_formatted: '<p>x</p>' }, null],
    ['post', { post_text: null }, 'too_thin'],
  ])('a %s with %j: %s', (kind, more, reason) => {
    expect(refusal(kind, more)).toBe(reason);
  });
});

describe('8: a page that is being collected is asked for until it is ready', () => {
  const JOB = 'progress/s_m7abc123';
  const FETCHED = 'snapshot/s_m7abc123';
  const follow = (job: string) => brightdataFetch.collect?.follow(job, fetchPlan(URLS.job, 'max'));

  test('asks for the progress under the name in the first answer, then at once for the record', () => {
    expect(read('job', { snapshot_id: 's_m7abc123', message: 'x' })).toEqual({
      kind: 'pending',
      job: JOB,
    });
    expect(follow(JOB)).toEqual({ method: 'GET', path: `/datasets/v3/${JOB}` });
    expect(read('job', { snapshot_id: 's_m7abc123', status: 'ready' }, JOB)).toEqual({
      kind: 'pending',
      job: FETCHED,
      isDue: true,
    });
    expect(follow(FETCHED)).toEqual({
      method: 'GET',
      path: `/datasets/v3/${FETCHED}`,
      query: { format: 'json' },
    });
    expect(read('job', { status: 'running' }, FETCHED)).toEqual({ kind: 'pending', job: FETCHED });
  });

  test.each(['running', 'building', 'starting', 'scheduled', 'a state added later'])(
    'the state %s means: wait',
    (status) => {
      const body = { status, message: 'Snapshot is not ready yet, try again in 10s' };
      expect(read('job', body, JOB)).toEqual({ kind: 'pending', job: JOB });
    },
  );

  test('a 409 means: wait, but only in the answer to a question about a collection', () => {
    const answer = { status: 409, body: 'Snapshot is not ready', headers: {} };
    const plan = fetchPlan(URLS.job, 'max');
    expect(brightdataFetch.readFailedAnswer?.(answer, plan, JOB)).toEqual({
      kind: 'pending',
      job: JOB,
    });
    expect(brightdataFetch.readFailedAnswer?.(answer, plan)).toBeUndefined();
  });

  test.each(['failed', 'canceled', 'cancelled'])('a %s collection is not an answer', (status) => {
    expect(read('job', { status, error_message: 'x' }, JOB)).toBeNull();
  });

  test('a name that would change the path is not an answer', () => {
    expect(read('job', { snapshot_id: '../progress/s_1' })).toBeNull();
  });

  test('a page is never asked for twice, and never by default', () => {
    expect([brightdataFetch.neverRetried, brightdataFetch.chain]).toEqual([true, 'pinned_only']);
  });
});

describe('2.9 lists of other people never appear', () => {
  const SECRET = 'Must-Never-Be-Read';

  test('the request does not ask for them', () => {
    for (const kind of KINDS) {
      const { query } = brightdataFetch.request(fetchPlan(URLS[kind], 'max'));
      const asked = String(query?.custom_output_fields).split('|');
      expect(asked).toEqual([...ALLOWED[kind]]);
      expect(asked.filter((field) => EXCLUDED.has(field))).toEqual([]);
    }
  });

  const hidden = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(SECRET),
      fc.constant(`https://img.example.com/${SECRET}.jpg`),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('name', 'title', 'link', 'text', 'url'), tie('value'), {
        maxKeys: 3,
      }),
    ),
  })).value;
  const excluded = fc.dictionary(fc.constantFrom(...EXCLUDED, 'discovery_input', 'x'), hidden);

  test.each(KINDS)('in a %s, whatever such members contain', (kind) => {
    fc.assert(
      fc.property(excluded, excluded, (outside, inside) => {
        const { x: _unknown, discovery_input: _input, ...nested } = inside;
        const page = pageOf(kind, {
          ...outside,
          funding: { rounds: 2, ...nested },
          external_link_data: [{ deep: nested }],
          base_salary: nested,
        });
        expect(JSON.stringify(page)).not.toContain(SECRET);
      }),
      { numRuns: 200 },
    );
  });

  test('addresses of people in a post never appear either', () => {
    const page = pageOf('post', {
      embedded_links: ['https://it.linkedin.com/in/a-person?trk=x', 'https://pumps.example.com/a'],
    });
    expect(page.links).toEqual(['https://pumps.example.com/a']);
    expect(JSON.stringify(page)).not.toContain('a-person');
  });
});
