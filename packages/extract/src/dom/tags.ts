import { isElement, type PageElement } from './dom.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const BLOCK = names(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p pre search section summary table ' +
    'tbody td tfoot th thead tr ul video audio xmp',
);

/** Elements without text of the page. */
export const NEVER_TEXT = names(
  'script style noscript template svg canvas button input select option textarea iframe object embed applet map area ' +
    'title meta link base head datalist progress meter rp',
);

export const HEADING = names('h1 h2 h3 h4 h5 h6');

/**
 * Creates a test for block elements: those on lines of their own, or with such an element inside.
 */
export function createBlockTest(): (element: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  const test = (element: PageElement): boolean => {
    if (BLOCK.has(element.localName)) return true;
    const answer = known.get(element);
    if (answer !== undefined) return answer;
    let found: boolean | undefined;
    for (let child = element.firstChild; child && !found; child = child.nextSibling) {
      if (isElement(child)) found = !NEVER_TEXT.has(child.localName) && test(child);
    }
    // most have only text, which is quicker to see than to look up
    if (found !== undefined) known.set(element, found);
    return found ?? false;
  };
  return test;
}
