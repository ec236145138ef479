import { type Json, wellFormedJson } from '@trawl/base';
import type {
  Context,
  ContextRequest,
  ContextResponse,
  DryRun,
  FetchRow,
  FoundSource,
  InteractionResponse,
  LeftOutReason,
} from '@trawl/contract';
import { dryRun } from '../billing/planned-call.ts';
import { MICROS, microsOf } from '../billing/records.ts';
import type { AskedFetch } from '../fetch/command.ts';
import type { Fetch } from '../fetch/index.ts';
import type { AnswerPart, Caller } from '../interaction/head.ts';
import { type InteractionAnswer, recordedAnswer } from '../interaction/respond.ts';
import type { InteractionReader } from '../interaction/store.ts';
import { RequestError } from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';
import type { AskedSearch } from '../search/command.ts';
import type { Search } from '../search/index.ts';
import { type MakeDependencies, makeContext } from './make.ts';
import { hasText, pageSource, rowsOf, wantedUrls } from './material.ts';
import {
  contextFetch,
  contextSearch,
  contextTimes,
  pageOptions,
  recordedContext,
} from './parts.ts';
import type { KeptPages } from './seen.ts';
import { contextWarnings } from './warnings.ts';

export interface ContextDependencies extends MakeDependencies {
  readonly search: Search;
  readonly fetch: Fetch;
  readonly reader: InteractionReader;
  readonly maxFetchUrls: number;
  readonly remember: KeptPages['remember'];
}

/** A part of a context that was answered, and whether that was before. */
export interface AnsweredPart {
  readonly answer: InteractionAnswer;
  readonly isRepeat: boolean;
}

/** How the parts of a context are answered: asked now, or read from the record. */
export interface AskParts {
  /** @param check is called before it is asked now, where it was not answered before */
  readonly search: (
    request: AskedSearch,
    caller: Caller,
    check: () => void,
  ) => Promise<AnsweredPart>;
  /**
   * @param plan makes the fetch, where it was not answered before; null = no page is to be read
   */
  readonly fetch: (
    plan: () => Promise<AskedFetch | null>,
    search: InteractionResponse,
    caller: Caller,
  ) => Promise<AnsweredPart | null>;
  /** Called before the first source is emitted, if nothing was asked now. */
  readonly onRepeat?: (() => void) | undefined;
  /** A part with what the profile of the key says. */
  readonly filled: {
    readonly search: (request: AskedSearch) => AskedSearch;
    readonly fetch: (request: AskedFetch) => AskedFetch;
  };
}

export interface ContextAnswer {
  readonly value: ContextResponse;
  readonly text: Json<ContextResponse>;
}

export interface Contexts {
  /**
   * A context from checked request to answer. `caller.emit` gets each source when its text is
   * there.
   * @throws RequestError as a search would, before anything is sent
   */
  readonly run: (
    request: ContextRequest,
    caller: Caller,
    parts: AskParts,
  ) => Promise<ContextAnswer>;
  /** The calls that `run` would make at most, and their prices. @throws RequestError */
  readonly price: (
    request: ContextRequest,
    caller: Caller,
    filled: AskParts['filled'],
  ) => Promise<DryRun>;
}

export function createContexts(dependencies: ContextDependencies): Contexts {
  return {
    run: async (request, caller, parts) => {
      const times = contextTimes(request, caller);
      const searching = { ...caller, deadlineAt: times.searchEndsAt, emit: undefined };
      const asked = parts.filled.search(contextSearch(request));
      const check = () => void checkPages(request, caller, parts.filled, dependencies);
      const searched = await parts.search(asked, searching, check).catch(rethrowWithPlace);
      const search = responseOf(searched.answer);
      const emitted = createEmitted(search, caller);
      const reading = { ...caller, deadlineAt: times.pagesEndAt, emit: emitted.page };
      const planned = { request, search, caller: reading, parts };
      const read = await readPages(planned, dependencies);
      const pages = read.pages && responseOf(read.pages.answer);
      const records = {
        query: request.query,
        asked: recordedContext(request),
        search,
        pages,
        whyNotAsked: read.whyNotAsked,
      };
      const making = { ...caller, deadlineAt: times.endsAt };
      const context = await makeContext(records, making, dependencies);
      const isRepeat = searched.isRepeat && read.pages?.isRepeat !== false;
      if (isRepeat) parts.onRepeat?.();
      emitted.rest(context);
      const costs = await costsOf([search, pages], caller.projectId, dependencies.reader);
      const value: ContextResponse = {
        session_id: search.session_id,
        search_interaction_id: search.interaction_id,
        fetch_interaction_id: pages?.interaction_id ?? null,
        context,
        cost_usd: costs.unknown.length === 0 ? costs.micros / MICROS : null,
        warnings: contextWarnings(search, pages, context),
      };
      dependencies.remember(value);
      return { value, text: wellFormedJson<ContextResponse>(value) };
    },
    price: (request, caller, filled) => priceOf(request, caller, filled, dependencies),
  };
}

