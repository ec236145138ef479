import { z } from 'zod';
import { DryRun, DryRunQuery, UsageQuery, UsageReport } from './schemas/billing.ts';
import { FetchRequest } from './schemas/fetch.ts';
import { Health } from './schemas/health.ts';
import { InteractionDetails, InteractionResponse } from './schemas/interaction.ts';
import { freeObject } from './schemas/json.ts';
import { FetchProviderRoster, PreprocessorRoster } from './schemas/rosters.ts';
import { InteractionRequest, SearchRequest } from './schemas/search-request.ts';
import {
  HistoryQuery,
  InteractionQuery,
  SessionHistoryResponse,
  SessionPath,
  SessionsQuery,
  SessionsResponse,
  SessionTrajectoryResponse,
  TrajectoryQuery,
} from './schemas/sessions.ts';
import type { Permission } from './vocabulary.ts';

export const TAGS = ['Search', 'Fetch', 'Sessions', 'Providers', 'Operation'] as const;

/** One row of the route table. From it come validation, handler types, client types and the OpenAPI document. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `{name}` for a path parameter. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Heading under which the API reference lists it. */
  readonly tag: (typeof TAGS)[number];
  /** What the key must hold; null = no key needed. */
  readonly permission: Permission | null;
  /** Body of an error: `detail` (FastAPI-like) or `typed` (envelope with a code). */
  readonly errors: 'detail' | 'typed';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * It asks providers, who are paid: it can be streamed (`Accept: text/event-stream`, in events of this name) and be made
   * safe to repeat (`Idempotency-Key`).
   */
  readonly executes?: 'run' | 'page';
  readonly status: 200 | 204;
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
    tag: 'Search',
    permission: 'search',
    errors: 'detail',
    query: DryRunQuery,
    body: SearchRequest,
    executes: 'run',
    status: 200,
    response: InteractionResponse,
    dryRun: DryRun,
  },
  fetch: {
    method: 'POST',
    path: '/v1/fetch',
    summary: 'Read whole pages by URL',
    tag: 'Fetch',
    permission: 'fetch',
    errors: 'typed',
    query: DryRunQuery,
    body: FetchRequest,
    executes: 'page',
    status: 200,
    response: InteractionResponse,
    dryRun: DryRun,
  },
  createInteraction: {
    method: 'POST',
    path: '/v1/interactions',
    summary: 'Create an interaction (general form of search)',
    tag: 'Search',
    permission: 'search',
    errors: 'detail',
    body: InteractionRequest,
    executes: 'run',
    status: 200,
    response: InteractionResponse,
  },
  readInteraction: {
    method: 'GET',
    path: '/v1/interactions',
    summary: 'Read one interaction back',
    tag: 'Sessions',
    permission: 'read',
    errors: 'detail',
    query: InteractionQuery,
    status: 200,
    response: InteractionDetails,
  },
  listSessions: {
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List sessions, newest activity first',
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
    tag: 'Providers',
    permission: null,
    errors: 'detail',
    status: 200,
    response: PreprocessorRoster,
  },
  fetchProviders: {
    method: 'GET',
    path: '/v1/fetch-providers',
    summary: 'Live roster of fetch providers',
    tag: 'Providers',
    permission: null,
    errors: 'detail',
    status: 200,
    response: FetchProviderRoster,
  },
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'The process is up',
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

/** What a handler of a route receives after validation. */
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
