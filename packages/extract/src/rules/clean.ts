import { closest, isElement, namesOf, type PageElement, type RemoveNode } from '../dom/dom.ts';
import { INLINE, type Measures, measureAll } from '../dom/measure.ts';
import { BLOCK, HEADING } from '../dom/tags.ts';
import { CONTRIBUTION, type PageKind, PROSE_OF } from '../facts/page-kind.ts';
import {
  AUTHOR_DETAILS,
  COMMENTS,
  FRAME_NAMES,
  ICON_NAMES,
  LINK_PARTS,
  NEVER_CONTENT,
  READ_OUT_NAMES,
  TEASER_NAMES,
  TOOL_NAMES,
} from './chrome-names.ts';
import { isConsentPanel } from './consent-panel.ts';
import { isHidden } from './hidden.ts';
import { isStandalone } from './leftovers.ts';
import { type Footnotes, isNote } from './notes.ts';
import { aroundMain, hasSecondSign, type SignedBody } from './second-sign.ts';

/**
 * Elements whose content is never text of the page. Frames and players are read before they are
 * removed.
 */
const INVISIBLE_ELEMENTS =
  'script,style,noscript,template,svg,canvas,button,select,textarea,object,embed,iframe,datalist,dialog,link,meta,title,base,input';

const CONTROLS = new Set(['button', 'input', 'select', 'textarea']);

const CHROME_ROLES = new Set(
  'navigation search dialog alertdialog menu menubar toolbar tablist tooltip'.split(' '),
);
/** Elements around a text and around its parts, by their name or role. */
const LANDMARKS: Readonly<Record<string, 'header' | 'footer' | 'aside'>> = {
  header: 'header',
  hgroup: 'header',
  banner: 'header',
  footer: 'footer',
  contentinfo: 'footer',
  aside: 'aside',
  complementary: 'aside',
};
const MESSAGE_ROLES = new Set(['alert', 'status']);

/** With this much prose, an element is not removed because of its name alone. */
const MUCH_TEXT = 200;

/** An element with this share of all prose is not removed, whatever its name. */
const CONTENT_SHARE = 0.45;

/** Removes the parts around the text from a page without invisible elements. */
export function removeChrome(
  body: PageElement,
  kind: PageKind,
  footnotes: Footnotes,
  { remove, doubt }: ChromeUse,
): void {
  const measures = measureAll(body);
  const whole = measures(body);
  const hasProse = whole.prose > PROSE_OF[kind];
  const limit = (hasProse ? whole.prose : whole.text) * CONTENT_SHARE;
  const page: CleanedPage = {
    kind,
    measures,
    aroundMain: aroundMain(body, measures),
    footnotes,
    doubt,
  };
  const isAround = (element: PageElement): boolean => {
    const { prose, text } = measures(element);
    const size = hasProse ? prose : text;
    const isSmall =
      size <= limit ||
      (text <= whole.text * CONTENT_SHARE && isHidden(element)) ||
      (kind === 'article' && whole.prose - prose > 500 && COMMENTS.test(namesOf(element)));
    return isSmall && isChrome(element, page);
  };
  removeWhere(body, isAround, remove);
}

export interface ChromeUse {
  readonly remove: RemoveNode;
  /** Called with an element that only its name says to be around the text. */
  readonly doubt: (element: PageElement) => void;
}

interface CleanedPage extends SignedBody, Pick<ChromeUse, 'doubt'> {
  readonly kind: PageKind;
  readonly footnotes: Footnotes;
}

/** Removes only what is never visible. Where fields and buttons were is noted. */
export function removeInvisible(body: PageElement): void {
  for (const element of body.querySelectorAll(INVISIBLE_ELEMENTS)) {
    // a task list has checkboxes
    if (element.localName === 'input' && element.getAttribute('type') === 'checkbox') continue;
    if (CONTROLS.has(element.localName)) noteControl(element);
    element.remove();
  }
}

function noteControl(element: PageElement): void {
  for (let at = element.parentNode; at; at = at.parentNode) at.controls += 1;
}

/** Removes the outermost elements that the test matches. */
export function removeWhere(
  root: PageElement,
  test: (element: PageElement) => boolean,
  remove: RemoveNode,
): void {
  const waiting: PageElement[] = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    if (element !== root && test(element)) {
      remove(element);
      continue;
    }
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (isElement(child)) waiting.push(child);
    }
  }
}

function isChrome(element: PageElement, page: CleanedPage): boolean {
  const { localName } = element;
  const { measures } = page;
  if (localName === 'body' || isFormula(element)) return false;
  if (localName === 'nav' || localName === 'menu') return true;
  const role = element.getAttribute('role') ?? '';
  if (CHROME_ROLES.has(role) || isUnseen(element, measures)) return true;
  if (isConsentPanel(element, measures)) return true;
  if (isNote(element)) return false;
  if (isBesideNotes(element, page)) return true;
  const landmark = LANDMARKS[localName] ?? LANDMARKS[role];
  if (landmark) return isAroundText(element, landmark, page);
  const names = namesOf(element);
  // most elements
  if (names === '' && !MESSAGE_ROLES.has(role)) return false;
  if (TEXT_ITSELF.has(localName) || isInCode(element)) return false;
  if (!isNamedChrome(element, page) && !MESSAGE_ROLES.has(role)) return false;
  if (element.querySelector('h1') || measures(element).text >= 20_000) return false;
  if (holdsContent(element, measures)) return isSurely(element, page);
  // a word of a sentence
  return !INLINE.has(localName) || isStandalone(element);
}

