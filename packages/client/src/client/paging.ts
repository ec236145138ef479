import type {
  InteractionRecordSummary,
  ListSessionsQuery,
  Session,
  SessionHistoryQuery,
  SessionHistoryResponse,
  SessionsResponse,
} from '../contract/types.ts';

const PAGE = 50;

/**
 * Sessions page by page. A session that becomes active during the loop moves to the front and may
 * be missed.
 */
export async function* sessionItems(
  query: ListSessionsQuery,
  readPage: (query: ListSessionsQuery) => Promise<SessionsResponse>,
): AsyncGenerator<Session> {
  const limit = query.limit ?? PAGE;
  let page: ListSessionsQuery = { ...query, limit };
  for (;;) {
    const { sessions } = await readPage(page);
    yield* sessions;
    const last = sessions.at(-1);
    if (!last || sessions.length < limit) return;
    page = { ...page, before: last.latest_interaction_at, before_id: last.id };
  }
}

/** What one route of the operator API lists, page by page. */
export async function* pagedItems<
  Answer extends { readonly next_after?: string | undefined },
  Item,
>(
  readPage: (after: string | undefined) => Promise<Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
): AsyncGenerator<Item> {
  for (let after: string | undefined; ; ) {
    const answer = await readPage(after);
    yield* itemsOf(answer);
    after = answer.next_after;
    if (after === undefined) return;
  }
}

/** Interactions of a session page by page. */
export async function* historyItems(
  query: SessionHistoryQuery,
  readPage: (query: SessionHistoryQuery) => Promise<SessionHistoryResponse>,
): AsyncGenerator<InteractionRecordSummary> {
  let page: SessionHistoryQuery = { ...query, limit: query.limit ?? PAGE };
  for (;;) {
    const { interactions, next_after: after } = await readPage(page);
    yield* interactions;
    if (after === undefined) return;
    page = { ...page, after };
  }
}
