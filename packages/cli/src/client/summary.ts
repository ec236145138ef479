import { oneLine, type Style } from '../program/style.ts';
import type { CommonFlags } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { counted } from './output.ts';
import type { Tally } from './tally.ts';

export interface Ended extends Tally {
  readonly noun: 'run' | 'page';
  /** What those did that did not fail. */
  readonly done: 'succeeded' | 'fetched';
  /** What it cost, in words; undefined where that is not known or not asked for. */
  readonly cost: string | undefined;
  readonly exitCode: ExitCode;
}

/** Interactions that are named, not only counted. */
const NAMED_MAX = 3;

/** What is left to say once everything landed. On a terminal also what is fine; to programs only what is a failure. */
export function summaryText(style: Style, flags: CommonFlags, ended: Ended): string {
  const { warnings, failed, cost } = ended;
  if (flags.json || flags.jsonl) {
    return ended.exitCode === EXIT.ok ? '' : failedJson(ended);
  }
  const lines = warnings.map(({ code, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return style.warning(`warning ${code}${times}: ${oneLine(message)}`);
  });
  const total = `${countText(ended)}${cost === undefined ? '' : `, ${cost}`}; ${placeText(ended)}`;
  if (failed > 0) lines.push(style.bad(total));
  else if (style.isTerminal) lines.push(style.dim(total));
  return lines.map((line) => `${line}\n`).join('');
}

const countText = ({ all, failed, noun, done }: Ended): string =>
  `${all - failed} of ${all} ${noun}s ${done}`;

function placeText({ sessionId, interactionIds }: Ended): string {
  const isFew = interactionIds.length <= NAMED_MAX;
  const place = isFew
    ? `interaction ${interactionIds.join(', ')}`
    : counted(interactionIds.length, 'interaction');
  return `session ${sessionId}, ${place}`;
}

function failedJson(ended: Ended): string {
  const {
    all,
    failed,
    sessionId,
    interactionIds: [first],
  } = ended;
  const error = {
    code: failed < all ? 'some_failed' : 'all_failed',
    message: `${countText(ended)}; standard output says why`,
    remedy: null,
    status: 200,
    param: null,
    request_id: null,
    session_id: sessionId ?? null,
    interaction_id: first ?? null,
  };
  return `${JSON.stringify({ error })}\n`;
}
