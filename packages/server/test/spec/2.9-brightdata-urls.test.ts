import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { fetchPage, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const SITE = 'https://www.linkedin.com';
const DATASETS = {
  company: 'gd_l1vikfnt1wgvvqz95w',
  job: 'gd_lpfll7v5hcqtkxl6l',
  post: 'gd_lyy3tktm25m4avu764',
};
const POST = 'example-archive_reading-room-activity-7000000000000000001-abcd';

const ACCEPTED: readonly (readonly [url: string, kind: keyof typeof DATASETS])[] = [
  [`${SITE}/company/example-archive`, 'company'],
  [`${SITE}/company/example-archive/`, 'company'],
  [`${SITE}/company/example-archive?trk=search&lipi=1#about`, 'company'],
  ['https://linkedin.com/company/example-archive', 'company'],
  ['https://at.linkedin.com/company/example-archive', 'company'],
  ['https://WWW.LinkedIn.com/company/example-archive', 'company'],
  ['http://www.linkedin.com/company/example-archive', 'company'],
  [`${SITE}/company/%C3%BCbung-archiv`, 'company'],
  [`${SITE}/company/900123`, 'company'],
  [`${SITE}/showcase/example-reading-room`, 'company'],
  [`${SITE}/jobs/view/4000000001`, 'job'],
  [`${SITE}/jobs/view/4000000001/`, 'job'],
  [`${SITE}/jobs/view/archivist-at-example-archive-4000000001?refId=x`, 'job'],
  [`${SITE}/posts/${POST}`, 'post'],
  [`${SITE}/posts/${POST}/`, 'post'],
  [`${SITE}/feed/update/urn:li:activity:7000000000000000001`, 'post'],
  [`${SITE}/feed/update/urn:li:activity:7000000000000000001/`, 'post'],
  [`${SITE}/feed/update/urn%3Ali%3Aactivity%3A7000000000000000001`, 'post'],
];

test.each(ACCEPTED)('2.9 brightdata: %s is collected, as a %s', async (url, kind) => {
  const { row } = await pageOf(server(), 'brightdata', url, { tier: 'extended' });
  const [call, ...others] = callsTo(server(), 'brightdata');
  expect(others).toEqual([]);
  expect(call?.path).toBe('/datasets/v3/scrape');
  expect(call?.query).toContainEqual(['dataset_id', DATASETS[kind]]);
  expect(row.metadata).toMatchObject({ record_type: kind, dataset_id: DATASETS[kind] });
});

test('2.9 brightdata: the page is requested by its plain address, without query and fragment', async () => {
  await pageOf(server(), 'brightdata', `${SITE}/company/example-archive?trk=search#about`);
  const [call] = callsTo(server(), 'brightdata');
  expect(call?.json()).toEqual({ input: [{ url: `${SITE}/company/example-archive` }] });
});

const DECLINED = [
  PAGE,
  `${SITE}/`,
  `${SITE}/in/mara-lindqvist`,
  `${SITE}/in/mara-lindqvist/recent-activity/all`,
  `${SITE}/pub/mara-lindqvist/1/2/3`,
  `${SITE}/school/example-school`,
  `${SITE}/company`,
  `${SITE}/company/`,
  `${SITE}/company/example-archive/people`,
  `${SITE}/company/example-archive/people/`,
  `${SITE}/company/example-archive%2Fpeople`,
  `${SITE}/company/..%2Fin%2Fmara-lindqvist`,
  `${SITE}/company/%20`,
  `${SITE}/company/example-archive/jobs`,
  `${SITE}/company/example-archive/posts`,
  `${SITE}/showcase/`,
  `${SITE}/showcase/example-reading-room/about`,
  `${SITE}/jobs/`,
  `${SITE}/jobs/search?keywords=archivist`,
  `${SITE}/jobs/view/`,
  `${SITE}/jobs/view/archivist`,
  `${SITE}/posts/`,
  `${SITE}/posts/${POST}/comments`,
  `${SITE}/feed/`,
  `${SITE}/feed/update/urn:li:activity:`,
  `${SITE}/feed/update/urn:li:activity:abc`,
  `${SITE}/feed/update/urn:li:share:7000000000000000001`,
  `${SITE}/feed/update/urn:li:ugcPost:7000000000000000001`,
  `${SITE}/pulse/an-article-mara-lindqvist`,
  `${SITE}/groups/1234`,
  `${SITE}/learning/an-example-course`,
  `${SITE}/redirect?to=/company/example-archive`,
  'https://www.linkedin.com:8443/company/example-archive',
  'https://notlinkedin.com/company/example-archive',
  'https://www.linkedin.com.example.com/company/example-archive',
  'https://www.linkedin.example.com/company/example-archive',
  'https://www.example.com/linkedin.com/company/example-archive',
  'https://www.example.com/company/example-archive',
];

test.each(DECLINED)(
  '2.9 brightdata: %s is declined before any call; with no other provider that is a 400',
  async (url) => {
    const answer = await server().fetch({ urls: [url], options: { providers: ['brightdata'] } });
    expect([answer.status, answer.json.error]).toEqual([
      400,
      { code: 'invalid_kind', message: expect.stringContaining('brightdata'), param: 'urls[0]' },
    ]);
    expect(server().sandbox.calls).toEqual([]);
  },
);

test('2.9 brightdata: a path in capitals is declined, or requested in the form that the vendor accepts', async () => {
  const answer = await server().fetch({
    urls: [`${SITE}/COMPANY/example-archive`],
    options: { providers: ['brightdata'] },
  });
  expect([answer.status, answer.json.error?.code], answer.text).not.toEqual([
    502,
    'provider_unavailable',
  ]);
});

test('2.9 brightdata: one URL of another kind refuses the whole request, and the message names its place', async () => {
  const answer = await server().fetch({
    urls: [`${SITE}/company/example-archive`, `${SITE}/in/mara-lindqvist`],
    options: { providers: ['brightdata'] },
  });
  expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([
    400,
    'invalid_kind',
    'urls[1]',
  ]);
  expect(server().sandbox.calls).toEqual([]);
});

test('2.9 brightdata: pinned with others it declines pages that it does not accept, and the next one answers', async () => {
  const { row } = await fetchPage(server(), PAGE, {
    providers: ['brightdata', 'firecrawl'],
    tier: 'extended',
  });
  expect([row.status, row.provider]).toEqual(['succeeded', 'firecrawl']);
  expect(row.provider_chain?.map(({ provider, outcome }) => [provider, outcome])).toEqual([
    ['brightdata', 'declined'],
    ['firecrawl', 'answered'],
  ]);
  expect(callsTo(server(), 'brightdata')).toEqual([]);
});

test('2.9 brightdata: in one request it answers the LinkedIn page, and the next provider the other one', async () => {
  const { rows } = await fetchPage(server(), [`${SITE}/company/example-archive`, PAGE], {
    providers: ['brightdata', 'tavily'],
  });
  expect(rows.map(({ status, provider }) => [status, provider])).toEqual([
    ['succeeded', 'brightdata'],
    ['succeeded', 'tavily'],
  ]);
});

describe('2.9 brightdata: pinned only', () => {
  const last = useStubFor('jina');

  test('2.9 brightdata: the default chain for a LinkedIn page does not include it', async () => {
    const content = 'The archive keeps records for small teams. '.repeat(40);
    last().respond(() => ({
      body: { code: 200, status: 20000, data: { title: 'Archive', url: SITE, content } },
    }));
    const { row } = await fetchPage(last(), `${SITE}/company/example-archive`, {
      tier: 'extended',
    });
    expect([row.status, row.provider]).toEqual(['succeeded', 'jina']);
    expect(row.provider_chain?.map(({ provider }) => provider)).toEqual([
      ...['tinyfish', 'firecrawl', 'parallel', 'tavily', 'exa', 'linkup', 'you', 'jina'],
    ]);
    expect(callsTo(last(), 'brightdata')).toEqual([]);
  });

  test('2.9 brightdata: the roster says so', async () => {
    const { json } = await server().call('GET', '/v1/fetch-providers', { key: null });
    const entry = json.fetch_providers.find((one: { name: string }) => one.name === 'brightdata');
    expect(entry).toMatchObject({
      pin_only: true,
      in_default_chain: false,
      chain_position: null,
      requires_key: true,
      content_formats: ['markdown'],
    });
  });

  test.each(['brightdata', 'tinyfish,brightdata', ' BrightData , jina'])(
    '2.9 brightdata: FETCH_CHAIN=%s stops the start',
    (chain) => {
      expect(() => readConfig({ FETCH_CHAIN: chain })).toThrow(/FETCH_CHAIN/);
    },
  );
});
