import { z } from 'zod';
import { DryRun, DryRunQuery, ExecuteQuery, UsageQuery, UsageReport } from '../schemas/billing.ts';
import { ContextRequest, ContextResponse, type FoundSource } from '../schemas/context.ts';
import { DiffQuery, InteractionDiff } from '../schemas/diff.ts';
import type { ErrorBody } from '../schemas/errors.ts';
import { FeedbackRequest, FeedbackResponse, InteractionPath } from '../schemas/feedback.ts';
import { FetchRequest, type FetchRow } from '../schemas/fetch.ts';
import { Health } from '../schemas/health.ts';
import {
  InteractionDetails,
  InteractionResponse,
  type PreprocessorRun,
} from '../schemas/interaction.ts';
import { freeObject } from '../schemas/json.ts';
import { ProbePath, ProbeRequest, ProbeResponse } from '../schemas/probe.ts';
import { FetchProviderRoster, HealthReport, PreprocessorRoster } from '../schemas/rosters.ts';
import { InteractionRequest, ReplayRequest, SearchRequest } from '../schemas/search-request.ts';
import {
  HistoryQuery,
  InteractionQuery,
  SessionHistoryResponse,
  SessionPath,
  SessionsQuery,
  SessionsResponse,
  SessionTrajectoryResponse,
  TrajectoryQuery,
} from '../schemas/sessions.ts';
import { VerifyRequest, VerifyResponse } from '../schemas/verify.ts';
import type { KeyPermission, Permission } from '../vocabulary/vocabulary.ts';
import { ADMIN_ROUTES } from './admin-routes.ts';
import {
  CONTEXT_FORM,
  CONTEXT_MISPLACED,
  FEEDBACK_FORM,
  FETCH_FORM,
  FETCH_MISPLACED,
  INTERACTION_MISPLACED,
  type Misplaced,
  SEARCH_FORM,
  SEARCH_MISPLACED,
} from './misplaced.ts';
import { WATCH_ROUTES } from './watch-routes.ts';

/** Headings of the API reference, and the text below each. */
export const TAGS = {
  Search: 'One query or a batch, across several search providers at once.',
  Fetch: 'Whole pages by URL, through a chain of fetch providers.',
  Sessions: 'Earlier requests and their answers: interactions, by session.',
  Watches: 'Searches and pages that are asked for again and again, and what is new in the answers.',
  Providers: 'Which providers this deployment has.',
  Operation: 'What was spent, and whether the server is up.',
  Administration:
    'The operator API: projects, keys and people of the whole deployment, for programs. It takes only keys with the permission `admin`, which `trawl keys create` makes on the server’s machine; such a key works nowhere else. Requests from browsers are refused, each use is in the audit log, and null is a value here: it removes a limit.',
} as const;

/**
 * One row of the route table. From it come validation, handler types, client types and the OpenAPI
 * document.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for a path parameter. */
  readonly path: `/${string}`;
  readonly summary: string;
  /**
   * What it does, for the API reference, which takes permission, billing and repetition from the
   * fields below.
   */
  readonly description: string;
  /** Heading under which the API reference lists it. */
  readonly tag: keyof typeof TAGS;
  /** The permission that the key needs; null = no key needed. */
  readonly permission: KeyPermission | null;
  /** It needs no key, and answers more to one; a wrong one counts as none. */
  readonly readsKey?: true;
  /** A second permission that the key needs. */
  readonly alsoNeeds?: Permission;
  /** Body of an error: `detail` (FastAPI-like) or `typed` (envelope with a code). */
  readonly errors: 'detail' | 'typed';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The smallest body, which the hint of an error shows. */
  readonly bodyForm?: string;
  /**
   * Keys that are refused at the top of a body, because ignoring them would change what is paid.
   */
  readonly misplaced?: Misplaced;
  /**
   * It calls providers, which cost money. It can be streamed (`Accept: text/event-stream`, in
   * events of this name) and made safe to repeat (`Idempotency-Key`).
   */
  readonly executes?: 'run' | 'page' | 'source';
  /** It also answers as text for a model (`Accept: text/markdown`). */
  readonly hasText?: true;
  /** It pays in one piece, and can be made safe to repeat (`Idempotency-Key`). */
  readonly isRepeatable?: true;
  /** It may begin paid work and has no dry run, so that `dry_run` is refused. */
  readonly refusesDryRun?: true;
  /** It is refused (400) while other records depend on what it names. */
  readonly hasDependents?: true;
  readonly status: 200 | 202 | 204;
  readonly response: z.ZodType;
  /** What it answers with `dry_run=true`. */
  readonly dryRun?: z.ZodType;
}

