import { type Clock, isoTime, jsonText, LAST_SORTED_TIME } from '@trawl/base';
import {
  type DryRun,
  LIMITS,
  type NewWatch,
  type Watch,
  type WatchChange,
  type WatchDryRun,
  type WatchedRequest,
  type WatchRun,
} from '@trawl/contract';
import {
  type ApiKey,
  allowedProvidersOf,
  changeStore,
  checkRule,
  type Deployment,
  type Executions,
  isAllowed,
  type KeyStore,
  notAllowed,
  REPEATED,
  RequestError,
  readStore,
  requestRepeat,
  type WebRules,
  webRulesOf,
} from '@trawl/router';
import type { NewsPlace, StoredWatch, WatchStore } from '@trawl/store';
import { isInForce } from '../auth/authenticate.ts';
import { requirePermission } from '../auth/permissions.ts';
import type { Handler, Handlers, RequestContext } from '../http/handler.ts';
import { dailyPrice, placed, priceOf } from '../watches/price.ts';
import { stopEnded, type WatchRunner } from '../watches/runner.ts';
import { pageOf } from './admin/shared.ts';
import { apiKeyOf } from './caller.ts';

export interface WatchSources {
  readonly watches: WatchStore;
  readonly keys: Pick<KeyStore, 'keyOfId'>;
  readonly clock: Clock;
  readonly deployment: Deployment;
  /** They check what a watch asks for. */
  readonly asking: Pick<Handlers, 'search' | 'fetch'>;
  readonly runNow: WatchRunner['runNow'];
  readonly follow: Executions['follow'];
}

type WatchHandlers = Pick<
  Handlers,
  | 'createWatch'
  | 'listWatches'
  | 'readWatch'
  | 'changeWatch'
  | 'deleteWatch'
  | 'runWatch'
  | 'watchNews'
>;

/** The watches of the caller's project. */
export function watchRoutes(sources: WatchSources): WatchHandlers {
  const { watches, clock } = sources;
  /** Those whose key ended since the last look say so at once. */
  const afterStops = <Value>({ log }: RequestContext, read: () => Promise<Value>): Promise<Value> =>
    readStore(async () => {
      await stopEnded(watches, clock.now(), log);
      return read();
    });
  const find = async (context: RequestContext, id: string): Promise<StoredWatch> => {
    const { projectId } = apiKeyOf(context);
    return requireWatch(await afterStops(context, () => watches.find(projectId, id)));
  };
  return {
    createWatch: createWatch(sources, find),
    listWatches: async ({ query }, context) => {
      const { projectId } = apiKeyOf(context);
      const all = await afterStops(context, () => watches.list(projectId));
      const { rows, next } = pageOf(all, query);
      return { text: jsonText({ watches: rows.map(watchJson), ...next }) };
    },
    readWatch: async ({ params }, context) => ({
      text: jsonText(watchJson(await find(context, params.watch_id))),
    }),
    changeWatch: async ({ params, body }, context) => {
      const before = await find(context, params.watch_id);
      await checkChange(before, body, context, sources);
      const { projectId, id } = before;
      const { name, interval_minutes: intervalMinutes, state } = body;
      const changed = await changeStore(() =>
        watches.change(projectId, id, { name, intervalMinutes, state }),
      );
      return { text: jsonText(watchJson(requireWatch(changed))) };
    },
    deleteWatch: async ({ params }, context) => {
      const { projectId } = apiKeyOf(context);
      if (!(await changeStore(() => watches.remove(projectId, params.watch_id)))) {
        throw unknownWatch();
      }
      return { empty: true };
    },
    runWatch: runWatch(sources, find),
    watchNews: async ({ params, query: { after, limit = LIMITS.newsDefault } }, context) => {
      const { id, newsCount } = await find(context, params.watch_id);
      const place = placeOf(after);
      if ('sequence' in place && place.sequence > newsCount) {
        throw new RequestError(404, `after: this watch has ${newsCount} news`);
      }
      // one more than is answered shows that there is more
      const found = await readStore(() => watches.news(id, place, limit + 1));
      const news = found.slice(0, limit);
      const last = news.at(-1);
      const next = last && found.length > limit ? { next_after: String(last.sequence) } : {};
      return { text: jsonText({ watch_id: id, news, ...next }) };
    },
  };
}

