import { isTrawlError, type Session, type SessionSummary } from '@trawl/client';
import type { AskingFlags } from './ask.ts';
import type { Running } from './command.ts';
import { costText, counted } from './output.ts';
import type { Tally } from './tally.ts';

/**
 * What a search or fetch cost, for the line that ends it on a terminal; undefined where the server does not say: it is older, or the
 * key may not read. An answer itself knows no price at most tiers, while the ledger of the server knows every one.
 */
export async function costOf(
  { client, err, signal }: Running,
  { json, jsonl, session }: AskingFlags,
  { sessionId }: Tally,
): Promise<string | undefined> {
  if (json || jsonl || !err.isTerminal || sessionId === undefined) return undefined;
  try {
    const query = { session_id: sessionId, include: 'summary' } as const;
    const { sessions } = await client.listSessions(query, { signal });
    const summary = summaryOf(sessions, sessionId);
    if (summary === undefined) return undefined;
    return `${spentText(summary)}${session === undefined ? '' : ' in the whole session'}`;
  } catch (error) {
    if (isTrawlError(error)) return undefined;
    throw error;
  }
}

const summaryOf = (sessions: readonly Session[], id: string): SessionSummary | undefined =>
  sessions.find((one) => one.id === id)?.summary;

/** Known costs, and of how many calls the cost is not known. */
export function spentText({ cost_usd, unpriced_calls }: SessionSummary): string {
  if (unpriced_calls === 0) return costText(cost_usd ?? 0);
  const unknown = `${counted(unpriced_calls, 'call')} of unknown price`;
  return cost_usd === null ? unknown : `${costText(cost_usd)} and ${unknown}`;
}