const nothing = z.undefined();

export const ROUTES = {
  search: {
    method: 'POST',
    path: '/v1/search',
    summary: 'Run one query or a batch across providers',
    description:
      'Runs each query on each provider, all at once, and answers one run for each pair; rows of different providers are not merged, unless `search.merge` asks for a list of them too. Without `search.providers` the default set of the deployment runs.',
    tag: 'Search',
    permission: 'search',
    errors: 'detail',
    query: ExecuteQuery,
    body: SearchRequest,
    bodyForm: SEARCH_FORM,
    misplaced: SEARCH_MISPLACED,
    executes: 'run',
    hasText: true,
    status: 200,
    response: InteractionResponse,
    dryRun: DryRun,
  },
  fetch: {
    method: 'POST',
    path: '/v1/fetch',
    summary: 'Read whole pages by URL',
    description:
      'Reads pages, each through a chain of providers until one delivers it, and answers one run, `web_fetch`, with one row per URL in the order sent. A page that cannot be read is a failed row, not a failed request.',
    tag: 'Fetch',
    permission: 'fetch',
    errors: 'typed',
    query: ExecuteQuery,
    body: FetchRequest,
    bodyForm: FETCH_FORM,
    misplaced: FETCH_MISPLACED,
    executes: 'page',
    hasText: true,
    status: 200,
    response: InteractionResponse,
    dryRun: DryRun,
  },
  createInteraction: {
    method: 'POST',
    path: '/v1/interactions',
    summary: 'Create an interaction (general form of search)',
    description:
      'A search with more options: a label for the user, postprocessors over the rows, and no input at all for a step that is only recorded.',
    tag: 'Search',
    permission: 'search',
    errors: 'detail',
    query: ExecuteQuery,
    body: InteractionRequest,
    bodyForm: SEARCH_FORM,
    misplaced: INTERACTION_MISPLACED,
    executes: 'run',
    hasText: true,
    status: 200,
    response: InteractionResponse,
    dryRun: DryRun,
  },
  context: {
    method: 'POST',
    path: '/v1/context',
    summary: 'One question, and a context that fits a model',
    description:
      'Searches, reads the best pages, and answers with the passages that fit the question best, as one numbered and fenced text of at most `max_tokens`. It is made of one recorded search and at most one recorded fetch of the same session.',
    tag: 'Search',
    permission: 'search',
    errors: 'detail',
    query: DryRunQuery,
    body: ContextRequest,
    bodyForm: CONTEXT_FORM,
    misplaced: CONTEXT_MISPLACED,
    executes: 'source',
    hasText: true,
    status: 200,
    response: ContextResponse,
    dryRun: DryRun,
  },
  readInteraction: {
    method: 'GET',
    path: '/v1/interactions',
    summary: 'Read one interaction back',
    description:
      'Returns the answer that was recorded for the interaction, its input and its metadata.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    query: InteractionQuery,
    hasText: true,
    status: 200,
    response: InteractionDetails,
  },
  giveFeedback: {
    method: 'POST',
    path: '/v1/interactions/{interaction_id}/feedback',
    summary: 'Report which results were used, right or wrong',
    description:
      'Keeps one verdict for each result named; a later one replaces it. A URL means the result in every run that found it. Asks no provider and costs nothing.',
    tag: 'Sessions',
    permission: 'search',
    errors: 'detail',
    params: InteractionPath,
    body: FeedbackRequest,
    bodyForm: FEEDBACK_FORM,
    status: 200,
    response: FeedbackResponse,
  },
  readFeedback: {
    method: 'GET',
    path: '/v1/interactions/{interaction_id}/feedback',
    summary: 'Feedback on the results of an interaction',
    description: 'Lists the last verdict on each result of the interaction.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    params: InteractionPath,
    status: 200,
    response: FeedbackResponse,
  },
  replay: {
    method: 'POST',
    path: '/v1/interactions/{interaction_id}/replay',
    summary: 'Run a recorded search again',
    description:
      'The same query, options, filters and overrides with the providers of today, recorded in the same session with `replay_of` in its metadata. The limits, budget and data policy of the calling key apply. Relative dates count from today. 409 for a search whose request was not kept, 422 for a fetch.',
    tag: 'Sessions',
    permission: 'search',
    alsoNeeds: 'read',
    errors: 'detail',
    params: InteractionPath,
    query: DryRunQuery,
    body: ReplayRequest,
    executes: 'run',
    status: 200,
    response: InteractionResponse,
    dryRun: DryRun,
  },
  diff: {
    method: 'GET',
    path: '/v1/interactions/{interaction_id}/diff',
    summary: 'What differs between two searches',
    description:
      'Compares the search of the path with the one of `with`: for each query and provider the rows that came, went, moved or changed, with cost and latency of both.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    params: InteractionPath,
    query: DiffQuery,
    status: 200,
    response: InteractionDiff,
  },
  verify: {
    method: 'POST',
    path: '/v1/verify',
    summary: 'Check quotes against what was recorded',
    description:
      'Looks for each quote in the rows, pages and answers of a session. Exact matches are preferred to others, whole texts to summaries, earlier records to later ones. Asks no provider and costs nothing.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    body: VerifyRequest,
    status: 200,
    response: VerifyResponse,
  },
  listSessions: {
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List sessions, newest activity first',
    description:
      'Lists the sessions of the project of the key. For the next page, pass `latest_interaction_at` and `id` of the last one as `before` and `before_id`.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    query: SessionsQuery,
    status: 200,
    response: SessionsResponse,
  },
  sessionHistory: {
    method: 'GET',
    path: '/v1/sessions/{session_id}/history',
    summary: 'Interactions of a session, oldest first',
    description:
      'Lists the interactions of a session. An answer that does not reach its end has `next_after`: pass it as `after` to continue.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    params: SessionPath,
    query: HistoryQuery,
    status: 200,
    response: SessionHistoryResponse,
  },
  sessionTrajectory: {
    method: 'GET',
    path: '/v1/sessions/{session_id}/trajectory',
    summary: 'Session as a tree of interactions, runs and results',
    description:
      'Answers the session as a tree. The parent of an interaction is the `parent_trajectory_id` of its metadata. An answer that does not reach the end has `next_after`: pass it as `after` to continue.',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    params: SessionPath,
    query: TrajectoryQuery,
    status: 200,
    response: SessionTrajectoryResponse,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/v1/sessions/{session_id}',
    summary: 'Delete a session with all that was recorded in it',
    description:
      'Deletes queries, results and metadata for good. Costs stay in the ledger, which holds no text.',
    tag: 'Sessions',
    permission: 'manage',
    errors: 'detail',
    params: SessionPath,
    status: 204,
    response: nothing,
  },
  usage: {
    method: 'GET',
    path: '/v1/usage',
    summary: 'Calls and cost: of the key, or with `manage` of the project',
    description:
      'Sums the calls and their cost over a span of time. A key with `manage` sees those of its project, any other key only its own.',
    tag: 'Operation',
    permission: 'read',
    errors: 'detail',
    query: UsageQuery,
    status: 200,
    response: UsageReport,
  },
  preprocessors: {
    method: 'GET',
    path: '/v1/preprocessors',
    summary: 'Live roster of search providers',
    description: 'Lists the search providers that this deployment knows, and what each can do.',
    tag: 'Providers',
    permission: null,
    errors: 'detail',
    status: 200,
    readsKey: true,
    response: PreprocessorRoster,
  },
  fetchProviders: {
    method: 'GET',
    path: '/v1/fetch-providers',
    summary: 'Live roster of fetch providers',
    description:
      'Lists the fetch providers that this deployment knows, and their places in the chain.',
    tag: 'Providers',
    permission: null,
    errors: 'detail',
    status: 200,
    readsKey: true,
    response: FetchProviderRoster,
  },
  probe: {
    method: 'POST',
    path: '/v1/providers/{name}/probe',
    summary: 'Ask one provider once, to see whether it works',
    description:
      'Sends the cheapest search for one row, or the request for one page, without a retry. It is recorded, billed and bounded by budgets like any other call; `dry_run` answers its price. It is sent while the provider’s circuit is open too: a success closes the circuit unless a rate limit opened it, and a failure leaves it as it is. A failed probe is answered with 200 and its `error`.',
    tag: 'Providers',
    permission: 'manage',
    errors: 'detail',
    params: ProbePath,
    query: DryRunQuery,
    body: ProbeRequest,
    bodyForm: '{"operation": "search"}',
    isRepeatable: true,
    status: 200,
    response: ProbeResponse,
    dryRun: DryRun,
  },
  providerHealth: {
    method: 'GET',
    path: '/v1/providers/{name}/health',
    summary: 'How good the answers of a search provider are, and why',
    description:
      'Compares its newest 60 answers with those of the 14 days before them, for all projects together. Only the examples are of the project of the key.',
    tag: 'Providers',
    permission: 'manage',
    errors: 'detail',
    params: ProbePath,
    status: 200,
    response: HealthReport,
  },
  resetProviderHealth: {
    method: 'POST',
    path: '/v1/providers/{name}/health/reset',
    summary: 'Forget that a search provider is ill',
    description: 'For one that works again. What it answered until now no longer counts as new.',
    tag: 'Providers',
    permission: 'manage',
    errors: 'detail',
    params: ProbePath,
    status: 200,
    response: HealthReport,
  },
  ...WATCH_ROUTES,
  ...ADMIN_ROUTES,
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'The process is up',
    description: 'Answers as long as the process runs; depends on nothing else.',
    tag: 'Operation',
    permission: null,
    errors: 'detail',
    status: 200,
    response: Health,
  },
  readiness: {
    method: 'GET',
    path: '/readyz',
    summary: 'The server takes requests: its store answers and it is not stopping',
    description:
      'For load balancers: 503 while the store does not answer or the server is stopping.',
    tag: 'Operation',
    permission: null,
    errors: 'detail',
    status: 200,
    response: Health,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The description of this API, for people and for generators of clients.',
    tag: 'Operation',
    permission: null,
    errors: 'detail',
    status: 200,
    response: freeObject(),
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type RouteId = keyof Routes;

type Parsed<R, K extends 'params' | 'query' | 'body'> =
  R extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;

/** The input of a handler after validation. */
export interface RouteInput<K extends RouteId> {
  readonly params: Parsed<Routes[K], 'params'>;
  readonly query: Parsed<Routes[K], 'query'>;
  readonly body: Parsed<Routes[K], 'body'>;
}

/** What a client sends and gets; the SDK is typed from these. */
export type RouteRequest<K extends RouteId> = Routes[K] extends {
  body: infer S extends z.ZodType;
}
  ? z.input<S>
  : undefined;
export type RouteResponse<K extends RouteId> = z.output<Routes[K]['response']>;

/**
 * All that a route may answer with its own status: its response, or with `dry_run` what it would
 * call and cost.
 */
export type RouteAnswer<K extends RouteId> =
  | RouteResponse<K>
  | (Routes[K] extends { dryRun: infer S extends z.ZodType } ? z.output<S> : never);

/** The routes that ask providers. */
export type ExecutingRoute = {
  [K in RouteId]: Routes[K] extends { executes: string } ? K : never;
}[RouteId];

/** Those of them that answer with what they recorded. */
export type RecordingRoute = {
  [K in ExecutingRoute]: RouteResponse<K> extends InteractionResponse ? K : never;
}[ExecutingRoute];

/** What the events of a streamed answer hold, by the name of the event. */
export interface StreamEvents {
  /** A run of a search, as it lands. */
  readonly run: PreprocessorRun;
  /** A page of a fetch, as it lands. */
  readonly page: FetchRow;
  /** A source of a context, when its text is there. */
  readonly source: FoundSource;
  /** The whole answer. */
  readonly done: InteractionResponse | ContextResponse;
  /** Why there will be none: the body of the plain answer. */
  readonly error: ErrorBody;
}
