import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Block, ROOT } from './blocks.ts';
import { complaintAboutRequest, isRequest } from './http.ts';
import { startPageServer } from './page-server.ts';
import { isShell, runShellBlocks } from './shell.ts';

/** In what a block did not do what its page says; undefined = it did. */
export type Complaints = ReadonlyMap<Block, string | undefined>;

/** Processes of examples wait for each other's answers, so two pages at a time take little more than half of the time. */
const PAGES_AT_ONCE = 2;

export const isRun = (block: Block): boolean =>
  block.notRun === undefined && (isRequest(block) || isShell(block));

/** Runs the requests and commands of all pages, each page on a server of its own. */
export async function runPages(blocks: readonly Block[]): Promise<Complaints> {
  // once, before commands of two pages find at the same time that a source has changed
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/run.mjs'), '--version']);
  const pages = new Set(blocks.map(({ page }) => page)).values();
  const complaints = new Map<Block, string | undefined>();
  const takeNext = async (): Promise<void> => {
    for (const page of pages) {
      const seen = await runPage(blocks.filter((block) => block.page === page));
      for (const [block, complaint] of seen) complaints.set(block, complaint);
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, takeNext));
  return complaints;
}

async function runPage(blocks: readonly Block[]): Promise<Complaints> {
  const examples = blocks.filter(isRun);
  if (examples.length === 0) return new Map();
  const server = await startPageServer();
  try {
    const complaints = new Map<Block, string | undefined>();
    const commands = examples.filter(isShell);
    const files = blocks.filter(({ file }) => file !== undefined);
    const ends = await runShellBlocks(commands, files, server);
    for (const [index, block] of commands.entries()) complaints.set(block, ends[index]);
    for (const block of examples.filter(isRequest)) {
      complaints.set(block, await complaintAboutRequest(block, server));
    }
    return complaints;
  } finally {
    await server.stop();
  }
}
