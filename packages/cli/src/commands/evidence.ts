import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type CommonFlags, run, runWithKey } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { counted, note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import type { EvidenceCheck } from '../client/evidence-lines.ts';
import { sessionOf } from '../client/named.ts';

/** `trawl evidence` */
export function addEvidence(program: Command, environment: Environment): void {
  const evidence = program
    .command('evidence')
    .description('a session as one file that others can check without a server');
  evidence
    .command('export <session>')
    .description('print all interactions of a session as lines whose hashes are chained')
    .option('--html', 'print them as a page to read, which can be checked too')
    .action((session: string, flags) => exportEvidence(environment, session, flags));
  evidence
    .command('check <file>')
    .description('check such a file; needs no server')
    .option('--hash <sha256>', 'the final hash that the file must have')
    .option('--json', 'print JSON')
    .action((file: string, flags) => checkEvidence(environment, file, flags));
}

/**
 * One interaction in memory at a time. A file whose export failed lacks its last line, so a check
 * refuses it.
 */
const exportEvidence = (
  environment: Environment,
  named: string,
  flags: CommonFlags & { readonly html?: boolean },
) =>
  runWithKey(environment, flags, async (context) => {
    const { parseJson } = await import('@trawl/contract');
    const { createEvidence, EVIDENCE_FORMAT } = await import('../client/evidence-lines.ts');
    const { pagePart } = await import('../client/evidence-page.ts');
    const { client, err, signal } = context;
    const session = await sessionOf(context, named);
    const evidence = createEvidence();
    const shown = (line: string) => (flags.html ? pagePart(line) : `${line}\n`);
    const { instance_id } = await client.sessionHistory(session, { limit: 1 }, { signal });
    const query = { session_id: session, include: 'summary' } as const;
    const { sessions } = await client.listSessions(query, { signal });
    const deleted = sessions[0]?.summary?.deleted_interactions ?? 0;
    const head = evidence.line({
      kind: 'head',
      format: EVIDENCE_FORMAT,
      instance_id,
      session_id: session,
      exported_at: new Date().toISOString(),
      deleted_interactions: deleted,
    });
    await write(shown(head));
    let interactions = 0;
    for await (const { id } of client.history(session, {}, { signal })) {
      const text = await client.readInteractionText(
        { session_id: session, interaction_id: id },
        { signal },
      );
      const line = evidence.line({ kind: 'interaction', interaction: parseJson(text) });
      interactions += 1;
      await write(shown(line));
    }
    const end = evidence.line({ kind: 'end', interactions });
    await write(shown(end));
    if (deleted > 0) {
      note(
        `${counted(deleted, 'interaction')} of the session had been deleted before this export\n`,
      );
    }
    if (err.isTerminal) {
      note(`${counted(interactions, 'interaction')}, final hash ${evidence.hash()}\n`);
    }
    return EXIT.ok;
  });

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

interface CheckFlags extends CommonFlags {
  readonly hash?: string;
}

/** Names the first line that is wrong, and exits with 1 then. */
const checkEvidence = (environment: Environment, file: string, flags: CheckFlags) =>
  run(environment, flags, async () => {
    const check = expected(await checkFile(await readEvidence(file)), flags.hash);
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

async function checkFile(bytes: Buffer): Promise<EvidenceCheck> {
  const { checkLines } = await import('../client/evidence-lines.ts');
  const { differenceOfPage, linesOfPage } = await import('../client/evidence-page.ts');
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
