import { isElement, isText, type PageElement } from '../dom/dom.ts';
import { INLINE } from '../dom/measure.ts';
import type { TreeNode } from '../dom/tree.ts';

/** Attributes whose values are words for readers. */
const WORDED = new Set([
  'alt',
  'title',
  'content',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'placeholder',
  'summary',
  'label',
  'value',
  'data-note',
  'data-prompt',
  'data-instructions',
  'data-ai',
  'data-llm',
]);
/** Shorter values give no orders. */
const WORDED_MIN = 16;
/** Values are read up to here. */
const VALUE_MAX = 20_000;

/** The texts of a page, in its order, with the elements that they are in. */
export interface PageTexts {
  readonly text: string;
  /** Where each piece begins in the text, and its element. */
  readonly starts: readonly number[];
  readonly elements: readonly PageElement[];
  /** What attributes say. */
  readonly values: readonly string[];
  /** Its structured data. */
  readonly data: readonly string[];
  /** Texts and values with invisible characters, as they are. */
  readonly carriers: readonly string[];
}

/** Comments are read up to here, all together. */
const COMMENTS_MAX_CHARACTERS = 500_000;

/** The comments of a page's source. The parser keeps none. */
export function* commentsIn(source: string): Generator<string> {
  let left = COMMENTS_MAX_CHARACTERS;
  let from = 0;
  for (let at = source.indexOf('<!--'); at >= 0 && left > 0; at = source.indexOf('<!--', from)) {
    const { end, next } = commentEnd(source, at + 4);
    const comment = source.slice(at + 4, Math.min(end, at + 4 + left));
    left -= comment.length;
    if (comment.length >= WORDED_MIN) yield comment;
    from = next;
  }
}

/** `<!-->` and `<!--->` end at once; others end with `-->` or `--!>` (HTML 13.2.5.43). */
const COMMENT_END = /--!?>/g;

function commentEnd(
  source: string,
  start: number,
): { readonly end: number; readonly next: number } {
  for (const mark of ['>', '->'])
    if (source.startsWith(mark, start)) return { end: start, next: start + mark.length };
  COMMENT_END.lastIndex = start;
  const found = COMMENT_END.exec(source);
  if (!found) return { end: source.length, next: source.length };
  return { end: found.index, next: found.index + found[0].length };
}

/** Collects the texts of a page in one walk. */
export function textsOf(root: PageElement): PageTexts {
  const parts: string[] = [];
  const starts: number[] = [];
  const elements: PageElement[] = [];
  const values: string[] = [];
  const data: string[] = [];
  const carriers: string[] = [];
  let length = 0;
  const push = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  const top = root as TreeNode;
  let at: TreeNode | null = top;
  while (at) {
    let isEntered = false;
    if (isText(at)) {
      if (at.parentNode) {
        starts.push(length);
        elements.push(at.parentNode);
        const words = wordsOf(at.data);
        if (words !== at.data) carriers.push(at.data);
        push(words);
      }
    } else if (isElement(at)) {
      for (const [name, value] of at.attribs)
        if (value.length >= WORDED_MIN && WORDED.has(name)) {
          values.push(value.slice(0, VALUE_MAX));
          if (UNSEEN.test(value)) carriers.push(value.slice(0, VALUE_MAX));
        }
      isEntered = at.first !== null && !isCode(at);
      if (at.localName === 'script' && isData(at)) data.push(jsonWords(at.textContent));
      if (!INLINE.has(at.localName)) push('\n');
    }
    if (isEntered) {
      at = at.first;
      continue;
    }
    while (at && at !== top && !at.nextSibling) {
      at = at.parentNode;
      if (at && !INLINE.has(at.localName)) push('\n');
    }
    at = at === top || !at ? null : at.nextSibling;
  }
  return { text: parts.join(''), starts, elements, values, data, carriers };
}

/** What may be within a word without being seen, joiners and variation selectors included. */
const UNSEEN =
  /[\u00ad\u180e\u200b-\u200f\u2060-\u2064\u202a-\u202e\ufeff]|[\ufe00-\ufe0f]|\udb40[\udc00-\udc7f\udd00-\uddef]/;
const ALL_UNSEEN = new RegExp(UNSEEN, 'g');

export const wordsOf = (text: string): string =>
  UNSEEN.test(text) ? text.replace(ALL_UNSEEN, '') : text;

const isCode = ({ localName }: PageElement): boolean =>
  localName === 'script' || localName === 'style';

const isData = (script: PageElement): boolean =>
  /ld\+json/i.test(script.getAttribute('type') ?? '');

/** How much of a script's data is read. */
const DATA_MAX = 300_000;

/** JSON as words: escapes are written out, and each value is a sentence of its own. */
const jsonWords = (json: string): string =>
  json
    .slice(0, DATA_MAX)
    .replace(/\\(?:u([\da-f]{4})|(["\\/])|[bfnrt])/gi, (_, hex?: string, sign?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (sign ?? '\n'),
    )
    .replace(/"\s?[,:}\]]\s?"?/g, '\n');
