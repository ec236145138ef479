import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount, overHttp, sessionOf, textOf } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PAGE = 'https://www.example.com/guides/rope-walks';

let server: TestServer;
let host: Client;
beforeAll(async () => {
  server = await startTestServer({ mounts: [mcpMount()] });
  host = await overHttp(server);
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

const call = (name: string, args: object) =>
  host.callTool({ name, arguments: { ...args } }) as Promise<CallToolResult>;

/** What each tool needs at least. */
const LEAST: Readonly<Record<string, object>> = {
  web_search: { query: 'tidal power', include: ['exa'] },
  web_fetch: { urls: [PAGE] },
  search_history: {},
};

/** A value of each argument that has no other use for its own type. */
const VALUES: Readonly<Record<string, unknown>> = {
  queries: ['tidal power'],
  published_after: '2020-01-31',
  published_before: '2030-01-31',
  country: 'de',
  language: 'de',
  include_domains: ['example.com'],
  exclude_domains: ['example.org'],
  include: ['exa'],
  exclude: ['brave'],
  fallback: ['brave'],
  providers: ['jina'],
  urls: [PAGE],
  num_results: 3,
  inline_max_chars: 2_000,
  offset: 0,
};

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}

function sampleOf(name: string, { type, enum: words }: Property): unknown {
  if (name in VALUES) return VALUES[name];
  return words?.[0] ?? (type === 'boolean' ? true : 'tidal power');
}

/** The forms in which models and hosts send a value. */
function formsOf(value: unknown, isRequired: boolean): Readonly<Record<string, unknown>> {
  const absent = isRequired ? {} : { empty: '', blank: ' ', null: null };
  if (Array.isArray(value)) {
    return { ...absent, word: value[0], json: JSON.stringify(value) };
  }
  return typeof value === 'string' ? absent : { ...absent, text: String(value) };
}

/** Without what excludes the argument. */
function leastFor(tool: string, argument: string): object {
  const { query, ...rest } = LEAST[tool] as { query?: string };
  return argument === 'queries' || query === undefined ? rest : { query, ...rest };
}

test('every argument of every tool is read in each form, and what is not its own is named', async () => {
  const session = sessionOf(await call('web_search', LEAST.web_search ?? {}));
  const { interaction_id } = (
    await server.call('GET', `/v1/sessions/${session}/history`)
  ).json.interactions.map(({ id }: { id: string }) => ({ interaction_id: id }))[0];
  const { tools } = await host.listTools();
  let count = 0;
  for (const { name, inputSchema } of tools) {
    for (const [argument, property] of Object.entries(inputSchema.properties ?? {})) {
      const isRequired = inputSchema.required?.includes(argument) ?? false;
      const ids = { session_id: session, after: interaction_id } as const;
      const own = argument in ids ? ids[argument as keyof typeof ids] : undefined;
      const value = own ?? sampleOf(argument, property as Property);
      const forms = { plain: value, ...formsOf(value, isRequired) };
      for (const [form, sent] of Object.entries(forms)) {
        const isQueryAbsent = argument === 'query' && form !== 'plain';
        const isListAbsent = argument === 'queries' && ['empty', 'blank', 'null'].includes(form);
        const least = isQueryAbsent ? { queries: ['tidal power'] } : leastFor(name, argument);
        const needed = isListAbsent ? { query: 'tidal power' } : {};
        const place = argument === 'after' ? { session_id: session } : {};
        const result = await call(name, {
          ...least,
          ...needed,
          ...place,
          [argument]: sent,
          toolCallId: 'call_1',
        });
        const at = `${name}.${argument} as ${form}: ${textOf(result).slice(0, 300)}`;
        expect(result.isError, at).not.toBe(true);
        expect(JSON.stringify(result.content), at).toContain('toolCallId');
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(80);
});

test('a number as text means the number', async () => {
  server.sandbox.clearCalls();
  await call('web_search', { ...LEAST.web_search, num_results: '2' });
  expect(server.sandbox.calls.map(({ body }) => body)).toEqual([
    expect.stringContaining('"numResults":2'),
  ]);
  const wrong = await call('web_search', { ...LEAST.web_search, num_results: 'two' });
  expect(wrong.isError).toBe(true);
});

test('a URL that is none fails alone', async () => {
  const mixed = await call('web_fetch', { urls: ['nope', PAGE, 'ftp://example.com/a'] });
  expect(mixed.isError).not.toBe(true);
  const text = JSON.stringify(mixed.content);
  for (const part of ['FAILED: nope (invalid_url)', 'FAILED: ftp://example.com/a', PAGE]) {
    expect(text).toContain(part);
  }
  expect((await call('web_fetch', { urls: ['nope'] })).isError).toBe(true);
});

test('search_history without an id lists the newest of the project, and finds by words', async () => {
  await call('web_search', { query: 'rope walks of the north', include: ['exa'] });
  await call('web_search', { query: 'granite quarries', include: ['exa'] });
  const all = textOf(await call('search_history', {}));
  expect(all.indexOf('granite quarries')).toBeLessThan(all.indexOf('rope walks of the north'));
  expect(all.indexOf('granite quarries')).toBeGreaterThan(0);
  const some = textOf(await call('search_history', { words: 'North ROPE' }));
  expect([some.includes('rope walks of the north'), some.includes('granite')]).toEqual([
    true,
    false,
  ]);
  expect(textOf(await call('search_history', { words: 'zeppelin' }))).toContain(
    'Nothing was found',
  );
});
