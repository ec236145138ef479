import { DetailError, InteractionResponse, ROUTES, ValidationError } from '@trawl/contract';
import { byForm } from '@trawl/test-support/form';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Run, type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
let sessionId: string;
let interactionId: string;
beforeAll(async () => {
  server = await startSpecServer({ env: { LOG_LEVEL: 'error' } });
  const { json } = await server.search({ user_input: { query: 'q' } });
  sessionId = json.session_id;
  interactionId = json.interaction_id;
});
afterAll(() => server.stop());

/** Each property ends after this time, with the cases tried until then. */
const LIMIT_MS = 1_500;
const UUID = 'a1b2c3d4-0000-4000-8000-00000000000f';

/** How often each status occurred: a fuzz whose requests are all refused early proves nothing. */
const tally = () => {
  const counts = new Map<number, number>();
  return {
    add: (status: number) => counts.set(status, (counts.get(status) ?? 0) + 1),
    statuses: () => [...counts.keys()].sort(),
  };
};

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\ud800', '\u0000', '', ' ', '__proto__', 'constructor', UUID, 'x'.repeat(300)),
);
const oddScalar = fc.oneof(
  oddText,
  fc.double(),
  fc.integer(),
  fc.constantFrom(null, true, false, 0, 5, 20, 21, 2 ** 53, -1, 1e308),
);
const names = fc.constantFrom(
  ...['session_id', 'user_input', 'query', 'search', 'metadata', 'tier', 'fields', 'providers'],
  ...['include', 'exclude', 'provider_overrides', 'num_results', 'auto_routing', 'include_raw'],
  ...['exa', 'brave', 'count', 'numResults', 'trajectory_id', 'user_id', '__proto__', 'toString'],
);
/** JSON of any form, with our own names in any place. */
const { odd } = fc.letrec((tie) => ({
  odd: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    oddScalar,
    fc.array(tie('odd'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(names, oddText), tie('odd')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Mostly the right form, so requests reach the checks behind the schema; sometimes anything. */
const or = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd });
const slugs = or(fc.array(fc.constantFrom('exa', 'brave', 'exa', 'nope'), { maxLength: 3 }));
const query = or(
  fc.record(
    { query: or(fc.string({ unit: 'binary', minLength: 1 })) },
    { requiredKeys: ['query'] },
  ),
);
const options = fc.record(
  {
    auto_routing: or(fc.constant('accuracy')),
    tier: or(fc.constantFrom('minimalist', 'default', 'extended', 'max', null)),
    fields: or(fc.subarray(['url', 'title', 'usage', 'warnings'], { minLength: 1 })),
    providers: or(fc.record({ include: slugs, exclude: slugs }, { requiredKeys: [] })),
    provider_overrides: or(
      fc.dictionary(
        fc.constantFrom('exa', 'brave', 'nope'),
        or(fc.dictionary(fc.oneof(names, oddText), odd, { maxKeys: 4 })),
        { maxKeys: 2 },
      ),
    ),
    num_results: or(fc.integer({ min: 0, max: 21 })),
    include_raw: or(fc.boolean()),
    include_full_content: or(fc.boolean()),
  },
  { requiredKeys: [] },
);
const members = {
  session_id: or(fc.uuid()),
  user_input: fc.oneof(query, fc.array(query, { maxLength: 3 }), fc.constant(undefined)),
  user_id: or(fc.string()),
  metadata: or(fc.dictionary(fc.oneof(names, oddText), odd, { maxKeys: 4 })),
  search: or(options),
};
const requests = {
  // which refuses names of providers at the top
  [ROUTES.search.path]: or(fc.record(members, { requiredKeys: ['user_input'] })),
  [ROUTES.createInteraction.path]: or(
    fc.record({ ...members, preprocessor_names: slugs }, { requiredKeys: ['user_input'] }),
  ),
};

/** In the full form more than fit into the time limit, which then ends the property. */
const RUNS = byForm({ small: 150, full: 5_000 });

let last: Promise<unknown> = Promise.resolve();

async function check<Input>(inputs: fc.Arbitrary<Input>, run: (input: Input) => Promise<void>) {
  const property = fc.asyncProperty(inputs, (input) => {
    const running = run(input);
    last = running;
    return running;
  });
  await fc.assert(property, { interruptAfterTimeLimit: LIMIT_MS, numRuns: RUNS });
  await last;
}

/** An answer that any client can read; a refusal that sent nothing. */
async function expectPlain(path: string, rawBody: string | Uint8Array): Promise<number> {
  const before = server.sandbox.calls.length;
  const { status, json, text } = await server.call('POST', path, { rawBody });
  expect(status, text).toBeLessThan(500);
  if (status === 200) {
    InteractionResponse.parse(json);
    const failures = json.preprocessor_runs.map((run: Run) => run.error?.code);
    expect(failures, text).not.toContain('internal_error');
    return status;
  }
  if (status === 422) ValidationError.parse(json);
  else DetailError.parse(json);
  expect([400, 404, 422]).toContain(status);
  expect(server.sandbox.calls.length).toBe(before);
  return status;
}

test.each([ROUTES.search.path, ROUTES.createInteraction.path] as const)(
  '7.2 fuzz: POST %s answers JSON of any form in its documented shapes',
  async (path) => {
    const met = tally();
    await check(requests[path], async (body) => {
      met.add(await expectPlain(path, JSON.stringify(body) ?? ''));
    });
    expect(met.statuses()).toEqual(expect.arrayContaining([200, 400, 422]));
  },
);

test('7.2 fuzz: POST answers damaged bytes in its documented shapes', async () => {
  const damage = fc.array(fc.tuple(fc.nat(300), fc.uint8Array({ maxLength: 4 })), {
    minLength: 1,
    maxLength: 3,
  });
  const paths = fc.constantFrom(ROUTES.search.path, ROUTES.createInteraction.path);
  const met = tally();
  await check(
    fc.tuple(paths, requests[ROUTES.createInteraction.path], damage),
    async ([path, body, patches]) => {
      let bytes = Buffer.from(JSON.stringify(body) ?? '');
      for (const [at, patch] of patches) {
        bytes = Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at + 1)]);
      }
      met.add(await expectPlain(path, bytes));
    },
  );
  expect(met.statuses()).toContain(422);
});

