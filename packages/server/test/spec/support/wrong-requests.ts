/**
 * The 42 wrong requests of the usability review: the request, the answer, and the hint with the
 * right form. `said` is the answer before hints were added.
 */
export interface WrongRequest {
  readonly name: string;
  /** `POST /v1/search` when absent. */
  readonly target?: `${'GET' | 'POST' | 'PUT'} /${string}`;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** null = no key is sent. */
  readonly key?: null;
  readonly said: string;
  readonly status: number;
  /** `loc` of the entry, joined by dots, or `param`; absent if no field is at fault. */
  readonly at?: string;
  /** The hint, or for the typed envelope the end of the message; null = the message is enough. */
  readonly hint: string | null;
  /** Part of the message, where the message itself is the hint. */
  readonly message?: string;
}

const FORM = 'write {"user_input": {"query": …}}';
const KEY_HEADER = 'send the header Authorization: Bearer <API key>';
const PAGE = 'https://news.example.com/tides';
const options = (search: unknown) => ({ user_input: { query: 'tidal power' }, search });
const pages = (count: number) => Array.from({ length: count }, (_, index) => `${PAGE}/${index}`);

const SEARCHES: readonly WrongRequest[] = [
  {
    name: 'query at the top, without user_input',
    body: { query: 'tidal power', max_results: 5 },
    said: '422 ["body","user_input"] Field required',
    status: 422,
    at: 'body.user_input',
    hint: FORM,
  },
  {
    name: 'query next to user_input',
    body: { user_input: { query: 'tidal power' }, query: 'tides' },
    said: '200, query ignored',
    status: 422,
    at: 'body.query',
    hint: FORM,
  },
  {
    name: 'queries at the top',
    body: { queries: ['tidal power', 'tides'] },
    said: '422 ["body","user_input"] Field required',
    status: 422,
    at: 'body.queries',
    hint: 'write {"user_input": [{"query": …}, {"query": …}]}',
  },
  {
    name: 'user_input as a text',
    body: { user_input: 'tidal' },
    said: '422 Input should be a valid dictionary',
    status: 422,
    at: 'body.user_input',
    hint: FORM,
  },
  {
    name: 'user_input with q in place of query',
    body: { user_input: { q: 'tidal' } },
    said: '422 ["body","user_input","query"] Field required',
    status: 422,
    at: 'body.user_input.query',
    hint: FORM,
  },
  {
    name: 'num_results next to user_input',
    body: { user_input: { query: 'tidal power' }, num_results: 2 },
    said: '200: 5 rows of each default provider, all paid',
    status: 422,
    at: 'body.num_results',
    hint: 'put num_results into search',
  },
  {
    name: 'providers next to user_input',
    body: { user_input: { query: 'tidal power' }, providers: ['tavily'] },
    said: '200 by the default providers, paid',
    status: 422,
    at: 'body.providers',
    hint: 'put providers into search',
  },
  {
    name: 'tier next to user_input',
    body: { user_input: { query: 'tidal power' }, tier: 'max' },
    said: '200 at tier default',
    status: 422,
    at: 'body.tier',
    hint: 'put tier into search',
  },
  {
    name: 'dry_run in the body',
    body: { user_input: { query: 'tidal power' }, dry_run: true },
    said: '200, sent and paid',
    status: 422,
    at: 'body.dry_run',
    hint: 'dry_run is a query parameter: POST /v1/search?dry_run=true',
  },
  {
    name: 'preprocessor_names on a search',
    body: { user_input: { query: 'tidal power' }, preprocessor_names: ['tavily'] },
    said: '200 by the default providers, paid',
    status: 422,
    at: 'body.preprocessor_names',
    hint: 'name the providers in search.providers.include',
  },
  {
    name: 'postprocessor_names on a search',
    body: { user_input: { query: 'tidal power' }, postprocessor_names: ['rank_fusion'] },
    said: '200 without postprocessors',
    status: 422,
    at: 'body.postprocessor_names',
    hint: 'send the request to POST /v1/interactions, which has postprocessors',
  },
  {
    name: 'search.numResults',
    body: options({ numResults: 5 }),
    said: '422 Extra inputs are not permitted',
    status: 422,
    at: 'body.search.numResults',
    hint: 'did you mean num_results?',
  },
  {
    name: 'search.max_results',
    body: options({ max_results: 5 }),
    said: '422 Extra inputs are not permitted',
    status: 422,
    at: 'body.search.max_results',
    hint: 'did you mean num_results?',
  },
  {
    name: 'search.include_domains',
    body: options({ include_domains: ['python.org'] }),
    said: '422 Extra inputs are not permitted',
    status: 422,
    at: 'body.search.include_domains',
    hint: 'put include_domains into search.filters',
  },
  {
    name: 'search.time_range',
    body: options({ time_range: 'week' }),
    said: '422 Extra inputs are not permitted',
    status: 422,
    at: 'body.search.time_range',
    hint: 'use search.filters.published_after',
  },
  {
    name: 'search.country',
    body: options({ country: 'DE' }),
    said: '422 Extra inputs are not permitted',
    status: 422,
    at: 'body.search.country',
    hint: 'put country into search.filters',
  },
  {
    name: 'search.providers as a list',
    body: options({ providers: ['exa'] }),
    said: '422 Input should be a valid dictionary or object to extract fields from',
    status: 422,
    at: 'body.search.providers',
    hint: 'write {"include": ["exa"]}',
  },
  {
    name: 'search.providers.include as a text',
    body: options({ providers: { include: 'exa' } }),
    said: '422 Input should be a valid list',
    status: 422,
    at: 'body.search.providers.include',
    hint: 'write a list: ["exa"]',
  },
  {
    name: 'search.include',
    body: options({ include: ['exa'] }),
    said: '422 Extra inputs are not permitted',
    status: 422,
    at: 'body.search.include',
    hint: 'put include into search.providers',
  },
  {
    name: 'num_results over its limit',
    body: options({ num_results: 50 }),
    said: '422 Input should be less than or equal to 20',
    status: 422,
    at: 'body.search.num_results',
    hint: null,
    message: 'less than or equal to 20',
  },
  {
    name: 'num_results as a text',
    body: options({ num_results: '5' }),
    said: '422 Input should be a valid integer',
    status: 422,
    at: 'body.search.num_results',
    hint: 'write 5 without quotes',
  },
  {
    name: 'an unknown provider',
    body: options({ providers: { include: ['tavly'] } }),
    said: '400 unknown provider, lists all that exist',
    status: 400,
    hint: 'did you mean tavily?',
  },
  {
    name: 'a fetch provider in a search',
    body: options({ providers: { include: ['direct'] } }),
    said: '400 unknown provider',
    status: 400,
    hint: 'direct is a fetch provider: name it in options.providers of POST /v1/fetch',
  },
  {
    name: 'a tier with a missing letter',
    body: options({ tier: 'extnded' }),
    said: "422 Input should be 'minimalist', 'default', 'extended' or 'max'",
    status: 422,
    at: 'body.search.tier',
    hint: 'did you mean extended?',
  },
  {
    name: 'a field named by its end',
    body: options({ fields: ['url', 'content'] }),
    said: '422, lists the fields',
    status: 422,
    at: 'body.search.fields.1',
    hint: 'did you mean full_content?',
  },
  {
    name: 'tier with fields',
    body: options({ tier: 'max', fields: ['url'] }),
    said: '400 tier and fields exclude each other; send one of them',
    status: 400,
    hint: null,
    message: 'send one of them',
  },
  {
    name: 'an override of a provider that does not run',
    body: options({ providers: { include: ['exa'] }, provider_overrides: { brave: {} } }),
    said: '400 add it to search.providers.include',
    status: 400,
    hint: null,
    message: 'add it to search.providers.include',
  },
  {
    name: 'a session that is not a uuid',
    body: { user_input: { query: 'tidal power' }, session_id: 'my-session' },
    said: '422 Input should be a valid UUID, invalid character: found `m` at 1',
    status: 422,
    at: 'body.session_id',
    hint: 'leave session_id out to start a session, or send the one that an answer returned',
  },
  {
    name: 'broken JSON',
    rawBody: '{"user_input":{"query":"tidal power"}"a":1}',
    said: "422 Expecting ',' delimiter, offset 37",
    status: 422,
    at: 'body.37',
    hint: null,
    message: 'JSON decode error',
  },
];

