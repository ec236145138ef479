import type { FindingList } from '../findings/findings.ts';
import { addHiddenText, speaksSomewhere } from '../findings/page-findings.ts';
import { TOPIC } from '../findings/phrases.ts';
import type { PdfContent, PdfDocument } from './pdf-pages.ts';
import type { UnpackingLimit } from './pdf-unpacking.ts';

type Operators = Awaited<
  ReturnType<Awaited<ReturnType<PdfDocument['getPage']>>['getOperatorList']>
>;

/** Smaller letters are seen as a line, in points. */
const TINY_POINTS = 2;
/** How a page is drawn is read for so many pages of a document. */
const DRAWN_PAGES_MAX = 10;

/** pdf.js writes fonts with it, and drops the rest of a page without it. Node.js 20 lacks it. */
const TRANSFER = 'transferToFixedLength';
if (!(TRANSFER in ArrayBuffer.prototype)) {
  const value = function (this: ArrayBuffer, length: number) {
    return this.slice(0, length);
  };
  Object.defineProperty(ArrayBuffer.prototype, TRANSFER, { value, configurable: true });
}

/**
 * Adds text of a PDF that is not seen: tiny, white, or drawn invisibly, as recognized words lie
 * over a scan. How a page is drawn takes long to read, so that is done only where its text speaks
 * to programs.
 */
export async function addPdfFindings(
  document: PdfDocument,
  pages: readonly PdfContent[],
  { findings, unpacking }: { readonly findings: FindingList; readonly unpacking: UnpackingLimit },
): Promise<void> {
  let left = DRAWN_PAGES_MAX;
  for (const [at, { items }] of pages.entries()) {
    const text = items.map(({ str }) => str).join(' ');
    if (!speaksSomewhere(text)) continue;
    const tiny = items.filter(({ fontSize }) => fontSize <= TINY_POINTS);
    addHiddenText(tiny.map(({ str }) => str).join(' '), findings);
    left -= 1;
    if (left < 0 || findings.isFull) return;
    unpacking.startPart();
    const page = await document.getPage(at + 1);
    const drawn = await page.getOperatorList().catch(() => null);
    page.cleanup();
    if (!drawn) continue;
    const { invisible, white, shown } = await drawnTexts(drawn);
    // a scan has all of its text so
    if (shown.trim() !== '') addHiddenText(invisible, findings);
    // white is read well on a dark slide, such as one about these attacks
    if (!TOPIC.test(text)) addHiddenText(white, findings);
  }
}

interface DrawnTexts {
  readonly invisible: string;
  readonly white: string;
  readonly shown: string;
}

/** Neither filled nor stroked (ISO 32000-1, table 106). */
const INVISIBLE_MODE = 3;
const NEARLY_WHITE = 0xf5;
const STATES_MAX = 1_000;

async function drawnTexts({ fnArray, argsArray }: Operators): Promise<DrawnTexts> {
  const { getResolvedPDFJS } = await import('unpdf');
  const { OPS } = await getResolvedPDFJS();
  const texts = { invisible: [] as string[], white: [] as string[], shown: [] as string[] };
  let state = { mode: 0, isWhite: false };
  const states: (typeof state)[] = [];
  for (const [at, operator] of fnArray.entries()) {
    const given: readonly unknown[] = argsArray[at] ?? [];
    if (operator === OPS.save && states.length < STATES_MAX) states.push(state);
    else if (operator === OPS.restore) state = states.pop() ?? state;
    else if (operator === OPS.setTextRenderingMode) state = { ...state, mode: Number(given[0]) };
    else if (operator === OPS.setFillRGBColor) state = { ...state, isWhite: isWhite(given) };
    else if (operator === OPS.showText) {
      const kind = state.mode === INVISIBLE_MODE ? 'invisible' : state.isWhite ? 'white' : 'shown';
      texts[kind].push(wordsOf(given[0]));
    }
  }
  const joined = (parts: readonly string[]) => parts.join(' ');
  return {
    invisible: joined(texts.invisible),
    white: joined(texts.white),
    shown: joined(texts.shown),
  };
}

/** A color as the library gives it: `#ffffff`, or its parts. */
function isWhite(given: readonly unknown[]): boolean {
  const [first] = given;
  const parts =
    typeof first === 'string'
      ? [1, 3, 5].map((at) => Number.parseInt(first.slice(at, at + 2), 16))
      : given.slice(0, 3).map(Number);
  return parts.length === 3 && parts.every((part) => part >= NEARLY_WHITE);
}

/** Glyphs with their letters, and numbers between them that move what follows. */
function wordsOf(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return '';
  return glyphs
    .map((glyph: unknown) => {
      if (typeof glyph === 'number') return glyph < WORD_GAP ? ' ' : '';
      const letter = (glyph as { readonly unicode?: unknown } | null)?.unicode;
      return typeof letter === 'string' ? letter : '';
    })
    .join('');
}

/** In thousandths of the size of the letters. */
const WORD_GAP = -200;
