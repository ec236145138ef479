import { readJson } from '@trawl/base';
import type { ContextResponse, InteractionResponse } from '@trawl/contract';
import { LRUCache } from 'lru-cache';
import type { StoredInteraction } from '../interaction/records.ts';
import { recordedAnswer } from '../interaction/respond.ts';
import type { InteractionReader } from '../interaction/store.ts';
import { RequestError } from '../requests/request-error.ts';
import { RETRY_AFTER } from '../requests/store-access.ts';
import type { SeenPages } from '../search/novelty.ts';
import { type MakeCaller, type MakeDependencies, makeContext } from './make.ts';
import { givenUrls } from './material.ts';

export interface SeenDependencies extends MakeDependencies {
  readonly reader: Pick<InteractionReader, 'history' | 'interaction'>;
}

/** Answers whose pages are remembered. They never change. */
const REMEMBERED = 2_000;

/** A recorded answer as it was sent. */
export const answerOf = (stored: StoredInteraction): InteractionResponse =>
  JSON.parse(recordedAnswer(stored).text.join('')) as InteractionResponse;

/** What sessions have seen, and what contexts add to it. */
export interface KeptPages extends SeenPages {
  /** Keeps the sources of a context that was just made: it need not be made again. */
  readonly remember: (
    parts: Pick<ContextResponse, 'search_interaction_id' | 'fetch_interaction_id' | 'context'>,
  ) => void;
}

/** Answers that are read at once. */
const AT_ONCE = 4;

/** Reads what sessions have seen from their records. */
export function createSeenPages(dependencies: SeenDependencies): KeptPages {
  const { reader, clock } = dependencies;
  const remembered = new LRUCache<string, readonly string[]>({ max: REMEMBERED });
  const urlsOfAnswer = async (answer: GivenAnswer, caller: MakeCaller) => {
    const name = nameOf(answer.head.id, answer.pagesId);
    const known = remembered.get(name);
    if (known) return known;
    if (caller.signal.aborted || clock.now() >= caller.deadlineAt) throw unread();
    const urls = await urlsOf(answer, caller, dependencies);
    remembered.set(name, urls);
    return urls;
  };
  return {
    seenIn: async (sessionId, caller) => {
      const waiting = givenAnswers(await headsOf(reader, caller.projectId, sessionId)).values();
      const seen = new Set<string>();
      const worker = async () => {
        for (const answer of waiting) {
          for (const url of await urlsOfAnswer(answer, caller)) seen.add(url);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return seen;
    },
    remember: ({ search_interaction_id, fetch_interaction_id, context }) => {
      const urls = context.sources.map(({ url }) => url);
      remembered.set(nameOf(search_interaction_id, fetch_interaction_id ?? undefined), urls);
    },
  };
}

const nameOf = (id: string, pagesId: string | undefined): string => `${id} ${pagesId ?? ''}`;

const unread = (): RequestError =>
  new RequestError(
    503,
    'novelty: what this session has seen was not read in time; nothing was sent or paid. Send the request again, or without novelty',
    { typed: { code: 'unavailable' }, headers: RETRY_AFTER },
  );

/** An answer of a session. */
interface GivenAnswer {
  readonly head: StoredInteraction;
  /** The fetch of a context. */
  readonly pagesId: string | undefined;
}

/** Pages of a context count by its sources. */
function givenAnswers(heads: readonly StoredInteraction[]): readonly GivenAnswer[] {
  const all = heads.map((head) => ({ head, of: contextOfPages(head) }));
  const pagesOf = new Map(
    all.flatMap(({ head, of }) => (of === undefined ? [] : [[of, head.id] as const])),
  );
  return all
    .filter(({ of }) => of === undefined)
    .map(({ head }) => ({ head, pagesId: pagesOf.get(head.id) }));
}

async function headsOf(
  reader: Pick<InteractionReader, 'history'>,
  projectId: string,
  sessionId: string,
): Promise<readonly StoredInteraction[]> {
  const heads: StoredInteraction[] = [];
  const page = { limit: undefined, after: undefined, runs: false };
  for await (const some of reader.history(projectId, sessionId, page)) {
    for (const head of some) heads.push(head);
  }
  return heads;
}

/** The fetch that reads the pages of a context; undefined = absent. */
export async function pagesOfContext(
  { session_id: sessionId, interaction_id: id }: InteractionResponse,
  projectId: string,
  reader: Pick<InteractionReader, 'history' | 'interaction'>,
): Promise<StoredInteraction | undefined> {
  const heads = await headsOf(reader, projectId, sessionId);
  const head = heads.find((one) => contextOfPages(one) === id);
  return head && reader.interaction(projectId, sessionId, head.id);
}

/** The search of the context whose pages it has. */
function contextOfPages({ request }: StoredInteraction): string | undefined {
  const known = request && readJson(request);
  return known && 'fetch' in known ? known.context?.search_interaction_id : undefined;
}

/** The pages that one answer gave. */
async function urlsOf(
  { head, pagesId }: GivenAnswer,
  caller: MakeCaller,
  dependencies: SeenDependencies,
): Promise<readonly string[]> {
  const { reader } = dependencies;
  const read = (id: string) => reader.interaction(caller.projectId, head.sessionId, id);
  const stored = await read(head.id);
  if (!stored) return [];
  const search = answerOf(stored);
  const known = head.request && readJson(head.request);
  const asked = known && 'search' in known ? known.context : undefined;
  const query = head.userInput && readJson(head.userInput).query;
  if (!asked || typeof query !== 'string') return givenUrls(search);
  const pages = pagesId === undefined ? undefined : await read(pagesId);
  const records = {
    query,
    asked,
    search,
    pages: pages ? answerOf(pages) : null,
    whyNotAsked: () => 'failed' as const,
  };
  const context = await makeContext(records, caller, dependencies).catch((error: unknown) => {
    throw error instanceof RequestError ? unread() : error;
  });
  return context.sources.map(({ url }) => url);
}
