import type { FetchAnswer, SearchAnswer, WarningGroup } from '@trawl/client';
import type { CommonFlags } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { counted } from './output.ts';
import { oneLine, type Style } from './style.ts';

export interface Ended {
  readonly noun: 'run' | 'page';
  readonly all: number;
  readonly failed: number;
  readonly warnings: readonly WarningGroup[];
  readonly answers: readonly (SearchAnswer | FetchAnswer)[];
  readonly exitCode: ExitCode;
}

/** What is left to say once everything landed. On a terminal also what is fine; to programs only what is a failure. */
export function summaryText(style: Style, flags: CommonFlags, ended: Ended): string {
  const { noun, all, failed, warnings, answers } = ended;
  const [first] = answers;
  if (flags.json || flags.jsonl) {
    return ended.exitCode === EXIT.ok ? '' : failedJson(ended);
  }
  const lines = warnings.map(({ code, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return style.warning(`warning ${code}${times}: ${oneLine(message)}`);
  });
  const place = `session ${first?.session_id}, interaction ${answers.map((answer) => answer.interaction_id).join(', ')}`;
  const total = `${all - failed} of ${counted(all, noun)} succeeded; ${place}`;
  if (failed > 0) lines.push(style.bad(total));
  else if (style.isTerminal) lines.push(style.dim(total));
  return lines.map((line) => `${line}\n`).join('');
}

function failedJson({ noun, all, failed, answers: [first] }: Ended): string {
  const error = {
    code: failed < all ? 'some_failed' : 'all_failed',
    message: `${all - failed} of ${counted(all, noun)} succeeded; standard output says why`,
    remedy: null,
    status: 200,
    param: null,
    request_id: null,
    session_id: first?.session_id ?? null,
    interaction_id: first?.interaction_id ?? null,
  };
  return `${JSON.stringify({ error })}\n`;
}
