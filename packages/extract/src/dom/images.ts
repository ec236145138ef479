import { absoluteUrl } from '@trawl/providers/urls';
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

/** The image's real address: the one that a script would load rather than a placeholder. */
export function imageAddress(image: PageElement, baseUrl: string): string | null {
  const source = image.getAttribute('src') ?? '';
  const late = LATE_SOURCES.map((name) => image.getAttribute(name)).find((value) => value?.trim());
  const isPlaceholder =
    source.trim() === '' ||
    source.startsWith('data:') ||
    /(?:blank|placeholder|spacer|pixel|1x1)\.(?:gif|png|svg)/i.test(source);
  const chosen = late ?? (isPlaceholder ? (largestOfSet(image) ?? source) : source);
  return absoluteUrl(chosen, baseUrl);
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
  const candidates = set.split(/,\s+/).map((candidate) => {
    const [address = '', size = '1x'] = candidate.trim().split(/\s+/);
    return { address, size: Number.parseFloat(size) || 1 };
  });
  return candidates.reduce((best, next) => (next.size > best.size ? next : best)).address;
}
