import type { Session, SessionSummary } from '@trawl/client';
import { type CommonFlags, runWithKey, wholeNumber } from '@trawl/client/terminal/command';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment, Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { spentText } from '../client/session-cost.ts';
import { API_JSON, API_JSONL } from '../program/flags.ts';
import { rowsText } from '../program/table.ts';

/** `trawl sessions` */
export function addSessions(program: Command, environment: Environment): void {
  program
    .command('sessions')
    .description('sessions, newest activity first')
    .option('--limit <n>', 'show at most this many; 20 when absent')
    .option('--json', API_JSON)
    .option('--jsonl', API_JSONL)
    .action((flags) => listSessions(environment, flags));
}

const SHOWN = 20;
const PAGE_MAX = 200;

/** `trawl sessions`: the newest sessions. */
const listSessions = (environment: Environment, flags: CommonFlags & { readonly limit?: string }) =>
  runWithKey(environment, flags, async ({ client, out, signal }) => {
    const wanted = flags.limit === undefined ? SHOWN : wholeNumber('--limit', flags.limit);
    const sessions: Session[] = [];
    const page = { limit: Math.min(wanted, PAGE_MAX), include: 'summary' } as const;
    for await (const session of client.sessions(page, { signal })) {
      if (flags.jsonl) printJson(session);
      sessions.push(session);
      if (sessions.length >= wanted) break;
    }
    if (flags.json) printJson({ sessions });
    else if (!flags.jsonl) await showSessions(sessions, out);
    return 0;
  });

async function showSessions(sessions: readonly Session[], style: Style): Promise<void> {
  if (sessions.length === 0) {
    note(`No sessions yet: "${commandHere()} search" creates one.\n`);
    return;
  }
  print(await (style.isTerminal ? tableText(sessions, style) : linesText(sessions, style)));
}

/**
 * What fits into a line of a terminal: the time to the minute, without the number of interactions.
 */
const tableText = (sessions: readonly Session[], style: Style): Promise<string> =>
  rowsText(
    style,
    [
      ['session', 38],
      ['newest (UTC)', 18],
      ['first query or page', 0.99],
      ['outcome', 10],
      ['cost', 11],
    ],
    sessions.map(({ id, latest_interaction_at, summary }) => {
      const [input, , cost] = factsOf(summary);
      const time = latest_interaction_at.slice(0, 16).replace('T', ' ');
      return [id, time, input, outcomeOf(summary), cost];
    }),
  );

/** All columns, for other programs. */
const linesText = (sessions: readonly Session[], style: Style): Promise<string> =>
  rowsText(
    style,
    [],
    sessions.map(({ id, created_at, latest_interaction_at, interaction_count, summary }) => [
      id,
      created_at,
      latest_interaction_at,
      String(interaction_count),
      ...factsOf(summary),
      outcomeOf(summary),
    ]),
  );

/** The worst of its interactions. */
function outcomeOf(summary: SessionSummary | undefined): string {
  if (summary === undefined) return '';
  const { failed, partial } = summary.outcomes;
  return failed > 0 ? 'failed' : partial > 0 ? 'partial' : 'succeeded';
}

/** A server of an earlier version gives no summary. */
const factsOf = (summary: SessionSummary | undefined): readonly [string, string, string] =>
  summary === undefined
    ? ['', '', '']
    : [summary.first_input ?? '', String(summary.run_count), spentText(summary)];
