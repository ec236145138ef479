import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type Block, ROOT } from './blocks.ts';
import type { CommandHost } from './command-host.ts';
import type { PageServer } from './page-server.ts';

/** For all blocks of a page. */
const PAGE_TIMEOUT_MS = 240_000;

export const isShell = ({ language }: Block): boolean => language === 'sh';

/** The end of a block that ran. */
interface Ended {
  /** null = out of time. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The command that failed first. */
  readonly failed: string | undefined;
}

/**
 * The exit code in the line after a block: `Ends with 4`. A refusal by the server, `Answers 401`,
 * is curl's 22.
 */
const expectedCode = ({ after }: Block): number => {
  const [, code] = /^Ends with (\d+)\b/.exec(after) ?? [];
  if (code !== undefined) return Number(code);
  return refusalOf(after) === undefined ? 0 : 22;
};

/** The status of a refusal in the line after a block. */
const refusalOf = (after: string): string | undefined => /^Answers ([45]\d\d)\b/.exec(after)?.[1];

/** The words of a command on standard error when something is wrong. */
const COMPLAINT = /\berror\b|\bfatal\b|^trawl: |not found|no such file|unbound variable/im;

/** How the outcome of a block differs from its page. */
function complaintAbout(block: Block, ended: Ended | undefined): string | undefined {
  if (!ended) return 'not reached, a block before it failed';
  const { code, stdout, stderr, failed } = ended;
  const expected = expectedCode(block);
  const refusal = refusalOf(block.after);
  const output = `\nstandard error:\n${tail(stderr)}\nstandard output:\n${tail(stdout)}`;
  if (code !== expected) {
    const where = failed === undefined ? '' : ` at: ${failed}`;
    if (code === null) return `had not ended when the time of the page was over${output}`;
    return `ended with ${code} instead of ${expected}${where}${output}`;
  }
  if (refusal !== undefined && !stderr.includes(`error: ${refusal}`)) {
    return `was not answered ${refusal}${output}`;
  }
  if (expected === 0 && COMPLAINT.test(stderr)) return `complains on standard error${output}`;
  return undefined;
}

const tail = (text: string): string => text.slice(-2_000);

/**
 * Runs the commands of a page in order, as in one terminal: the next block can use the variables
 * and files of a block before it. Files that the page shows exist from the start. Returns for each
 * block how it differs from the page.
 */
export async function runShellBlocks(
  blocks: readonly Block[],
  files: readonly Block[],
  { server: { environment, fill }, host }: { server: PageServer; host: CommandHost },
): Promise<readonly (string | undefined)[]> {
  if (blocks.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'trawl-docs-'));
  const desk = join(folder, 'desk');
  try {
    prepareFolder(folder, desk, files);
    const texts = await Promise.all(blocks.map(({ text }) => fill(text)));
    for (const [index, { line }] of blocks.entries()) {
      writeFileSync(join(folder, `${line}.sh`), `${texts[index]}\n`);
    }
    writeFileSync(join(folder, 'page.sh'), blocks.map(step).join('\n'));
    const code = await runBash(join(folder, 'page.sh'), desk, {
      ...environment,
      HOME: folder,
      RECORDS: folder,
      PATH: [host.bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    });
    return blocks.map((block, index) => {
      const [missing] = unfilled(texts[index] ?? '');
      if (missing !== undefined) return `the tests know no value for ${missing}`;
      return complaintAbout(block, readEnd(folder, block, code));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Values that the reader still has to fill in; comments may have dots. */
const unfilled = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/(^| )# .*$/, ''))
    .flatMap((line) => line.match(/\S*…\S*|<[a-z][\w-]*>/g) ?? []);

function prepareFolder(folder: string, desk: string, files: readonly Block[]): void {
  mkdirSync(desk);
  // from a clone
  symlinkSync(join(ROOT, 'scripts'), join(desk, 'scripts'));
  for (const { file = '', text } of files) writeFileSync(join(desk, file), `${text}\n`);
  // a refusal must not count as a success
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nshow-error\n');
}

/**
 * One block of the page's script. Each is its own file, so the messages of bash name it and the
 * line.
 */
function step(block: Block): string {
  const { line } = block;
  const call = `. "$RECORDS/${line}.sh"`;
  const noted = `echo "$BASH_COMMAND" >> "$RECORDS/${line}.failed"`;
  const body =
    expectedCode(block) === 0
      ? `set -eEuo pipefail\ntrap '${noted}' ERR\n${call}\necho 0 > "$RECORDS/${line}.code"`
      : `set +e\n( set -euo pipefail; ${call} )\necho $? > "$RECORDS/${line}.code"`;
  return `exec > "$RECORDS/${line}.out" 2> "$RECORDS/${line}.err"\n${body}\n`;
}

async function runBash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const child = spawn('bash', [script], { cwd, env, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => {
    // together with everything that it started
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, PAGE_TIMEOUT_MS);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return code;
}

function readEnd(folder: string, { line }: Block, exitCode: number | null): Ended | undefined {
  const record = (kind: string): string | undefined => {
    const path = join(folder, `${line}.${kind}`);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const stderr = record('err');
  const code = record('code');
  if (stderr === undefined) return undefined;
  return {
    code: code === undefined ? exitCode : Number(code),
    stdout: record('out') ?? '',
    // the first run builds
    stderr: stderr.replace(/^built .*\n/m, '').replaceAll(`${folder}/`, ''),
    failed: record('failed')
      ?.split('\n')
      .find((command) => !command.startsWith('. "$RECORDS')),
  };
}
