import { closest, isElement, isLink, isText, type Measure, type PageElement } from './dom.ts';

type Mutable = { -readonly [Key in keyof Measure]: Measure[Key] };

export type Measures = (element: PageElement) => Measure;

const NOTHING: Measure = { text: 0, linked: 0, prose: 0, links: 0, media: 0, isInLink: false };
const PROSE_AT_LEAST = 40;
const PARAGRAPH = new Set([
  'p',
  'pre',
  'blockquote',
  'li',
  'dd',
  'td',
  'div',
  'section',
  'article',
  'main',
  'body',
  'span',
  'font',
  'center',
  'figcaption',
]);

/** Not visible, and often most of a page. */
const CODE = new Set(['script', 'style', 'template']);

/** Measures everything below an element, except what has not changed since it was last measured. */
export function measureAll(root: PageElement): Measures {
  visit(root, closest(root.parentNode, isLink) !== null);
  return (element) => element.measure ?? NOTHING;
}

function visit(element: PageElement, isInLink: boolean): Measure {
  const known = element.measure;
  if (known && element.isMeasured && known.isInLink === isInLink) return known;
  const sum: Mutable = known ?? { ...NOTHING };
  sum.text = 0;
  sum.linked = 0;
  sum.prose = 0;
  sum.links = 0;
  sum.media = 0;
  sum.isInLink = isInLink;
  element.measure = sum;
  element.isMeasured = true;
  if (CODE.has(element.localName)) return sum;
  const inLink = isInLink || isLink(element);
  let own = 0;
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (isText(child)) {
      const size = weigh(child.textContent);
      sum.text += size;
      if (inLink) sum.linked += size;
      else own += size;
    } else if (isElement(child)) {
      const below = visit(child, inLink);
      sum.text += below.text;
      sum.linked += below.linked;
      sum.prose += below.prose;
      sum.links += below.links;
      sum.media += below.media;
      // text in emphasis and links is part of the sentence around it
      if (INLINE.has(child.localName)) own += below.text - below.linked - below.prose;
    }
  }
  if (PARAGRAPH.has(element.localName) && !INLINE.has(element.localName) && own >= PROSE_AT_LEAST)
    sum.prose += own;
  if (isLink(element)) sum.links += 1;
  if (element.localName === 'img' || element.localName === 'video') sum.media += 1;
  return sum;
}

/** Elements within a line of text. */
export const INLINE = new Set([
  'b',
  'strong',
  'i',
  'em',
  'u',
  'span',
  'font',
  'code',
  'small',
  'mark',
  'sup',
  'sub',
  'abbr',
  'time',
  'q',
  'cite',
  'a',
]);

function weigh(text: string): number {
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 160) continue;
    size += code >= 0x3040 && code <= 0xd7a3 ? 3 : 1;
  }
  return size;
}
