import { decodeHtml } from '../../packages/extract/src/charset/charset.ts';
import { parseHtml } from '../../packages/extract/src/dom/parse-html.ts';
import { readJsonLd } from '../../packages/extract/src/facts/json-ld.ts';
import { pageKind } from '../../packages/extract/src/facts/page-kind.ts';
import { readPassages } from '../../packages/extract/src/passages/choose-passages.ts';
import type { SignedPage } from '../../packages/extract/src/passages/passage-signs.ts';
import { completeBody } from '../../packages/extract/src/rules/complete-body.ts';

/** A page with what its passages are judged by. */
export function preparedPage(html: Uint8Array, url: string): SignedPage {
  const document = parseHtml(decodeHtml(html, 'text/html'));
  completeBody(document);
  const kind = pageKind(document, url);
  const { passages, judgement } = readPassages(document, kind);
  const { stages, doubts } = judgement;
  return { document, url, kind, objects: readJsonLd(document), passages, stages, doubts };
}
