import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { MCP_TOOL_NAMES } from '@trawl/contract';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount, overHttp, sessionOf, textOf } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PAGE = 'https://www.example.com/guides/rope-walks';

let server: TestServer;
let host: Client;
beforeAll(async () => {
  server = await startTestServer({ mounts: [mcpMount()] });
  host = await overHttp(server, 'auto', MCP_TOOL_NAMES.join());
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
  web_context: { query: 'tidal power', include: ['exa'], max_pages: 1 },
  search_history: {},
  verify_quotes: { quotes: ['tidal power'] },
  search: { query: 'tidal power' },
  fetch: { id: PAGE },
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
  url: PAGE,
  id: PAGE,
  quotes: ['tidal power'],
  num_results: 3,
  max_age_seconds: 60,
  max_cost_usd: 1,
  max_tokens: 900,
  max_pages: 1,
  max_seconds: 20,
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

const fail = (): never => {
  throw new Error('the host does not list the tool');
};

/** Without what excludes the argument. */
function leastFor(tool: string, argument: string): object {
  const { query, ...rest } = LEAST[tool] as { query?: string };
  return argument === 'queries' || query === undefined ? rest : { query, ...rest };
}

test.each(MCP_TOOL_NAMES)(
  'every argument of %s is read in each form, and what is not its own is named',
  async (name) => {
    const session_id = sessionOf(await call('web_search', LEAST.web_search ?? {}));
    const { json } = await server.call('GET', `/v1/sessions/${session_id}/history`);
    const ids: Readonly<Record<string, unknown>> = { session_id, after: json.interactions[0].id };
    const { tools } = await host.listTools();
    const { inputSchema } = tools.find((tool) => tool.name === name) ?? fail();
    const properties = Object.entries(inputSchema.properties ?? {});
    expect(properties.length).toBeGreaterThan(0);
    for (const [index, [argument, property]] of properties.entries()) {
      const isRequired = inputSchema.required?.includes(argument) ?? false;
      const value = ids[argument] ?? sampleOf(argument, property as Property);
      const forms = { plain: value, ...formsOf(value, isRequired) };
      // half of the forms of an argument, the others with the next one
      const few = Object.entries(forms).filter((_form, at) => (at + index) % 2 === 0);
      const sentForms = byForm({ small: few, full: Object.entries(forms) });
      const answers = sentForms.map(async ([form, sent]) => {
        const isQueryAbsent = argument === 'query' && form !== 'plain';
        const isListAbsent = argument === 'queries' && ['empty', 'blank', 'null'].includes(form);
        const least = isQueryAbsent ? { queries: ['tidal power'] } : leastFor(name, argument);
        const needed = isListAbsent ? { query: 'tidal power' } : {};
        const place = argument === 'after' || name === 'verify_quotes' ? { session_id } : {};
        const result = await call(name, {
          ...least,
          ...needed,
          ...place,
          [argument]: sent,
          toolCallId: 'call_1',
        });
        const at = `${name}.${argument} as ${form}: ${textOf(result).slice(0, 300)}`;
        expect(result.isError, at).not.toBe(true);
        // the answer of a connector's tool has one text, so it cannot name them
        const isConnector = result.structuredContent !== undefined;
        expect(isConnector || textOf(result).includes('toolCallId'), at).toBe(true);
      });
      await Promise.all(answers);
    }
  },
);

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
