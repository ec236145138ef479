import { type Line, line } from './lines.ts';
import { type LineFault, storedJsonFault } from './stored-json.ts';

/** Half of the longest text that the engine has. */
const LINE_CHARACTERS_MAX = 268_000_000;

/** A line with its number, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly value: Line;
}

/** A line that is refused, with what to do about it. */
export const refusedLine = (number: number, { place, problem }: LineFault): Error =>
  new Error(
    `line ${number}: ${place}: ${problem}. Nothing is imported: correct this line, or export the project again`,
  );

/**
 * Reads and checks the lines of an export, one at a time.
 * @throws Error that names the line
 */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  let number = 0;
  for await (const text of split(input)) {
    number += 1;
    if (text.trim() === '') continue;
    yield { number, value: readLine(text, number) };
  }
}

async function* split(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let parts: string[] = [];
  let characters = 0;
  for await (const chunk of input) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield parts.join('') + text.slice(start, end);
      parts = [];
      characters = 0;
      start = end + 1;
    }
    parts.push(text.slice(start));
    characters += text.length - start;
    if (characters > LINE_CHARACTERS_MAX) throw new Error('a line is longer than 268 MB');
  }
  yield parts.join('') + decoder.decode();
}

function readLine(text: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const problem = 'is not JSON: the file is cut off or not an export of trawl';
    throw refusedLine(number, { place: 'the line', problem });
  }
  const read = line.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.join('.') || 'the line';
    throw refusedLine(number, { place, problem: issue?.message ?? 'is not valid' });
  }
  const fault = read.data.type === 'interaction' ? storedJsonFault(read.data) : undefined;
  if (fault) throw refusedLine(number, fault);
  return read.data;
}
