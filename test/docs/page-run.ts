import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Block, ROOT } from './blocks.ts';
import { complaintAboutRequest, isRequest } from './http.ts';
import { startPageServer } from './page-server.ts';
import { isShell, runShellBlocks } from './shell.ts';

/** How the outcome of a block differs from its page; undefined = it does not. */
export type Complaints = ReadonlyMap<Block, string | undefined>;

/**
 * Processes of examples mostly wait, so two pages at a time take little more than half of the time.
 */
const PAGES_AT_ONCE = 2;

export const isRun = (block: Block): boolean =>
  block.notRun === undefined && (isRequest(block) || isShell(block));

/** Runs the requests and commands of all pages, each page on its own server. */
export async function runPages(blocks: readonly Block[]): Promise<Complaints> {
  // once, so commands of two pages do not start the same build at the same time
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
