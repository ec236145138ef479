import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageAt } from './support/fetch-tables.ts';
import { type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
let bareKey: string;
let foreignSession: string;
beforeAll(async () => {
  server = await startSpecServer({ env: { MAX_FETCH_URLS: '4' } });
  bareKey = (await server.makeKey('main', ['search', 'read', 'manage'])).key;
  const theirs = await server.makeKey('theirs');
  const body = { urls: [pageAt()] };
  const answer = await server.call('POST', '/v1/fetch', { body, key: theirs.key });
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
  urls: unknown[] | undefined;
  body: Record<string, unknown>;
  options: Record<string, unknown>;
}

interface Fault {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly param?: string;
  readonly make: (draft: Draft) => void;
}

const OK = 'https://news.example.com/tides';

/** Names come in the order of the faults; with an unknown one the kind is not checked. */
function pin(draft: Draft, name: string): void {
  draft.options.providers = [...((draft.options.providers as string[] | undefined) ?? []), name];
}

/** Faults of the request itself, in the order of decisions 2. */
const OUTER: readonly Fault[] = [
  {
    name: 'route',
    status: 404,
    code: 'not_found',
    make: (draft) => {
      draft.path += '/';
    },
  },
  {
    name: 'method',
    status: 405,
    code: 'method_not_allowed',
    make: (draft) => {
      draft.method = 'PUT';
    },
  },
  {
    name: 'no key',
    status: 401,
    code: 'unauthorized',
    make: (draft) => {
      draft.key = null;
    },
  },
  {
    name: 'permission',
    status: 403,
    code: 'forbidden',
    make: (draft) => {
      draft.key ??= draft.key === null ? null : bareKey;
    },
  },
  {
    name: 'content type',
    status: 415,
    code: 'unsupported_media_type',
    make: (draft) => {
      draft.headers['content-type'] = 'text/plain';
    },
  },
  {
    name: 'size',
    status: 413,
    code: 'payload_too_large',
    make: (draft) => {
      draft.bytes = 1_048_577;
    },
  },
];

/** Faults of the body, in the order of decisions 3. */
const INNER: readonly Fault[] = [
  {
    name: 'JSON',
    status: 422,
    code: 'invalid_request',
    make: (draft) => {
      draft.tail = '}';
    },
  },
  {
    name: 'missing_urls',
    status: 422,
    code: 'missing_urls',
    param: 'urls',
    make: (draft) => {
      draft.urls = undefined;
    },
  },
  {
    name: 'type of an option',
    status: 422,
    code: 'invalid_request',
    param: 'options.tier',
    make: (draft) => {
      draft.options.tier = 'huge';
    },
  },
  {
    name: 'over_url_cap',
    status: 400,
    code: 'over_url_cap',
    param: 'urls',
    make: (draft) => {
      draft.urls?.push(...['a', 'b', 'c', 'd'].map((path) => `https://news.example.com/${path}`));
    },
  },
  {
    name: 'invalid_url',
    status: 422,
    code: 'invalid_url',
    param: 'urls[0]',
    make: (draft) => {
      draft.urls?.splice(0, 1, 'tides');
    },
  },
  {
    name: 'duplicate_urls',
    status: 422,
    code: 'duplicate_urls',
    param: 'urls[1]',
    make: (draft) => {
      draft.urls?.splice(1, 0, draft.urls[0]);
    },
  },
  {
    name: 'unknown_provider',
    status: 400,
    code: 'unknown_provider',
    make: (draft) => pin(draft, 'nope'),
  },
  {
    name: 'invalid_kind',
    status: 400,
    code: 'invalid_kind',
    param: 'urls[0]',
    make: (draft) => pin(draft, 'brightdata'),
  },
  {
    name: 'session of another project',
    status: 404,
    code: 'invalid_session',
    param: 'session_id',
    make: (draft) => {
      draft.body.session_id = foreignSession;
    },
  },
];

async function expectReported(faults: readonly Fault[]) {
  const [reported] = faults;
  const draft: Draft = {
    path: '/v1/fetch',
    method: 'POST',
    key: undefined,
    headers: {},
    tail: '',
    bytes: 0,
    urls: [OK],
    body: {},
    options: {},
  };
  for (const { make } of faults) make(draft);
  const { method, path, key, headers, urls, body, options } = draft;
  const text = JSON.stringify({ ...body, urls, options }) + draft.tail;
  const rawBody = text + ' '.repeat(Math.max(0, draft.bytes - text.length));
  const request = { rawBody, headers, ...(key === undefined ? {} : { key }) };
  const answer = await server.refused(method, path, request);
  const { code, param } = answer.json.error ?? {};
  expect({ status: answer.status, code, param }, answer.text).toEqual({
    status: reported?.status,
    code: reported?.code,
    param: reported?.name === 'unknown_provider' ? expect.any(String) : reported?.param,
  });
}

/** Faults of a URL, which need URLs. */
const ABOUT_URLS = ['over_url_cap', 'invalid_url', 'duplicate_urls'];
const fits = (earlier: Fault, later: Fault) =>
  !(earlier.name === 'missing_urls' && ABOUT_URLS.includes(later.name));

const FAULTS = [...OUTER, ...INNER];
const pairs = FAULTS.flatMap((earlier, index) =>
  FAULTS.slice(index + 1)
    .filter((later) => fits(earlier, later))
    .map((later) => ({ earlier, later, first: earlier.name, second: later.name })),
);

describe('7.1 order of checks', () => {
  test.each(FAULTS)('7.1 order: $name alone is a $status', (only) => expectReported([only]));

  test.each(pairs)('7.1 order: $first before $second', ({ earlier, later }) =>
    expectReported([earlier, later]),
  );

  test.each([
    ['type of a session', { session_id: 'x' }, 'invalid_session'],
    ['type of an option', { options: { tier: 5 } }, 'invalid_request'],
    ['type of a URL', {}, 'invalid_url'],
  ])('7.1 order: %s before over_url_cap', async (_title, more, code) => {
    const odd = code === 'invalid_url' ? 5 : OK;
    const body = { urls: [odd, ...['a', 'b', 'c', 'd'].map((path) => `${OK}/${path}`)], ...more };
    const answer = await server.refused('POST', '/v1/fetch', { body });
    expect([answer.status, answer.json.error.code]).toEqual([422, code]);
  });
});
