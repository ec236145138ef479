import type { Block } from './blocks.ts';
import { type CommandHost, startCommandHost } from './command-host.ts';
import { complaintAboutRequest, isRequest } from './http.ts';
import { type DocsServer, startDocsServer } from './page-server.ts';
import { isShell, runShellBlocks } from './shell.ts';

/** How the outcome of a block differs from its page; undefined = it does not. */
export type Complaints = ReadonlyMap<Block, string | undefined>;

/**
 * Processes of examples mostly wait, so two pages at a time take little more than half of the time.
 */
const PAGES_AT_ONCE = 2;

export const isRun = (block: Block): boolean =>
  block.notRun === undefined && (isRequest(block) || isShell(block));

/** Runs the requests and commands of all pages, each page in its own project. */
export async function runPages(blocks: readonly Block[]): Promise<Complaints> {
  const [host, server] = await Promise.all([startCommandHost(), startDocsServer()]);
  const pages = new Set(blocks.map(({ page }) => page)).values();
  const complaints = new Map<Block, string | undefined>();
  const takeNext = async (): Promise<void> => {
    for (const page of pages) {
      const seen = await runPage(
        blocks.filter((block) => block.page === page),
        { host, server },
      );
      for (const [block, complaint] of seen) complaints.set(block, complaint);
    }
  };
  try {
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, takeNext));
  } finally {
    await Promise.all([host.stop(), server.stop()]);
  }
  return complaints;
}

async function runPage(
  blocks: readonly Block[],
  { host, server }: { readonly host: CommandHost; readonly server: DocsServer },
): Promise<Complaints> {
  const complaints = new Map<Block, string | undefined>();
  const examples = blocks.filter(isRun);
  const [first] = examples;
  if (!first) return complaints;
  const own = await server.forPage(first.page);
  const commands = examples.filter(isShell);
  const files = blocks.filter(({ file }) => file !== undefined);
  const ends = await runShellBlocks(commands, files, { server: own, host });
  for (const [index, block] of commands.entries()) complaints.set(block, ends[index]);
  for (const block of examples.filter(isRequest)) {
    complaints.set(block, await complaintAboutRequest(block, own));
  }
  return complaints;
}
