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
export async function readBenchmarkPage(page: BenchmarkPage): Promise<ReadResult> {
  const startedAt = process.cpuUsage();
  const reading = await extractPage(
    {
      url: page.url,
      status: 200,
      contentType: 'text/html',
      contentLanguage: null,
      body: page.html,
    },
    { contentFormat: 'text', fields: new Set() },
  );
  const spent = process.cpuUsage(startedAt);
  const read = reading.kind === 'page' ? reading.page : null;
  const content = read?.content ?? '';
  return {
    page,
    title: read?.title ?? null,
    content,
    score: wordScore(content, page.expected),
    quality: reading.kind === 'page' ? reading.quality : null,
    millis: (spent.user + spent.system) / 1_000,
  };
}
