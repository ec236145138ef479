import type { JsonObject } from '@trawl/contract';
import type { PageDocument } from '../dom/dom.ts';

const MAX_NAMES = 150;
const MAX_VALUES = 20;
const MAX_CHARACTERS = 2_000;

/** Contents of `meta` elements by name or property in lower case. */
export type MetaTags = ReadonlyMap<string, readonly string[]>;

export function readMetaTags(document: PageDocument): MetaTags {
  const tags = new Map<string, string[]>();
  for (const element of document.findAll('meta')) {
    const name =
      element.getAttribute('property') ??
      element.getAttribute('name') ??
      element.getAttribute('itemprop') ??
      element.getAttribute('http-equiv');
    const content = element.getAttribute('content')?.trim();
    if (!name?.trim() || !content) continue;
    const key = name.trim().toLowerCase().slice(0, 100);
    const values = tags.get(key);
    if (values) values.push(content);
    else if (tags.size < MAX_NAMES) tags.set(key, [content]);
  }
  return tags;
}

/** The first of these names that the page has. */
export function firstTag(tags: MetaTags, ...names: readonly string[]): string | null {
  return allTags(tags, ...names)[0] ?? null;
}

export function allTags(tags: MetaTags, ...names: readonly string[]): string[] {
  return names.flatMap((name) => tags.get(name) ?? []);
}

/** The tags as an object. The value is a text, or a list when a name occurs several times. */
export function metadataOf(tags: MetaTags): JsonObject | null {
  if (tags.size === 0) return null;
  return Object.fromEntries(
    [...tags].map(([name, values]) => {
      const short = values.slice(0, MAX_VALUES).map((value) => value.slice(0, MAX_CHARACTERS));
      return [name, short.length === 1 ? (short[0] ?? '') : short];
    }),
  );
}
