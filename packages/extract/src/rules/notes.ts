import { closest, namesOf, type PageElement } from '../dom/dom.ts';

/** Notes, tips, warnings and footnotes are part of the text. */
const NOTE =
  / (?:embed|embedded|admonition|note|notecard|callout|tip|warning|caution|important|infobox|alert|hint|footnotes?|endnotes?|sidenote) /;
const NOTE_ROLES = new Set(
  'note doc-footnote doc-endnote doc-endnotes doc-tip doc-notice'.split(' '),
);
const FOOTNOTES =
  '[role="doc-endnotes"], [role="doc-footnote"], [role="doc-endnote"], [class~="footnotes"], [class~="footnote"], [class~="endnotes"]';
/** Links from a text to a note. */
const REFERENCES = 'sup a[href], [role="doc-noteref"]';
/** Elements that hold one note. */
const HOLDERS = new Set(['li', 'p', 'div', 'aside', 'dd', 'dt', 'td', 'section']);

export function isNote(element: PageElement): boolean {
  return NOTE_ROLES.has(element.getAttribute('role') ?? '') || NOTE.test(namesOf(element));
}

/** The footnotes of a page. */
export interface Footnotes {
  readonly notes: ReadonlySet<PageElement>;
  /** Those that say so by their role or class. */
  readonly named: ReadonlySet<PageElement>;
  /** The elements around them. */
  readonly around: ReadonlySet<PageElement>;
}

/** Footnotes by their role or class, and what a raised link leads to. */
export function footnotesOf(body: PageElement): Footnotes {
  const named = new Set(body.querySelectorAll(FOOTNOTES));
  const notes = new Set(named);
  const ids = new Set(
    body.querySelectorAll(REFERENCES).flatMap((link) => {
      const href = link.getAttribute('href') ?? '';
      return href.startsWith('#') ? href.slice(1) : [];
    }),
  );
  if (ids.size > 0) {
    for (const target of body.querySelectorAll('[id]')) {
      if (!ids.has(target.getAttribute('id') ?? '')) continue;
      const holder = closest(target, ({ localName }) => HOLDERS.has(localName));
      // a reference is the target of the link back
      if (holder && holder !== body && !target.querySelector(REFERENCES) && !isReference(target))
        notes.add(holder);
    }
  }
  const around = new Set<PageElement>();
  for (const note of notes)
    for (let at = note.parentNode; at && !around.has(at); at = at.parentNode) around.add(at);
  return { notes, named, around };
}

const isReference = (element: PageElement): boolean =>
  closest(element, ({ localName }) => localName === 'sup') !== null ||
  element.getAttribute('role') === 'doc-noteref';
