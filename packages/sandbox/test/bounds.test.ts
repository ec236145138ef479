import { byForm } from '@trawl/test-support/form';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../src/util/json.ts';
import {
  type Bound,
  DESCRIBED,
  type Described,
  ownChecks,
  routeBounds,
  validOf,
} from './bounds.ts';
import { type Answer, ask, type SentHeaders, useSandbox } from './support.ts';

/**
 * Each bound that an `api.json` states, just inside and just outside, at the vendor's own route.
 * The vendors' own tests have what a bound cannot say: rules between fields that are in code, words
 * of errors, rows and prices.
 */
const sandbox = useSandbox();

const FULL_PAGE = { extraction: { extraction_mode: 'full_page' } };

/** What a request needs in addition, by route, or by route and parameter. */
const WITH: Readonly<Record<string, JsonObject>> = {
  'edgar GET /LATEST/search-index': { q: 'tides' },
  'exa POST /search additionalQueries': { type: 'deep' },
  'exa POST /contents ids': { urls: null },
  'exa POST /contents': { urls: ['https://atlas.example.org/wiki/tides'] },
  'linkup POST /v1/search includeInlineCitations': { outputType: 'sourcedAnswer' },
  'linkup POST /v1/search includeSources': {
    ...{ outputType: 'structured', structuredOutputSchema: '{"type":"object"}' },
  },
  'mojeek GET /search': { api_key: 'test-key' },
  'searxng GET /search': { format: 'json' },
  'serpapi GET /search': { api_key: 'test-key' },
  'serpapi GET /search lat': { lon: '5' },
  'serpapi GET /search lon': { lat: '5' },
  'tavily POST /extract chunks_per_source': { query: 'tides' },
  'tavily POST /search days': { topic: 'news' },
  'tinyfish POST /v1/fetch include_html_head': { format: 'html' },
  'tinyfish GET /v1/search pub_year_max': { domain_type: 'research_paper' },
  'tinyfish GET /v1/search pub_year_min': { domain_type: 'research_paper' },
  'you POST /v1/search crawl_timeout': { livecrawl: 'web' },
  'you POST /v1/search extraction.extraction_source': FULL_PAGE,
  'you POST /v1/search extraction.full_page': FULL_PAGE,
  'you POST /v1/search extraction.full_page.extraction_formats': FULL_PAGE,
};

/** Bounds that the vendors' own tests have, with the reason. */
const OWN: Readonly<Record<string, string>> = {
  'exa POST /contents  accepted': 'it wants urls or ids',
  'exa POST /contents highlights.dynamic accepted': 'needs a header',
  'exa POST /search contents.highlights.dynamic accepted': 'needs a header',
  'jina POST / count accepted': 'nothing found is an error',
  'jina POST / num accepted': 'nothing found is an error',
  'linkup POST /v1/search outputType accepted': 'each needs members of its own',
  'linkup POST /v1/search structuredOutputSchema accepted': 'the text is a schema in JSON',
  'searxng GET /search format accepted': 'some are pages',
  'searxng GET /search format invalid': 'another word is a page',
};

/** Vendors whose errors have status 200. */
const OK_ERRORS: readonly unknown[] = ['wikidata', 'wikipedia'];

const HEADERS: SentHeaders = {
  authorization: 'Bearer test-key',
  'user-agent': 'tests (a@example.org)',
  'x-keenable-title': 'tests',
};

function send(route: Described, sent: unknown, headers: SentHeaders = {}): Promise<Answer> {
  const { vendor, api, method, path } = route;
  const own = typeof api.keyHeader === 'string' ? { [api.keyHeader]: 'test-key' } : {};
  // this route refuses a key
  const isKeyless = path === '/v1/agents/search';
  const key = isKeyless ? {} : { ...HEADERS, 'x-api-key': 'test-key', ...own };
  const target = path.replace('/*', '/en/w/api.php');
  return ask(sandbox(), vendor, method, target, sent, { ...key, ...headers });
}

/** The request with what its route and parameter need. */
const completed = ({ name }: Described, at: string, sent: unknown): unknown =>
  isObject(sent) ? merged({ ...WITH[name], ...sent }, WITH[`${name} ${at}`] ?? {}) : sent;

