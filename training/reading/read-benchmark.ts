import { extractPage } from '../../packages/extract/src/documents/extract-page.ts';
import type { BenchmarkPage } from './benchmark-pages.ts';
import { type Score, wordScore } from './word-score.ts';

export interface ReadResult {
  readonly page: BenchmarkPage;
  readonly title: string | null;
  readonly content: string;
  readonly score: Score;
  /** The predicted quality. */
  readonly quality: number | null;
  /** Milliseconds of processor time. */
  readonly millis: number;
}

/** Reads a page as the provider `direct` does, as plain text. */
export async function readText(url: string, html: Uint8Array) {
  const reading = await extractPage(
    { url, status: 200, contentType: 'text/html', contentLanguage: null, body: html },
    { contentFormat: 'text', fields: new Set() },
  );
  if (reading.kind !== 'page') return { title: null, content: '', quality: null };
  const { page, quality } = reading;
  return { title: page.title, content: page.content ?? '', quality };
}

export async function readBenchmarkPage(page: BenchmarkPage): Promise<ReadResult> {
  const startedAt = process.cpuUsage();
  const read = await readText(page.url, page.html);
  const spent = process.cpuUsage(startedAt);
  return {
    page,
    ...read,
    score: wordScore(read.content, page.expected),
    millis: (spent.user + spent.system) / 1_000,
  };
}
