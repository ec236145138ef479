import {
  type Connection,
  callForJson,
  callForText,
  eventsOf,
  MAX_TIMER_MS,
  type PaidCallOptions,
} from '@trawl/client/http';
import type {
  RouteAnswer,
  RouteId,
  RouteRequest,
  RouteResponse,
  Routes,
  StreamEvents,
} from '@trawl/contract';
import type {
  ConsoleAnswer,
  ConsoleCall,
  ConsoleRouteId,
  ConsoleRoutes,
} from '@trawl/contract/console';

/** The server of these pages, which knows the person by a cookie. */
const SERVER: Connection = {
  baseUrl: '',
  // no limits of its own: the person sees a slow call, and reads are retried by the query client
  timeoutMs: MAX_TIMER_MS,
  maxRetries: 0,
  retryDelayMs: 0,
  maxResponseBytes: Number.MAX_SAFE_INTEGER,
  throwOnFailure: false,
  userAgent: undefined,
  headers: {},
  fetch: (...request) => fetch(...request),
  key: async () => undefined,
};

/** Routes by method and path, which is all that a call needs of them at run time. */
type ByEndpoint = {
  [K in ConsoleRouteId as `${ConsoleRoutes[K]['method']} ${ConsoleRoutes[K]['path']}`]: K;
};
export type ConsoleEndpoint = keyof ByEndpoint;
export type AnswerOf<E extends ConsoleEndpoint> = ConsoleAnswer<ByEndpoint[E]>;

/** The parts that a route reads; a part that may be empty may be left out. */
type Parts<Call> = {
  readonly [N in keyof Call as Call[N] extends undefined
    ? never
    : object extends Call[N]
      ? never
      : N]: Call[N];
} & {
  readonly [N in keyof Call as Call[N] extends undefined
    ? never
    : object extends Call[N]
      ? N
      : never]?: Call[N];
};

type Options = Pick<PaidCallOptions, 'signal' | 'onResponse' | 'idempotencyKey'>;
type Arguments<Input> = object extends Input
  ? readonly [input?: Input & Options]
  : readonly [input: Input & Options];
type InputOf<E extends ConsoleEndpoint> = Arguments<Parts<ConsoleCall<ByEndpoint[E]>>>;

/** A call of any route, without the types of its table. */
interface AnyInput extends Options {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
}

function outgoing(endpoint: string, input: unknown) {
  const { signal, onResponse, idempotencyKey, ...parts } = (input ?? {}) as AnyInput;
  return { ...parts, endpoint, options: { signal, onResponse, idempotencyKey } };
}

/**
 * Calls a route of the console's API: `call('GET /console/api/session')`. The answer is not checked
 * again: the server that made the page made it too.
 * @throws TrawlError
 */
export async function call<E extends ConsoleEndpoint>(
  endpoint: E,
  ...[input]: InputOf<E>
): Promise<AnswerOf<E>> {
  return (await callForJson(SERVER, outgoing(endpoint, input))) as AnswerOf<E>;
}

/** Calls a route that answers lines of JSON, and returns them as a file. */
export async function callForFile<E extends ConsoleEndpoint>(
  endpoint: E,
  ...[input]: InputOf<E>
): Promise<Blob> {
  const type = 'application/x-ndjson';
  const pieces: string[] = [];
  for await (const piece of callForText(SERVER, outgoing(endpoint, input), type))
    pieces.push(piece);
  return new Blob(pieces, { type });
}

type ByApiEndpoint = {
  [K in RouteId as `${Routes[K]['method']} ${Routes[K]['path']}`]: K;
};
/** A route of the public API, such as `POST /v1/search`. */
export type ApiEndpoint = keyof ByApiEndpoint;
export type ApiAnswerOf<E extends ApiEndpoint> = RouteAnswer<ByApiEndpoint[E]>;

interface ApiInput<E extends ApiEndpoint> extends Options {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: RouteRequest<ByApiEndpoint[E]>;
}

/**
 * Calls a route of the public API in a project, with the rights of the person's role:
 * `callApi(project, 'GET /v1/sessions', { query: { limit: 50 } })`.
 * @throws TrawlError
 */
export async function callApi<E extends ApiEndpoint>(
  project: string,
  endpoint: E,
  input: ApiInput<E> = {},
): Promise<ApiAnswerOf<E>> {
  return (await callForJson(SERVER, inProject(project, endpoint, input))) as ApiAnswerOf<E>;
}

/** An event of a streamed answer. An `error` event is thrown instead: the request failed. */
export type StreamEvent<E extends ApiEndpoint = 'POST /v1/search'> =
  | {
      [Name in PartName]: { readonly event: Name; readonly data: StreamEvents[Name] };
    }[PartName]
  | { readonly event: 'done'; readonly data: RouteResponse<ByApiEndpoint[E]> };
type PartName = Exclude<keyof StreamEvents, 'done' | 'error'>;

/**
 * Calls a route of the public API in a project and yields its events as they arrive. To stop, abort
 * the signal.
 * @throws TrawlError also when the stream ends before its last event
 */
export const streamApi = <E extends ApiEndpoint>(
  project: string,
  endpoint: E,
  input: ApiInput<E>,
): AsyncGenerator<StreamEvent<E>> =>
  eventsOf(SERVER, inProject(project, endpoint, input)) as AsyncGenerator<StreamEvent<E>>;

/** The console's API passes it on. */
const inProject = (project: string, endpoint: ApiEndpoint, input: ApiInput<ApiEndpoint>) =>
  outgoing(endpoint.replace(' ', ' /console/api/projects/{project_id}'), {
    ...input,
    params: { ...input.params, project_id: project },
  });
