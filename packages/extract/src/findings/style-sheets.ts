import type { PageDocument, PageElement } from '../dom/dom.ts';
import { type Declarations, declarationsOf, withoutComments } from './style.ts';

/** What the style sheets in a page say about elements with a class or an id. */
export interface StyleSheets {
  rulesFor(element: PageElement): readonly Declarations[];
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
      rules ??= readRules(document);
      if (rules.size === 0) return [];
      const id = element.getAttribute('id');
      const classes = element.getAttribute('class')?.split(/\s+/) ?? [];
      const names = [...classes.map((name) => `.${name}`), ...(id === null ? [] : [`#${id}`])];
      return names.flatMap((name) => rules?.get(name) ?? []);
    },
  };
}

function readRules(document: PageDocument): ReadonlyMap<string, readonly Declarations[]> {
  const rules = new Map<string, Declarations[]>();
  let left = SHEETS_MAX_CHARACTERS;
  let count = 0;
  for (const sheet of document.findAll('style')) {
    const css = withoutComments(sheet.textContent.slice(0, left));
    left -= css.length;
    let from = 0;
    for (let close = css.indexOf('}'); close >= 0; close = css.indexOf('}', from)) {
      // a rule may be in the block of a media query: its declarations are in the innermost one
      const part = css.slice(from, close);
      const open = part.lastIndexOf('{');
      const block = part.slice(open + 1);
      const selector = part.slice(Math.max(0, open - SELECTOR_MAX), Math.max(0, open));
      from = close + 1;
      if (open < 0 || !HIDING.test(block)) continue;
      const names = namesIn(selector.slice(selector.lastIndexOf('{') + 1));
      if (names.length === 0) continue;
      count += 1;
      if (count > RULES_MAX) return rules;
      const declarations = declarationsOf(block);
      for (const name of names) {
        const known = rules.get(name);
        if (!known) rules.set(name, [declarations]);
        else if (known.length < SAME_MAX) known.push(declarations);
      }
    }
    if (left <= 0) break;
  }
  return rules;
}

const namesIn = (selector: string): string[] =>
  selector.split(',').flatMap((one) => {
    if (one.includes(':')) return [];
    return LAST.exec(one.trim())?.[1] ?? [];
  });
