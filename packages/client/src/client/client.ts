import { readDefaults } from '#defaults';
import {
  type ContextEvent,
  type FetchAnswer,
  type FetchEvent,
  nothingSucceeded,
  type SearchAnswer,
  type SearchEvent,
} from '../contract/answers.ts';
import type { Endpoint } from '../contract/routes.ts';
import type * as Types from '../contract/types.ts';
import { type ApiCall, CALL_NAMES, type CallOptions, type PaidCallOptions } from '../http/call.ts';
import { contextEvents, fetchEvents, searchEvents } from '../http/stream.ts';
import { callForWholeText } from '../http/transport.ts';
import { isProviderUnavailable, TrawlFailedError } from '../values/errors.ts';
import { checkNames, namesOf } from '../values/names.ts';
import { type Connection, connectionOf, type TrawlOptions } from '../values/options.ts';
import { TrawlAdmin } from './admin.ts';
import type { Conversation, LineageRequest } from './conversation.ts';
import type { Defaults } from './defaults.ts';
import { historyItems, pagedItems, sessionItems } from './paging.ts';
import { PlainCalls } from './plain-calls.ts';
import {
  type ContextInput,
  contextRequest,
  type FetchInput,
  fetchRequest,
  type PerCall,
  type SearchInput,
  searchRequest,
  withoutOff,
} from './requests.ts';
import { PAID_NAMES, pay, read, send } from './send.ts';

/** Options of a search, a fetch or an interaction. */
export interface ExecuteOptions extends PaidCallOptions {
  /** Sends the turns of the conversation as metadata. */
  readonly conversation?: Conversation | undefined;
  /**
   * Throws a `TrawlFailedError` when nothing in the answer succeeded; the client's value when
   * absent.
   */
  readonly throwOnFailure?: boolean | undefined;
}

const EXECUTE_NAMES = [
  ...CALL_NAMES,
  ...namesOf<Omit<ExecuteOptions, keyof CallOptions>>({
    idempotencyKey: true,
    conversation: true,
    throwOnFailure: true,
  }),
];

const API_OPTIONS =
  'options of the API are part of the first argument, as in { query, search: { num_results: 2 } }';

/**
 * A client of one server. Methods throw a `TrawlError`. A provider that failed is a failed run of
 * the answer, not an error (see `failures`). With `throwOnFailure` an answer in which nothing
 * succeeded is an error.
 *
 * Requests and answers have the names of the HTTP API.
 */
export class Trawl extends PlainCalls {
  readonly #connection: Connection;
  #defaults: Defaults | undefined;

  /**
   * Address and key come from `SERVICE_BASE_URL` and `SERVICE_API_KEY` when absent.
   * @throws TrawlError `usage` when an option is wrong or unknown, or in a browser
   */
  constructor(options: TrawlOptions = {}) {
    const connection = connectionOf(options);
    super(connection);
    this.#connection = connection;
  }

  /**
   * A client whose searches take what they do not set themselves from the settings files and the
   * variables of this process, as they are now. Node only.
   * @throws TrawlError `usage` naming file or variable, key and remedy
   */
  static fromSettings(options: TrawlOptions = {}): Trawl {
    const client = new Trawl(options);
    client.#defaults = readDefaults();
    return client;
  }

  /** Address of the server. */
  get baseUrl(): string {
    return this.#connection.baseUrl;
  }

  /**
   * Runs one query or a batch across providers: `search('tidal power')`,
   * `search({ query, search })`, or the API's request.
   */
  async search(request: SearchInput, options?: ExecuteOptions): Promise<SearchAnswer> {
    return this.#execute('POST /v1/search', this.#filled(searchRequest(request)), options);
  }

