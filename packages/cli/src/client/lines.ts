import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '@trawl/base';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { note } from '@trawl/client/terminal/output';

/**
 * The queries or URLs: the arguments, where `-` is the lines of standard input, then the lines of a
 * file. Blank lines are skipped.
 * @param noun what a line holds, for error messages
 * @throws CommandError when there is not a single one
 */
export async function readItems(
  noun: 'query' | 'URL',
  args: readonly string[],
  file: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const given = await Promise.all(
    args.map(async (argument) =>
      argument === '-' ? linesOf(await readInput(signal)) : [argument],
    ),
  );
  const fromFile = file === undefined ? [] : linesOf(await readNamed(file));
  const items = [...given.flat(), ...fromFile].filter((item) => item.trim() !== '');
  if (items.length > 0) return items;
  throw new CommandError(
    EXIT.usage,
    'usage',
    `no ${noun} is given`,
    `name one, or read them with "-" from standard input or with --file <path>`,
  );
}

async function readInput(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) note('one per line, then Ctrl-D:\n');
  return textOf(await buffer(addAbortSignal(signal, process.stdin)), 'standard input');
}

async function readNamed(path: string): Promise<string> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    const { code = 'unreadable' } = error as { readonly code?: string };
    throw new CommandError(EXIT.usage, 'usage', `--file ${path} cannot be read (${code})`);
  }
  return textOf(content, `--file ${path}`);
}

/** Refuses input that is not text as a whole: each of its lines would be paid for. */
function textOf(content: Buffer, place: string): string {
  try {
    return decodeText(content);
  } catch (error) {
    const remedy = 'give UTF-8 text with one query or URL per line';
    throw new CommandError(EXIT.usage, 'usage', `${place} ${(error as Error).message}`, remedy);
  }
}

const linesOf = (content: string): string[] => content.split(/\r?\n/).map((line) => line.trim());