const responseOf = ({ text }: InteractionAnswer): InteractionResponse =>
  // our own JSON, which is what the caller of a search gets
  JSON.parse(text.join('')) as InteractionResponse;

/** What any page of a context would be read with, without a cap of the whole. */
const pageOptionsOf = (request: ContextRequest, filled: AskParts['filled']) =>
  filled.fetch({ urls: [], options: pageOptions(request, undefined) }).options;

/** Names of fetch providers are checked before the search is paid. @throws RequestError */
function checkPages(
  request: ContextRequest,
  caller: Caller,
  filled: AskParts['filled'],
  { fetch }: ContextDependencies,
) {
  if (recordedContext(request).max_pages === 0) return [];
  const options = pageOptionsOf(request, filled);
  try {
    return fetch.anyPage(options, caller);
  } catch (error) {
    // a key may be without any provider for pages: then the rows are enough
    if (error instanceof RequestError && error.status === 403 && !request.fetch?.providers)
      return [];
    throw error;
  }
}

/** A refusal of a part, in the words of a context. */
function rethrowWithPlace(error: unknown): never {
  if (!(error instanceof RequestError) || typeof error.detail !== 'string') throw error;
  const { status, detail, typed, headers, hint } = error;
  const { param } = typed ?? {};
  const named = typed && { ...typed, ...(param !== undefined && { param: placeOf(param) }) };
  throw new RequestError(status, placeOf(detail), {
    ...(named && { typed: named }),
    headers,
    hint,
  });
}

/** The field of a part at the beginning of a text, as a context has it. */
const placeOf = (text: string): string =>
  text
    .replace(/^options\./, 'fetch.')
    .replace(/^search\.(?=max_cost_usd\b)/, '')
    .replace(/^user_input\.(?=query\b)/, '');

interface PlannedPages {
  readonly request: ContextRequest;
  readonly search: InteractionResponse;
  readonly caller: Caller;
  readonly parts: AskParts;
}

interface ReadPages {
  readonly pages: AnsweredPart | null;
  /** Why a wanted page is not among those that were asked for. */
  readonly whyNotAsked: (url: string) => LeftOutReason;
}

async function readPages(
  planned: PlannedPages,
  dependencies: ContextDependencies,
): Promise<ReadPages> {
  const { request, search, caller, parts } = planned;
  const { fetch, maxFetchUrls } = dependencies;
  const options = pageOptionsOf(request, parts.filled);
  const wanted = wantedUrls(search, recordedContext(request));
  const allowed = wanted.filter((url) => fetch.mayFetch(url, options, caller));
  const whyNot = (others: LeftOutReason) => (url: string) => {
    const place = allowed.indexOf(url);
    if (place < 0) return 'refused';
    return place < maxFetchUrls ? others : 'budget';
  };
  if (wanted.length === 0) return { pages: null, whyNotAsked: whyNot('cost') };
  let isLeaving = false;
  const plan = async (): Promise<AskedFetch | null> => {
    if (allowed.length === 0) return null;
    isLeaving = caller.signal.aborted;
    return isLeaving ? null : affordable(planned, allowed.slice(0, maxFetchUrls), dependencies);
  };
  try {
    const pages = await parts.fetch(plan, search, caller);
    return { pages, whyNotAsked: whyNot(isLeaving ? 'time' : 'cost') };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { interactionId } = error.typed ?? {};
    if (interactionId === undefined) {
      // what changed since the search was asked takes none of it away
      if (error.status >= 500) throw error;
      return { pages: null, whyNotAsked: whyNot(error.status === 402 ? 'cost' : 'refused') };
    }
    // no pinned provider was reached, which is recorded
    const { projectId } = caller;
    const stored = await readStore(() =>
      dependencies.reader.interaction(projectId, search.session_id, interactionId),
    );
    if (!stored) throw error;
    const isRepeat = error.headers['idempotency-replayed'] !== undefined;
    return { pages: { answer: recordedAnswer(stored), isRepeat }, whyNotAsked: whyNot('cost') };
  }
}

