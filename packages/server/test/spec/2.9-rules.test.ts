import { describe, expect, test } from 'vitest';
import { fetchPage, gapsOfRow, hasFormatGap, PAGE, pageOf } from './support/fetched-pages.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const VENDORS = ['tinyfish', 'firecrawl', 'parallel', 'tavily', 'exa', 'linkup', 'you', 'jina'];
const TITLED = VENDORS.filter((name) => name !== 'linkup');
const RECORD = 'https://www.linkedin.com/company/example-archive';
const urlFor = (provider: string) => (provider === 'brightdata' ? RECORD : PAGE);
const ALL = [...VENDORS, 'brightdata'];

test.each([...TITLED, 'brightdata'])(
  '2.9 rule 3: %s supplies a title, also over a known one',
  async (provider) => {
    const url =
      provider === 'brightdata' ? RECORD : `https://www.example.com/${provider}/rope-walks`;
    const { row } = await pageOf(server(), provider, url, { tier: 'minimalist' });
    expect(row.title).toBe(provider === 'brightdata' ? 'Example Archive' : 'Rope walks');
    expect(gapsOfRow(row)).not.toContain('title');
  },
);

test.each(TITLED)(
  '2.9 rule 3: the title of an untitled page is null with %s, without a gap',
  async (provider) => {
    const { row } = await pageOf(
      server(),
      provider,
      `https://www.example.com/untitled/${provider}`,
    );
    expect([row.title, gapsOfRow(row).includes('title')]).toEqual([null, false]);
  },
);

test.each(VENDORS)('2.9 rule 3: %s supplies the failure signal', async (provider) => {
  for (const word of ['missing', 'blocked', 'error']) {
    const url = `https://www.example.com/${word}/${provider}`;
    const { row } = await fetchPage(server(), url, { providers: [provider] });
    expect([row.status, row.provider], word).toEqual(['failed', provider]);
    expect(row.warnings, word).not.toEqual([]);
  }
});

test('2.9 rule 5: enrichments has the unused keys, verbatim', async () => {
  const tinyfish = await pageOf(server(), 'tinyfish', PAGE, { tier: 'max' });
  expect(tinyfish.row.enrichments).toEqual({ latency_ms: expect.any(Number) });
  const exa = await pageOf(server(), 'exa', PAGE, { tier: 'max' });
  expect(exa.row.enrichments).toMatchObject({
    id: PAGE,
    highlightScores: expect.arrayContaining([expect.any(Number)]),
  });
  const jina = await pageOf(server(), 'jina', PAGE, { tier: 'max' });
  expect(jina.row.enrichments).toMatchObject({ external: { canonical: { [PAGE]: {} } } });
});

test.each(VENDORS)(
  '2.9 rule 5: undocumented members of %s are kept, verbatim',
  async (provider) => {
    const url = `${PAGE}?x=[[${provider}:echo-key]]`;
    const { row, text } = await pageOf(server(), provider, url, { tier: 'max' });
    // the sandbox adds one undocumented member; the provider key in it is removed
    expect(row.enrichments).toMatchObject({ debug: { key: expect.any(String) } });
    expect(text).not.toContain('planted-');
  },
);

test.each(VENDORS)(
  '2.9 rule 3: odd members in an answer of %s do not spoil a row',
  async (provider) => {
    const url = `${PAGE}?x=[[${provider}:odd-rows]]`;
    const { row } = await pageOf(server(), provider, url, { tier: 'max' });
    expect(row.title ?? '').not.toMatch(/<|&amp;|&#/);
  },
);

describe.each([
  ['exa', 'text', 'text'],
  ['firecrawl', 'markdown', 'markdown'],
  ['linkup', 'markdown', 'markdown'],
  ['parallel', 'markdown', 'markdown'],
  ['tavily', 'markdown', 'markdown'],
  ['tinyfish', 'markdown', 'markdown'],
  ['you', 'markdown', 'markdown'],
  ['brightdata', 'markdown', 'markdown'],
  ['jina', 'markdown', 'text'],
])('2.9 rule 7: %s', (provider, asMarkdown, asText) => {
  test.each([
    ['markdown', asMarkdown],
    ['text', asText],
  ] as const)(
    `2.9 rule 7: ${provider} asked for %s answers %s, and reports a different format`,
    async (format, expected) => {
      for (const tier of ['minimalist', 'max'] as const) {
        const options = { tier, content_format: format };
        const { row } = await pageOf(server(), provider, urlFor(provider), options);
        expect(row.content_format).toBe(expected);
        expect(hasFormatGap(row)).toBe(format !== expected);
        const named = row.warnings.filter(({ message }) => message.startsWith('content_format: '));
        for (const { message } of named) expect(message).toContain(provider);
      }
    },
  );
});

test('2.9 rule 7: the roster names the same formats', async () => {
  const { json } = await server().call('GET', '/v1/fetch-providers', { key: null });
  const formats = Object.fromEntries(
    json.fetch_providers.map((one: { name: string; content_formats: string[] }) => [
      one.name,
      one.content_formats,
    ]),
  );
  expect(formats).toMatchObject({ exa: ['text'], jina: ['markdown', 'text'] });
  for (const name of ['firecrawl', 'linkup', 'parallel', 'tavily', 'tinyfish', 'you', 'brightdata'])
    expect(formats[name]).toEqual(['markdown']);
});

test.each(ALL)(
  '2.9: a provider’s own failure (%s) is reported with provider, code and status',
  async (provider) => {
    server().sandbox.inject(provider, 'status=503');
    const options = { providers: [provider, provider === 'jina' ? 'tavily' : 'jina'] };
    const { warnings } = await fetchPage(server(), urlFor(provider), options);
    expect(warnings[0]).toMatch(new RegExp(`^provider_error .*${provider}.*upstream_error.*503`));
  },
);
