import type { PageElement } from '../dom/dom.ts';
import {
  areAlike,
  type Color,
  colorOf,
  type Declarations,
  declarationsOf,
  pixels,
  share,
} from '../dom/style.ts';
import type { StyleSheets } from '../dom/style-sheets.ts';

/**
 * How an element is kept from its readers: `hidden` as menus are that wait, `veiled` in a way that
 * no menu needs, such as white on white; null = it is shown.
 */
export type Hiding = 'hidden' | 'veiled' | null;

/** What browsers never show as text, though its text is in the page. */
const NEVER_SHOWN = new Set(
  'noscript noframes noembed datalist canvas object iframe audio video metadata desc rp template'.split(
    ' ',
  ),
);
/** Names by which style sheets that we don't see hide. */
const HIDING_CLASS = new Set(
  (
    'hidden hide is-hidden invisible d-none sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only ' +
    'screenreader assistive-text a11y-hidden element-invisible offscreen off-screen u-hidden opacity-0 text-transparent ' +
    'hidden-text hidden-content ai-only llm-only bot-only for-ai for-llms'
  ).split(' '),
);
/** Everything is in these; pages hide them until they are ready. */
const WHOLE = new Set(['html', 'body']);

/** Says how elements of a page are hidden, by their own attributes and styles. */
export function createHidingTest(sheets: StyleSheets): (element: PageElement) => Hiding {
  const known = new Map<PageElement, Hiding>();
  const declarations = new Map<PageElement, Declarations>();
  const styleOf = (element: PageElement): Declarations => {
    const found = declarations.get(element);
    if (found) return found;
    const made = fullStyle(element, sheets);
    declarations.set(element, made);
    return made;
  };
  return (element) => {
    const found = known.get(element);
    if (found !== undefined) return found;
    const made = WHOLE.has(element.localName) ? null : hidingOf(element, styleOf);
    known.set(element, made);
    return made;
  };
}

type StyleOf = (element: PageElement) => Declarations;

/** The styles of a page for an element, then its own. */
function fullStyle(element: PageElement, sheets: StyleSheets): Declarations {
  const all = new Map<string, string>();
  for (const rule of sheets.rulesFor(element))
    for (const [name, value] of rule) all.set(name, value);
  const color = element.getAttribute('color');
  if (color !== null && element.localName === 'font') all.set('color', color.toLowerCase());
  const background = element.getAttribute('bgcolor');
  if (background !== null) all.set('background-color', background.toLowerCase());
  const style = element.getAttribute('style');
  if (style !== null) for (const [name, value] of declarationsOf(style)) all.set(name, value);
  return all;
}

function hidingOf(element: PageElement, styleOf: StyleOf): Hiding {
  const style = styleOf(element);
  if (style.size > 0 && isVeiled(element, style, styleOf)) return 'veiled';
  if (NEVER_SHOWN.has(element.localName) || element.hasAttribute('hidden')) return 'hidden';
  if (element.localName === 'dialog' && !element.hasAttribute('open')) return 'hidden';
  if (element.getAttribute('aria-hidden') === 'true') return 'hidden';
  if (style.get('display') === 'none') return 'hidden';
  if (/^(?:hidden|collapse)$/.test(style.get('visibility') ?? '')) return 'hidden';
  if (style.get('content-visibility') === 'hidden' || isClear(style)) return 'hidden';
  const classes = element.getAttribute('class');
  const isNamed = classes?.split(/\s+/).some((name) => HIDING_CLASS.has(name.toLowerCase()));
  return isNamed ? 'hidden' : null;
}

/** Opacity is how parts of a page fade in, so it says little. */
const isClear = (style: Declarations): boolean =>
  (share(style.get('opacity')) ?? 1) <= CLEAR ||
  (share(/opacity\(([^()]{1,20})\)/.exec(style.get('filter') ?? '')?.[1]) ?? 1) <= CLEAR;

const CLEAR = 0.06;
const TINY_PIXELS = 2;
/** Further away than any window is wide, in pixels. */
const FAR = 500;
const VERY_FAR = 4_000;
const POSITIONED = /^(?:absolute|fixed|relative|sticky)$/;
const SIDES = [
  'left',
  'right',
  'top',
  'bottom',
  'inset',
  'inset-inline-start',
  'inset-block-start',
];
const MARGINS = ['margin-left', 'margin-top', 'margin'];

function isVeiled(element: PageElement, style: Declarations, styleOf: StyleOf): boolean {
  return (
    isTiny(style) ||
    isAway(style) ||
    isClipped(style) ||
    hasNoRoom(style) ||
    isUnreadable(element, style, styleOf)
  );
}

/** The size in `font: bold 12px/1.5 serif`: before the line height, or before the family. */
const SHORT_SIZE = /(?:^|\s)(\.?\d[\d.]{0,5}[a-z%]{0,4})(?:\/|\s{1,3}[^\d\s])/;

