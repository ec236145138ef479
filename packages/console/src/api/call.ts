import type { RouteAnswer, RouteId, RouteRequest, Routes } from '@trawl/contract';
import type {
  ConsoleAnswer,
  ConsoleCall,
  ConsoleRouteId,
  ConsoleRoutes,
} from '@trawl/contract/console';
import { type Sent, send } from './send.ts';

/** Routes by method and path, which is all that a call needs of them at run time. */
type ByEndpoint = {
  [K in ConsoleRouteId as `${ConsoleRoutes[K]['method']} ${ConsoleRoutes[K]['path']}`]: K;
};
export type Endpoint = keyof ByEndpoint;
export type AnswerOf<E extends Endpoint> = ConsoleAnswer<ByEndpoint[E]>;

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

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
type Arguments<Input> = object extends Input
  ? readonly [input?: Input & CallOptions]
  : readonly [input: Input & CallOptions];

/**
 * Calls a route of the console's API: `call('GET /console/api/session')`.
 * @throws ApiError
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[input]: Arguments<Parts<ConsoleCall<ByEndpoint[E]>>>
): Promise<AnswerOf<E>> {
  return answerOf(await send(endpoint, { ...(input as Sent | undefined) }));
}

type ByApiEndpoint = {
  [K in RouteId as `${Routes[K]['method']} ${Routes[K]['path']}`]: K;
};
/** A route of the public API, such as `POST /v1/search`. */
export type ApiEndpoint = keyof ByApiEndpoint;
export type ApiAnswerOf<E extends ApiEndpoint> = RouteAnswer<ByApiEndpoint[E]>;

export interface ApiCall<E extends ApiEndpoint> extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: RouteRequest<ByApiEndpoint[E]>;
}

/**
 * Calls a route of the public API in a project, with the rights of the person's role:
 * `callApi(project, 'GET /v1/sessions', { query: { limit: 50 } })`.
 * @throws ApiError
 */
export async function callApi<E extends ApiEndpoint>(
  project: string,
  endpoint: E,
  input: ApiCall<E> = {},
): Promise<ApiAnswerOf<E>> {
  return answerOf(await send(inProject(project, endpoint), input));
}

/** The endpoint in the console's API that passes a call on. */
export function inProject(project: string, endpoint: ApiEndpoint): string {
  const [method, path] = endpoint.split(' ');
  return `${method} /console/api/projects/${encodeURIComponent(project)}${path}`;
}

/** Typed by the route table: the server that made the page also made the answer. */
async function answerOf<Answer>(response: Response): Promise<Answer> {
  return response.status === 204 ? (undefined as Answer) : response.json();
}