type Find = (context: RequestContext, id: string) => Promise<StoredWatch>;

function createWatch(
  { watches, clock, asking, deployment }: WatchSources,
  find: Find,
): Handler<'createWatch'> {
  return async ({ body, query }, context) => {
    const key = apiKeyOf(context);
    const request = requestOf(body);
    refuseWatching(key, request);
    refuseKeys(request, webRulesOf(deployment, key.projectRules));
    if (query.dry_run) {
      const price = await placed(request, () => priceOf(request, context, asking));
      return { text: jsonText<WatchDryRun>(dailyPrice(price, body.interval_minutes)) };
    }
    refuseRepeat(context);
    await checkRequest(request, context, asking);
    const id = clock.newId();
    const made = {
      id,
      projectId: key.projectId,
      keyId: key.id,
      sessionId: clock.newId(),
      name: body.name ?? null,
      request,
      intervalMinutes: body.interval_minutes,
      createdAt: isoTime(clock.now()),
    };
    if (!(await changeStore(() => watches.create(made, LIMITS.watches)))) {
      throw new RequestError(
        400,
        `This project has ${LIMITS.watches} watches, which is the most: delete one first`,
      );
    }
    return { text: jsonText(watchJson(await find(context, id))) };
  };
}

function runWatch(sources: WatchSources, find: Find): Handler<'runWatch'> {
  const { keys, asking, runNow, follow } = sources;
  return async ({ params, query }, context) => {
    const { id, request, keyId, state, stopReason } = await find(context, params.watch_id);
    const key = await readStore(() => keys.keyOfId(keyId));
    await refuseForeign(request, key, context, sources);
    if (!key || state === 'stopped') {
      throw new RequestError(409, `This watch is stopped: its key is ${stopReason}`);
    }
    if (query.dry_run) {
      return { text: jsonText(await priceOf(request, { ...context, caller: key }, asking)) };
    }
    const running = follow(runNow(id, repeatOf(id, context)));
    context.keepPlace(running);
    const { interactionId, isRepeat } = await running;
    const text = jsonText<WatchRun>({ watch_id: id, interaction_id: interactionId });
    return { text, headers: isRepeat ? REPEATED : {} };
  };
}

/** @throws RequestError 400: a promise that the route cannot keep is not taken silently */
function refuseRepeat({ idempotencyKey }: RequestContext): void {
  if (idempotencyKey === undefined) return;
  throw new RequestError(400, 'This route takes no Idempotency-Key: nothing is paid by it', {
    hint: 'leave the header out, and look for the watch in the list before you repeat',
  });
}

/** The schema allows exactly one of both. */
function requestOf({ search, fetch }: NewWatch): WatchedRequest {
  if (search !== undefined) return { search };
  if (fetch !== undefined) return { fetch };
  throw new Error('a watch was read without a request');
}

/** @throws RequestError 403 for a key under which nothing could run, or which the console uses */
function refuseWatching(key: ApiKey, request: WatchedRequest): void {
  if (key.isHidden) {
    throw new RequestError(
      403,
      'A watch belongs to an API key, with its limits and its end: make it with a key instead of in the console',
    );
  }
  refuseAsking(key, request);
}

/**
 * Its URLs are stored and shown, so they have no key or secret. One of a denied host is a blocked
 * row of each run, as in a fetch.
 * @throws RequestError 403
 */
function refuseKeys(request: WatchedRequest, rules: WebRules): void {
  if (!('fetch' in request)) return;
  for (const [index, url] of request.fetch.urls.entries()) {
    checkRule(`fetch.urls[${index}]`, rules.ofTokens(url));
  }
}

/** @throws RequestError 403 for a key that may not ask what a watch asks for */
function refuseAsking(key: ApiKey, request: WatchedRequest): void {
  if (key.replaySession !== null) {
    throw new RequestError(
      403,
      'This API key answers from the records of one session alone, where nothing is ever new: use another key for watches',
    );
  }
  requirePermission(key, 'search' in request ? 'search' : 'fetch');
}

/** The same watch, key and `Idempotency-Key` are the same run. @throws RequestError 422 */
function repeatOf(id: string, context: RequestContext): string | undefined {
  const { idempotencyKey: sent } = context;
  if (sent === undefined) return undefined;
  return requestRepeat(sent, 'runWatch', [id, apiKeyOf(context).id, sent], 'detail').bodyDigest;
}