  /**
   * The same as a stream: each run when it arrives, then `done` with the whole answer. Leaving the
   * loop ends the request.
   */
  async *searchStream(request: SearchInput, options?: ExecuteOptions): AsyncGenerator<SearchEvent> {
    yield* this.#stream(
      'POST /v1/search',
      this.#filled(searchRequest(request)),
      options,
      searchEvents,
    );
  }

  /**
   * The calls a search would make, and their prices. Nothing is sent to a provider, recorded or
   * billed.
   */
  async searchDryRun(request: SearchInput, options?: CallOptions): Promise<Types.DryRun> {
    return this.#dryRun('POST /v1/search', this.#filled(searchRequest(request)), options);
  }

  /**
   * Reads whole pages by URL: one, a list, or the API's request. A page that cannot be read is a
   * failed row.
   */
  fetch(request: FetchInput, options?: ExecuteOptions): Promise<FetchAnswer> {
    return this.#execute('POST /v1/fetch', fetchRequest(request), options);
  }

  /** The same as a stream: each page when it arrives, then `done` with the whole answer. */
  fetchStream(request: FetchInput, options?: ExecuteOptions): AsyncGenerator<FetchEvent> {
    return this.#stream('POST /v1/fetch', fetchRequest(request), options, fetchEvents);
  }

  /** The calls a fetch would make, and their prices. */
  fetchDryRun(request: FetchInput, options?: CallOptions): Promise<Types.DryRun> {
    return this.#dryRun('POST /v1/fetch', fetchRequest(request), options);
  }

  /**
   * One question, and a context that fits a model: numbered passages of the best pages, as text and
   * as `sources`. `context('how …')`, or the API's request.
   */
  async context(request: ContextInput, options?: PaidCallOptions): Promise<Types.ContextResponse> {
    return pay(this.#connection, this.#contextCall(request), options);
  }

  /** The same as a stream: each source when its text arrives, then `done` with the whole answer. */
  contextStream(
    request: ContextInput,
    options: PaidCallOptions = {},
  ): AsyncGenerator<ContextEvent> {
    checkNames('this call', options, PAID_NAMES, API_OPTIONS);
    const { idempotencyKey = crypto.randomUUID() } = options;
    const call = { ...this.#contextCall(request), buys: true };
    return contextEvents(this.#connection, { ...call, options: { ...options, idempotencyKey } });
  }

  /** The calls a context would make at most, and their prices. */
  contextDryRun(request: ContextInput, options?: CallOptions): Promise<Types.DryRun> {
    return read(this.#connection, {
      ...this.#contextCall(request),
      query: { dry_run: true },
      options,
    });
  }

  #contextCall(request: ContextInput) {
    return { endpoint: 'POST /v1/context', body: contextRequest(request) } as const;
  }

  /**
   * The general form of a search: postprocessors, a user label, or a step of a trajectory without
   * any query.
   */
  async createInteraction(
    request: PerCall<Types.InteractionRequest>,
    options?: ExecuteOptions,
  ): Promise<SearchAnswer> {
    return this.#execute('POST /v1/interactions', this.#filled(request), options);
  }

  async *createInteractionStream(
    request: PerCall<Types.InteractionRequest>,
    options?: ExecuteOptions,
  ): AsyncGenerator<SearchEvent> {
    yield* this.#stream('POST /v1/interactions', this.#filled(request), options, searchEvents);
  }

  /** The text of the same answer, in which whole numbers above 2^53 keep their digits. */
  async readInteractionText(
    query: Types.ReadInteractionQuery,
    options: CallOptions = {},
  ): Promise<string> {
    checkNames('this call', options, CALL_NAMES);
    const call: ApiCall = { endpoint: 'GET /v1/interactions', query, options };
    return (await callForWholeText(this.#connection, call)) ?? '';
  }

  /**
   * Runs a recorded search again with the providers of today, in its session. Costs what the search
   * costs now.
   */
  async replay(
    interactionId: string,
    options: Omit<ExecuteOptions, 'conversation'> = {},
  ): Promise<SearchAnswer> {
    const endpoint = 'POST /v1/interactions/{interaction_id}/replay';
    const paid = this.#paidCall(endpoint, {}, options);
    const call = { ...paid, body: undefined, params: { interaction_id: interactionId } };
    const answer = await send<SearchAnswer>(this.#connection, call);
    this.#check(answer, options.throwOnFailure, paid.options.idempotencyKey);
    return answer;
  }

  /** The calls a replay would make, and their prices. */
  replayDryRun(interactionId: string, options?: CallOptions): Promise<Types.DryRun> {
    return read(this.#connection, {
      endpoint: 'POST /v1/interactions/{interaction_id}/replay',
      params: { interaction_id: interactionId },
      query: { dry_run: true },
      options,
    });
  }

  /** What differs between a search and a later one, by query and provider. */
  diff(
    interactionId: string,
    laterId: string,
    options?: CallOptions,
  ): Promise<Types.InteractionDiff> {
    return read(this.#connection, {
      endpoint: 'GET /v1/interactions/{interaction_id}/diff',
      params: { interaction_id: interactionId },
      query: { with: laterId },
      options,
    });
  }

  /** All sessions. Pages are read when they are needed; `limit` is the size of a page. */
  sessions(
    query: Types.ListSessionsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.Session> {
    return sessionItems(query, (page) => this.listSessions(page, options));
  }

  /** All interactions of a session. Pages are read when they are needed. */
  history(
    sessionId: string,
    query: Types.SessionHistoryQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.InteractionRecordSummary> {
    return historyItems(query, (page) => this.sessionHistory(sessionId, page, options));
  }

  /** All watches of the project, the oldest first. Pages are read when they are needed. */
  watches(query: Types.ListWatchesQuery = {}, options?: CallOptions): AsyncGenerator<Types.Watch> {
    return pagedItems(
      (after = query.after) => this.listWatches({ ...query, after }, options),
      ({ watches }) => watches,
    );
  }

  /** The operator API, for a client whose key has the permission `admin`. */
  get admin(): TrawlAdmin {
    return new TrawlAdmin(this.#connection);
  }

  override toString(): string {
    return `Trawl(${this.baseUrl})`;
  }

  toJSON(): object {
    return { baseUrl: this.baseUrl };
  }

  /** What `console.log` shows in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }

  /** @throws TrawlError `usage` when the settings leave no provider */
  #filled(request: PerCall<Types.InteractionRequest>): Types.InteractionRequest {
    return this.#defaults?.fill(request) ?? withoutOff(request);
  }

  #dryRun(
    endpoint: Endpoint,
    body: object,
    options: CallOptions | undefined,
  ): Promise<Types.DryRun> {
    return read(this.#connection, { endpoint, body, query: { dry_run: true }, options });
  }

  /** @throws TrawlFailedError when nothing succeeded and the caller asked for the error */
  #check(
    answer: SearchAnswer | FetchAnswer,
    throws = this.#connection.throwOnFailure,
    idempotencyKey?: string | null,
  ): void {
    if (!throws || !nothingSucceeded(answer)) return;
    throw new TrawlFailedError(answer, { idempotencyKey: idempotencyKey ?? undefined });
  }

  async #execute<T extends SearchAnswer | FetchAnswer>(
    endpoint: Endpoint,
    request: LineageRequest,
    options: ExecuteOptions = {},
  ): Promise<T> {
    const { conversation } = options;
    const count = conversation?.turns.length ?? 0;
    const call = this.#paidCall(endpoint, request, options);
    try {
      const answer = await send<T>(this.#connection, call);
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
    endpoint: Endpoint,
    request: LineageRequest,
    options: ExecuteOptions = {},
    eventsOf: (connection: Connection, call: ApiCall) => AsyncGenerator<Event>,
  ): AsyncGenerator<Event> {
    const { conversation } = options;
    const count = conversation?.turns.length ?? 0;
    const call = this.#paidCall(endpoint, request, options);
    for await (const event of eventsOf(this.#connection, call)) {
      if (event.type === 'done') {
        conversation?.recorded(event.answer.session_id, count);
        this.#check(event.answer, options.throwOnFailure, call.options.idempotencyKey);
      }
      yield event;
    }
  }

  /** All attempts of a call share one key. */
  #paidCall(endpoint: Endpoint, request: LineageRequest, options: ExecuteOptions): ApiCall {
    checkNames('this call', options, EXECUTE_NAMES, API_OPTIONS);
    const { conversation, idempotencyKey = crypto.randomUUID() } = options;
    const body = conversation?.attach(request, this.#defaults?.incremental) ?? request;
    return { endpoint, body, options: { ...options, idempotencyKey }, buys: true };
  }
}
