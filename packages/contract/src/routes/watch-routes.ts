import { z } from 'zod';
import { DryRun, DryRunQuery } from '../schemas/billing.ts';
import {
  NewsQuery,
  NewsResponse,
  NewWatch,
  Watch,
  WatchChange,
  WatchDryRun,
  WatchesQuery,
  WatchesResponse,
  WatchPath,
  WatchRun,
} from '../schemas/watches.ts';
import type { Route } from './routes.ts';

const shared = {
  tag: 'Watches',
  permission: 'manage',
  errors: 'detail',
  status: 200,
} as const;

/** Searches and pages that are asked for again and again. */
export const WATCH_ROUTES = {
  createWatch: {
    ...shared,
    method: 'POST',
    path: '/v1/watches',
    summary: 'Watch a search or pages',
    description:
      'Checks the request as a search or a fetch would, and stores it. The watch belongs to the key, which must also be able to search or fetch: its runs are requests of that key, with its limits, budget and policy of that time. The first run follows within seconds.',
    query: DryRunQuery,
    body: NewWatch,
    bodyForm: '{"interval_minutes": 60, "search": {"user_input": {"query": …}}}',
    response: Watch,
    dryRun: WatchDryRun,
  },
  listWatches: {
    ...shared,
    method: 'GET',
    path: '/v1/watches',
    summary: 'List watches',
    description:
      'Lists the watches of the project of the key. An answer that does not reach the end has `next_after`: pass it as `after` to continue.',
    query: WatchesQuery,
    response: WatchesResponse,
  },
  readWatch: {
    ...shared,
    method: 'GET',
    path: '/v1/watches/{watch_id}',
    summary: 'Read one watch',
    description: 'Answers what it asks for, how its last run ended and when the next one is.',
    params: WatchPath,
    response: Watch,
  },
  changeWatch: {
    ...shared,
    method: 'PATCH',
    path: '/v1/watches/{watch_id}',
    summary: 'Pause or resume a watch, or change its name or interval',
    description:
      'Sets what is named and answers the watch as it is then. What it asks for cannot be changed: make another watch. One whose key has ended cannot be resumed (400). A key that sets the interval or resumes must be able to ask for the same itself (403); the watch stays with its own key.',
    params: WatchPath,
    refusesDryRun: true,
    body: WatchChange,
    bodyForm: '{"state": "paused"}',
    response: Watch,
  },
  deleteWatch: {
    ...shared,
    method: 'DELETE',
    path: '/v1/watches/{watch_id}',
    summary: 'Delete a watch with its news',
    description: 'What its runs recorded stays in its session, which can be deleted as any other.',
    params: WatchPath,
    status: 204,
    response: z.undefined(),
  },
  runWatch: {
    ...shared,
    method: 'POST',
    path: '/v1/watches/{watch_id}/run',
    summary: 'Run a watch now',
    description:
      'Makes one run, as a request of the key of the watch, and answers when it is recorded. The next run stays when it was due. A paused watch may run; one that is stopped, or whose run is in progress, is a 409. The calling key must be able to ask for the same itself (403). A run that is refused, as by a budget, is answered with that refusal.',
    params: WatchPath,
    query: DryRunQuery,
    isRepeatable: true,
    status: 202,
    response: WatchRun,
    dryRun: DryRun,
  },
  watchNews: {
    ...shared,
    method: 'GET',
    path: '/v1/watches/{watch_id}/news',
    summary: 'What a watch found that is new',
    description:
      'Lists URLs that no earlier run had, or for pages texts that no earlier run had. The first answer of each provider to each query, and the first text of each page, is what later ones are compared with, and not news. Items go with the interaction that found them, when that is deleted.',
    params: WatchPath,
    query: NewsQuery,
    response: NewsResponse,
  },
} as const satisfies Record<string, Route>;
