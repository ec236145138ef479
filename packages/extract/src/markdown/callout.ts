import { namesOf, type PageElement, type PageNode } from '../dom/dom.ts';

/** A note set apart from the text, as documentation has them. */
export interface Callout {
  /** One of the five of GitHub, which others know too. */
  readonly type: string;
  /** Its heading; null = it has none, or one that only repeats the type. */
  readonly title: PageElement | null;
  /** Everything but the heading. */
  readonly body: readonly PageNode[];
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NOTE: 'note info abstract summary tldr seealso todo example question help faq quote cite',
    TIP: 'tip hint success check done',
    IMPORTANT: 'important',
    WARNING: 'warning attention',
    CAUTION: 'caution danger error bug failure fail missing',
  }).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

/**
 * The names of GitHub, Docusaurus, MkDocs, Sphinx, VitePress, Obsidian and Quarto for such a note
 * itself, not for its parts. https://docs.github.com/get-started/writing-on-github
 */
const CALLOUT =
  /(?:^|\s)(?:markdown-alert|theme-admonition|admonition|custom-block|callout)(?=\s|$)/;
const HEADING_NAMES = / (?:title|heading|header) /;

/** Reads an element as a callout; null = it is not one. */
export function calloutOf(element: PageElement): Callout | null {
  const classes = element.getAttribute('class') ?? '';
  // MkDocs folds notes away
  const isFolded = element.localName === 'details' && TYPES.has(classes.trim());
  if (!isFolded && !CALLOUT.test(classes)) return null;
  const stated = element.getAttribute('data-callout');
  const names = stated === null ? namesOf(element).split(' ') : [stated.toLowerCase()];
  const type = names.map((name) => TYPES.get(name)).find((known) => known !== undefined);
  if (type === undefined && stated === null) return null;
  const callout = { type: type ?? 'NOTE', title: null, body: element.childNodes };
  const [first] = element.children;
  if (!first || !(first.localName === 'summary' || HEADING_NAMES.test(namesOf(first))))
    return callout;
  const heading = first.textContent.trim().toLowerCase();
  const isType = TYPES.has(heading) && names.includes(heading);
  const body = callout.body.filter((node) => node !== first);
  return { ...callout, title: isType ? null : first, body };
}
