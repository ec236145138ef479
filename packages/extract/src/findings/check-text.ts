import type { PageFinding } from '@trawl/contract';
import { withoutInvisible } from '@trawl/providers/invisible-characters';
import { parseHtml } from '../dom/parse-html.ts';
import { createFindingList, type FindingList } from './findings.ts';
import { readInvisible } from './invisible.ts';
import { addPageFindings, speaksSomewhere } from './page-findings.ts';
import { addTextFindings } from './text-findings.ts';

/** A text without invisible characters, and what its page hides or says to programs. */
export interface CheckedText {
  readonly text: string;
  readonly findings: readonly PageFinding[];
}

/**
 * The finished text of a page of which the tree was read before.
 * @param findings what was found in the tree; null = nothing was looked for
 */
export function checkPageText(text: string, findings: FindingList | null): CheckedText {
  if (!findings) return uncheckedText(text);
  const visible = readInvisible(text, findings);
  return { text: visible, findings: findings.placed(visible) };
}

/** The same for a document whose text is all there is. */
export function checkDocumentText(text: string, findings: FindingList | null): CheckedText {
  if (!findings) return uncheckedText(text);
  const visible = readInvisible(text, findings);
  addTextFindings(visible, findings);
  return { text: visible, findings: findings.placed(visible) };
}

/** Markup that is longer is not read. */
const MARKUP_MAX_CHARACTERS = 2_000_000;

/**
 * The text of a page of another provider.
 * @param html the markup of the page, where the provider sent it
 */
export function checkForeignText(text: string, html: string | null): CheckedText {
  const findings = createFindingList();
  const visible = readInvisible(text, findings);
  addTextFindings(visible, findings);
  // a tree takes far longer than all else, and hardly any page needs it
  if (html !== null && html.length <= MARKUP_MAX_CHARACTERS && speaksSomewhere(html)) {
    try {
      addPageFindings(parseHtml(html), html, findings);
    } catch {
      // markup above a limit: what the text shows is known
    }
  }
  return { text: visible, findings: findings.placed(visible) };
}

/** A text whose findings are not asked for. */
export const uncheckedText = (text: string): CheckedText => ({
  text: withoutInvisible(text),
  findings: [],
});
