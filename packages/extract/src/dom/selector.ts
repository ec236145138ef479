import type { PageElement } from './dom.ts';

/** Whether an element matches a selector. */
export type Matches = (element: PageElement) => boolean;

const compiled = new Map<string, Matches>();

/**
 * The few selectors that the reader uses: names, `[attribute]`, `[attribute="value"]`, `[attribute~="word"]`,
 * descendants, and lists of these.
 */
export function matcherOf(selector: string): Matches {
  const known = compiled.get(selector);
  if (known) return known;
  const names = namesOnly(selector);
  const [only = ''] = names ?? [];
  const matches =
    names?.size === 1
      ? (element: PageElement) => element.localName === only
      : names
        ? (element: PageElement) => names.has(element.localName)
        : anyOf(selector);
  compiled.set(selector, matches);
  return matches;
}

/** The element names of a selector that has only names. */
function namesOnly(selector: string): ReadonlySet<string> | undefined {
  const choices = selector.split(',').map((choice) => choice.trim());
  return choices.every((choice) => /^[a-z][a-z0-9]*$/.test(choice)) ? new Set(choices) : undefined;
}

/** The names of the elements that a selector can match; undefined = any name. */
export function namesFound(selector: string): ReadonlySet<string> | undefined {
  const names = selector
    .split(',')
    .map((choice) => /^[a-z][a-z0-9]*/.exec(choice.trim().split(/\s/).at(-1) ?? '')?.[0]);
  return names.includes(undefined)
    ? undefined
    : new Set(names.filter((name) => name !== undefined));
}

const MARKS = ['itemprop', 'itemtype', 'rel'];

/** Elements that state a fact about the page. They are few, and looked for by selectors that could match any element. */
export function isMarked(element: PageElement): boolean {
  return element.localName === 'time' || MARKS.some((name) => element.hasAttribute(name));
}

/** Whether a selector matches only marked elements. */
export function findsMarked(selector: string): boolean {
  return selector
    .split(',')
    .every((choice) =>
      /^(?:time(?![\w-])|\[(?:itemprop|itemtype|rel)\b)/.test(
        choice.trim().split(/\s/).at(-1) ?? '',
      ),
    );
}

function anyOf(selector: string): Matches {
  const byName = new Map<string, Matches[]>();
  for (const choice of selector.split(',')) {
    const parts = choice.trim().split(/\s+/);
    const name = nameIn(parts.at(-1) ?? '');
    byName.set(name, [...(byName.get(name) ?? []), within(parts.map(simple))]);
  }
  const unnamed = byName.get('*') ?? [];
  return (element) =>
    isOneOf(byName.get(element.localName) ?? [], element) || isOneOf(unnamed, element);
}

/** A loop, because it is asked of each element of a page. */
function isOneOf(choices: readonly Matches[], element: PageElement): boolean {
  for (const choice of choices) if (choice(element)) return true;
  return false;
}

/** The element name of a part of a selector; `*` = any. */
const nameIn = (part: string): string => /^[\w:*-]+/.exec(part)?.[0] ?? '*';

/** The last part is the element itself; the parts before it are its ancestors. */
function within(parts: readonly Matches[]): Matches {
  const [own, ...around] = [...parts].reverse();
  return (element) => {
    if (!own?.(element)) return false;
    let at = element.parentNode;
    for (const outer of around) {
      while (at && !outer(at)) at = at.parentNode;
      if (!at) return false;
      at = at.parentNode;
    }
    return true;
  };
}

const ATTRIBUTE = /\[([\w:-]+)(?:(~?)="([^"]*)")?\]/g;

function simple(part: string): Matches {
  const name = nameIn(part);
  const attributes = [...part.matchAll(ATTRIBUTE)].map(([, key = '', kind, value]) => ({
    key,
    kind,
    value,
  }));
  if (
    name.length + attributes.length === 0 ||
    part !== (part.startsWith('[') ? '' : name) + (part.match(ATTRIBUTE) ?? []).join('')
  ) {
    throw new Error(`not a selector of ours: ${part}`);
  }
  return (element) => {
    if (name !== '*' && element.localName !== name) return false;
    return attributes.every(({ key, kind, value }) => {
      const found = element.getAttribute(key);
      if (found === null || value === undefined) return found !== null;
      return kind ? found.toLowerCase().split(/\s+/).includes(value) : found === value;
    });
  };
}
