import { readFile } from 'node:fs/promises';
import { type CommonFlags, run } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { counted, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { checkLines, type EvidenceCheck } from './evidence-lines.ts';
import { differenceOfPage, linesOfPage } from './evidence-page.ts';

export interface CheckFlags extends CommonFlags {
  readonly hash?: string;
}

/** `trawl evidence check`: names the first line that is wrong, and exits with 1 then. */
export const checkEvidence = (environment: Environment, file: string, flags: CheckFlags) =>
  run(environment, flags, async () => {
    const check = expected(checkFile(await readEvidence(file)), flags.hash);
    if (flags.json) printJson(jsonOf(check));
    else print(`${checkText(check)}\n`);
    return check.isWhole ? EXIT.ok : EXIT.failed;
  });

async function readEvidence(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new CommandError(EXIT.usage, 'usage', `${path} cannot be read (${code})`);
  }
}

function checkFile(bytes: Buffer): EvidenceCheck {
  const text = bytes.toString();
  const lines = linesOfPage(text);
  if (!lines) return checkLines(text.replace(/\n$/, '').split('\n'));
  const check = checkLines(lines);
  const difference = check.isWhole ? differenceOfPage(bytes, lines) : undefined;
  return difference ? { isWhole: false, ...difference } : check;
}

/** Anyone can make a chain that fits: only a hash from elsewhere shows that it is the same file. */
function expected(check: EvidenceCheck, hash: string | undefined): EvidenceCheck {
  if (!check.isWhole || hash === undefined || hash.toLowerCase() === check.sha256) return check;
  const line = check.interactions + 2;
  return { isWhole: false, line, reason: `its hash is ${check.sha256}, not that of --hash` };
}

const checkText = (check: EvidenceCheck): string =>
  check.isWhole
    ? `whole: ${counted(check.interactions, 'interaction')} of session ${check.sessionId}, final hash ${check.sha256}`
    : `line ${check.line}: ${check.reason}`;

const jsonOf = (check: EvidenceCheck) =>
  check.isWhole
    ? {
        is_whole: true,
        session_id: check.sessionId,
        interactions: check.interactions,
        sha256: check.sha256,
      }
    : { is_whole: false, line: check.line, reason: check.reason };