/**
 * Checks a request as it would be checked when it runs. Nothing is sent, recorded or billed. A
 * budget that is used up now refuses the run, not the watch.
 * @returns the calls that it would make; none where a budget is used up
 * @throws RequestError
 */
async function checkRequest(
  request: WatchedRequest,
  context: RequestContext,
  asking: WatchSources['asking'],
): Promise<DryRun['calls']> {
  try {
    return (await placed(request, () => priceOf(request, context, asking))).calls;
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 402) throw error;
    return [];
  }
}

/**
 * A caller that lets a watch run, or run more often, could ask for the same itself.
 * @throws RequestError 400 for a stopped watch whose key has ended, 403
 */
async function checkChange(
  watch: StoredWatch,
  wanted: WatchChange,
  context: RequestContext,
  sources: WatchSources,
): Promise<void> {
  await refuseResume(watch, wanted, sources);
  if (wanted.interval_minutes === undefined && wanted.state !== 'active') return;
  const owner = await readStore(() => sources.keys.keyOfId(watch.keyId));
  await refuseForeign(watch.request, owner, context, sources);
}

/**
 * Refuses a caller that could not ask for the same itself. A request that became invalid is refused
 * when it runs.
 * @param owner the key that it runs under: its settings choose what is asked
 * @throws RequestError 403
 */
async function refuseForeign(
  request: WatchedRequest,
  owner: ApiKey | undefined,
  context: RequestContext,
  { asking, deployment }: Pick<WatchSources, 'asking' | 'deployment'>,
): Promise<void> {
  const caller = apiKeyOf(context);
  refuseAsking(caller, request);
  if (caller.id === owner?.id) return;
  try {
    await checkRequest(request, context, asking);
    if (!owner) return;
    const calls = await checkRequest(request, { ...context, caller: owner }, asking);
    const allowed = allowedProvidersOf(caller, deployment);
    const refused = calls
      .map(({ provider }) => provider)
      .filter((slug) => !isAllowed(allowed, slug));
    if (refused.length > 0) throw notAllowed('watch', [...new Set(refused)], allowed);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status === 403 || error.status >= 500)
      throw error;
  }
}

/** @throws RequestError 400 where the key has ended, and with it the watch */
async function refuseResume(
  { keyId, state, stopReason }: StoredWatch,
  wanted: WatchChange,
  { keys, clock }: WatchSources,
): Promise<void> {
  if (state !== 'stopped' || wanted.state === undefined) return;
  const key = await readStore(() => keys.keyOfId(keyId));
  if (key && isInForce(key, clock.now())) return;
  throw new RequestError(
    400,
    `This watch is stopped: its key is ${stopReason}. Make the watch again with another key`,
  );
}

function requireWatch(watch: StoredWatch | undefined): StoredWatch {
  if (!watch) throw unknownWatch();
  return watch;
}

const unknownWatch = (): RequestError => new RequestError(404, 'Watch not found');

/** All digits = a place among the news, else a time. Its zone may carry it beyond the year 9999. */
function placeOf(after: string | undefined): NewsPlace {
  if (after === undefined) return { sequence: 0 };
  if (/^\d+$/.test(after)) return { sequence: Math.min(Number(after), SEQUENCE_MAX) };
  return { time: isoTime(Math.min(Date.parse(after), LAST_SORTED_TIME)) };
}

/** What the database's integers hold. */
const SEQUENCE_MAX = 2_147_483_647;

function watchJson(watch: StoredWatch): Watch {
  const { request } = watch;
  return {
    id: watch.id,
    name: watch.name,
    state: watch.state,
    stop_reason: watch.stopReason,
    key_id: watch.keyId,
    session_id: watch.sessionId,
    interval_minutes: watch.intervalMinutes,
    search: 'search' in request ? { ...request.search } : null,
    fetch: 'fetch' in request ? { ...request.fetch } : null,
    created_at: watch.createdAt,
    next_run_at: watch.state === 'active' ? watch.nextRunAt : null,
    last_run_at: watch.lastRunAt,
    last_status: watch.lastStatus,
    last_error: watch.lastError,
    last_interaction_id: watch.lastInteractionId,
    failures: watch.failures,
    news_count: watch.newsCount,
  };
}
