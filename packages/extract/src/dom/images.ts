import { absoluteUrl } from '@trawl/contract/urls';
import { isElement, type PageElement } from './dom.ts';

/** Attributes in which lazy-loading scripts keep the address. */
const LATE_SOURCES = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-url',
  'data-hi-res-src',
];
const LATE_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];

/** What lazy loading shows first. */
const PLACEHOLDER =
  /^\s*(?:$|data:|about:)|(?:blank|placeholder|spacer|pixel|transparent|loading|lazy(?:load)?|gr[ae]y|1x1)\.(?:gif|png|svg)/i;

const IMAGE_FILE = /^\S{1,2000}\.(?:jpe?g|png|webp|avif|gif|svg)(?:[?#]\S*)?$/i;

/** The image's real address: the one that a script would load rather than a placeholder. */
export function imageAddress(image: PageElement, baseUrl: string): string | null {
  return absoluteUrl(realSource(image) ?? image.getAttribute('src'), baseUrl);
}

/** The source of the image itself; undefined when the page has only a placeholder. */
export function realSource(image: PageElement): string | undefined {
  const late = LATE_SOURCES.map((name) => image.getAttribute(name)).find((value) => value?.trim());
  const source = image.getAttribute('src') ?? '';
  if (late || !PLACEHOLDER.test(source)) return late ?? source;
  return largestOfSet(image) ?? otherSource(image);
}

/** A script may keep the address in an attribute of any name. */
function otherSource(image: PageElement): string | undefined {
  return image.attributes.find(
    ({ name, value }) => name.startsWith('data-') && IMAGE_FILE.test(value.trim()),
  )?.value;
}

/** A `picture` lists a few sources before its image, in order of preference. */
const SOURCES_MAX = 20;

function sourcesBefore(image: PageElement): PageElement[] {
  const sources: PageElement[] = [];
  if (image.parentNode?.localName !== 'picture') return sources;
  let at = image.previousSibling;
  for (let count = 0; at && count < SOURCES_MAX * 2; at = at.previousSibling, count += 1) {
    if (isElement(at) && at.localName === 'source') sources.unshift(at);
  }
  return sources;
}

function largestOfSet(image: PageElement): string | undefined {
  const sets = [image, ...sourcesBefore(image)].flatMap((element) =>
    LATE_SETS.map((name) => element.getAttribute(name) ?? ''),
  );
  const set = sets.find((value) => value.trim() !== '');
  if (!set) return undefined;
  return candidatesOf(set).reduce((best, next) => (next.size > best.size ? next : best)).address;
}

interface Candidate {
  readonly address: string;
  readonly size: number;
}

/**
 * Reads a `srcset` as the HTML standard does: an address ends at a blank, and may have commas in
 * it.
 */
function candidatesOf(set: string): readonly Candidate[] {
  const words = set
    .replace(/(\s[\d.]{1,12}[wxh]),/g, '$1, ')
    .trim()
    .split(/\s+/);
  const candidates: Candidate[] = [];
  let isAddress = true;
  for (const word of words) {
    if (isAddress) candidates.push({ address: word.replace(/,$/, ''), size: 1 });
    else
      candidates.push({
        ...(candidates.pop() ?? { address: '' }),
        size: Number.parseFloat(word) || 1,
      });
    isAddress = word.endsWith(',');
  }
  return candidates;
}
