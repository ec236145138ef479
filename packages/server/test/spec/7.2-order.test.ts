import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import { type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
let bareKey: string;
let foreignSession: string;
beforeAll(async () => {
  server = await startSpecServer();
  bareKey = (await server.makeKey('main', ['read'])).key;
  const theirs = await server.makeKey('theirs');
  const answer = await server.search({ user_input: { query: 'q' } }, { key: theirs.key });
  foreignSession = answer.json.session_id;
});
afterAll(() => server.stop());

/** A request to which each mutation adds a fault. */
interface Draft {
  path: string;
  method: string;
  key: string | null | undefined;
  headers: Record<string, string>;
  /** Appended to the body's text. */
  tail: string;
  /** Bytes that the body is filled up to. */
  bytes: number;
  sessionId: string | undefined;
  queries: number;
  include: string[] | undefined;
  exclude: string[];
  names: string[];
  postprocessors: string[];
  overrides: Record<string, object>;
  search: Record<string, unknown>;
}

interface Fault {
  readonly name: string;
  readonly make: (draft: Draft) => void;
  readonly status: number;
  readonly detail: RegExp;
}

const fault = (name: string, status: number, detail: RegExp, make: Fault['make']): Fault => ({
  name,
  make,
  status,
  detail,
});

/** Faults of the request itself, in the order of decisions 2. */
const OUTER: readonly Fault[] = [
  fault('route', 404, /^Not Found$/, (draft) => {
    draft.path += '/';
  }),
  fault('method', 405, /^Method Not Allowed$/, (draft) => {
    draft.method = 'PUT';
  }),
  fault('no key', 401, /^Missing API key$/, (draft) => {
    draft.key = null;
  }),
  fault('permission', 403, /lacks the permission "search"$/, (draft) => {
    draft.key ??= draft.key === null ? null : bareKey;
  }),
  fault('content type', 415, /^Content-Type must be application\/json$/, (draft) => {
    draft.headers['content-type'] = 'text/plain';
  }),
  fault('size', 413, /1048576 bytes/, (draft) => {
    draft.bytes = 1_048_577;
  }),
  fault('JSON', 422, /json_invalid/, (draft) => {
    draft.tail = '}';
  }),
];

const unknown = (place: string) => new RegExp(`^${place}: unknown provider "nope"; available`);

/** Faults of the body. Those of the choice of providers are in the pairs below. */
const INNER: readonly Fault[] = [
  fault('type', 422, /"loc":\["body","search","include_raw"\]/, (draft) => {
    draft.search.include_raw = 'yes';
  }),
  fault('batch length', 422, /"type":"too_long"/, (draft) => {
    draft.queries = 33;
  }),
  fault('override size', 422, /16384 are allowed/, (draft) => {
    draft.overrides.exa = { ...draft.overrides.exa, systemPrompt: 'x'.repeat(16_384) };
  }),
  fault('unknown provider', 400, unknown('search.providers.exclude'), (draft) => {
    draft.exclude.push('nope');
  }),
  fault('unknown override', 400, unknown('search.provider_overrides'), (draft) => {
    draft.overrides.nope = {};
  }),
  fault('refused override key', 400, /exa: "stream" cannot be overridden/, (draft) => {
    draft.overrides.exa = { ...draft.overrides.exa, stream: true };
  }),
  fault('include and exclude', 400, /^search.providers: exa in both include and ex/, (draft) => {
    draft.include = ['exa', ...(draft.include ?? [])];
    draft.exclude.push('exa');
  }),
  fault('tier and fields', 400, /^search: tier and fields exclude each other/, (draft) => {
    Object.assign(draft.search, { tier: 'max', fields: ['url'] });
  }),
  fault('empty set', 400, /^search.providers: no provider is left to run/, (draft) => {
    if (draft.include === undefined) draft.exclude.push('exa', 'brave');
  }),
  fault('override outside', 400, /: brave does not run in this request/, (draft) => {
    draft.overrides.brave = {};
    draft.exclude.push('brave');
  }),
  fault(
    'volume',
    422,
    /queries x 20 results = (180|660), over the volume budget of 160/,
    (draft) => {
      draft.queries = Math.max(draft.queries, 9);
      draft.search.num_results = 20;
    },
  ),
  fault('session of another project', 404, /^Session not found$/, (draft) => {
    draft.sessionId = foreignSession;
  }),
];

const FAULTS = [...OUTER, ...INNER];

function textOf(draft: Draft): string {
  const { include, exclude, queries } = draft;
  const body = {
    session_id: draft.sessionId,
    user_input: Array(queries).fill({ query: 'q' }),
    preprocessor_names: draft.names,
    postprocessor_names: draft.postprocessors,
    search: {
      ...draft.search,
      providers: { include, exclude },
      provider_overrides: draft.overrides,
    },
  };
  const text = JSON.stringify(body) + draft.tail;
  return text + ' '.repeat(Math.max(0, draft.bytes - text.length));
}

async function expectReported(path: string, faults: readonly Fault[], reported = faults[0]) {
  const draft: Draft = {
    path,
    method: 'POST',
    key: undefined,
    headers: {},
    tail: '',
    bytes: 0,
    sessionId: undefined,
    queries: 1,
    include: undefined,
    exclude: [],
    names: [],
    postprocessors: [],
    overrides: {},
    search: {},
  };
  for (const { make } of faults) make(draft);
  const { key, headers } = draft;
  const answer = await server.refused(draft.method, draft.path, {
    rawBody: textOf(draft),
    headers,
    ...(key === undefined ? {} : { key }),
  });
  expect(answer.status, answer.text).toBe(reported?.status);
  const { detail, ...rest } = withoutHints(answer.json);
  expect(rest).toEqual({});
  expect(typeof detail === 'string' ? detail : JSON.stringify(detail)).toMatch(
    reported?.detail ?? /^$/,
  );
}

/** Faults that are reported in one answer, or whose order is not defined. */
const ALIKE = [
  ['type', 'batch length', 'override size'],
  ['unknown provider', 'unknown override', 'refused override key'],
];
const isAlike = (a: Fault, b: Fault) =>
  ALIKE.some((names) => names.includes(a.name) && names.includes(b.name));

const pairs = FAULTS.flatMap((earlier, index) =>
  FAULTS.slice(index + 1)
    .filter((later) => !isAlike(earlier, later))
    .map((later) => ({ earlier, later, first: earlier.name, second: later.name })),
);

describe.each(['/v1/search', '/v1/interactions'])('7.2 order of checks on %s', (path) => {
  test.each(FAULTS)('7.2 order: $name alone is a $status', (only) => expectReported(path, [only]));

  test.each(pairs)('7.2 order: $first before $second', ({ earlier, later }) =>
    expectReported(path, [earlier, later]),
  );

  test.each(FAULTS.map((_, index) => [FAULTS[index]?.name, FAULTS.slice(index)] as const))(
    '7.2 order: %s before all later ones at once',
    (_name, rest) => expectReported(path, rest),
  );

  test('7.2 order: all faults of the form are in one answer', async () => {
    const form = FAULTS.filter(({ name }) => ALIKE[0]?.includes(name));
    for (const reported of form) await expectReported(path, form, reported);
  });
});

describe('7.2 order of checks that only /v1/interactions has', () => {
  const path = '/v1/interactions';
  const named = (name: string) => FAULTS.filter((one) => one.name === name);
  const twice = fault('names and include', 400, /^preprocessor_names and search.pro/, (draft) => {
    draft.names.push('exa');
    draft.include ??= [];
  });
  const names = fault('unknown name', 400, unknown('preprocessor_names'), (draft) => {
    draft.names.push('nope');
  });
  const postprocessor = fault('postprocessor', 400, /^postprocessor_names: unknown po/, (draft) => {
    draft.postprocessors.push('nope');
  });
  const bothWays = fault(
    'names and exclude',
    400,
    /exa in both preprocessor_names and/,
    (draft) => {
      draft.names.push('exa');
      draft.exclude.push('exa');
    },
  );

  test.each<[title: string, faults: Fault[]]>([
    ['a wrong type before an unknown name', [...named('type'), names]],
    ['a wrong type before a postprocessor', [...named('type'), postprocessor]],
    ['an unknown name before include and exclude', [names, ...named('include and exclude')]],
    [
      'a postprocessor before include and exclude',
      [postprocessor, ...named('include and exclude')],
    ],
    ['an unknown name before names and exclude', [names, bothWays]],
    ['include and exclude before names and include', [...named('include and exclude'), twice]],
    ['names and exclude before tier and fields', [bothWays, ...named('tier and fields')]],
    ['names and exclude before an empty set', [bothWays, ...named('empty set')]],
    ['names and include before an empty set', [twice, ...named('empty set')]],
    ['names and include before an override outside', [twice, ...named('override outside')]],
    ['names and include before the volume', [twice, ...named('volume')]],
    ['a postprocessor before the session', [postprocessor, ...named('session of another project')]],
  ])('7.2 order: %s', (_title, faults) => expectReported(path, faults));
});
