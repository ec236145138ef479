import type { PageDocument, PageElement } from './dom.ts';
import { type Declarations, declarationsOf, withoutComments } from './style.ts';

/** What the style sheets in a page say about elements with a class or an id. */
export interface StyleSheets {
  rulesFor(element: PageElement): readonly Declarations[];
}

/** A rule of a sheet, as far as it may hide. */
interface SheetRule {
  readonly selectors: readonly string[];
  readonly block: string;
  /** In no block of a media query or another condition. */
  readonly isPlain: boolean;
}

/** How much of all sheets is read, and of how many rules. */
const SHEETS_MAX_CHARACTERS = 500_000;
const RULES_MAX = 5_000;
const SELECTOR_MAX = 500;
/** Rules for the same name. */
const SAME_MAX = 8;
/** Rules about anything else hide nothing. */
const HIDING =
  /display|visibility|opacity|font|color|background|text-indent|position|left|top|margin|transform|clip|overflow|height|width|zoom|scale|translate/;
/** The last part of a selector with a class or an id: `nav .note` is about `.note`. */
const LAST = /([.#][\w-]{1,80})$/;

/**
 * Reads the sheets of a page when they are first asked for. Only the last class or id of a selector
 * is compared, and states such as `:hover` are left out: this finds more than a browser hides, and
 * only texts that speak to a program are looked up.
 */
export function createStyleSheets(document: PageDocument): StyleSheets {
  let rules: ReadonlyMap<string, readonly Declarations[]> | undefined;
  return {
    rulesFor: (element) => {
      rules ??= declarationsByName(document);
      if (rules.size === 0) return [];
      return namesOn(element).flatMap((name) => rules?.get(name) ?? []);
    },
  };
}

/** The classes of an element and its id, as selectors write them. */
function namesOn(element: PageElement): string[] {
  const id = element.getAttribute('id');
  const classes = element.getAttribute('class')?.split(/\s+/) ?? [];
  return [...classes.map((name) => `.${name}`), ...(id === null ? [] : [`#${id}`])];
}

function declarationsByName(document: PageDocument): ReadonlyMap<string, readonly Declarations[]> {
  const found = new Map<string, Declarations[]>();
  for (const { selectors, block } of rulesIn(document, HIDING)) {
    const declarations = declarationsOf(block);
    for (const selector of selectors) {
      const name = selector.includes(':') ? undefined : LAST.exec(selector)?.[1];
      if (name !== undefined) addTo(found, name, declarations);
    }
  }
  return found;
}

function addTo<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const known = lists.get(name);
  if (!known) lists.set(name, [value]);
  else if (known.length < SAME_MAX) known.push(value);
}

/** An element with names that a rule hides: `p.note`, `#late`, `.note.small`. */
const HIDDEN = /^([a-z][a-z\d]{0,20})?((?:[.#][\w-]{1,80}){1,4})$/;
const NAMES = /[.#][\w-]{1,80}/g;
const SHOWN = /display|visibility/;

interface HiddenNames {
  /** Empty = any. */
  readonly element: string;
  readonly names: readonly string[];
}

/**
 * Marks what the style of a page hides with the attribute `hidden`. A name that any other rule
 * shows, in some place, state or window, does not count: what comes of it is up to the page.
 */
export function hideByStyle(document: Pick<PageDocument, 'body' | 'findAll'>): void {
  const hidden = new Map<string, HiddenNames[]>();
  const shown = new Set<string>();
  for (const { selectors, block, isPlain } of rulesIn(document, SHOWN)) {
    const style = declarationsOf(block);
    const isHiding =
      style.get('display') === 'none' ||
      /^(?:hidden|collapse)$/.test(style.get('visibility') ?? '');
    for (const selector of selectors) {
      const [whole, element = '', all = ''] = HIDDEN.exec(selector) ?? [];
      const names = (whole === undefined ? selector : all).match(NAMES) ?? [];
      if (!isHiding) for (const name of names) shown.add(name);
      else if (isPlain && whole !== undefined)
        addTo(hidden, names.at(-1) ?? '', { element, names });
    }
  }
  for (const name of shown) hidden.delete(name);
  if (hidden.size === 0) return;
  for (const one of document.body.querySelectorAll('[class], [id]')) {
    const own = namesOn(one);
    const isHidden = own.some((name) =>
      hidden
        .get(name)
        ?.some(
          ({ element, names }) =>
            (element === '' || element === one.localName) &&
            names.every((wanted) => own.includes(wanted)),
        ),
    );
    if (isHidden) one.setAttribute('hidden', '');
  }
}

/** @param about what the declarations of a rule are about; others are ignored */
function* rulesIn(document: Pick<PageDocument, 'findAll'>, about: RegExp): Generator<SheetRule> {
  let left = SHEETS_MAX_CHARACTERS;
  let count = 0;
  for (const sheet of document.findAll('style')) {
    const css = withoutComments(sheet.textContent.slice(0, left));
    left -= css.length;
    let from = 0;
    let depth = 0;
    for (let close = css.indexOf('}'); close >= 0; close = css.indexOf('}', from)) {
      // a rule may be in the block of a media query: its declarations are in the innermost one
      const part = css.slice(from, close);
      from = close + 1;
      depth += part.split('{').length - 2;
      const open = part.lastIndexOf('{');
      const block = part.slice(open + 1);
      if (open < 0 || !about.test(block)) continue;
      const before = part.slice(Math.max(0, open - SELECTOR_MAX), open);
      const selectors = before.slice(before.lastIndexOf('{') + 1).split(',');
      // the first one is cut
      if (before.length === SELECTOR_MAX) selectors.shift();
      count += 1;
      if (count > RULES_MAX) return;
      yield { selectors: selectors.map((one) => one.trim()), block, isPlain: depth === 0 };
    }
    if (left <= 0) break;
  }
}
