import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { consoleBranch } from '@trawl/console-api';
import { ROUTES, type Route, type RouteId, readExamples } from '@trawl/contract';
import { CONSOLE_ROUTES, type ConsoleRoute } from '@trawl/contract/console';
import { DROP_INS, type DropIn, type DropInRoute } from '@trawl/drop-ins';
import { consolePeople } from '@trawl/test-support/console-server';
import { type Growth, growthOf } from '@trawl/test-support/cpu-growth';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  ANY_VALUES,
  BODY_CHARACTERS,
  bodyWith,
  formsOf,
  HEADER_LINES,
  HEADERS,
  type HostileText,
  type Member,
  MORE_VALUES,
  membersOf,
  NAMES,
  queriesOf,
  repeatedValue,
} from './support/hostile-inputs.ts';

/** A route as the table of its kind declares it. */
interface Tested {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly auth: 'key' | 'token' | 'console';
  /** Names that its query string may have. */
  readonly names: readonly string[];
  /** Places of its JSON body; absent = it has none. */
  readonly members?: readonly Member[];
  /** A body that it accepts. */
  readonly base?: unknown;
  readonly isForm?: boolean;
}

const titled = (method: string, path: string) => ({ title: `${method} ${path}`, method, path });

const namesOf = (schema: z.ZodObject | undefined): readonly string[] =>
  schema ? Object.keys(schema.shape) : [];

const EXAMPLES = await readExamples();

const API = Object.entries<Route>(ROUTES).map(([id, route]): Tested => {
  const [example] = Object.values(EXAMPLES[id as RouteId].request ?? {});
  return {
    ...titled(route.method, route.path),
    ...{ auth: 'key', names: namesOf(route.query) },
    ...(route.body && { members: membersOf(route.body), base: example?.value ?? {} }),
  };
});

const CONSOLE = Object.values(CONSOLE_ROUTES).map((route: ConsoleRoute): Tested => {
  const { method, path, query, body } = route;
  return {
    ...titled(method, path),
    ...{ auth: 'console', names: namesOf(query) },
    ...(body && { members: membersOf(body), base: {} }),
  };
});

/** Values of the parameters without which no request of a vendor is understood. */
const NEEDED: Readonly<Record<string, unknown>> = {
  query: 'tides',
  url: 'https://example.org/',
  urls: ['https://example.org/'],
};

function dropInRoute(dropIn: DropIn, route: DropInRoute): Tested {
  const names = route.parameters.map(({ name }) => name);
  const needed = Object.entries(NEEDED).filter(([name]) => names.includes(name));
  const path = `/compat/${dropIn.slug}${route.path.replace('*', 'https://example.org/a')}`;
  const members = names.map((name) => ({ path: [name], item: 'example.org' }));
  return {
    ...titled(route.method, path),
    auth: dropIn.slug === 'brave' ? 'token' : 'key',
    names: route.place === 'query' ? names : [],
    isForm: route.place === 'query' && route.method === 'POST',
    ...(route.place === 'body' && { members, base: Object.fromEntries(needed) }),
  };
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
const TOOLS: Readonly<Record<string, readonly [base: object, ...names: string[]]>> = {
  web_search: [{ query: 'tides' }, 'query', 'queries', 'include', 'include_domains', 'fallback'],
  web_fetch: [{ urls: ['https://example.org/'] }, 'urls', 'providers', 'session_id'],
  search_history: [{ session_id: randomUUID() }, 'session_id', 'after'],
};
const MCP = Object.entries(TOOLS).map(
  ([name, [base, ...names]]): Tested => ({
    ...{ title: `POST /mcp ${name}`, method: 'POST', path: '/mcp', auth: 'key', names: [] },
    base: { ...CALL, params: { name, arguments: base } },
    members: [
      ...names.map((one) => ({ path: ['params', 'arguments', one], item: 'example.org' })),
      ...['id', 'method', 'params', 'jsonrpc'].map((one) => ({ path: [one], item: CALL })),
    ],
  }),
);

const OTHERS: readonly Tested[] = ['/metrics', '/docs', '/console', '/compat/nowhere', '/v1/x'].map(
  (path) => ({ ...titled('GET', path), auth: 'key', names: ['a'] }),
);
const PASSED: Tested = {
  ...(API.find(({ path }) => path === '/v1/interactions') ?? fail()),
  ...titled('POST', '/console/api/projects/{project_id}/v1/interactions'),
  auth: 'console',
};

let server: TestServer;
let cookie: string;
/** Of a person who signs out. */
let leaving: string;
let ids: Readonly<Record<string, string>>;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  server = await startTestServer({ branches: [consoleBranch()], mounts: [mcpMount()] });
  const people = consolePeople(server);
  cookie = (await people.operator()).cookie();
  leaving = (await people.person('viewer')).cookie();
  const { json } = await server.search({ user_input: { query: 'tides' } });
  const key = await server.makeKey('main');
  ids = {
    ...{ project_id: server.projectId, key_id: key.id, name: 'exa' },
    ...{ session_id: json.session_id, interaction_id: json.interaction_id },
  };
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
});

interface Asked {
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
  readonly lines?: readonly string[];
}

