import type { PageElement } from './dom.ts';

/** Whether an element matches a selector. */
export type Matches = (element: PageElement) => boolean;

/** A selector, read once. */
export interface Selector {
  readonly matches: Matches;
  /** Whether it matches only marked elements. */
  readonly findsMarked: boolean;
  /** The names of the elements that it can match; undefined = any name. */
  readonly names: ReadonlySet<string> | undefined;
}

/** Without it, reading pages takes 13 % more CPU. */
const known = new Map<string, Selector>();

/**
 * The few selectors that the reader uses: names, `[attribute]`, `[attribute="value"]`,
 * `[attribute~="word"]`, descendants, and lists of these.
 */
export function selectorOf(text: string): Selector {
  const read = known.get(text);
  if (read) return read;
  const selector = {
    matches: nameMatcher(text) ?? anyOf(text),
    findsMarked: findsMarked(text),
    names: namesFound(text),
  };
  known.set(text, selector);
  return selector;
}

/** For a selector that has only names. */
function nameMatcher(selector: string): Matches | undefined {
  const names = namesOnly(selector);
  if (!names) return undefined;
  const [first = ''] = names;
  return names.size === 1
    ? ({ localName }) => localName === first
    : ({ localName }) => names.has(localName);
}

/** The element names of a selector that has only names. */
function namesOnly(selector: string): ReadonlySet<string> | undefined {
  const choices = selector.split(',').map((choice) => choice.trim());
  return choices.every((choice) => /^[a-z][a-z0-9]*$/.test(choice)) ? new Set(choices) : undefined;
}

function namesFound(selector: string): ReadonlySet<string> | undefined {
  const names = selector
    .split(',')
    .map((choice) => /^[a-z][a-z0-9]*/.exec(choice.trim().split(/\s/).at(-1) ?? '')?.[0]);
  return names.includes(undefined)
    ? undefined
    : new Set(names.filter((name) => name !== undefined));
}

/**
 * Elements that state a fact about the page. They are few, and looked for by selectors that could
 * match any element.
 */
export function isMarked(element: PageElement): boolean {
  return (
    element.localName === 'time' ||
    element.hasAttribute('rel') ||
    element.hasAttribute('itemprop') ||
    element.hasAttribute('itemtype')
  );
}

function findsMarked(selector: string): boolean {
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
  if (own && around.length === 0) return own;
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
  const [only] = attributes;
  if (name === '*' && only && only.value === undefined && attributes.length === 1)
    return (element) => element.hasAttribute(only.key);
  return (element) => {
    if (name !== '*' && element.localName !== name) return false;
    return attributes.every(({ key, kind, value }) => {
      const found = element.getAttribute(key);
      if (found === null || value === undefined) return found !== null;
      return kind ? hasWord(found.toLowerCase(), value) : found === value;
    });
  };
}

/** Few texts have the word at all, which is quick to see. */
const hasWord = (text: string, word: string): boolean =>
  text.includes(word) && text.split(/\s+/).includes(word);
