import { closest, elementAfter, elementBefore, namesOf, type PageElement } from '../dom/dom.ts';
import { type Measures, measureAll } from '../dom/measure.ts';
import { HEADING } from '../dom/tags.ts';
import { unwrap } from '../dom/tree.ts';
import { COMMENTS } from './chrome-names.ts';
import { isHidden, show } from './hidden.ts';

/** Names of sections that a reader opens, and of what opens them. */
const FOLDED =
  / (?:accordions?|tabs?|panels?|tabpanel|collaps(?:e|ed|ible)|faqs?|questions?|answers?|expand(?:ed|able|er)?|toggle|details) /;
/** Names of notes that are hidden next to their number. */
const FOOTNOTE = / (?:foot|end|side) ?notes? /;
/** Names of parts of a text. With much text in it, such a part is there to be read. */
const PART = / (?:description|contents?|body) /;
const MUCH_TEXT = 200;
/** Names of what lies over a page. */
const OVER_PAGE =
  / (?:modal|popup|overlay|lightbox|off ?canvas|tool ?tip|cookies?|consent|login|log ?in|sign ?(?:in|up)|newsletters?|subscribe|menus?|drawer|paywall) /;
/** Elements that say what the next one is about. */
const TITLES = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary']);
const SECTIONS = new Set(['div', 'section', 'article', 'dd', 'ul', 'ol', 'dl', 'table', 'pre']);
const MENU_ROLES = new Set(
  'menu menubar listbox dialog alertdialog navigation search tooltip'.split(' '),
);
/** Attributes with the id of what an element opens. */
const TARGETS = ['aria-controls', 'data-bs-target', 'data-target', 'href'];
/** With more text next to it, a button in a heading is not the heading's text. */
const REST = 0.25;

/**
 * Shows what a page hides only until its reader opens it: tabs, answers to questions, sections that
 * a search finds. A button that is a heading, or that opens such a section, becomes text.
 */
export function openFolded(body: PageElement): void {
  const hidden = body.querySelectorAll('[hidden], [style], [class]').filter(isHidden);
  const buttons = body.querySelectorAll('button');
  if (hidden.length + buttons.length === 0) return;
  const page = { measures: measureAll(body), targets: targetsIn(body) };
  const titles = buttons.filter((button) => isTitle(button, page));
  for (const element of hidden) if (isFolded(element, page)) show(element);
  for (const button of titles) unwrap(button);
}

interface FoldedPage {
  readonly measures: Measures;
  /** What something on the page opens, by id. */
  readonly targets: ReadonlyMap<string, PageElement>;
}

function targetsIn(body: PageElement): ReadonlyMap<string, PageElement> {
  const ids = new Set<string>();
  for (const opener of body.querySelectorAll(
    '[aria-controls], [data-bs-target], [data-target], [data-toggle], [data-bs-toggle], [role="tab"]',
  )) {
    if (!isInMenu(opener)) for (const id of idsOf(opener)) ids.add(id);
  }
  const targets = new Map<string, PageElement>();
  if (ids.size === 0) return targets;
  for (const element of body.querySelectorAll('[id]')) {
    const id = element.getAttribute('id') ?? '';
    if (ids.has(id) && !targets.has(id)) targets.set(id, element);
    if (targets.size === ids.size) break;
  }
  return targets;
}

const idsOf = (opener: PageElement): string[] =>
  TARGETS.flatMap((name) => opener.getAttribute(name)?.replace(/^#/, '').trim() || []);

const isInMenu = (element: PageElement): boolean => closest(element, isMenu) !== null;

const isMenu = (element: PageElement): boolean =>
  element.localName === 'nav' ||
  element.localName === 'menu' ||
  MENU_ROLES.has(element.getAttribute('role') ?? '');

function isFolded(element: PageElement, page: FoldedPage): boolean {
  const { measures, targets } = page;
  if (isInMenu(element) || OVER_PAGE.test(namesOf(element))) return false;
  if (element.getAttribute('hidden') === 'until-found') return true;
  if (FOOTNOTE.test(namesOf(element))) return true;
  if (!holdsText(element, measures)) return false;
  const role = element.getAttribute('role');
  if (role === 'tabpanel' || (role === 'region' && element.hasAttribute('aria-labelledby')))
    return true;
  if (targets.get(element.getAttribute('id') ?? '') === element) return true;
  if (isTitled(element, page)) return true;
  const names = namesOf(element);
  const { prose } = measures(element);
  if (PART.test(names) && prose >= MUCH_TEXT && !COMMENTS.test(names)) return true;
  return FOLDED.test(names) && (prose > 0 || element.querySelector('pre, table') !== null);
}

/** Whether there is text that is no link. */
function holdsText(element: PageElement, measures: Measures): boolean {
  const { text, linked } = measures(element);
  return text > linked * 2;
}

/** Whether it is a section, and its title is just before it. */
function isTitled(element: PageElement, page: FoldedPage): boolean {
  if (!SECTIONS.has(element.localName)) return false;
  const before = elementBefore(element);
  if (!before || isHidden(before)) return false;
  if (TITLES.has(before.localName) || before.hasAttribute('aria-expanded')) return true;
  if (before.localName === 'button') return isTitle(before, page);
  const heading = before.querySelector('h2, h3, h4, h5, h6');
  return heading !== null && isMost(heading, before, page);
}

/** Whether hardly any text of an element is outside of a part. */
function isMost(part: PageElement, element: PageElement, { measures }: FoldedPage): boolean {
  const { text } = measures(part);
  return measures(element).text - text <= text * REST;
}

function isTitle(button: PageElement, page: FoldedPage): boolean {
  const { text } = page.measures(button);
  if (text < 2 || isInMenu(button)) return false;
  const heading = closest(
    button.parentNode,
    ({ localName }) => TITLES.has(localName) || localName === 'h1',
  );
  if (heading) return isMost(button, heading, page);
  if ([...HEADING].some((name) => button.querySelector(name))) return true;
  const opens = button.hasAttribute('aria-expanded') || FOLDED.test(namesOf(button));
  return opens && openedBy(button, page).some((target) => isSection(target, page));
}

/** What a button may open: the element that it names, or the one after it. */
function openedBy(button: PageElement, { targets }: FoldedPage): PageElement[] {
  const named = idsOf(button).flatMap((id) => targets.get(id) ?? []);
  if (named.length > 0) return named;
  const after = elementAfter(button) ?? (button.parentNode && elementAfter(button.parentNode));
  return after && (isHidden(after) || FOLDED.test(namesOf(after))) ? [after] : [];
}

function isSection(element: PageElement, { measures }: FoldedPage): boolean {
  return !isInMenu(element) && !OVER_PAGE.test(namesOf(element)) && holdsText(element, measures);
}
