import type { Session, SessionSummary } from '@trawl/client';
import { isTrawlError } from '@trawl/client/errors';
import type { CommandContext } from '@trawl/client/terminal/command';
import { costText, counted } from '@trawl/client/terminal/output';
import type { ExecuteFlags } from './batches.ts';
import type { CommandTally } from './tally.ts';

/**
 * What a search or fetch cost, for the last line on a terminal. At most tiers the answer lacks a
 * price, so the cost comes from the ledger of the server. undefined where the server does not
 * report it: it is older, or the key may not read.
 */
export async function costOf(
  { client, err, signal }: CommandContext,
  { json, jsonl, session }: ExecuteFlags,
  { sessionId }: CommandTally,
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

/** The known cost, and the number of calls whose price is unknown; a word where nothing is paid. */
export function spentText(summary: SessionSummary): string {
  const { cost_usd, unpriced_calls, run_count, outcomes } = summary;
  if (unpriced_calls === 0 && cost_usd) return costText(cost_usd);
  if (unpriced_calls === 0) {
    if (run_count === 0) return 'no calls';
    return outcomes.succeeded + outcomes.partial > 0 ? 'free' : 'no answer';
  }
  const unknown = `${counted(unpriced_calls, 'call')} of unknown price`;
  return cost_usd === null ? unknown : `${costText(cost_usd)} and ${unknown}`;
}
