import type { CommonFlags } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { counted } from './output.ts';
import { oneLine, type Style } from './style.ts';
import type { Tally } from './tally.ts';

export interface Ended extends Tally {
  readonly noun: 'run' | 'page';
  readonly exitCode: ExitCode;
}

/** Interactions that are named, not only counted. */
const NAMED_MAX = 3;

/** What is left to say once everything landed. On a terminal also what is fine; to programs only what is a failure. */
export function summaryText(style: Style, flags: CommonFlags, ended: Ended): string {
  const { noun, all, failed, warnings } = ended;
  if (flags.json || flags.jsonl) {
    return ended.exitCode === EXIT.ok ? '' : failedJson(ended);
  }
  const lines = warnings.map(({ code, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return style.warning(`warning ${code}${times}: ${oneLine(message)}`);
  });
  const total = `${all - failed} of ${counted(all, noun)} succeeded; ${placeText(ended)}`;
  if (failed > 0) lines.push(style.bad(total));
  else if (style.isTerminal) lines.push(style.dim(total));
  return lines.map((line) => `${line}\n`).join('');
}

function placeText({ sessionId, interactionIds }: Ended): string {
  const isFew = interactionIds.length <= NAMED_MAX;
  const place = isFew
    ? `interaction ${interactionIds.join(', ')}`
    : counted(interactionIds.length, 'interaction');
  return `session ${sessionId}, ${place}`;
}

function failedJson({ noun, all, failed, sessionId, interactionIds: [first] }: Ended): string {
  const error = {
    code: failed < all ? 'some_failed' : 'all_failed',
    message: `${all - failed} of ${counted(all, noun)} succeeded; standard output says why`,
    remedy: null,
    status: 200,
    param: null,
    request_id: null,
    session_id: sessionId ?? null,
    interaction_id: first ?? null,
  };
  return `${JSON.stringify({ error })}\n`;
}
