import { LIMITS } from '@trawl/contract';
import type { StoredInteraction } from '../interaction/records.ts';
import type { InteractionReader } from '../interaction/store.ts';
import { RequestError } from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';
import type { SessionPage } from './sessions.ts';

type Wanted = Parameters<InteractionReader['history']>[2];

export const unknownSession = () => new RequestError(404, 'Session not found');
const unknownCursor = () =>
  new RequestError(404, 'after: this session has no interaction with this id');

/**
 * A page of a session, whose interactions are read when they are needed.
 * @throws RequestError 404 for an unknown session or cursor; 503 where the store does not answer
 */
export async function sessionPage(
  reader: InteractionReader,
  { projectId, sessionId }: { readonly projectId: string; readonly sessionId: string },
  wanted: Omit<Wanted, 'charactersMax'>,
): Promise<Pick<SessionPage, 'session' | 'interactions' | 'nextAfter'>> {
  const session = await readStore(() => reader.session(projectId, sessionId));
  if (!session) throw unknownSession();
  const { after } = wanted;
  if (after !== undefined) {
    // a cursor that means nothing here would look like the end of the session
    const sessionOfCursor = await readStore(() => reader.sessionOf(projectId, after));
    if (sessionOfCursor !== sessionId) {
      const isDeleted = await readStore(() => reader.wasDeleted(projectId, after, sessionId));
      if (sessionOfCursor !== undefined || !isDeleted) throw unknownCursor();
      // deleted for its age, so all that are left come after it
      return sessionPage(reader, { projectId, sessionId }, { ...wanted, after: undefined });
    }
  }
  const read = (page: Wanted) => readable(reader.history(projectId, sessionId, page));
  let last: string | undefined;
  const interactions = async function* () {
    for await (const some of read({ ...wanted, charactersMax: LIMITS.historyCharacters })) {
      last = some.at(-1)?.id ?? last;
      yield some;
    }
  };
  const nextAfter = async () => {
    if (last === undefined) return undefined;
    for await (const following of read({ limit: 1, after: last, runs: false })) {
      if (following.length > 0) return last;
    }
    return undefined;
  };
  return { session, interactions: interactions(), nextAfter };
}

/**
 * All interactions of a session, a few at a time.
 * @throws RequestError 404 for an unknown session; 503 where the store does not answer
 */
export async function sessionPages(
  reader: InteractionReader,
  { projectId, sessionId }: { readonly projectId: string; readonly sessionId: string },
  wanted: Pick<Wanted, 'runs' | 'onRead'>,
): Promise<
  Pick<SessionPage, 'session'> & {
    readonly interactions: AsyncIterable<readonly StoredInteraction[]>;
  }
> {
  const session = await readStore(() => reader.session(projectId, sessionId));
  if (!session) throw unknownSession();
  const all = { ...wanted, limit: undefined, after: undefined };
  return { session, interactions: readable(reader.history(projectId, sessionId, all)) };
}

/** The same, with a 503 where the store does not answer. */
async function* readable<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const each = items[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await readStore(() => each.next());
    if (done) return;
    yield value;
  }
}
