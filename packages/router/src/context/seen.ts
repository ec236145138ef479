import { readJson } from '@trawl/base';
import type { InteractionResponse } from '@trawl/contract';
import { OWN_CALLER } from '@trawl/upstream';
import { LRUCache } from 'lru-cache';
import type { StoredInteraction } from '../interaction/records.ts';
import { recordedAnswer } from '../interaction/respond.ts';
import type { InteractionReader } from '../interaction/store.ts';
import type { SeenPages } from '../search/novelty.ts';
import { type MakeDependencies, makeContext } from './make.ts';
import { givenUrls } from './material.ts';

export interface SeenDependencies extends MakeDependencies {
  readonly reader: Pick<InteractionReader, 'history' | 'interaction'>;
}

/** Answers whose pages are remembered. They never change. */
const REMEMBERED = 2_000;

/** A recorded answer as it was sent. */
export const answerOf = (stored: StoredInteraction): InteractionResponse =>
  JSON.parse(recordedAnswer(stored).text.join('')) as InteractionResponse;

/** Reads what sessions have seen from their records. */
export function createSeenPages(dependencies: SeenDependencies): SeenPages {
  const { reader } = dependencies;
  const remembered = new LRUCache<string, readonly string[]>({ max: REMEMBERED });
  return {
    seenIn: async (projectId, sessionId) => {
      const heads = await headsOf(reader, projectId, sessionId);
      const pagesOf = new Map(
        heads.flatMap((head) => {
          const of = contextOfPages(head);
          return of === undefined ? [] : [[of, head.id] as const];
        }),
      );
      const seen = new Set<string>();
      for (const head of heads) {
        // pages of a context count by its sources
        if (contextOfPages(head) !== undefined) continue;
        const pagesId = pagesOf.get(head.id);
        const name = `${head.id} ${pagesId ?? ''}`;
        const known = remembered.get(name);
        const place = { projectId, sessionId, id: head.id, pagesId };
        const urls = known ?? (await urlsOf(place, dependencies));
        remembered.set(name, urls);
        for (const url of urls) seen.add(url);
      }
      return seen;
    },
  };
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

/** The fetch that reads the pages of a context; undefined = there is none. */
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

interface Place {
  readonly projectId: string;
  readonly sessionId: string;
  readonly id: string;
  /** The fetch of a context. */
  readonly pagesId: string | undefined;
}

/** The pages that one answer gave. */
async function urlsOf(
  { projectId, sessionId, id, pagesId }: Place,
  dependencies: SeenDependencies,
): Promise<readonly string[]> {
  const { reader } = dependencies;
  const stored = await reader.interaction(projectId, sessionId, id);
  if (!stored) return [];
  const search = answerOf(stored);
  const known = stored.request && readJson(stored.request);
  const asked = known && 'search' in known ? known.context : undefined;
  const query = stored.userInput && readJson(stored.userInput).query;
  if (!asked || typeof query !== 'string') return givenUrls(search);
  const pages =
    pagesId === undefined ? undefined : await reader.interaction(projectId, sessionId, pagesId);
  const records = {
    query,
    asked,
    search,
    pages: pages ? answerOf(pages) : null,
    whyNotAsked: () => 'failed' as const,
  };
  const caller = { keyId: OWN_CALLER, projectId, signal: NEVER };
  const context = await makeContext(records, caller, dependencies);
  return context.sources.map(({ url }) => url);
}

/** What is remembered for all keys of the project does not end with one request. */
const NEVER = new AbortController().signal;
