/** A request to which each fault adds itself; `body` has the form of the route's family. */
export interface Draft<Body> {
  path: string;
  method: string;
  key: Set<'missing' | 'unknown' | 'bare' | 'used up'>;
  headers: Record<string, string>;
  /** Appended to the body's text. */
  tail: string;
  /** Bytes that the body is filled up to. */
  bytes: number;
  body: Body;
  /** A session of another project. */
  readonly foreignSession: string;
}

export interface Fault<Body> {
  readonly name: string;
  readonly status: number;
  /** In the typed errors of fetch. */
  readonly code?: string;
  readonly param?: string | undefined;
  /** In the errors of the other routes; a list of issues is read as JSON. */
  readonly detail?: RegExp;
  readonly make: (draft: Draft<Body>) => void;
}

/** Faults of the request itself, in the order of decisions 2. */
const OUTER: readonly Fault<unknown>[] = [
  {
    ...{ name: 'route', status: 404, code: 'not_found', detail: /^Not Found$/ },
    make: (draft) => {
      draft.path += '/';
    },
  },
  {
    ...{ name: 'method', status: 405, code: 'method_not_allowed', detail: /^Method Not Allowed$/ },
    make: (draft) => {
      draft.method = 'PUT';
    },
  },
  {
    ...{ name: 'no key', status: 401, code: 'unauthorized', detail: /^Missing API key$/ },
    make: ({ key }) => key.add('missing'),
  },
  {
    ...{ name: 'unknown key', status: 401, code: 'unauthorized', detail: /^Invalid API key$/ },
    make: ({ key }) => key.add('unknown'),
  },
  {
    ...{ name: 'permission', status: 403, code: 'forbidden' },
    detail: /lacks the permission "search"$/,
    make: ({ key }) => key.add('bare'),
  },
  {
    ...{ name: 'rate limit', status: 429, code: 'rate_limited', detail: /^Too many requests/ },
    make: ({ key }) => key.add('used up'),
  },
  {
    ...{ name: 'content type', status: 415, code: 'unsupported_media_type' },
    detail: /^Content-Type must be application\/json$/,
    make: ({ headers }) => {
      headers['content-type'] = 'text/plain';
    },
  },
  {
    ...{ name: 'size', status: 413, code: 'payload_too_large', detail: /1048576 bytes/ },
    make: (draft) => {
      draft.bytes = 1_048_577;
    },
  },
  {
    ...{ name: 'JSON', status: 422, code: 'invalid_request', detail: /json_invalid/ },
    make: (draft) => {
      draft.tail = '}';
    },
  },
];

export interface FetchBody {
  urls: unknown[] | undefined;
  session_id?: string;
  options: { providers?: string[]; tier?: string };
}

const typed = (
  name: string,
  status: number,
  param: string | undefined,
  make: (draft: Draft<FetchBody>) => void,
): Fault<FetchBody> => ({ name, code: name, status, param, make });

/** Names come in the order of the faults; with an unknown one the kind is not checked. */
function pin({ body: { options } }: Draft<FetchBody>, name: string): void {
  options.providers = [...(options.providers ?? []), name];
}

/** Faults of a fetch, in the order of decisions 3. */
export const FETCH_FAULTS: readonly Fault<FetchBody>[] = [
  ...OUTER,
  typed('missing_urls', 422, 'urls', ({ body }) => {
    body.urls = undefined;
  }),
  {
    ...{ name: 'type of an option', status: 422, code: 'invalid_request', param: 'options.tier' },
    make: ({ body }) => {
      body.options.tier = 'huge';
    },
  },
  typed('over_url_cap', 400, 'urls', ({ body }) => {
    body.urls?.push(...['a', 'b', 'c', 'd'].map((path) => `https://news.example.com/${path}`));
  }),
  typed('invalid_url', 422, 'urls[0]', ({ body }) => {
    body.urls?.splice(0, 1, 'tides');
  }),
  typed('duplicate_urls', 422, 'urls[1]', ({ body }) => {
    body.urls?.splice(1, 0, body.urls[0]);
  }),
  typed('unknown_provider', 400, 'options.providers[0]', (draft) => pin(draft, 'nope')),
  typed('invalid_kind', 400, 'urls[0]', (draft) => pin(draft, 'brightdata')),
  typed('invalid_session', 404, 'session_id', ({ body, foreignSession }) => {
    body.session_id = foreignSession;
  }),
];

