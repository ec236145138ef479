import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import { note } from './output.ts';

/**
 * What to ask: the arguments, with `-` for the lines of standard input, then the lines of a file. Blank lines are left
 * out.
 * @param noun what a line holds, for complaints
 * @throws CommandError where there is nothing
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
  const filed = file === undefined ? [] : linesOf(await readNamed(file));
  const items = [...given.flat(), ...filed].filter((item) => item.trim() !== '');
  if (items.length > 0) return items;
  throw new CommandError(
    EXIT.usage,
    'usage',
    `there is no ${noun}`,
    `give one, "-" for the lines of standard input, or --file <path>`,
  );
}

async function readInput(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) note('one a line, then Ctrl-D:\n');
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

/** What is no text is refused as a whole: each of its lines would be paid for. */
function textOf(content: Buffer, place: string): string {
  if (isUtf8(content) && !content.includes(0)) return content.toString();
  const remedy = 'give a text file in UTF-8, one of them a line';
  throw new CommandError(EXIT.usage, 'usage', `${place} is no text in UTF-8`, remedy);
}

const linesOf = (content: string): string[] =>
  content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim());

/** Parts of at most `size`. */
export function batchesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