const FETCHES: readonly WrongRequest[] = [
  {
    name: 'url in place of urls',
    target: 'POST /v1/fetch',
    body: { url: PAGE },
    said: '422 missing_urls: urls: give at least one URL',
    status: 422,
    at: 'urls',
    hint: 'write {"urls": ["https://…"]}',
  },
  {
    name: 'urls as a text',
    target: 'POST /v1/fetch',
    body: { urls: PAGE },
    said: '422 invalid_request: urls: Input should be a valid list',
    status: 422,
    at: 'urls',
    hint: `write a list: ["${PAGE}"]`,
  },
  {
    name: 'providers next to urls',
    target: 'POST /v1/fetch',
    body: { urls: [PAGE], providers: ['direct'] },
    said: '200 by tinyfish',
    status: 422,
    at: 'providers',
    hint: 'put providers into options',
  },
  {
    name: 'a URL without a scheme',
    target: 'POST /v1/fetch',
    body: { urls: ['news.example.com'] },
    said: '422 urls[0]: give an absolute http:// or https:// URL with a host; did you mean https://news.example.com?',
    status: 422,
    at: 'urls[0]',
    hint: null,
    message: 'give an absolute http:// or https:// URL with a host',
  },
  {
    name: '21 URLs',
    target: 'POST /v1/fetch',
    body: { urls: pages(21) },
    said: '400 21 URLs, over the limit of 20 per fetch; send them in several requests',
    status: 400,
    at: 'urls',
    hint: null,
    message: 'send them in several requests',
  },
  {
    name: 'a search provider in a fetch',
    target: 'POST /v1/fetch',
    body: { urls: [PAGE], options: { providers: ['brave'] } },
    said: '400 unknown_provider, lists the names',
    status: 400,
    at: 'options.providers[0]',
    hint: 'brave is a search provider: name it in search.providers.include of POST /v1/search',
  },
];