export interface SearchBody {
  sessionId: string | undefined;
  queries: number;
  include: string[] | undefined;
  exclude: string[];
  names: string[];
  postprocessors: string[];
  overrides: Record<string, object>;
  search: Record<string, unknown>;
}

const worded = (
  name: string,
  status: number,
  detail: RegExp,
  make: (body: SearchBody, draft: Draft<SearchBody>) => void,
): Fault<SearchBody> => ({ name, status, detail, make: (draft) => make(draft.body, draft) });

const unknown = (place: string) => new RegExp(`^${place}: unknown provider "nope"; available`);

/** Faults of a search, in the order of decisions 2. */
export const SEARCH_FAULTS: readonly Fault<SearchBody>[] = [
  ...OUTER,
  worded('type', 422, /"loc":\["body","search","include_raw"\]/, (body) => {
    body.search.include_raw = 'yes';
  }),
  worded('batch length', 422, /"type":"too_long"/, (body) => {
    body.queries = 33;
  }),
  worded('override size', 422, /16384 are allowed/, ({ overrides }) => {
    overrides.exa = { ...overrides.exa, systemPrompt: 'x'.repeat(16_384) };
  }),
  worded('unknown provider', 400, unknown('search.providers.exclude'), ({ exclude }) => {
    exclude.push('nope');
  }),
  worded('unknown override', 400, unknown('search.provider_overrides'), ({ overrides }) => {
    overrides.nope = {};
  }),
  worded('refused override key', 400, /exa: "stream" cannot be overridden/, ({ overrides }) => {
    overrides.exa = { ...overrides.exa, stream: true };
  }),
  worded('include and exclude', 400, /^search.providers: exa in both include and ex/, (body) => {
    body.include = ['exa', ...(body.include ?? [])];
    body.exclude.push('exa');
  }),
  worded('tier and fields', 400, /^search: tier and fields exclude each other/, ({ search }) => {
    Object.assign(search, { tier: 'max', fields: ['url'] });
  }),
  worded('empty set', 400, /^search.providers: no provider is left to run/, (body) => {
    if (body.include === undefined) body.exclude.push('exa', 'brave');
  }),
  worded('override outside', 400, /: brave does not run in this request/, (body) => {
    body.overrides.brave = {};
    body.exclude.push('brave');
  }),
  worded('volume', 422, /queries x 20 results = (180|660), over the volume budget of/, (body) => {
    body.queries = Math.max(body.queries, 9);
    body.search.num_results = 20;
  }),
  worded('session of another project', 404, /^Session not found$/, (body, draft) => {
    body.sessionId = draft.foreignSession;
  }),
];

/** Faults of lists of names, which only `/v1/interactions` has. */
export const NAME_FAULTS: readonly Fault<SearchBody>[] = [
  worded('unknown name', 400, unknown('preprocessor_names'), ({ names }) => {
    names.push('nope');
  }),
  worded('postprocessor', 400, /^postprocessor_names: unknown po/, ({ postprocessors }) => {
    postprocessors.push('nope');
  }),
  worded('names and exclude', 400, /exa in both preprocessor_names and/, ({ names, exclude }) => {
    names.push('exa');
    exclude.push('exa');
  }),
  worded('names and include', 400, /^preprocessor_names and search.pro/, (body) => {
    body.names.push('exa');
    body.include ??= [];
  }),
];

/** Faults of which only one can be made, that are in one answer, or whose order is not defined. */
const APART: readonly (readonly [first: string, ...others: string[]])[] = [
  ['no key', 'unknown key'],
  ['missing_urls', 'over_url_cap', 'invalid_url', 'duplicate_urls'],
  ['type', 'batch length', 'override size'],
  ['batch length', 'override size'],
  ['unknown provider', 'unknown override', 'refused override key'],
  ['unknown override', 'refused override key'],
];

/** Whether the earlier of two faults is reported when a request has both. */
export const isBefore = (earlier: string, later: string): boolean =>
  !APART.some(([first, ...others]) => first === earlier && others.includes(later));
