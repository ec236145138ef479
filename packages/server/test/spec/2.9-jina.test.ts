import { providerKey } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import {
  booked,
  fetchPage,
  hasFormatGap,
  PAGE,
  pageOf,
  sha256,
  useStubFor,
} from './support/fetched-pages.ts';
import { callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('jina');
const BODY = `The kiln dries wood in the sun.\n\n${'It takes a summer. '.repeat(60).trim()}`;

test('2.9 jina: markdown, read in JSON mode from a POST', async () => {
  const { row } = await pageOf(server(), 'jina');
  expect(row.content_format).toBe('markdown');
  expect(row.content).toMatch(/^## Background/);
  const [call] = callsTo(server(), 'jina');
  expect([call?.method, call?.path, call?.headers.accept, call?.json()]).toEqual([
    'POST',
    '/',
    'application/json',
    { url: PAGE },
  ]);
});

describe('2.9 jina: the only vendor that needs no key', () => {
  const keyless = useServer({ env: { JINA_API_KEY: undefined } });

  test('2.9 jina: without a key it answers, and no credential is sent', async () => {
    await pageOf(keyless(), 'jina');
    expect(callsTo(keyless(), 'jina')[0]?.headers).not.toHaveProperty('authorization');
  });

  test('2.9 jina: a key is sent along', async () => {
    await pageOf(server(), 'jina');
    const [call] = callsTo(server(), 'jina');
    expect(call?.headers.authorization).toBe(`Bearer ${providerKey('jina')}`);
  });

  test('2.9 jina: a page costs something with a key, so that budgets see it, and nothing without', async () => {
    const costOf = async (of: ReturnType<typeof server>) => {
      const options = { providers: ['jina'] };
      const dry = await of.call('POST', '/v1/fetch?dry_run=true', {
        body: { urls: [PAGE], options },
      });
      const [row] = await booked(of, await fetchPage(of, PAGE, options));
      return [dry.json.total_usd > 0, (row?.costMicros ?? 0) > 0];
    };
    expect(await costOf(server())).toEqual([true, true]);
    expect(await costOf(keyless())).toEqual([false, false]);
  });

  test('2.9 jina: the roster says that every other vendor needs a key', async () => {
    const { json } = await keyless().call('GET', '/v1/fetch-providers', { key: null });
    const free = json.fetch_providers
      .filter((one: { requires_key: boolean }) => !one.requires_key)
      .map((one: { name: string }) => one.name);
    expect(free.sort()).toEqual(['direct', 'jina']);
    const entry = json.fetch_providers.find((one: { name: string }) => one.name === 'jina');
    expect(entry.configured).toBe(true);
  });
});

const PREAMBLE = [
  'Title: Solar kilns',
  `URL Source: ${PAGE}`,
  'Published Time: 2024-04-23T09:27:08+00:00',
  'Number of Pages: 4',
].join('\n\n');

test.each([
  ['a text answer', (content: string) => content],
  [
    'the content of a JSON answer',
    (content: string) => ({ code: 200, status: 20000, data: { title: '', url: PAGE, content } }),
  ],
])(
  '2.9 jina: the preamble of %s is stripped before content_sha256 is computed',
  async (_how, answer) => {
    stub().respond(() => ({ body: answer(`${PREAMBLE}\n\nMarkdown Content:\n${BODY}\n`) }));
    const { row } = await pageOf(stub(), 'jina');
    expect(row.content?.trim()).toBe(BODY);
    for (const line of ['Title:', 'URL Source:', 'Published Time:', 'Markdown Content:'])
      expect(row.content).not.toContain(line);
    expect(row.content_sha256).toBe(sha256(row.content ?? ''));
    expect(row.content_length).toBe([...(row.content ?? '')].length);
  },
);

test('2.9 jina: the facts in the preamble of a text answer are kept', async () => {
  stub().respond(() => ({ body: `${PREAMBLE}\n\nMarkdown Content:\n${BODY}\n` }));
  const { row } = await pageOf(stub(), 'jina', PAGE, { tier: 'extended' });
  expect(row).toMatchObject({ title: 'Solar kilns', canonical_url: PAGE, page_count: 4 });
  expect(row.publish_date).toMatch(/^2024-04-23T09:27:08/);
});

test('2.9 jina: a page that only looks like a preamble keeps its text', async () => {
  const content = `Title: an essay on titles\n\n${BODY}`;
  stub().respond(() => ({ body: { code: 200, data: { title: 'Titles', url: PAGE, content } } }));
  const { row } = await pageOf(stub(), 'jina');
  expect(row.content).toBe(content);
});

test.each([
  ['missing', 404, 'not_found'],
  ['gone', 410, 'not_found'],
  ['error', 500, 'target_error'],
  ['blocked', 403, 'blocked'],
])(
  '2.9 jina: /%s answers 200 with a body; http_status is %i, with an upstream_error',
  async (word, status, code) => {
    const { row, warnings } = await fetchPage(server(), `https://www.example.com/${word}`, {
      providers: ['jina'],
    });
    expect([row.status, row.http_status, row.error?.code]).toEqual(['failed', status, code]);
    const upstream = warnings.filter((line) => line.startsWith('upstream_error '));
    expect(upstream.length).toBeGreaterThan(0);
    expect(upstream.join(' ')).toContain(String(status));
    expect(warnings.filter((line) => line.startsWith('provider_error'))).toEqual([]);
  },
);

test('2.9 jina: a page that quotes such a warning is still a page', async () => {
  const content = `${BODY}\n\nWarning: Target URL returned error 404: Not Found`;
  for (const body of [
    { code: 200, data: { title: 'Kilns', url: PAGE, content } },
    `${PREAMBLE}\n\nMarkdown Content:\n${content}\n`,
  ]) {
    stub().respond(() => ({ body }));
    expect((await pageOf(stub(), 'jina')).row.http_status).toBeNull();
  }
});

test('2.9 jina: its other remarks are in warning', async () => {
  const warning = 'This is a cached snapshot of the original page.';
  stub().respond(() => ({
    body: { code: 200, data: { title: 'K', url: PAGE, content: BODY, warning } },
  }));
  const { row, warnings } = await pageOf(stub(), 'jina');
  expect(row.warning).toContain(warning);
  expect(warnings[0]).toMatch(/^upstream_warning /);
});

test('2.9 jina: the text of the error page is kept for a missing page', async () => {
  const { row } = await fetchPage(server(), 'https://www.example.com/missing', {
    providers: ['jina'],
  });
  expect(row.content).toContain('The page you asked for does not exist.');
});

test('2.9 jina: it does not report a 200, so none is invented', async () => {
  const { row, warnings } = await pageOf(server(), 'jina');
  expect(row.http_status).toBeNull();
  expect(warnings.filter((line) => line.startsWith('upstream_error'))).toEqual([]);
});

test.each(['markdown', 'text'] as const)(
  '2.9 rule 7: jina echoes the requested format: %s',
  async (format) => {
    const { row } = await pageOf(server(), 'jina', PAGE, { content_format: format });
    expect([row.content_format, hasFormatGap(row)]).toEqual([format, false]);
    expect(row.content).toMatch(format === 'text' ? /^Solar kilns\n/ : /^## /);
    expect(callsTo(server(), 'jina')[0]?.headers['x-return-format']).toBe(
      format === 'text' ? 'text' : undefined,
    );
  },
);
