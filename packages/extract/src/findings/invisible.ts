import { type InvisibleRun, takeOutInvisible } from '@trawl/providers/invisible-characters';
import type { FindingList } from './findings.ts';

/**
 * How invisible characters carry a text. Single ones are ordinary: word processors leave them
 * behind, and scripts that are written from right to left need marks.
 */

/** Tag characters are those of ASCII, moved (Unicode 23.9). */
const TAG = /\udb40[\udc00-\udc7f]/g;
const TAG_OFFSET = 0xe_00_00;
/** Fewer are the rest of a broken flag. */
const TAGS_MIN = 4;

/** Variation selectors, of which a character has one. In a row each may stand for a byte. */
const SELECTORS = /(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]){4,}/g;
const SELECTORS_ANY = /[\ufe00-\ufe0f]{2}|\udb40[\udd00-\uddef]/;

/** Characters without width, two of which may stand for bits. */
const WIDTHLESS = /[\u200b-\u200f\u2060-\u2064\u180e\ufeff]{16,}/g;
const WIDTHLESS_ANY = /[\u200b-\u200f\u2060-\u2064\u180e\ufeff]{2}/;

/** Text that is shown in reverse, up to the mark that ends it. */
const REVERSED = /\u202e[^\u202c\n]{1,300}/g;
const LATIN_WORDS = /[a-z]{2}[^a-z]{1,3}[a-z]{2}/i;

const READ_MAX = 4_096;

/** The text without invisible characters, and what those carried, as findings. */
export function readInvisible(text: string, findings: FindingList): string {
  const taken = takeOutInvisible(text);
  for (const run of taken.runs) addRun(run, findings);
  addOthers(text, taken.runs, findings);
  return taken.text;
}

function addRun({ run, at }: InvisibleRun, findings: FindingList): void {
  const tags = run.slice(0, READ_MAX).match(TAG);
  if (!tags || tags.length < TAGS_MIN) return;
  const text = tags.map((tag) => letterOf(tag.codePointAt(0) ?? 0)).join('');
  findings.add({ kind: 'invisible_characters', excerpt: text.trim() || named(tags.length), at });
}

/** U+E0001 and U+E007F begin and end a tag and are no letters. */
function letterOf(code: number): string {
  const ascii = code - TAG_OFFSET;
  return ascii >= 0x20 && ascii < 0x7f ? String.fromCharCode(ascii) : ' ';
}

const named = (count: number): string => `${count} tag characters without a text`;

/** Characters that may carry a text in the middle of others, some of which were taken out. */
interface Carrier {
  /** A quick look: most texts have none. */
  readonly any: RegExp;
  readonly runs: RegExp;
  /** What a run carries; null = it is ordinary. */
  readonly read: (run: string) => string | null;
}

const CARRIERS: readonly Carrier[] = [
  {
    any: SELECTORS_ANY,
    runs: SELECTORS,
    read: (run) => printable(selectorBytes(run)) ?? `${Array.from(run).length} variation selectors`,
  },
  { any: WIDTHLESS_ANY, runs: WIDTHLESS, read: widthlessText },
  // Hebrew and Arabic are written in this direction
  { any: /\u202e/, runs: REVERSED, read: (run) => (LATIN_WORDS.test(run) ? run.slice(1) : null) },
];

function addOthers(text: string, taken: readonly InvisibleRun[], findings: FindingList): void {
  for (const { any, runs, read } of CARRIERS) {
    if (!any.test(text)) continue;
    const placeOf = createPlaces(taken);
    for (const { 0: run, index } of text.matchAll(runs)) {
      if (findings.isFull) return;
      const excerpt = read(run);
      if (excerpt === null) continue;
      findings.add({ kind: 'invisible_characters', excerpt, at: placeOf(index) });
    }
  }
}

/**
 * Where places of a text are in the text without the runs that were taken out. They are asked for
 * in order, so the runs are walked through once.
 */
function createPlaces(taken: readonly InvisibleRun[]): (index: number) => number {
  let next = 0;
  let removed = 0;
  return (index) => {
    for (let one = taken[next]; one && one.at + removed < index; one = taken[next]) {
      const end = one.at + removed + one.run.length;
      // the place is within the run
      if (end > index) return one.at;
      removed += one.run.length;
      next += 1;
    }
    return index - removed;
  };
}

function selectorBytes(run: string): number[] {
  return Array.from(run.slice(0, READ_MAX), (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code < 0xff_ff ? code - 0xfe_00 : code - 0xe_01_00 + 16;
  });
}

/** As text, where nearly all of it is; null = it is not one. */
function printable(bytes: readonly number[]): string | null {
  const text = new TextDecoder().decode(Uint8Array.from(bytes));
  const letters = text.match(/[\p{L}\p{N}\p{P} ]/gu)?.length ?? 0;
  return text !== '' && letters >= Array.from(text).length * 0.9 ? text : null;
}

/** The text that two or more characters in turn stand for, or that there are such; null = none. */
function widthlessText(run: string): string | null {
  const signs = [...new Set(run)];
  const [first, second] = signs;
  if (first === undefined || second === undefined) return null;
  // previews of mails are filled with the same few characters over and over
  if (isRepeated(run)) return null;
  if (signs.length === 2) {
    for (const one of [first, second]) {
      const bits = Array.from(run.slice(0, READ_MAX * 8), (sign) => (sign === one ? 1 : 0));
      const text = printable(bytesOf(bits));
      if (text !== null) return text;
    }
  }
  return `${run.length} characters without width: ${signs.map(codeOf).join(', ')}`;
}

function isRepeated(run: string): boolean {
  for (let length = 1; length <= 6; length += 1)
    if (
      run ===
      run
        .slice(0, length)
        .repeat(Math.ceil(run.length / length))
        .slice(0, run.length)
    )
      return true;
  return false;
}

function bytesOf(bits: readonly number[]): number[] {
  const bytes: number[] = [];
  for (let at = 0; at + 8 <= bits.length; at += 8)
    bytes.push(bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  return bytes;
}

const codeOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
