import type { Block } from './blocks.ts';
import { type CommandHost, startCommandHost } from './command-host.ts';
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
  const host = await startCommandHost();
  const pages = new Set(blocks.map(({ page }) => page)).values();
  const complaints = new Map<Block, string | undefined>();
  const takeNext = async (): Promise<void> => {
    for (const page of pages) {
      const seen = await runPage(
        blocks.filter((block) => block.page === page),
        host,
      );
      for (const [block, complaint] of seen) complaints.set(block, complaint);
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, takeNext));
  await host.stop();
  return complaints;
}

async function runPage(blocks: readonly Block[], host: CommandHost): Promise<Complaints> {
  const examples = blocks.filter(isRun);
  if (examples.length === 0) return new Map();
  const server = await startPageServer();
  try {
    const complaints = new Map<Block, string | undefined>();
    const commands = examples.filter(isShell);
    const files = blocks.filter(({ file }) => file !== undefined);
    const ends = await runShellBlocks(commands, files, { server, host });
    for (const [index, block] of commands.entries()) complaints.set(block, ends[index]);
    for (const block of examples.filter(isRequest)) {
      complaints.set(block, await complaintAboutRequest(block, server));
    }
    return complaints;
  } finally {
    await server.stop();
  }
}
