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
import { callForJson, callForWholeText } from '../http/transport.ts';
import { isProviderUnavailable, TrawlFailedError } from '../values/errors.ts';
import { checkNames, namesOf } from '../values/names.ts';
import { type Connection, connectionOf, type TrawlOptions } from '../values/options.ts';
import { type FreeCall, TrawlAdmin } from './admin.ts';
import type { Conversation, LineageRequest } from './conversation.ts';
import type { Defaults } from './defaults.ts';
import { historyItems, pagedItems, sessionItems } from './paging.ts';
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

const PAID_NAMES = [...CALL_NAMES, 'idempotencyKey'];
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
export class Trawl {
  readonly #connection: Connection;
  #defaults: Defaults | undefined;

  /**
   * Address and key come from `SERVICE_BASE_URL` and `SERVICE_API_KEY` when absent.
   * @throws TrawlError `usage` when an option is wrong or unknown, or in a browser
   */
  constructor(options: TrawlOptions = {}) {
    this.#connection = connectionOf(options);
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
    return this.#pay(this.#contextCall(request), options);
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
    return this.#read({ ...this.#contextCall(request), query: { dry_run: true }, options });
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

  /** Reads one interaction back, as it was answered. */
  readInteraction(
    query: Types.ReadInteractionQuery,
    options?: CallOptions,
  ): Promise<Types.InteractionDetails> {
    return this.#read({ endpoint: 'GET /v1/interactions', query, options });
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
    const answer = await this.#send<SearchAnswer>(call);
    this.#check(answer, options.throwOnFailure, paid.options.idempotencyKey);
    return answer;
  }

  /** The calls a replay would make, and their prices. */
  replayDryRun(interactionId: string, options?: CallOptions): Promise<Types.DryRun> {
    return this.#read({
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
    return this.#read({
      endpoint: 'GET /v1/interactions/{interaction_id}/diff',
      params: { interaction_id: interactionId },
      query: { with: laterId },
      options,
    });
  }

  /** Checks quotes against the records of a session. Costs nothing. */
  verify(request: Types.VerifyRequest, options?: CallOptions): Promise<Types.VerifyResponse> {
    return this.#read({ endpoint: 'POST /v1/verify', body: request, options });
  }

  /**
   * Records which results of an interaction were used, right or wrong. Replaces earlier feedback on
   * the same results.
   */
  giveFeedback(
    interactionId: string,
    feedback: Types.FeedbackRequest,
    options?: CallOptions,
  ): Promise<Types.FeedbackResponse> {
    return this.#read({
      endpoint: 'POST /v1/interactions/{interaction_id}/feedback',
      params: { interaction_id: interactionId },
      body: feedback,
      options,
    });
  }

  /** The latest feedback on each result of an interaction. */
  readFeedback(interactionId: string, options?: CallOptions): Promise<Types.FeedbackResponse> {
    return this.#read({
      endpoint: 'GET /v1/interactions/{interaction_id}/feedback',
      params: { interaction_id: interactionId },
      options,
    });
  }

  /** One page of sessions, newest activity first. */
  listSessions(
    query?: Types.ListSessionsQuery,
    options?: CallOptions,
  ): Promise<Types.SessionsResponse> {
    return this.#read({ endpoint: 'GET /v1/sessions', query, options });
  }

  /** All sessions. Pages are read when they are needed; `limit` is the size of a page. */
  sessions(
    query: Types.ListSessionsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.Session> {
    return sessionItems(query, (page) => this.listSessions(page, options));
  }

  /** One page of a session's interactions, oldest first. `next_after` is there when more follow. */
  sessionHistory(
    sessionId: string,
    query?: Types.SessionHistoryQuery,
    options?: CallOptions,
  ): Promise<Types.SessionHistoryResponse> {
    return this.#read({
      endpoint: 'GET /v1/sessions/{session_id}/history',
      params: { session_id: sessionId },
      query,
      options,
    });
  }

  /** All interactions of a session. Pages are read when they are needed. */
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
    return this.#read({
      endpoint: 'GET /v1/sessions/{session_id}/trajectory',
      params: { session_id: sessionId },
      query,
      options,
    });
  }

  /** Deletes a session with all its records. */
  deleteSession(sessionId: string, options?: CallOptions): Promise<void> {
    return this.#read({
      endpoint: 'DELETE /v1/sessions/{session_id}',
      params: { session_id: sessionId },
      options,
    });
  }

  /**
   * Asks one provider once, to see whether it works. Costs what one call costs; a failure is in the
   * answer.
   */
  probe(
    provider: string,
    request: Types.ProbeRequest,
    options?: PaidCallOptions,
  ): Promise<Types.ProbeResponse> {
    const endpoint = 'POST /v1/providers/{name}/probe';
    return this.#pay({ endpoint, params: { name: provider }, body: request }, options);
  }

  /** The call a probe would make, and its price. */
  probeDryRun(
    provider: string,
    request: Types.ProbeRequest,
    options?: CallOptions,
  ): Promise<Types.DryRun> {
    return this.#read({
      endpoint: 'POST /v1/providers/{name}/probe',
      params: { name: provider },
      body: request,
      query: { dry_run: true },
      options,
    });
  }

  /** How good the answers of a search provider are, next to its own of before. */
  providerHealth(provider: string, options?: CallOptions): Promise<Types.HealthReport> {
    const endpoint = 'GET /v1/providers/{name}/health';
    return this.#read({ endpoint, params: { name: provider }, options });
  }

  /** Forgets that a provider is ill, for one that works again. */
  resetProviderHealth(provider: string, options?: CallOptions): Promise<Types.HealthReport> {
    const endpoint = 'POST /v1/providers/{name}/health/reset';
    return this.#read({ endpoint, params: { name: provider }, options });
  }

  /**
   * Makes a watch of a search or of pages. It belongs to this key, and its first run follows within
   * seconds.
   */
  createWatch(watch: Types.NewWatch, options?: CallOptions): Promise<Types.Watch> {
    return this.#read({ endpoint: 'POST /v1/watches', body: watch, buys: true, options });
  }

  /** What each run of a watch would call and cost, and a day of them. Nothing is made. */
  createWatchDryRun(watch: Types.NewWatch, options?: CallOptions): Promise<Types.WatchDryRun> {
    const query = { dry_run: true };
    return this.#read({ endpoint: 'POST /v1/watches', body: watch, query, options });
  }

  /** One page of the watches of the project. `next_after` is there when more follow. */
  listWatches(
    query?: Types.ListWatchesQuery,
    options?: CallOptions,
  ): Promise<Types.WatchesResponse> {
    return this.#read({ endpoint: 'GET /v1/watches', query, options });
  }

  /** All watches of the project, the oldest first. Pages are read when they are needed. */
  watches(query: Types.ListWatchesQuery = {}, options?: CallOptions): AsyncGenerator<Types.Watch> {
    return pagedItems(
      (after = query.after) => this.listWatches({ ...query, after }, options),
      ({ watches }) => watches,
    );
  }

  readWatch(watchId: string, options?: CallOptions): Promise<Types.Watch> {
    return this.#read({
      endpoint: 'GET /v1/watches/{watch_id}',
      params: { watch_id: watchId },
      options,
    });
  }

  /** Pauses or resumes a watch, or changes its name or interval. */
  changeWatch(
    watchId: string,
    change: Types.WatchChange,
    options?: CallOptions,
  ): Promise<Types.Watch> {
    return this.#read({
      endpoint: 'PATCH /v1/watches/{watch_id}',
      params: { watch_id: watchId },
      body: change,
      options,
    });
  }

  /** Makes one run of a watch now. Costs what its search or its pages cost. */
  runWatch(watchId: string, options?: PaidCallOptions): Promise<Types.WatchRun> {
    const endpoint = 'POST /v1/watches/{watch_id}/run';
    return this.#pay({ endpoint, params: { watch_id: watchId } }, options);
  }

  /** The calls a run of a watch would make, and their prices. */
  runWatchDryRun(watchId: string, options?: CallOptions): Promise<Types.DryRun> {
    return this.#read({
      endpoint: 'POST /v1/watches/{watch_id}/run',
      params: { watch_id: watchId },
      query: { dry_run: true },
      options,
    });
  }

  /** Deletes a watch with its news. What its runs recorded stays. */
  deleteWatch(watchId: string, options?: CallOptions): Promise<void> {
    return this.#read({
      endpoint: 'DELETE /v1/watches/{watch_id}',
      params: { watch_id: watchId },
      options,
    });
  }

  /** One page of what a watch found that is new. `next_after` is there when more follows. */
  watchNews(
    watchId: string,
    query?: Types.WatchNewsQuery,
    options?: CallOptions,
  ): Promise<Types.NewsResponse> {
    return this.#read({
      endpoint: 'GET /v1/watches/{watch_id}/news',
      params: { watch_id: watchId },
      query,
      options,
    });
  }

  /** Calls and cost of the key, or of the whole project with permission `manage`. */
  usage(
    query?: Omit<Types.UsageQuery, 'format'>,
    options?: CallOptions,
  ): Promise<Types.UsageReport> {
    return this.#read({ endpoint: 'GET /v1/usage', query, options });
  }

  /** The operator API, for a client whose key has the permission `admin`. */
  get admin(): TrawlAdmin {
    return new TrawlAdmin((call) => this.#read(call));
  }

  /** The search providers of this server; with figures for a key that has `manage`. */
  preprocessors(options?: CallOptions): Promise<Types.PreprocessorRoster> {
    return this.#read({ endpoint: 'GET /v1/preprocessors', mayLackKey: true, options });
  }

  /** The fetch providers of this server. */
  fetchProviders(options?: CallOptions): Promise<Types.FetchProviderRoster> {
    return this.#read({ endpoint: 'GET /v1/fetch-providers', mayLackKey: true, options });
  }

  /** Whether the process is up. */
  health(options?: CallOptions): Promise<Types.Health> {
    return this.#read({ endpoint: 'GET /healthz', isOpen: true, options });
  }

  /** Whether the server accepts requests. A 503 is an answer here, not an error. */
  readiness(options?: CallOptions): Promise<Types.Health> {
    return this.#read({ endpoint: 'GET /readyz', isOpen: true, options, alsoAnswers: 503 });
  }

  /** The server's OpenAPI document. */
  openapi(options?: CallOptions): Promise<Types.JsonObject> {
    return this.#read({ endpoint: 'GET /openapi.json', isOpen: true, options });
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

  async #read<T>(call: FreeCall): Promise<T> {
    const { options = {} } = call;
    checkNames('this call', options, CALL_NAMES);
    return this.#send({ ...call, options });
  }

  /** All attempts of a call share one key. */
  async #pay<T>(call: Omit<FreeCall, 'options'>, options: PaidCallOptions = {}): Promise<T> {
    checkNames('this call', options, PAID_NAMES);
    const { idempotencyKey = crypto.randomUUID() } = options;
    return this.#send({ ...call, buys: true, options: { ...options, idempotencyKey } });
  }

  /** The contract defines the answer of each route, so its JSON is not validated again. */
  async #send<T>(call: ApiCall): Promise<T> {
    return (await callForJson(this.#connection, call)) as T;
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
    return this.#read({ endpoint, body, query: { dry_run: true }, options });
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
      const answer = await this.#send<T>(call);
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
