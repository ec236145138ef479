import type { CommonFlags } from '@trawl/client/terminal/command';
import { EXIT, type ExitCode } from '@trawl/client/terminal/exit-codes';
import { inCommands } from '@trawl/client/terminal/flag-names';
import { commandHere } from '@trawl/client/terminal/manifest';
import { counted } from '@trawl/client/terminal/output';
import { oneLine, type Style } from '@trawl/client/terminal/style';
import type { CommandTally } from './tally.ts';

interface Outcome extends CommandTally {
  readonly noun: 'run' | 'page';
  /** The verb for those that did not fail. */
  readonly done: 'succeeded' | 'fetched';
  /** The cost as text; undefined when it is not known or not asked for. */
  readonly cost: string | undefined;
  readonly exitCode: ExitCode;
}

/** Up to this many interactions are listed by id; more are only counted. */
const NAMED_MAX = 3;

/** The last lines, after everything has arrived. With JSON output they report failures only. */
export function summaryText(style: Style, flags: CommonFlags, outcome: Outcome): string {
  const { warnings, failed, cost } = outcome;
  if (flags.json || flags.jsonl) {
    return outcome.exitCode === EXIT.ok ? '' : failedJson(outcome);
  }
  const lines = warnings.map(({ code, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return style.warning(`warning ${code}${times}: ${oneLine(inCommands(message))}`);
  });
  const total = `${countText(outcome)}${cost === undefined ? '' : `, ${cost}`}; ${placeText(outcome)}`;
  if (failed > 0) lines.push(style.bad(total));
  else if (style.isTerminal) lines.push(style.dim(total));
  const hint = offlineHint(outcome);
  if (hint !== null) lines.push(`  ${hint}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Where nothing at all could be reached. */
const offlineHint = ({ all, unreached }: Outcome): string | null =>
  all > 0 && unreached === all
    ? `nothing could be reached: is the server's machine connected to the internet? "${commandHere()} demo" needs no internet`
    : null;

const countText = ({ all, failed, noun, done }: Outcome): string =>
  `${all - failed} of ${all} ${noun}s ${done}`;

function placeText({ sessionId, interactionIds }: Outcome): string {
  const isFew = interactionIds.length <= NAMED_MAX;
  const place = isFew
    ? `interaction ${interactionIds.join(', ')}`
    : counted(interactionIds.length, 'interaction');
  return `session ${sessionId}, ${place}`;
}

function failedJson(outcome: Outcome): string {
  const {
    all,
    failed,
    sessionId,
    interactionIds: [first],
  } = outcome;
  const error = {
    code: failed < all ? 'some_failed' : 'all_failed',
    message: `${countText(outcome)}; see standard output for the reasons`,
    remedy: offlineHint(outcome),
    status: 200,
    param: null,
    request_id: null,
    session_id: sessionId ?? null,
    interaction_id: first ?? null,
  };
  return `${JSON.stringify({ error })}\n`;
}
