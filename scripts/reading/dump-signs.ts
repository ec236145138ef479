import { createWriteStream } from 'node:fs';
import { decodeText } from '../../packages/extract/src/charset/charset.ts';
import { parseHtml } from '../../packages/extract/src/dom/parse-html.ts';
import { pageKind } from '../../packages/extract/src/facts/page-kind.ts';
import { readPassages } from '../../packages/extract/src/passages/choose-passages.ts';
import { SIGNS, signsOfPassages } from '../../packages/extract/src/passages/passage-signs.ts';
import { completeBody } from '../../packages/extract/src/rules/complete-body.ts';
import type { BenchmarkPage } from './benchmark-pages.ts';
import { wordsOf } from './word-score.ts';

/**
 * Writes what `train.py` learns from: `FILE.jsonl` has a line for each page with the words of its passages and of its
 * expected text, `FILE.bin` the signs of those passages that the model judges, as 32-bit numbers.
 */
export function dumpSigns(pages: Iterable<BenchmarkPage>, file: string): void {
  const lines = createWriteStream(`${file}.jsonl`);
  const table = createWriteStream(`${file}.bin`);
  for (const { id, url, type, html, expected } of pages) {
    const document = parseHtml(decodeText(html, 'text/html').text.replaceAll('\0', ''));
    completeBody(document);
    const kind = pageKind(document, url);
    const { passages, judgement } = readPassages(document, kind);
    const signed: number[] = [];
    signsOfPassages({ document, url, kind, passages, stages: judgement.stages }, (row, index) => {
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
