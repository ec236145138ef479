import { type Json, type JsonText, recorded, splicedParts, wellFormedJson } from '@trawl/base';
import type { FetchRow } from '@trawl/contract';
import { LRUCache } from 'lru-cache';

/** Of all texts together. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
/** Writing a shorter content takes no longer than finding it. */
const KEPT_FROM_CHARACTERS = 1_000;

export interface WrittenRow {
  readonly value: FetchRow;
  readonly text: Json<FetchRow>;
  /** A part of the text that other answers have too. */
  readonly repeated?: JsonText<string>;
}

/** Writes the rows of answers. */
export type WriteRow = (row: FetchRow, isCached: boolean) => WrittenRow;

/**
 * Most of a row's text is its content, which is the same each time a cached page is shown. So the JSON of the contents that were shown last
 * is kept, by hash of the whole text and length of what is shown of it.
 */
export function createRowWriter(): WriteRow {
  const kept = new LRUCache<string, JsonText<string>>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (text) => text.length,
  });
  return (row, isCached) => {
    const { content, content_sha256: sha256 } = row;
    if (!isCached || !sha256 || !content || content.length < KEPT_FROM_CHARACTERS) {
      return recorded<FetchRow>(row);
    }
    const key = `${sha256} ${content.length}`;
    let text = kept.get(key);
    if (text === undefined) {
      text = wellFormedJson<string>(content);
      kept.set(key, text);
    }
    return { value: row, text: splicedParts(row, 'content', text), repeated: text };
  };
}
