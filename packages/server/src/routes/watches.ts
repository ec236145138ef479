import { type Clock, isoTime, jsonText, LAST_SORTED_TIME } from '@trawl/base';
import {
  type DryRun,
  LIMITS,
  type NewWatch,
  type Watch,
  type WatchChange,
  type WatchedRequest,
} from '@trawl/contract';
import {
  type ApiKey,
  allowedProvidersOf,
  changeStore,
  type Deployment,
  isAllowed,
  type KeyStore,
  notAllowed,
  RequestError,
  readStore,
} from '@trawl/router';
import type { NewsPlace, StoredWatch, WatchStore } from '@trawl/store';
import { isInForce } from '../auth/authenticate.ts';
import { requirePermission } from '../auth/permissions.ts';
import type { Handlers, RequestContext } from '../http/handler.ts';
import { stopEnded } from '../watches/stop-ended.ts';
import { apiKeyOf } from './caller.ts';

export interface WatchSources {
  readonly watches: WatchStore;
  readonly keys: Pick<KeyStore, 'keyOfId'>;
  readonly clock: Clock;
  readonly deployment: Deployment;
  /** They check what a watch asks for. */
  readonly asking: Pick<Handlers, 'search' | 'fetch'>;
}

type WatchHandlers = Pick<
  Handlers,
  'createWatch' | 'listWatches' | 'readWatch' | 'changeWatch' | 'deleteWatch' | 'watchNews'
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
    return known(await afterStops(context, () => watches.find(projectId, id)));
  };
  return {
    createWatch: async ({ body }, context) => {
      refuseRepeat(context);
      const key = apiKeyOf(context);
      const request = requestOf(body);
      refuseWatching(key, request);
      await checkRequest(request, context, sources.asking);
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
    },
    listWatches: async (_input, context) => {
      const { projectId } = apiKeyOf(context);
      const all = await afterStops(context, () => watches.list(projectId));
      return { text: jsonText({ watches: all.map(watchJson) }) };
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
      return { text: jsonText(watchJson(known(changed))) };
    },
    deleteWatch: async ({ params }, context) => {
      const { projectId } = apiKeyOf(context);
      if (!(await changeStore(() => watches.remove(projectId, params.watch_id)))) {
        throw unknownWatch();
      }
      return { empty: true };
    },
    watchNews: async ({ params, query: { after, limit = LIMITS.newsDefault } }, context) => {
      const { id } = await find(context, params.watch_id);
      // one more than is answered shows that there is more
      const found = await readStore(() => watches.news(id, placeOf(after), limit + 1));
      const news = found.slice(0, limit);
      const last = news.at(-1);
      const next = last && found.length > limit ? { next_after: String(last.sequence) } : {};
      return { text: jsonText({ watch_id: id, news, ...next }) };
    },
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

/**
 * Checks a request as it would be checked when it runs. Nothing is sent, recorded or billed. A
 * budget that is used up now refuses the run, not the watch.
 * @returns the calls that it would make; none where a budget is used up
 * @throws RequestError
 */
async function checkRequest(
  request: WatchedRequest,
  context: RequestContext,
  { search, fetch }: WatchSources['asking'],
): Promise<DryRun['calls']> {
  const query = { dry_run: true };
  const own = { session_id: undefined };
  try {
    const reply =
      'search' in request
        ? await search({ body: { ...request.search, ...own }, query, params: undefined }, context)
        : await fetch({ body: { ...request.fetch, ...own }, query, params: undefined }, context);
    // the handler of a dry run answers with one text
    return 'text' in reply && typeof reply.text === 'string' ? callsIn(reply.text) : [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.status === 402) return [];
    throw withPlace(error, 'search' in request ? 'search' : 'fetch');
  }
}

/**
 * A caller that lets a watch run, or run more often, could ask for the same itself. A request that
 * became invalid is refused when it runs.
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
  const { request } = watch;
  const caller = apiKeyOf(context);
  refuseAsking(caller, request);
  const owner = await readStore(() => sources.keys.keyOfId(watch.keyId));
  const { deployment } = sources;
  try {
    await checkRequest(request, context, sources.asking);
    if (!owner) return;
    // what the watch asks is chosen by the settings of its own key
    const calls = await checkRequest(request, { ...context, caller: owner }, sources.asking);
    const allowed = allowedProvidersOf(caller, deployment);
    const asked = new Set(calls.map(({ provider }) => provider));
    const refused = [...asked].filter((slug) => !isAllowed(allowed, slug));
    if (refused.length > 0) throw notAllowed('watch', refused, allowed);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status === 403 || error.status >= 500)
      throw error;
  }
}

const callsIn = (dryRun: string): DryRun['calls'] => JSON.parse(dryRun).calls;

/** The same refusal, whose places are those in the body of the watch. */
function withPlace(error: RequestError, member: 'search' | 'fetch'): RequestError {
  const { status, detail, headers, hint } = error;
  if (typeof detail === 'string') return error;
  const placed = detail.map((issue) => ({
    ...issue,
    loc: issue.loc[0] === 'body' ? ['body', member, ...issue.loc.slice(1)] : issue.loc,
  }));
  return new RequestError(status, placed, { headers, hint, cause: error });
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

function known(watch: StoredWatch | undefined): StoredWatch {
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