/** A class or an id alone is no reason to leave out a sentence, a table or code. */
function isSurely(element: PageElement, page: CleanedPage): boolean {
  if (hasSecondSign(element, page)) return true;
  page.doubt(element);
  return false;
}

/** Whether an element is next to the footnotes in a footer. */
function isBesideNotes(element: PageElement, { footnotes }: CleanedPage): boolean {
  const { parentNode: parent, localName } = element;
  const { notes, around } = footnotes;
  if (!parent || !around.has(parent) || around.has(element) || notes.has(element)) return false;
  return !HEADING.has(localName) && (LANDMARKS[parent.localName] ?? '') === 'footer';
}

/** Whether its names say that an element is around the text. */
function isNamedChrome(element: PageElement, { kind, measures }: CleanedPage): boolean {
  const names = namesOf(element);
  if (names === '') return false;
  const isSure =
    NEVER_CONTENT.test(names) ||
    (kind !== 'list' && LINK_PARTS.test(names)) ||
    (kind === 'discussion' ? AUTHOR_DETAILS : COMMENTS).test(names);
  if (isSure || isSignatureOfPost(element, names)) return true;
  const isNamed = FRAME_NAMES.test(names) || isWidget(element);
  if (!isNamed && !(kind === 'article' && TEASER_NAMES.test(names))) return false;
  return !hasMuchText(element, measures);
}

/** Below a contribution it is that of its author, in documentation that of a function. */
const isSignatureOfPost = (element: PageElement, names: string): boolean =>
  / signature /.test(names) &&
  closest(element.parentNode, (around) => CONTRIBUTION.test(namesOf(around))) !== null;

/** Whether an element of this kind is around the page's text, or is a part of it. */
function isAroundText(
  element: PageElement,
  landmark: 'header' | 'footer' | 'aside',
  page: CleanedPage,
): boolean {
  if (isWithin(element, 'blockquote') || page.footnotes.around.has(element)) return false;
  if (landmark === 'header' && (element.querySelector('h1, h2') || isWithin(element, 'article')))
    return false;
  const isInText = isWithin(element, 'article') || isWithin(element, 'main');
  if (!isInText || page.measures(element).prose === 0) return true;
  return isSurely(element, page);
}

/** Whether there are sentences, a table, code, or text below a heading. */
function holdsContent(element: PageElement, measures: Measures): boolean {
  const { prose, text, linked } = measures(element);
  if (prose > 0 || element.querySelector('pre, table')) return true;
  return text >= 20 && linked < text * 0.25 && element.querySelector('h2, h3, h4, h5, h6') !== null;
}

function hasMuchText(element: PageElement, measures: Measures): boolean {
  const { prose, linked, text } = measures(element);
  return prose >= MUCH_TEXT && linked < text * 0.25;
}

const TEXT_ITSELF = new Set(
  'pre code table tbody tr td th h1 h2 h3 h4 h5 h6 blockquote'.split(' '),
);

/** Page builders give every part of a page a widget name. */
function isWidget(element: PageElement): boolean {
  return /(?:^|\s)widget(?:[_\s-]|$)/.test(element.getAttribute('class') ?? '');
}

/**
 * Decides what no reader sees of an element, or needs: hidden parts, ornaments, labels for readers
 * of the screen, small tools.
 */
export function createUnseenTest(root: PageElement): (element: PageElement) => boolean {
  const measures = measureAll(root);
  return (element) => !isFormula(element) && isUnseen(element, measures);
}

/** What scripts and servers put around a formula; they hide its source. */
const FORMULA = / (?:math ?jax|mjx|katex|mwe math) /;

const isFormula = (element: PageElement): boolean =>
  element.localName === 'math' ||
  ((element.localName.startsWith('mjx-') || FORMULA.test(namesOf(element))) &&
    element.querySelector('math') !== null);

const isUnseen = (element: PageElement, measures: Measures): boolean =>
  isHidden(element) || isOrnament(element, measures) || isTool(element, measures);

function isTool(element: PageElement, measures: Measures): boolean {
  const names = namesOf(element);
  if (names === '' || TEXT_ITSELF.has(element.localName)) return false;
  const isReadOut = READ_OUT_NAMES.test(names);
  if ((!isReadOut && !TOOL_NAMES.test(names)) || isInCode(element)) return false;
  return isReadOut ? !isWholeCell(element, measures) : measures(element).prose < MUCH_TEXT;
}

/** Whether a cell of a table has no other text: then it says what the icon next to it means. */
function isWholeCell(element: PageElement, measures: Measures): boolean {
  const cell = closest(element.parentNode, ({ localName }) => CELLS.has(localName));
  return cell !== null && measures(cell).text === measures(element).text;
}

const CELLS = new Set(['td', 'th']);

const isInCode = (element: PageElement): boolean =>
  isWithin(element, 'pre') || isWithin(element, 'code');

/**
 * What only pictures and repeats, so that it is not read out. With a sentence in it, it is text
 * that is shown; so are words in a line, for which readers of the screen have other ones.
 */
function isOrnament(element: PageElement, measures: Measures): boolean {
  const { localName } = element;
  if (element.getAttribute('aria-hidden') !== 'true') return false;
  if (localName === 'img' || measures(element).prose > 0) return false;
  return BLOCK.has(localName) || isIcon(element) || !WORD.test(element.textContent);
}

const WORD = /[\p{L}\p{N}]/u;

/** Fonts of icons draw a picture for a word such as `arrow_forward`. */
const isIcon = (element: PageElement): boolean =>
  element.localName === 'i' || ICON_NAMES.test(namesOf(element));

function isWithin(element: PageElement, name: string): boolean {
  return closest(element.parentNode, ({ localName }) => localName === name) !== null;
}
