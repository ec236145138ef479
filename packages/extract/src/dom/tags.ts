import { isElement, type PageElement } from './dom.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const BLOCK = names(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td ' +
    'tfoot th thead tr ul video audio',
);

/** Elements without text of the page. */
export const NEVER_TEXT = names(
  'script style noscript template svg canvas button input select option textarea iframe object embed applet map area ' +
    'title meta link base head datalist progress meter rp',
);

export const HEADING = names('h1 h2 h3 h4 h5 h6');

/** Creates a test for block elements: those on lines of their own, or with such an element inside. */
export function createBlockTest(): (element: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  const test = (element: PageElement): boolean => {
    const answer = known.get(element);
    if (answer !== undefined) return answer;
    let found = BLOCK.has(element.localName);
    if (!found) {
      for (const child of element.childNodes) {
        if (isElement(child) && !NEVER_TEXT.has(child.localName) && test(child)) {
          found = true;
          break;
        }
      }
    }
    known.set(element, found);
    return found;
  };
  return test;
}
