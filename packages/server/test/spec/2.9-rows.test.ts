import { byForm } from '@trawl/test-support/form';
import { describe, expect, test } from 'vitest';
import {
  calledBy,
  fetchPages,
  pageAt,
  type Row,
  readBack,
  sha256,
  stepsOf,
  VENDORS,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const MAX = { tier: 'max' } as const;
/** A page of each kind is asked once of each provider. */
const known = new Map<string, Promise<Row>>();
function from(name: string, word = ''): Promise<Row> {
  const ask = async () =>
    (await fetchPages(server(), pageAt(word), { ...MAX, providers: [name] })).row;
  const row = known.get(`${name} ${word}`) ?? ask();
  known.set(`${name} ${word}`, row);
  return row;
}

describe('2.9 rows', () => {
  test.each(VENDORS)('2.9 rule 2: the page body of %s is `content`', async (name) => {
    const row = await from(name, 'short');
    expect(row.content).toContain('It opens again on Tuesday at 9.');
    for (const other of ['text', 'markdown', 'raw_content', 'body', 'full_content'])
      expect(row).not.toHaveProperty(other);
  });

  test('2.9 rule 3: every provider except linkup supplies the title', async () => {
    const titles = VENDORS.map(async (name) => [
      name,
      (await from(name)).title?.replace(/ \d+$/, '') ?? null,
    ]);
    expect(await Promise.all(titles)).toEqual(
      VENDORS.map((name) => [name, name === 'linkup' ? null : 'Rising tides']),
    );
  });

  test('2.9 rule 4: length and hash are measured over the body, for every provider', async () => {
    for (const name of VENDORS) {
      const row = await from(name);
      expect(row).toMatchObject({
        provider: name,
        truncated: false,
        content_length: [...row.content].length,
        content_sha256: sha256(row.content),
      });
      expect(stepsOf(row)).toEqual([`${name} answered`]);
      expect(Number.isInteger(row.latency_ms)).toBe(true);
    }
  });

  test('2.9 rule 4: the chain’s entries have provider, outcome, code and latency_ms', async () => {
    const { row } = await fetchPages(server(), pageAt('', '[[tinyfish:status=503]]'), MAX);
    for (const step of row.provider_chain) {
      expect(Object.keys(step)).toEqual(['provider', 'outcome', 'code', 'latency_ms']);
      expect(Number.isInteger(step.latency_ms)).toBe(true);
    }
  });

  test.each(VENDORS)('2.9 rule 5: values of %s are not repeated in enrichments', async (name) => {
    const { content, enrichments, raw_html, html } = await from(name);
    const left = JSON.stringify(enrichments);
    for (const text of [content, raw_html, html])
      if (text !== null) expect(left).not.toContain(JSON.stringify(text).slice(1, -1));
  });

  test.each(['firecrawl', 'linkup'])('2.9 rule 8: js_rendered is true for %s', async (name) => {
    for (const tier of ['default', 'extended', 'max'] as const) {
      const { row } = await fetchPages(server(), pageAt(), { tier, providers: [name] });
      expect(row.js_rendered).toBe(true);
    }
  });

  test('2.9 rule 8: it is not true for any other provider', async () => {
    for (const name of VENDORS.filter((one) => one !== 'firecrawl' && one !== 'linkup'))
      expect((await from(name)).js_rendered, name).toBeNull();
  });

  test.each(VENDORS)('2.9 %s: values have the types of the table', async (name) => {
    for (const word of ['', 'relative', 'pdf', 'untitled']) {
      const row = await from(name, word);
      for (const list of ['links', 'images', 'media'])
        for (const url of row[list]) expect(new URL(url).protocol, list).toMatch(/^https?:$/);
      for (const field of ['canonical_url', 'screenshot', 'favicon', 'thumbnail'])
        if (row[field] !== null) expect(() => new URL(row[field]), field).not.toThrow();
      if (row.publish_date !== null)
        expect(row.publish_date).toMatch(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/);
      if (row.usage !== null)
        expect(Object.keys(row.usage)).toEqual(['requests', 'units', 'cost_usd', 'cost_source']);
      if (row.title !== null) expect(row.title.trim()).not.toBe('');
    }
  });
});

describe('2.9 answers that cannot be used', () => {
  const FAULTS = ['broken-json', 'wrong-shape=array', 'wrong-shape=null', 'bad-gzip', 'cut'];

  // in the small form each fault from half of them
  test.each([...[...FAULTS, 'wrong-shape=string', 'not-json'].entries()])(
    '2.9 rule 1: %i %s from any vendor is not a page: the next one answers',
    async (nth, fault) => {
      const share = byForm({ small: 2, full: 1 });
      const vendors = VENDORS.filter((_name, at) => (at + nth) % share === 0);
      const asked = vendors.map(async (name) => {
        const next = name === 'exa' ? 'tavily' : 'exa';
        const url = pageAt('', `[[${name}:${fault}]]`);
        const { row } = await fetchPages(server(), url, { ...MAX, providers: [name, next] });
        const [first] = row.provider_chain;
        return [name, first.outcome, row.status, row.provider];
      });
      expect(await Promise.all(asked)).toEqual(
        vendors.map((name) => [name, 'failed', 'succeeded', name === 'exa' ? 'tavily' : 'exa']),
      );
    },
  );

  test('2.9 rule 1: an answer of 20 MB is not a page: the next one answers', async () => {
    const url = pageAt('', '[[tinyfish:too-large=20000000]]');
    const { row } = await fetchPages(server(), url, MAX);
    expect([row.status, row.provider]).toEqual(['succeeded', 'firecrawl']);
  });

  test.each(VENDORS)('2.9 rule 1: an empty answer of %s is not a page', async (name) => {
    const url = pageAt('', `[[${name}:empty]]`);
    const options = { ...MAX, providers: [name, name === 'exa' ? 'tavily' : 'exa'] };
    const { row } = await fetchPages(server(), url, options);
    expect(row.provider).not.toBe(name);
    expect(row.status).toBe('succeeded');
  });
});

describe('8: limits of a fetch', () => {
  test('8: 20 URLs are fetched, 21 are refused, unless the deployment sets another limit', async () => {
    const urls = Array.from({ length: 21 }, () => pageAt('short'));
    const refused = await server().fetch({ urls });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'over_url_cap']);
    expect(refused.json.error.message).toMatch(/\b20\b/);
    expect(calledBy(server())).toEqual([]);
    const { rows } = await fetchPages(server(), urls.slice(1));
    expect(rows).toHaveLength(20);
    expect(calledBy(server())).toHaveLength(20);
  });

  test('4.3 U+0000 and lone surrogates in recorded texts become U+FFFD', async () => {
    const rawBody = `{"urls":["${pageAt()}"],"metadata":{"a":"x\\u0000y","b":"\\ud800"}}`;
    const answer = await server().call('POST', '/v1/fetch', { rawBody });
    expect(answer.status, answer.text).toBe(200);
    const { metadata } = (await readBack(server(), answer.json)).json;
    expect(metadata).toEqual({ a: 'x\ufffdy', b: '\ufffd' });
  });
});
