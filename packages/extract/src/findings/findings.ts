import type { PageFinding } from '@trawl/contract';

/** A page may hide the same a thousand times. */
const FINDINGS_MAX = 20;
/** In code points. */
const EXCERPT_MAX = 300;

/** Findings that begin alike are one, unless so little is known that it says nothing. */
const KEY_LENGTH = 60;
const ALIKE_FROM = 24;

/** A finding whose place in the content is not known yet. */
export interface NewFinding {
  readonly kind: PageFinding['kind'];
  readonly excerpt: string;
  /** In UTF-16 code units of the content; null = not in it; undefined = not looked for yet. */
  readonly at?: number | null | undefined;
}

/** Collects findings: each text once, and no more than `FINDINGS_MAX`. */
export interface FindingList {
  readonly isFull: boolean;
  add(found: NewFinding): void;
  /** The findings, with their places in the content, in code points. */
  placed(content: string): PageFinding[];
}

export function createFindingList(): FindingList {
  const found = new Map<string, NewFinding>();
  return {
    get isFull() {
      return found.size >= FINDINGS_MAX;
    },
    add: (one) => {
      const excerpt = excerptOf(one.excerpt);
      if (excerpt === '') return;
      // the same text may be in an attribute and in the text
      const key = excerpt.slice(0, KEY_LENGTH);
      const same = [...found].find(([other]) => areAlike(other, key));
      if (!same) {
        if (found.size < FINDINGS_MAX) found.set(key, { ...one, excerpt });
        return;
      }
      const [name, known] = same;
      if (known.at === null && one.at !== null) found.set(name, { ...known, at: one.at });
    },
    placed: (content) => {
      const located = [...found.values()].map((one) => ({
        ...one,
        at: one.at === undefined ? placeOf(one.excerpt, content) : one.at,
      }));
      return inCodePoints(located, content);
    },
  };
}

const areAlike = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= ALIKE_FROM && (a.startsWith(b) || b.startsWith(a)));

/** One line, cut, without what a terminal or a page would not show as text. */
function excerptOf(text: string): string {
  const line = text
    .slice(0, EXCERPT_MAX * 8)
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = [...line.slice(0, EXCERPT_MAX * 2 + 2)];
  return characters.length > EXCERPT_MAX
    ? `${characters.slice(0, EXCERPT_MAX).join('')}…`
    : characters.join('');
}

/** This much of an excerpt is looked for: the content may have other marks and spaces. */
const LOOKED_FOR = [80, 40, 24];

/** Letters and digits of this much of an excerpt must be in the content behind its beginning. */
const COMPARED = 200;
/** With marks and spaces, the same takes no more in the content. */
const COMPARED_WITHIN = 2 * COMPARED;

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

/** Where a text begins in the content; null = it is not in it. */
function placeOf(excerpt: string, content: string): number | null {
  const letters = lettersOf(excerpt.slice(0, COMPARED));
  for (const length of LOOKED_FOR) {
    const start = excerpt.slice(0, length).trimEnd().replace(/…$/, '');
    if (start.length < Math.min(excerpt.length, 8)) continue;
    const at = content.indexOf(start);
    if (at >= 0 && lettersOf(content.slice(at, at + COMPARED_WITHIN)).startsWith(letters))
      return at;
  }
  return null;
}

type Located = NewFinding & { readonly at: number | null };

/** In one pass over the content, whatever the number of findings. */
function inCodePoints(located: readonly Located[], content: string): PageFinding[] {
  const ordered = [...new Set(located.flatMap(({ at }) => at ?? []))].sort((a, b) => a - b);
  const offsets = new Map<number, number>();
  let index = 0;
  let points = 0;
  for (const at of ordered) {
    for (; index < at; index += 1) if ((content.charCodeAt(index) & 0xfc00) !== 0xdc00) points += 1;
    offsets.set(at, points);
  }
  return located.map(({ kind, excerpt, at }) => ({
    kind,
    excerpt,
    offset: at === null ? null : (offsets.get(at) ?? null),
  }));
}
