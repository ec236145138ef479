import { readFault, readTextFile } from '@trawl/base';
import { isJsonObject, type JsonObject } from '@trawl/contract';

/**
 * The object in a JSON file of the operator, or its problem as the end of a sentence about the
 * file.
 */
export function readJsonFile(
  path: string,
): { readonly value: JsonObject } | { readonly problem: string } {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    return { problem: readFault(error) };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { value } : { problem: 'must be a JSON object' };
  } catch {
    return { problem: 'is not JSON; check it with a JSON validator' };
  }
}

/** Names from a file, made safe for one of our lines. */
export const shownName = (name: string): string =>
  /^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
