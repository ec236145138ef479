import { describe, expect, test } from 'vitest';
import { answerOf, useSandbox } from './support.ts';

const sandbox = useSandbox();

const HEADERS = {
  'user-agent': 'trawl/0 (+operator@example.com)',
  'x-keenable-title': 'trawl',
  'content-type': 'application/json',
};

/**
 * A search of each open source, one that its documents do not have, and what the answer to that
 * says.
 */
const SOURCES: Readonly<Record<string, readonly [good: string, bad: string, said: RegExp]>> = {
  wikipedia: [
    '/de/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrsearch=tide&gsrlimit=3',
    '/de/w/api.php?action=query&format=json&generator=search&gsrsearch=tide&gsrlimit=9000',
    /"code":"badvalue"/,
  ],
  crossref: ['/works?query=tide&rows=3', '/works?query=tide&page=2', /parameter-not-allowed/],
  arxiv: [
    '/api/query?search_query=all:tide&max_results=3',
    '/api/query?search_query=tide&max_results=3',
    /<title>Error<\/title>/,
  ],
  europepmc: [
    '/search?query=tide&format=json&resultType=core&pageSize=3',
    '/search?query=tide&format=xml',
    /errCode/,
  ],
  hackernews: [
    '/api/v1/search?query=tide&hitsPerPage=3',
    '/api/v1/search?query=tide&numericFilters=points>1',
    /numericFilters/,
  ],
  stackexchange: [
    '/2.3/search/advanced?q=tide&site=stackoverflow&pagesize=3',
    '/2.3/search/advanced?q=tide',
    /bad_parameter/,
  ],
  wikidata: [
    '/w/api.php?action=wbsearchentities&format=json&search=tide&language=en&limit=3',
    '/w/api.php?action=wbsearchentities&format=json&search=tide',
    /"code":"badvalue"/,
  ],
  gleif: [
    '/api/v1/lei-records?filter%5Bfulltext%5D=tide&page%5Bsize%5D=3',
    '/api/v1/lei-records?filter%5Bname%5D=tide',
    /"errors"/,
  ],
  edgar: ['/LATEST/search-index?q=tide', '/LATEST/search-index?q=', /Blank search/],
  orcid: [
    '/v3.0/expanded-search/?q=tide&rows=3',
    '/v3.0/expanded-search/?q=tide&rows=5000',
    /9012/,
  ],
};

describe.each(Object.entries(SOURCES))('the open source %s', (vendor, [good, bad, said]) => {
  const ask = async (path: string) =>
    answerOf(await fetch(`${sandbox().baseUrl(vendor)}${path}`, { headers: HEADERS }));

  test('answers everyone, with the same bytes for the same request', async () => {
    const answer = await ask(good);
    expect([answer.status, answer.text.length > 100]).toEqual([200, true]);
    expect((await ask(good)).text).toBe(answer.text);
  });

  test('refuses what its documents do not have', async () => {
    expect((await ask(bad)).text).toMatch(said);
  });
});

test('keenable wants the name of the program', async () => {
  const url = `${sandbox().baseUrl('keenable')}/v1/search/public`;
  const ask = (headers: Readonly<Record<string, string>>, body: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const nameless = { 'content-type': 'application/json' };
  expect((await ask(HEADERS, { query: 'tide' })).status).toBe(200);
  expect((await ask(nameless, { query: 'tide' })).status).toBe(400);
  expect((await ask(HEADERS, { query: 'tide', language: 'de' })).status).toBe(400);
});

test('edgar serves no program without an e-mail address', async () => {
  const url = `${sandbox().baseUrl('edgar')}/LATEST/search-index?q=tide`;
  expect((await fetch(url, { headers: { 'user-agent': 'trawl' } })).status).toBe(403);
});

const PAGE = 'https://atlas.example.org/wiki/tides';
const BODIES: Readonly<Record<string, object>> = {
  '/search': { query: 'tide' },
  '/v2/search': { query: 'tide' },
  '/extract': { urls: [PAGE] },
  '/v2/scrape': { url: PAGE },
};

test('vendors with keys answer some calls without one, by their own rules', async () => {
  const you = `${sandbox().baseUrl('you')}/v1/agents/search?query=tide&count=3`;
  expect((await fetch(you)).status).toBe(200);
  expect((await fetch(you, { headers: { 'x-api-key': 'a-key' } })).status).toBe(401);
  const post = (vendor: string, path: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${sandbox().baseUrl(vendor)}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(BODIES[path]),
    });
  expect((await post('tavily', '/search', {})).status).toBe(401);
  const keyless = { 'x-tavily-access-mode': 'keyless' };
  expect((await post('tavily', '/search', keyless)).status).toBe(200);
  expect((await post('firecrawl', '/v2/search', {})).status).toBe(200);
  expect((await post('tavily', '/extract', {})).status).toBe(401);
  expect((await post('tavily', '/extract', keyless)).status).toBe(200);
  expect((await post('firecrawl', '/v2/scrape', {})).status).toBe(200);
});
