import { type Line, line } from './lines.ts';

/** Half of the longest text that the engine has. */
const LINE_CHARACTERS_MAX = 268_000_000;

/** A line with its number, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly value: Line;
}

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
    throw new Error(`line ${number} is not JSON: the file is cut off or not an export of trawl`);
  }
  const read = line.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') || 'the line';
  throw new Error(`line ${number}: ${place}: ${issue?.message ?? 'is not valid'}`);
}