function merged(target: JsonObject, more: JsonObject): JsonObject {
  const parts = Object.entries(more).map(([name, part]) => {
    const known = target[name];
    return [name, isObject(known) && isObject(part) ? merged(known, part) : part];
  });
  return { ...target, ...Object.fromEntries(parts) };
}

/** The vendor's template for a problem of this kind. */
function refusalOf({ api }: Described, kind: string): JsonObject {
  const refusals = Object(api.refusals);
  return refusals[kind] ?? refusals.other ?? { status: 400 };
}

/** What an answer came to: accepted, or the status and whether it names the parameter. */
function outcomeOf(route: Described, { at, kind }: Bound, { status, text }: Answer): string {
  // what the sandbox does not play was understood
  if (status === 501) return 'accepted';
  const isError = status !== 200 || (OK_ERRORS.includes(route.vendor) && text.includes('"error"'));
  if (!isError) return 'accepted';
  const names = at.split(' with ').map((place) => place.split('.').at(-1) ?? '');
  const isNamed = isNaming(route, kind) && names.some((name) => text.includes(name));
  return isNamed ? `${status} for ${at}` : `${status}`;
}

function wantedOf(route: Described, { at, kind }: Bound): string {
  if (kind === 'accepted') return kind;
  const { status } = refusalOf(route, kind);
  return isNaming(route, kind) ? `${status} for ${at}` : `${status}`;
}

const isNaming = (route: Described, kind: Bound['kind']): boolean =>
  /\{(message|problems|field)\}/.test(JSON.stringify(refusalOf(route, kind)));

const shown = (sent: unknown) => JSON.stringify(sent).slice(0, 150);

describe.each(DESCRIBED.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  const bounds = [...routeBounds(route)].filter(
    ({ at, kind }) => !OWN[`${route.name} ${at} ${kind}`],
  );
  const all = [...new Set(bounds.map(({ at }) => at))];
  // each place is of the same checks; every third of them reaches all routes and kinds
  const places = byForm({ small: all.filter((_at, index) => index % 3 === 0), full: all });

  test.each(places.map((at) => [at || 'nothing but what is required', at]))(
    '%s',
    async (_title, at) => {
      const own = bounds.filter((bound) => bound.at === at);
      const answers = await Promise.all(
        own.map(({ sent }) => send(route, completed(route, at, sent))),
      );
      const seen = answers.map((answer, index) => [
        shown(own[index]?.sent),
        own[index] && outcomeOf(route, own[index], answer),
      ]);
      expect(seen).toEqual(own.map((bound) => [shown(bound.sent), wantedOf(route, bound)]));
    },
  );

  if (route.method === 'POST')
    test('a body that is not an object in JSON', async () => {
      const { status } = refusalOf(route, 'body');
      const { api, parameters } = route;
      const other = isObject(api.notJson) ? api.notJson.status : status;
      const good = completed(route, '', validOf(parameters, api));
      const answers = [
        await send(route, '{"query":'),
        await send(route, []),
        await send(route, good, { 'content-type': 'text/plain' }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, other]);
    });

  if (route.method === 'GET')
    test('a parameter that is repeated', async () => {
      const { api, parameters } = route;
      const good = Object(completed(route, '', validOf(parameters, api)));
      const [name = ''] = Object.keys(Object(parameters.properties));
      const query = new URLSearchParams(Object.entries({ [name]: 'tides', ...good }));
      query.append(name, 'tides');
      const bound: Bound = { at: name, sent: `${query}`, kind: 'repeated' };
      const answer = await send(route, bound.sent);
      expect(outcomeOf(route, bound, answer)).toBe(wantedOf(route, bound));
    });
});

test('every other check of a parameter has tests of its own', () => {
  const owned = DESCRIBED.flatMap(({ name, api, parameters }) =>
    ownChecks(parameters, api).map((at) => `${name} ${at}`),
  );
  expect(owned).toEqual([
    ...['q', 'freshness', 'result_filter', 'goggles', 'goggles_id'].map(
      (name) => `brave GET /res/v1/web/search ${name}`,
    ),
    ...['q', 'freshness', 'goggles'].map((name) => `brave GET /res/v1/llm/context ${name}`),
    'exa POST /search outputSchema',
    'firecrawl POST /v2/scrape formats',
  ]);
});