/** The fetch of as many pages as the cap and the budgets allow, the best first; null = of none. */
async function affordable(
  { request, search, caller, parts }: PlannedPages,
  wanted: readonly string[],
  { fetch, reader, search: searches }: ContextDependencies,
): Promise<AskedFetch | null> {
  const { max_cost_usd: cap } = request;
  const spent = await costsOf([search], caller.projectId, reader);
  let { micros } = spent;
  if (cap !== undefined && spent.unknown.length > 0) {
    // what failed may have been billed: its price counts, also where the answer is recorded by now
    const asked = parts.filled.search(
      contextSearch({
        ...request,
        session_id: undefined,
        search: { ...request.search, no_cache: true, max_age_seconds: undefined },
      }),
    );
    const { calls } = await searches.price(asked, { ...caller, budgets: [] });
    for (const slug of spent.unknown) {
      const price = calls.find(({ provider }) => provider === slug)?.cost_usd ?? null;
      micros += microsOf(price) ?? Number.POSITIVE_INFINITY;
    }
  }
  const left = cap === undefined ? undefined : Math.max(0, cap * MICROS - micros) / MICROS;
  const asking = (urls: readonly string[]) =>
    parts.filled.fetch(contextFetch(request, search, urls, left));
  const fits = async (urls: readonly string[]): Promise<boolean> => {
    try {
      await fetch.price(asking(urls), caller);
      return true;
    } catch (error) {
      if (error instanceof RequestError && error.status === 402) return false;
      throw error;
    }
  };
  if (await fits(wanted)) return asking(wanted);
  const urls: string[] = [];
  for (const url of wanted) if (await fits([...urls, url])) urls.push(url);
  return urls.length === 0 ? null : asking(urls);
}

/**
 * What these parts cost, in millionths of a US dollar, as the ledger has it, and the providers of
 * calls whose cost is not known.
 */
async function costsOf(
  parts: readonly (InteractionResponse | null)[],
  projectId: string,
  reader: Pick<InteractionReader, 'ledger'>,
) {
  let micros = 0;
  const unknown: string[] = [];
  for (const part of parts) {
    if (part === null) continue;
    const rows = await readStore(() =>
      reader.ledger(projectId, part.interaction_id, part.created_at),
    );
    for (const { provider, calls, costMicros } of rows) {
      micros += costMicros ?? 0;
      if (calls > 0 && costMicros === null) unknown.push(provider);
    }
  }
  return { micros, unknown };
}

/** Emits each source once: pages as they arrive, the others with the context. */
function createEmitted(search: InteractionResponse, { emit }: Caller) {
  const rows = new Map(rowsOf(search).map((row) => [row.url, row]));
  const emitted = new Set<string>();
  const send = (source: FoundSource): void => {
    emitted.add(source.url);
    emit?.({ event: 'source', text: wellFormedJson<FoundSource>(source) });
  };
  const page = (part: AnswerPart): void => {
    if (part.event !== 'page') return;
    const read = JSON.parse([part.text].flat().join('')) as FetchRow;
    const row = rows.get(read.url);
    if (!row || !hasText(read)) return;
    const { texts: _, ...source } = pageSource(row, read);
    send(source);
  };
  return {
    page: emit && page,
    rest: ({ sources }: Context): void => {
      if (!emit) return;
      for (const { n: _n, passages: _passages, ...source } of sources) {
        if (!emitted.has(source.url)) send(source);
      }
    },
  };
}

async function priceOf(
  request: ContextRequest,
  caller: Caller,
  filled: AskParts['filled'],
  dependencies: ContextDependencies,
): Promise<DryRun> {
  const priced = async () => {
    const anyPage = checkPages(request, caller, filled, dependencies);
    const asked = filled.search(contextSearch(request));
    return { anyPage, price: await dependencies.search.price(asked, caller) };
  };
  const { anyPage, price } = await priced().catch(rethrowWithPlace);
  const [page, ...next] = anyPage;
  const most = Math.min(recordedContext(request).max_pages, dependencies.maxFetchUrls);
  const cap = microsOf(request.max_cost_usd ?? null) ?? Number.POSITIVE_INFINITY;
  const options = pageOptionsOf(request, filled);
  // a cap of the whole replaces that of the key's profile
  const left =
    cap === Number.POSITIVE_INFINITY
      ? (microsOf(options?.max_cost_usd ?? null) ?? cap)
      : cap - (microsOf(price.total_usd) ?? 0);
  const each = microsOf(page?.cost_usd ?? null);
  const isFree = left === Number.POSITIVE_INFINITY || each === 0;
  const fitting = isFree ? most : Math.floor(left / (each ?? Number.POSITIVE_INFINITY));
  const count = page ? Math.max(0, Math.min(most, fitting)) : 0;
  const pages = page ? Array.from({ length: count }, () => page) : [];
  const certain = [...price.calls.filter(({ conditional }) => !conditional), ...pages];
  const more = [
    ...price.calls.filter(({ conditional }) => conditional),
    ...pages.flatMap(() => next),
  ];
  const whole = dryRun(certain, more.length > 0 ? more : undefined);
  const total = microsOf(whole.max_total_usd ?? null);
  return {
    ...whole,
    ...(total !== null && total > cap && { max_total_usd: cap / MICROS }),
    ...(price.routing && { routing: price.routing }),
  };
}
