/** What is next to the rows of an answer, in lists of its own. */
import type { JsonObject } from '@trawl/contract';
import { list, object, objects } from '../values/json.ts';
import { titleText } from '../values/text.ts';

/** The texts of one member of each object in a list. */
export const textsAt = (rows: unknown, member: string): readonly string[] =>
  objects(rows).flatMap((row) => titleText(row[member]) ?? []);

/**
 * The blocks of a page that hold something, under our names.
 * @param names our name for each of the vendor's
 */
export function namedBlocks(
  body: JsonObject,
  names: Readonly<Record<string, string>>,
): JsonObject | null {
  const blocks = new Map<string, unknown>();
  for (const [block, name] of Object.entries(names)) {
    const value = body[block];
    const isFilled = list(value).length > 0 || Object.keys(object(value)).length > 0;
    if (!isFilled) continue;
    const known = blocks.get(name);
    // two blocks of one kind become one list; a block that cannot be joined keeps the vendor's name
    if (known === undefined) blocks.set(name, value);
    else if (Array.isArray(known) && Array.isArray(value)) blocks.set(name, [...known, ...value]);
    else blocks.set(block, value);
  }
  return blocks.size > 0 ? Object.fromEntries(blocks) : null;
}