const OTHERS: readonly WrongRequest[] = [
  {
    name: 'no key',
    body: options({}),
    key: null,
    said: '401 Missing API key',
    status: 401,
    hint: KEY_HEADER,
  },
  {
    name: 'the key in X-API-Key',
    body: options({}),
    key: null,
    headers: { 'x-api-key': 'tk_something' },
    said: '401 Missing API key',
    status: 401,
    hint: `X-API-Key is not read: ${KEY_HEADER}`,
  },
  {
    name: 'a path of another service',
    target: 'POST /v1/crawl',
    body: {},
    said: '404 Not Found',
    status: 404,
    hint: 'did you mean POST /v1/fetch?',
  },
  {
    name: 'a slash at the end',
    target: 'POST /v1/search/',
    body: options({}),
    said: '404 Not Found',
    status: 404,
    hint: 'did you mean POST /v1/search?',
  },
  {
    name: 'a base URL that ends in /v1',
    target: 'POST /v1/v1/search',
    body: options({}),
    said: '404 Not Found',
    status: 404,
    hint: 'did you mean POST /v1/search?',
  },
  {
    name: 'GET of a POST route',
    target: 'GET /v1/search?q=tides',
    said: '405 Method Not Allowed',
    status: 405,
    hint: 'this path takes POST',
  },
  {
    name: 'interactions of a session, without the id of one',
    target: 'GET /v1/interactions?session_id=0198c2a6-0000-7000-8000-000000000001',
    said: '422 ["query","interaction_id"] Field required',
    status: 422,
    at: 'query.interaction_id',
    hint: 'GET /v1/sessions/{session_id}/history lists the interactions of a session',
  },
];

export const WRONG_REQUESTS: readonly WrongRequest[] = [...SEARCHES, ...FETCHES, ...OTHERS];
