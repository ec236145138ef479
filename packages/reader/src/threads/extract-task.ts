import { measureText } from '@trawl/base';
import { parsedUrl } from '@trawl/contract/parsed-url';
import {
  checkForeignText,
  extractPage,
  findPassages,
  findQuotes,
  LARGE_BYTES,
  qualityOfText,
  scoredPieces,
  uncheckedText,
} from '@trawl/extract';
import { diagnosePage } from '../diagnosis/diagnose.ts';
import type { PageEvidence } from '../diagnosis/evidence.ts';
import type { PageFamily } from '../diagnosis/page-families.ts';
import { verdictOnPage } from '../diagnosis/page-verdict.ts';
import type { ExtractAnswer, ExtractTask } from '../pages/extract-protocol.ts';

/**
 * Reads and diagnoses a page. Runs on an extraction thread.
 * @param families the families to compare it with; absent = those with the built-in rules
 */
export async function performTask(
  task: ExtractTask,
  families?: readonly PageFamily[],
): Promise<ExtractAnswer> {
  if (task.kind === 'focus') {
    return { kind: 'focused', passages: findPassages(task.content, task.query) };
  }
  if (task.kind === 'pieces') {
    return { kind: 'rated', pieces: scoredPieces(task.texts, task.query) };
  }
  if (task.kind === 'quotes') {
    return { kind: 'quoted', matches: findQuotes(task.texts, task.quotes) };
  }
  if (task.kind === 'diagnose') {
    const { wantsQuality, wantsFindings } = task;
    const given = task.evidence.content;
    const { text: content, findings } = wantsFindings
      ? checkForeignText(given, task.evidence.html)
      : uncheckedText(given);
    const evidence = { ...task.evidence, content, given };
    const verdict = diagnosePage(evidence, families);
    const hasQuality = wantsQuality && verdict === null && isWebPage(evidence);
    return {
      kind: 'diagnosed',
      verdict,
      measure: measureText(content),
      quality: hasQuality ? qualityOfText(content) : null,
      findings,
      ...(content !== given && { text: content }),
    };
  }
  const { download, options } = task;
  const { byteLength } = download.body;
  const reading = await extractPage(download, options);
  if (reading.kind === 'verdict') {
    const { verdict, isThreadSpent = false } = reading;
    const shouldEnd = byteLength > LARGE_BYTES || isThreadSpent || verdict.code === 'too_large';
    return { kind: 'read', reading: { kind: 'verdict', verdict }, shouldEnd };
  }
  const { page, given, quality, findings, move, refresh, refreshWithoutScripts, isThreadSpent } =
    reading;
  const { content, raw_html: html } = page;
  const { url } = download;
  const verdict = verdictOnPage(page, url, given, families);
  return {
    kind: 'read',
    shouldEnd: byteLength > LARGE_BYTES || isThreadSpent === true,
    reading: {
      kind: 'page',
      // the markup may be as long as the body, and is only needed here
      page: options.fields.has('raw_html') ? page : { ...page, raw_html: null },
      measure: content === null ? null : measureText(content),
      verdict,
      move: verdict === null || verdict.code === 'empty_page' ? move : null,
      quality,
      findings,
      refresh,
      refreshWithoutScripts,
      hasScripts: /<script/i.test(html ?? ''),
    },
  };
}

/** As far as is known: qualities are predicted for web pages only. */
function isWebPage({ contentType, url, finalUrl }: PageEvidence): boolean {
  if (contentType !== null) return /html/i.test(contentType);
  return ![url, finalUrl ?? url].some((address) =>
    DOCUMENT_PATH.test(parsedUrl(address)?.pathname ?? ''),
  );
}

const DOCUMENT_PATH = /\.(?:pdf|txt|md|json|xml|rss|atom|csv|docx?|xlsx?|pptx?|epub)$|^\/pdf\//i;
