import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '@trawl/contract';

/** The object in a JSON file of the operator's, or what is wrong with it as the end of a sentence about the file. */
export function readJsonFile(
  path: string,
): { readonly value: JsonObject } | { readonly problem: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return { problem: `cannot be read${code}; check the path and its permissions` };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { value } : { problem: 'holds no JSON object' };
  } catch {
    return { problem: 'is not JSON; check it with a JSON validator' };
  }
}

/** Names of a file in a line of ours, whatever they hold. */
export const shownName = (name: string): string =>
  /^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
