import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../packages/server/test/support/harness.ts';
import { FETCH_TABLES, fetchFacts } from './docs/fetch-tables.ts';
import { providerFacts, TABLES } from './docs/tables.ts';

const DOCS = new URL('../docs/', import.meta.url);
const PAPERS = ['../README.md', '../ARCHITECTURE.md', '../CONTRIBUTING.md', '../SECURITY.md'];
const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const read = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

const MARKED = /<!-- generated: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g;

const ALL_TABLES = { ...TABLES, ...FETCH_TABLES };

function render(name: string): string {
  const search = SEARCH_PROVIDERS.find(({ slug }) => name === `facts-${slug}`);
  const fetching = FETCH_PROVIDERS.find(({ slug }) => name === `fetch-facts-${slug}`);
  const facts = (search && providerFacts(search)) ?? (fetching && fetchFacts(fetching));
  const text = facts ?? ALL_TABLES[name]?.();
  if (text === undefined) throw new Error(`docs name an unknown table: ${name}`);
  return text;
}

const regenerated = (page: string): string =>
  page.replace(
    MARKED,
    (_all, name: string) => `<!-- generated: ${name} -->\n${render(name)}\n<!-- end -->`,
  );

describe('generated tables say what the code says (npm run docs renews them)', () => {
  test.each(pages)('%s', (name) => {
    const page = read(name);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(new URL(name, DOCS), regenerated(page));
    else expect(page).toBe(regenerated(page));
  });

  test('every table stands in some page, and every provider has its own', () => {
    const all = pages.map(read).join('\n');
    for (const name of Object.keys(ALL_TABLES))
      expect(all).toContain(`<!-- generated: ${name} -->`);
    for (const { slug } of SEARCH_PROVIDERS) expect(pages).toContain(`providers/${slug}.md`);
    for (const { slug } of FETCH_PROVIDERS) {
      expect(read(`providers/${slug}.md`)).toContain(`<!-- generated: fetch-facts-${slug} -->`);
    }
  });
});

test.each([...pages, ...PAPERS])('every relative link of %s leads to a file', (name) => {
  const links = [...read(name).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
    ([, target]) => target ?? '',
  );
  const missing = links.filter((target) => !existsSync(new URL(target, new URL(name, DOCS))));
  expect(missing).toEqual([]);
});

/** A request block: ```http with method and path, then the JSON body, then `→ STATUS`. */
const EXAMPLE = /```http\n(GET|POST|DELETE) (\S+)\n([\s\S]*?)```\n+Answers? (\d{3})/g;

describe('every example request of the docs answers what the docs say', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const examples = pages.flatMap((name) =>
    [...read(name).matchAll(EXAMPLE)].map(
      ([, method = '', path = '', body = '', status = '']) =>
        [name, method, path, body, Number(status)] as const,
    ),
  );

  test('there are some', () => expect(examples.length).toBeGreaterThan(5));

  test.each(examples)('%s: %s %s', async (_name, method, path, body, status) => {
    const seen = await server.search({ user_input: { query: 'tidal power' } });
    const target = path
      .replaceAll('SESSION_ID', seen.json.session_id)
      .replaceAll('INTERACTION_ID', seen.json.interaction_id);
    const answer = await server.call(method, target, body.trim() ? { rawBody: body } : {});
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
  });
});
