import type { Session } from '@trawl/client';
import { commandHere } from '../manifest.ts';
import { type CommonFlags, runWithKey, wholeNumber } from './command.ts';
import { print, printJson, rowsText } from './output.ts';
import type { Environment } from './style.ts';

const SHOWN = 20;
const PAGE_MAX = 200;

/** `trawl sessions`: the newest ones. */
export const listSessions = (
  environment: Environment,
  flags: CommonFlags & { readonly limit?: string },
) =>
  runWithKey(environment, flags, async ({ client, out, signal }) => {
    const wanted = flags.limit === undefined ? SHOWN : wholeNumber('--limit', flags.limit);
    const sessions: Session[] = [];
    const page = { limit: Math.min(wanted, PAGE_MAX) };
    for await (const session of client.sessions(page, { signal })) {
      if (flags.jsonl) printJson(session);
      sessions.push(session);
      if (sessions.length >= wanted) break;
    }
    if (flags.json) printJson({ sessions });
    else if (!flags.jsonl) print(sessionTable(sessions, out));
    return 0;
  });

function sessionTable(sessions: readonly Session[], style: Parameters<typeof rowsText>[0]): string {
  if (sessions.length === 0 && style.isTerminal) {
    return `There are no sessions yet: "${commandHere()} search" makes one.\n`;
  }
  return rowsText(
    style,
    [
      ['session', 38],
      ['started', 26],
      ['newest interaction', 26],
      ['interactions', 14],
    ],
    sessions.map(({ id, created_at, latest_interaction_at, interaction_count }) => [
      id,
      created_at,
      latest_interaction_at,
      String(interaction_count),
    ]),
  );
}