/** Sends a request as it is, and reads the answer to its end. Refusals count too. */
function ask(route: Tested, { query, body, type, lines = [] }: Asked): Promise<number> {
  // what is deleted is missed by the next request
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    route.method === 'DELETE' && name !== 'project_id' ? randomUUID() : (ids[name] ?? randomUUID()),
  );
  const { host, hostname, port } = new URL(server.url);
  const auth = {
    key: ['authorization', `Bearer ${server.key}`],
    token: ['x-subscription-token', server.key],
    console: ['cookie', route.path.endsWith('/sign-out') ? leaving : cookie, 'origin', server.url],
  }[route.auth];
  const named = new Set(lines.filter((_, at) => at % 2 === 0));
  const own = ['host', host, ...auth, 'accept', 'application/json, text/event-stream'];
  if (body !== undefined) own.push('content-type', type ?? 'application/json');
  if (body !== undefined) own.push('content-length', String(Buffer.byteLength(body)));
  const kept = own.filter((_, at) => !named.has(own[at - (at % 2)] ?? ''));
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ agent, hostname, port, method: route.method, headers: [...kept, ...lines] },
      path: query === undefined ? filled : `${filled}?${query}`,
    });
    sent.on('error', reject).on('response', (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.end(body);
  });
}

interface Attack extends Omit<HostileText, 'text'> {
  readonly given: (n: number) => Asked;
  /** Small bodies and heads cost little. */
  readonly measurableMs: number;
}

const HEAD_MEASURABLE_MS = 3;
const MEASURABLE_MS = byForm({ small: 3, full: 25 });
/** 2 s for a body at its limit. Refusing one takes a tenth of it. */
const CPU_MAX_MS = (BODY_CHARACTERS / 1_000_000) * 2_000;

function attacksOn(route: Tested): readonly Attack[] {
  const { base, members = [], names, isForm } = route;
  const whole = base === undefined ? [] : [...ANY_VALUES, ...MORE_VALUES, NAMES];
  const inBody = members.flatMap(({ path, item }) =>
    [
      ...ANY_VALUES,
      ...byForm({ small: [], full: [NAMES, ...MORE_VALUES] }),
      ...(item === undefined ? [] : [repeatedValue(item)]),
    ].map(({ name, text, most }) => ({
      ...{ name: `${path.join('.')}: ${name}`, most },
      given: (n: number) => ({ body: bodyWith(base, path, text(n)) }),
    })),
  );
  const type = 'application/x-www-form-urlencoded';
  const bodies = [
    ...whole.map((one) => ({ ...one, given: (n: number) => ({ body: one.text(n) }) })),
    ...inBody,
    ...(isForm ? formsOf(names.slice(0, 1)) : []).map((one) => ({
      ...{ name: `form: ${one.name}`, most: one.most },
      given: (n: number) => ({ body: one.text(n), type }),
    })),
  ];
  const heads = [
    ...queriesOf(names).map((one) => ({ ...one, given: (n: number) => ({ query: one.text(n) }) })),
    ...HEADERS.map((one) => ({
      ...one,
      given: (n: number) => ({ lines: [one.header, one.text(n)] }),
    })),
    ...HEADER_LINES.map((one) => ({ ...one, given: (n: number) => ({ lines: one.lines(n) }) })),
  ];
  return [
    ...bodies.map((one) => ({ ...one, measurableMs: MEASURABLE_MS })),
    ...heads.map((one) => ({
      ...one,
      name: `head: ${one.name}`,
      measurableMs: HEAD_MEASURABLE_MS,
    })),
  ];
}

/** What the worst attack on each route cost, for the full form. */
const figures: string[] = [];
afterAll(() => {
  if (figures.length > 0) console.info(`CPU time of n, 2n and 4n\n${figures.join('\n')}`);
});

async function addFigure({ title }: Tested, attack: Attack, measure: Measure): Promise<void> {
  const { measured, ratio } = await measure(attack, true);
  const [n = 0, twice = 0, fourTimes = 0] = [...measured]
    .toSorted(([one], [other]) => one - other)
    .slice(-3)
    .map(([, cpuMs]) => cpuMs.toFixed(1));
  figures.push(
    `| ${title} | ${attack.name} | ${n} | ${twice} | ${fourTimes} | ${ratio.toFixed(1)} |`,
  );
}

type Measure = (attack: Attack, isWhole: boolean) => Promise<Growth>;

/** An eighth of the attacks, another one for the next route; the full form has all on each. */
const shareOf = (attacks: readonly Attack[], turn: number): readonly Attack[] =>
  byForm({ small: attacks.filter((_, at) => (at + turn) % 8 === 0), full: attacks });

describe.each([
  ['the API', API],
  ['drop-ins', DROP_INS.flatMap((one) => one.routes.map((route) => dropInRoute(one, route)))],
  ['MCP', MCP],
  ['the console', [...CONSOLE, PASSED]],
  ['other addresses', OTHERS],
])('what is sent to %s takes CPU time in proportion to its size', (_kind, routes) => {
  test.each(routes)('$title', { timeout: 300_000 }, async (route) => {
    const work = (asked: Asked) => ask(route, asked);
    const measure: Measure = ({ given, most, measurableMs }, isWhole) =>
      growthOf({ given, work, most, measurableMs, isWhole, cpuMaxMs: CPU_MAX_MS });
    const faults: string[] = [];
    let worst: readonly [Attack, number] | undefined;
    for (const attack of shareOf(attacksOn(route), routes.indexOf(route))) {
      const { fault, cpuMs } = await measure(attack, false);
      if (fault !== undefined) faults.push(`${attack.name}: ${fault}`);
      if (worst === undefined || cpuMs > worst[1]) worst = [attack, cpuMs];
    }
    if (byForm({ small: false, full: true }) && worst) await addFigure(route, worst[0], measure);
    expect(faults).toEqual([]);
  });
});

test('key and session of these requests were valid to the end', async () => {
  const route = { title: '', method: 'GET', names: [] };
  expect([
    await ask({ ...route, path: '/v1/sessions', auth: 'key' }, {}),
    await ask({ ...route, path: '/console/api/session', auth: 'console' }, {}),
  ]).toEqual([200, 200]);
});

function fail(): never {
  throw new Error('the route table lacks a route');
}
