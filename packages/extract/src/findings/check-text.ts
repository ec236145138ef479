import type { PageFinding } from '@trawl/contract';
import { withoutInvisible } from '@trawl/providers/invisible-characters';
import { parseHtml } from '../dom/parse-html.ts';
import { declarationsOf } from '../dom/style.ts';
import { createFindingList, type FindingList } from './findings.ts';
import { readInvisible } from './invisible.ts';
import { addPageFindings, speaksSomewhere } from './page-findings.ts';
import { TOPIC } from './phrases.ts';
import { type Exposure, sentenceAfter, speaksToAgents, suspects } from './speech.ts';

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

/** How far before a place the mark is looked for that it may be inside of. */
const MARK_WITHIN = 500;

/**
 * Adds what a finished text says to programs: in alternative texts, in comments and hidden elements
 * that a provider left in, or in the text itself.
 * @param text without invisible characters
 */
function addTextFindings(text: string, findings: FindingList): void {
  let isAbout: boolean | undefined;
  for (const { start, end, hit } of suspects(text, { from: 0, to: text.length })) {
    if (findings.isFull) return;
    const { place, isExample } = placeAt(text, hit);
    const sentence = text.slice(start, end);
    const next = sentenceAfter(text, end, text.length);
    if (!speaksToAgents(sentence, next, place)) continue;
    if (place !== 'hidden') {
      isAbout ??= TOPIC.test(text);
      if (isExample || isAbout) continue;
    }
    findings.add({
      kind: 'text_for_agents',
      excerpt: `${sentence} ${next}`,
      at: start + leading(sentence),
    });
  }
}

const leading = (sentence: string): number => sentence.length - sentence.trimStart().length;

interface Position {
  readonly place: Exposure;
  /** Code or a quotation. */
  readonly isExample: boolean;
}

function placeAt(text: string, hit: number): Position {
  const from = Math.max(0, hit - MARK_WITHIN);
  const before = text.slice(from, hit);
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->'))
    return { place: 'hidden', isExample: false };
  if (isInHidden(before)) return { place: 'hidden', isExample: false };
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const image = line.lastIndexOf('![');
  if (image >= 0 && !line.includes(')', image)) return { place: 'beside', isExample: false };
  const isCode = line.split('`').length % 2 === 0 || /^(?: {4}|\t|\s{0,3}>|\s{0,3}[{"])/.test(line);
  return { place: 'shown', isExample: isCode || isInFence(before) };
}

/** Whether an odd number of fences comes before. Only those nearby are counted. */
const isInFence = (before: string): boolean =>
  /(?:^|\n)\s{0,3}(?:```|~~~)[^\n]{0,60}\n[^`~]{0,400}$/.test(before);

/** Whether the last element that was opened before is hidden: markdown may hold HTML. */
function isInHidden(before: string): boolean {
  const open = before.lastIndexOf('<');
  if (open < 0) return false;
  const tag = before.slice(open);
  const end = tag.indexOf('>');
  if (end < 0 || tag.startsWith('</') || !/^<[a-z]/i.test(tag)) return false;
  const inside = tag.slice(0, end);
  if (/\shidden(?:[\s=/]|$)/i.test(inside)) return true;
  const style = /style\s{0,2}=\s{0,2}(?:"([^"]{0,400})|'([^']{0,400}))/i.exec(inside);
  if (!style) return false;
  const found = declarationsOf(style[1] ?? style[2] ?? '');
  return (
    found.get('display') === 'none' ||
    found.get('visibility') === 'hidden' ||
    /^0(?:px|%|em|pt)?$/.test(found.get('opacity') ?? found.get('font-size') ?? '') ||
    /^(?:transparent|white|#fff(?:fff)?)$/.test(found.get('color') ?? '')
  );
}
