import { writeJson } from '@trawl/contract';

/** JSON longer than this, in characters, is not sent back whole. */
const ECHO_MAX = 2_048;
/** The length after the cut. */
const CUT_AT = 1_024;
const KEY_MAX = 256;

/**
 * The `input` of a 422 entry. Small values are answered as sent. One whose JSON is longer than
 * 2,048 characters becomes a string: the first 1,024 characters of the text (of the string itself,
 * else of its JSON) and a note of the length.
 */
export function echoedInput(input: unknown): unknown {
  if (typeof input === 'string') {
    return input.length <= ECHO_MAX && JSON.stringify(input).length <= ECHO_MAX
      ? input
      : cut(input, input.length);
  }
  // JSON has no word for infinity, and 1e999 is read as that.
  if (typeof input === 'number') return Number.isFinite(input) ? input : String(input);
  if (typeof input !== 'object' || input === null) return input ?? null;
  const json = writeJson(input);
  return json.length <= ECHO_MAX ? input : cut(json, json.length);
}

/** A step of `loc`. Keys also come from the caller, so they are cut too. */
export function echoedKey(step: PropertyKey): string | number {
  if (typeof step === 'number') return step;
  const key = String(step);
  return key.length <= KEY_MAX ? key : `${wellFormed(key.slice(0, KEY_MAX))}…`;
}

function cut(text: string, length: number): string {
  return `${wellFormed(text.slice(0, CUT_AT))}… (cut, ${length} characters in all)`;
}

/** Without the half of a surrogate pair that cutting leaves at the end. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
