/** An escaped backslash, so that it is passed over as a whole, or half of a character. */
const HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON that every reader takes: `JSON.stringify` writes half a surrogate pair as an escape, which strict parsers
 * refuse together with all that stands around it.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(HALF, (found) => (found === '\\\\' ? found : '\\ufffd'));
}