test('7.2 fuzz: GET answers query strings and paths of any form in its documented shapes', async () => {
  const id = fc.oneof(
    { weight: 3, arbitrary: fc.constant('SESSION') },
    { weight: 1, arbitrary: fc.constant('INTERACTION') },
    { weight: 1, arbitrary: fc.constantFrom(UUID, 'x', '%ff', '%00', '%', '%2F', '..%2f', 'é') },
  );
  const name = fc.constantFrom(
    ...['session_id', 'interaction_id', 'limit', 'before', 'after', 'type', '__proto__', '%ff', ''],
  );
  const value = fc.oneof(
    id,
    fc.constantFrom('short', 'full', '1', '0', '-1', '200', '1e9', '5.0', '1_0', '9'.repeat(400)),
    fc.constantFrom('2026-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '0001-01-01'),
    fc.constantFrom('-271821-04-20T00:00:00Z', '2026-01-01T00:00:00%2B23:59'),
    fc.string({ maxLength: 8 }).map(encodeURIComponent),
    fc.stringMatching(/^[!-"$-~]{0,8}$/),
  );
  const routes = [
    ROUTES.readInteraction,
    ROUTES.listSessions,
    ROUTES.sessionHistory,
    ROUTES.sessionTrajectory,
  ];
  const met = tally();
  const pairsOf = fc.array(fc.tuple(name, value), { maxLength: 4 });
  await check(
    fc.tuple(fc.constantFrom(...routes), id, pairsOf),
    async ([route, session, pairs]) => {
      const search = pairs.map((pair) => pair.join('=')).join('&');
      const target = `${route.path.replace('{session_id}', session)}?${search}`
        .replaceAll('SESSION', sessionId)
        .replaceAll('INTERACTION', interactionId);
      const { status, json, text } = await server.call('GET', target);
      expect(status, `${target} ${text}`).toBeLessThan(500);
      if (status === 200) route.response.parse(json);
      else if (status === 422) ValidationError.parse(json);
      else DetailError.parse(json);
      expect([200, 404, 422]).toContain(status);
      met.add(status);
    },
  );
  expect(met.statuses()).toEqual([200, 404, 422]);
});
