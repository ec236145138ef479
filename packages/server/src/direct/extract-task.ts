import { diagnosePage } from '../fetch/diagnose.ts';
import { verdictOnPage } from '../fetch/page-verdict.ts';
import { extractPage } from './extract/extract-page.ts';
import type { ExtractAnswer, ExtractTask } from './extract-protocol.ts';
import { metaRefresh } from './meta-refresh.ts';

/** The tree of a page takes ten to fifty times its bytes, and a thread keeps what it once needed. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** All that is done with a page's text, in one go. Runs on an extraction thread. */
export async function performTask(task: ExtractTask): Promise<ExtractAnswer> {
  if (task.kind === 'diagnose') {
    return { kind: 'diagnosed', verdict: diagnosePage(task.evidence) };
  }
  const { download, wish } = task;
  const { byteLength } = download.body;
  const reading = await extractPage(download, wish);
  if (reading.kind === 'verdict') {
    const isSpent = byteLength > LARGE_BYTES || reading.verdict.code === 'too_large';
    return { kind: 'read', reading, isSpent };
  }
  if (reading.kind === 'pending') return { kind: 'failed', reason: 'pending' };
  const { page } = reading;
  const { url } = download;
  return {
    kind: 'read',
    isSpent: byteLength > LARGE_BYTES,
    reading: {
      kind: 'page',
      page,
      verdict: verdictOnPage(page, url),
      refresh: metaRefresh(page.raw_html, page.content ?? '', url),
      hasScripts: /<script/i.test(page.raw_html ?? ''),
    },
  };
}
