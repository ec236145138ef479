import { closest, likenessOf, lineOf, namesOf, type PageElement } from '../dom/dom.ts';
import type { Measures } from '../dom/measure.ts';
import { COMMENTS, FRAME_NAMES, LINK_PARTS, NEVER_CONTENT } from './chrome-names.ts';
import { EMPTY_LINE, RELATED_HEADING } from './phrases.ts';

/** Elements and roles of what is around a text. */
const LANDMARKS = new Set(['aside', 'footer', 'header', 'form']);
const LANDMARK_ROLES = new Set(['complementary', 'contentinfo', 'banner', 'form']);
/** What only such parts say to their readers. */
const CALL = new RegExp(
  [
    String.raw`\b(?:subscribe (?:to|now|today|for)|unsubscribe|sign up (?:for|to|now|today|here)|join (?:our|the) (?:list|newsletter|community)|(?:to|in) your inbox|your e-?mail address|leave a (?:reply|comment)|follow (?:us|me|him|her)\b|share (?:this|on|via)\b|log in to|sign in to|by (?:continuing|clicking|signing|subscribing|using this)|accept (?:all|cookies)|affiliate (?:links?|commissions?)|about the author|(?:was )?last (?:edited|updated|modified)|terms may apply|privacy policy|terms of (?:use|service)|uses? cookies|(?:is|was) an? (?:\S{1,30} ){0,4}(?:writer|reporter|editor|journalist|columnist|correspondent|contributor|author|blogger)\b|all rights reserved)`,
    String.raw`©|\(c\) ?\d{4}`,
    "(?:(?:our|unseren?m?|notre|nuestr[ao]|nossa|nostra|onze) newsletter|newsletter abonnieren|e-mail-adresse|anmelden|abonnieren|alle rechte|folge(?:n sie)? uns|über den autor|s'abonner|inscrivez-vous|tous droits|suivez-nous|suscríbe|síguenos|derechos reservados|inscreva-se|siga-nos|iscriviti|abonneer|zapisz się)",
  ].join('|'),
  'i',
);
/** When and by whom a comment was made, or how many there are. */
const SAID =
  /\b(?:says|said|wrote|reply|replies|antworten|sagt|répondre|responder|rispondi|ago|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,6} (?:comments?|thoughts?|responses?|kommentare?|commentaires?))\b/i;
const START = 600;

export interface SignedBody {
  readonly measures: Measures;
  /** The elements around its text, the innermost first, with the child of each that leads to it. */
  readonly aroundMain: ReadonlyMap<PageElement, PageElement>;
}

/** Of all prose, the share that is in the text of a page. */
export const MAIN_SHARE = 0.5;

/**
 * What is around the text of a page: the element that the page names so, or the smallest one with
 * most of the prose.
 */
export function aroundMain(
  body: PageElement,
  measures: Measures,
): ReadonlyMap<PageElement, PageElement> {
  const around = new Map<PageElement, PageElement>();
  for (let at = mainOf(body, measures); at !== body && at.parentNode; at = at.parentNode)
    around.set(at.parentNode, at);
  return around;
}

function mainOf(body: PageElement, measures: Measures): PageElement {
  const least = measures(body).prose * MAIN_SHARE;
  for (const selector of ['main', '[role="main"]', 'article']) {
    const found = body.querySelectorAll(selector).find((one) => measures(one).prose > least);
    if (found) return found;
  }
  let main = body;
  for (;;) {
    const next = main.children.find((child) => measures(child).prose > least);
    if (!next) return main;
    main = next;
  }
}

/** Whether an element has, next to its name, another sign that it is around the text. */
export function hasSecondSign(
  element: PageElement,
  { measures, aroundMain: around }: SignedBody,
): boolean {
  const { text, linked } = measures(element);
  const label = element.getAttribute('aria-label') ?? '';
  const names = ` ${label.toLowerCase()} `;
  return (
    linked >= text * 0.4 ||
    isAskingForInput(element) ||
    [FRAME_NAMES, NEVER_CONTENT, LINK_PARTS].some((known) => known.test(names)) ||
    isOutside(element, around) ||
    hasEntries(element) ||
    closest(element.parentNode, isLandmark) !== null ||
    isCalling(element)
  );
}

const isLandmark = (element: PageElement): boolean =>
  LANDMARKS.has(element.localName) || LANDMARK_ROLES.has(element.getAttribute('role') ?? '');

/** Examples of code have a button too, which copies them. */
const isAskingForInput = (element: PageElement): boolean =>
  element.querySelector('form') !== null ||
  (element.controls > 0 && element.querySelector('pre') === null);

const ENTRIES = new Set(['li', 'div', 'article', 'section', 'tr', 'dd']);

/** Whether there are several entries with links of their own: other articles, comments. */
function hasEntries(element: PageElement): boolean {
  const entries = new Map<PageElement, Set<PageElement>>();
  for (const link of element.querySelectorAll('a[href]')) {
    if (link.getAttribute('href')?.startsWith('#')) continue;
    let at = link;
    for (let parent = at.parentNode; parent && at !== element; parent = at.parentNode) {
      const known = entries.get(parent) ?? new Set();
      if (ENTRIES.has(at.localName)) known.add(at);
      if (known.size >= 3) return true;
      entries.set(parent, known);
      at = parent;
    }
  }
  return false;
}

/** Whether an element is next to the text, and not a part of it like the others. */
function isOutside(element: PageElement, around: ReadonlyMap<PageElement, PageElement>): boolean {
  let outer = element;
  while (outer.parentNode && !around.has(outer.parentNode)) outer = outer.parentNode;
  const inner = outer.parentNode && around.get(outer.parentNode);
  return inner != null && inner !== outer && likenessOf(inner) !== likenessOf(outer);
}

function isCalling(element: PageElement): boolean {
  const start = lineOf(element.textContent.slice(0, START * 2)).slice(0, START);
  if (CALL.test(start)) return true;
  if (COMMENTS.test(namesOf(element)) && SAID.test(start)) return true;
  const first = element.querySelector('h1, h2, h3, h4, h5, h6, strong, b');
  const title = first ? lineOf(first.textContent) : '';
  return [title, start].some(
    (line) => line !== '' && (EMPTY_LINE.test(line) || RELATED_HEADING.test(line)),
  );
}
