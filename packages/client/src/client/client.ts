import {
  type FetchAnswer,
  type FetchEvent,
  nothingSucceeded,
  type SearchAnswer,
  type SearchEvent,
} from '../contract/answers.ts';
import type * as Types from '../contract/types.ts';
import type { Call, CallOptions, PaidCallOptions } from '../http/call.ts';
import { fetchEvents, searchEvents } from '../http/stream.ts';
import { callForJson } from '../http/transport.ts';
import { isProviderUnavailable, TrawlFailedError } from '../values/errors.ts';
import { type Connection, connectionOf, type TrawlOptions } from '../values/options.ts';
import type { Conversation, LineageRequest } from './conversation.ts';
import { historyItems, sessionItems } from './paging.ts';
import { type FetchInput, fetchRequest, type SearchInput, searchRequest } from './requests.ts';

/** Options of a search, a fetch or an interaction. */
export interface ExecuteOptions extends PaidCallOptions {
  /** Sends its turns along, as metadata. */
  readonly conversation?: Conversation | undefined;
  /** Throws a `TrawlFailedError` where nothing in the answer succeeded; the client's when absent. */
  readonly throwOnFailure?: boolean | undefined;
}

/**
 * A client of one server. Methods throw a `TrawlError`. A provider that failed is not an error but a failed run of the answer (see
 * `failures`); with `throwOnFailure` an answer in which nothing succeeded is an error.
 *
 * Requests and answers are the contract's, name for name.
 */
export class Trawl {
  readonly #connection: Connection;

  /** @throws TrawlError `usage` where an option is wrong, or in a browser */
  constructor(options: TrawlOptions = {}) {
    this.#connection = connectionOf(options);
  }

  /** Where the server is. */
  get baseUrl(): string {
    return this.#connection.baseUrl;
  }

  /** Runs one query or a batch across providers: `search('tidal power')`, `search({ query, search })`, or the API's request. */
  search(request: SearchInput, options?: ExecuteOptions): Promise<SearchAnswer> {
    return this.#execute('search', searchRequest(request), options);
  }

  /** The same, run by run as they land; `done` comes last with the whole answer. Leaving the loop ends the request. */
  searchStream(request: SearchInput, options?: ExecuteOptions): AsyncGenerator<SearchEvent> {
    return this.#stream('search', searchRequest(request), options, searchEvents);
  }

  /** What a search would call, and at which price. Nothing is sent to a provider, recorded or billed. */
  searchDryRun(request: SearchInput, options?: CallOptions): Promise<Types.DryRun> {
    return this.#dryRun('search', searchRequest(request), options);
  }

  /** Reads whole pages by URL: one, a list, or the API's request. A page that cannot be read is a failed row. */
  fetch(request: FetchInput, options?: ExecuteOptions): Promise<FetchAnswer> {
    return this.#execute('fetch', fetchRequest(request), options);
  }

  /** The same, page by page as they land. */
  fetchStream(request: FetchInput, options?: ExecuteOptions): AsyncGenerator<FetchEvent> {
    return this.#stream('fetch', fetchRequest(request), options, fetchEvents);
  }

  /** What a fetch would call, and at which price. */
  fetchDryRun(request: FetchInput, options?: CallOptions): Promise<Types.DryRun> {
    return this.#dryRun('fetch', fetchRequest(request), options);
  }

  /** The general form of a search: postprocessors, a user label, or a step of a trajectory without any query. */
  createInteraction(
    request: Types.InteractionRequest,
    options?: ExecuteOptions,
  ): Promise<SearchAnswer> {
    return this.#execute('createInteraction', request, options);
  }

  createInteractionStream(
    request: Types.InteractionRequest,
    options?: ExecuteOptions,
  ): AsyncGenerator<SearchEvent> {
    return this.#stream('createInteraction', request, options, searchEvents);
  }

  /** Reads one interaction back, as it was answered. */
  readInteraction(
    query: Types.ReadInteractionQuery,
    options?: CallOptions,
  ): Promise<Types.InteractionDetails> {
    return this.#read({ route: 'readInteraction', query, options });
  }

  /** Says which results of an interaction were used, right or wrong. What was said of the same results before is replaced. */
  giveFeedback(
    interactionId: string,
    feedback: Types.FeedbackRequest,
    options?: CallOptions,
  ): Promise<Types.FeedbackResponse> {
    return this.#read({ route: 'giveFeedback', interactionId, body: feedback, options });
  }

  /** The last word on each result of an interaction. */
  readFeedback(interactionId: string, options?: CallOptions): Promise<Types.FeedbackResponse> {
    return this.#read({ route: 'readFeedback', interactionId, options });
  }

  /** One page of sessions, newest activity first. */
  listSessions(
    query?: Types.ListSessionsQuery,
    options?: CallOptions,
  ): Promise<Types.SessionsResponse> {
    return this.#read({ route: 'listSessions', query, options });
  }

