import { declarationsOf } from '../dom/style.ts';
import type { FindingList } from './findings.ts';
import { TOPIC } from './phrases.ts';
import { type Exposure, sentenceAfter, speaksToAgents, suspects } from './speech.ts';

/** How far before a place the mark is looked for that it may be inside of. */
const MARK_WITHIN = 500;

/**
 * Adds what a finished text says to programs: in alternative texts, in comments and hidden elements
 * that a provider left in, or in the text itself.
 * @param text without invisible characters
 */
export function addTextFindings(text: string, findings: FindingList): void {
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