function isTiny(style: Declarations): boolean {
  const size = style.get('font-size') ?? SHORT_SIZE.exec(style.get('font') ?? '')?.[1];
  if (size !== undefined) {
    const isRelative = /(?:%|em)$/.test(size);
    const value = size.endsWith('%') ? (share(size) ?? 1) * 16 : pixels(size);
    if (value !== undefined && value <= TINY_PIXELS && (isRelative || value >= 0)) return true;
  }
  return (share(style.get('zoom')) ?? 1) <= 0.1;
}

function isAway(style: Declarations): boolean {
  const indent = pixels(style.get('text-indent')?.split(' ')[0]);
  if (indent !== undefined && (indent <= -FAR || indent >= VERY_FAR)) return true;
  const isFar = (names: readonly string[]): boolean =>
    names.some((name) =>
      (style.get(name) ?? '').split(' ').some((part) => {
        const length = pixels(part);
        return length !== undefined && (length <= -FAR || length >= VERY_FAR);
      }),
    );
  if (isFar(MARGINS)) return true;
  if (POSITIONED.test(style.get('position') ?? '') && isFar(SIDES)) return true;
  return isMovedAway(`${style.get('transform') ?? ''} ${style.get('translate') ?? ''}`, style);
}

const MOVED = /[(,\s](-?\d{1,7}(?:\.\d{0,4})?(?:px|em|rem|vw|vh|%))/g;

function isMovedAway(transform: string, style: Declarations): boolean {
  if (/scale(?:3d|x|y)?\(\s?(?:0|\.0|0\.0)\d{0,2}\s?[,)]/.test(transform)) return true;
  if (/^(?:0|0\.0\d{0,2})(?:\s|$)/.test(style.get('scale') ?? '')) return true;
  if (/rotate[xy]\(\s?-?(?:90|270)deg\s?\)/.test(transform)) return true;
  if (!transform.includes('translate') && style.get('translate') === undefined) return false;
  return [...transform.slice(0, 300).matchAll(MOVED)].some(
    ([, length]) => Math.abs(pixels(length) ?? 0) >= VERY_FAR / 2,
  );
}

function isClipped(style: Declarations): boolean {
  const clip = style.get('clip') ?? '';
  // the form of labels for screen readers is a rectangle of a pixel too: it hides all the same
  if (/^rect\(\s?(?:[01](?:px)?[\s,]{1,3}){3}[01](?:px)?\s?\)/.test(clip)) return true;
  const path = style.get('clip-path') ?? style.get('-webkit-clip-path') ?? '';
  return /^(?:inset\(\s?(?:50|[6-9]\d|100)%|circle\(\s?0|ellipse\(\s?0|polygon\(\s?0(?:px|%)? 0(?:px|%)?\s?\)|polygon\(\s?0(?:px|%)? 0(?:px|%)?,\s?0(?:px|%)? 0(?:px|%)?)/.test(
    path,
  );
}

function hasNoRoom(style: Declarations): boolean {
  const overflow =
    style.get('overflow') ?? style.get('overflow-y') ?? style.get('overflow-x') ?? '';
  if (!/hidden|clip/.test(overflow)) return false;
  return ['height', 'width', 'max-height', 'max-width', 'line-height'].some((name) => {
    const length = pixels(style.get(name));
    return length !== undefined && length >= 0 && length <= 1;
  });
}

const WHITE: Color = [255, 255, 255, 1];

/** Whether text has the color of what is behind it, or none. */
function isUnreadable(element: PageElement, style: Declarations, styleOf: StyleOf): boolean {
  const fill = style.get('-webkit-text-fill-color');
  const written = fill ?? style.get('color');
  if (written === undefined) return false;
  const isPainted = /text/.test(
    style.get('background-clip') ?? style.get('-webkit-background-clip') ?? '',
  );
  const color = colorOf(written);
  if (color && color[3] <= CLEAR) return !isPainted;
  const background = backgroundOf(element, styleOf);
  if (background === UNKNOWN) return false;
  if (background === written) return true;
  const behind = background === null ? WHITE : colorOf(background);
  return color !== undefined && behind !== undefined && areAlike(color, behind);
}

/** A picture or a gradient, on which any color may be read. */
const UNKNOWN = 'unknown';

/** The color behind an element, as written; null = none is said, so that of the window. */
function backgroundOf(element: PageElement, styleOf: StyleOf): string | null {
  for (let at: PageElement | null = element; at; at = at.parentNode) {
    const style = styleOf(at);
    if (style.size === 0) continue;
    if (/url\(|gradient/.test(style.get('background-image') ?? '')) return UNKNOWN;
    const written = style.get('background-color') ?? style.get('background');
    if (written === undefined || /^(?:none|transparent|inherit|initial|unset)$/.test(written))
      continue;
    if (/url\(|gradient|var\(/.test(written)) return UNKNOWN;
    return written;
  }
  return null;
}
