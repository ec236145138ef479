import { createWriteStream } from 'node:fs';
import { SIGNS, signsOfPassages } from '../../packages/extract/src/passages/passage-signs.ts';
import type { BenchmarkPage } from './benchmark-pages.ts';
import { preparedPage } from './prepared-page.ts';
import { oneLine, type SnippetPage } from './snippet-pages.ts';
import { wordsOf } from './word-score.ts';

/**
 * Writes what `train.py` learns from: `FILE.jsonl` has a line for each page with the words of its
 * passages and of its expected text, `FILE.bin` the signs of those passages that the model judges,
 * as 32-bit numbers.
 */
export function dumpSigns(pages: Iterable<BenchmarkPage>, file: string): void {
  const lines = createWriteStream(`${file}.jsonl`);
  const table = createWriteStream(`${file}.bin`);
  for (const { id, url, type, html, expected } of pages) {
    const signedPage = preparedPage(html, url);
    const { passages } = signedPage;
    const signed: number[] = [];
    signsOfPassages(signedPage, (row, index) => {
      signed.push(index);
      table.write(Buffer.from(row.slice().buffer));
    });
    const line = {
      id,
      url,
      type,
      names: SIGNS,
      signed,
      passages: passages.map(({ text }) => wordsOf(text)),
      expected: wordsOf(expected),
    };
    lines.write(`${JSON.stringify(line)}\n`);
  }
  lines.end();
  table.end();
}

/** Shorter snippets are in many passages. In characters. */
const SNIPPET_MIN = 8;

/**
 * Writes the passages of which a snippet says whether they are content: `FILE.snippets.jsonl` has a
 * line for each with the page and the answer, `FILE.snippets.bin` its signs.
 */
export function dumpSnippetSigns(pages: Iterable<SnippetPage>, file: string): void {
  const lines = createWriteStream(`${file}.snippets.jsonl`);
  const table = createWriteStream(`${file}.snippets.bin`);
  for (const { url, html, inText, around } of pages) {
    const page = preparedPage(html, url);
    const answers = knownPassages(
      page.passages.map(({ text }) => oneLine(text).toLowerCase()),
      inText,
      around,
    );
    signsOfPassages(page, (row, index) => {
      const isContent = answers.get(index);
      if (isContent === undefined || isContent === null) return;
      lines.write(`${JSON.stringify({ url, is_content: isContent })}\n`);
      table.write(Buffer.from(row.slice().buffer));
    });
  }
  lines.end();
  table.end();
}

/** By position: whether a passage is content; null = snippets disagree. */
function knownPassages(
  texts: readonly string[],
  inText: readonly string[],
  around: readonly string[],
): ReadonlyMap<number, boolean | null> {
  const answers = new Map<number, boolean | null>();
  const add = (snippet: string, isContent: boolean): void => {
    const wanted = oneLine(snippet).toLowerCase();
    if (wanted.length < SNIPPET_MIN) return;
    const found = texts.flatMap((text, index) => (text.includes(wanted) ? [index] : []));
    // of several, one is the text, and the others may be teasers
    if (isContent && found.length > 1) return;
    for (const index of found) {
      const known = answers.get(index) ?? isContent;
      answers.set(index, known === isContent ? isContent : null);
    }
  };
  for (const snippet of inText) add(snippet, true);
  for (const snippet of around) add(snippet, false);
  return answers;
}