  /** All sessions, page by page as they are asked for; `limit` is the size of a page. */
  sessions(
    query: Types.ListSessionsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.Session> {
    return sessionItems(query, (page) => this.listSessions(page, options));
  }

  /** One page of a session's interactions, oldest first; all of them without a `limit`. */
  sessionHistory(
    sessionId: string,
    query?: Types.SessionHistoryQuery,
    options?: CallOptions,
  ): Promise<Types.SessionHistoryResponse> {
    return this.#read({ route: 'sessionHistory', sessionId, query, options });
  }

  /** All interactions of a session, page by page as they are asked for. */
  history(
    sessionId: string,
    query: Types.SessionHistoryQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.InteractionRecordSummary> {
    return historyItems(query, (page) => this.sessionHistory(sessionId, page, options));
  }

  /** A session as a tree of interactions, runs and results. */
  sessionTrajectory(
    sessionId: string,
    query?: Types.SessionTrajectoryQuery,
    options?: CallOptions,
  ): Promise<Types.SessionTrajectoryResponse> {
    return this.#read({ route: 'sessionTrajectory', sessionId, query, options });
  }

  /** Deletes a session with all that was recorded in it. */
  deleteSession(sessionId: string, options?: CallOptions): Promise<void> {
    return this.#read({ route: 'deleteSession', sessionId, options });
  }

  /** Calls and cost: of the key, or with permission `manage` of the project. */
  usage(query?: Types.UsageQuery, options?: CallOptions): Promise<Types.UsageReport> {
    return this.#read({ route: 'usage', query, options });
  }

  /** The search providers of this server. */
  preprocessors(options?: CallOptions): Promise<Types.PreprocessorRoster> {
    return this.#read({ route: 'preprocessors', options });
  }

  /** The fetch providers of this server. */
  fetchProviders(options?: CallOptions): Promise<Types.FetchProviderRoster> {
    return this.#read({ route: 'fetchProviders', options });
  }

  /** Whether the process is up. */
  health(options?: CallOptions): Promise<Types.Health> {
    return this.#read({ route: 'health', options });
  }

  /** Whether the server takes requests. One that says it does not is an answer, not an error. */
  readiness(options?: CallOptions): Promise<Types.Health> {
    return this.#read({ route: 'readiness', options, alsoAnswers: 503 });
  }

  /** The server's OpenAPI document. */
  openapi(options?: CallOptions): Promise<Types.JsonObject> {
    return this.#read({ route: 'openapi', options });
  }

  toString(): string {
    return `Trawl(${this.baseUrl})`;
  }

  toJSON(): object {
    return { baseUrl: this.baseUrl };
  }

  /** What `console.log` shows in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }

  /** The contract says what a route answers, so its JSON is not checked again. */
  async #read<T>(call: Omit<Call, 'options'> & { options: CallOptions | undefined }): Promise<T> {
    const answer = await callForJson(this.#connection, { ...call, options: call.options ?? {} });
    return answer as T;
  }

  #dryRun(
    route: 'search' | 'fetch',
    body: object,
    options: CallOptions | undefined,
  ): Promise<Types.DryRun> {
    return this.#read({ route, body, query: { dry_run: true }, options });
  }

  /** @throws TrawlFailedError where the caller wants one */
  #check(
    answer: SearchAnswer | FetchAnswer,
    throws = this.#connection.throwOnFailure,
    idempotencyKey?: string | null,
  ): void {
    if (!throws || !nothingSucceeded(answer)) return;
    throw new TrawlFailedError(answer, { idempotencyKey: idempotencyKey ?? undefined });
  }

  async #execute<T extends SearchAnswer | FetchAnswer>(
    route: Call['route'],
    request: LineageRequest,
    options: ExecuteOptions = {},
  ): Promise<T> {
    const { conversation } = options;
    const count = conversation?.turns.length ?? 0;
    const call = paidCall(route, request, options);
    try {
      const answer = await this.#read<T>(call);
      conversation?.recorded(answer.session_id, count);
      this.#check(answer, options.throwOnFailure, call.options.idempotencyKey);
      return answer;
    } catch (error) {
      if (isProviderUnavailable(error) && error.sessionId !== null) {
        conversation?.recorded(error.sessionId, count);
      }
      throw error;
    }
  }

  async *#stream<Event extends SearchEvent | FetchEvent>(
    route: Call['route'],
    request: LineageRequest,
    options: ExecuteOptions = {},
    eventsOf: (connection: Connection, call: Call) => AsyncGenerator<Event>,
  ): AsyncGenerator<Event> {
    const { conversation } = options;
    const count = conversation?.turns.length ?? 0;
    const call = paidCall(route, request, options);
    for await (const event of eventsOf(this.#connection, call)) {
      if (event.type === 'done') {
        conversation?.recorded(event.answer.session_id, count);
        this.#check(event.answer, options.throwOnFailure, call.options.idempotencyKey);
      }
      yield event;
    }
  }
}

/** One key for all tries of a call. */
function paidCall(route: Call['route'], request: LineageRequest, options: ExecuteOptions): Call {
  const { conversation, idempotencyKey = crypto.randomUUID() } = options;
  const body = conversation?.attach(request) ?? request;
  return { route, body, options: { ...options, idempotencyKey }, buys: true };
}
