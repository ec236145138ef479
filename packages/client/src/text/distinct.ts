/**
 * Texts of more passages than this are compared as a whole: each passage costs a search of the
 * longer texts.
 */
const PASSAGES_MAX = 20;

/** Vendors join passages of a page by these, or by line breaks. */
const GAP = / ?\[(?:\.{3}|…)\] ?|\n/;

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Texts about one page, without what a longer one of them has too: a whole text, or passages of it.
 * Line breaks do not count. Their order stays.
 * @param isCut false = each text that stays is whole
 */
export function distinctTexts(texts: readonly string[], isCut = true): readonly string[] {
  const kept = new Map<number, string>();
  const longestFirst = texts
    .map((text, index) => ({ text, index, words: plain(text) }))
    .toSorted((a, b) => b.words.length - a.words.length);
  const seen: string[] = [];
  for (const { text, index, words } of longestFirst) {
    const isKnown = (part: string): boolean => seen.some((longer) => longer.includes(plain(part)));
    if (words === '' || isKnown(text)) continue;
    kept.set(index, seen.length === 0 || !isCut ? text : withoutPassages(text, isKnown));
    seen.push(words);
  }
  return texts.flatMap((_, index) => kept.get(index) ?? []).filter((text) => text !== '');
}

/** The passages that are not known. Gaps between those that stay are kept. */
function withoutPassages(text: string, isKnown: (part: string) => boolean): string {
  const passages = text.split(GAP);
  if (passages.length > PASSAGES_MAX) return text;
  const fresh = passages.filter((part) => part.trim() !== '' && !isKnown(part));
  return fresh.length === passages.length ? text : fresh.join(' [...] ');
}
