import { FAILSAFE_SCHEMA, load } from 'js-yaml';

/** A value of front matter; numbers, dates and other words are texts, as they are written. */
export type FrontValue = string | readonly FrontValue[] | { readonly [key: string]: FrontValue };

export interface FrontMatter {
  readonly values: { readonly [key: string]: FrontValue };
  /** The document below it; the whole document where it is not YAML. */
  readonly body: string;
}

/** Front matter that is longer, in characters, is text of the document. */
const MAX_CHARACTERS = 65_536;
/** No aliases: a few lines of them make gigabytes. A key that comes twice is no fault. */
const READING = { schema: FAILSAFE_SCHEMA, maxDepth: 20, maxAliases: 0, json: true };

/**
 * Reads the front matter of a markdown document, which is YAML.
 * @param source with line feeds only
 */
export function readFrontMatter(source: string): FrontMatter {
  const none = { values: {}, body: source };
  if (!/^---[ \t]*\n/.test(source)) return none;
  const lines = source.slice(0, MAX_CHARACTERS).split('\n');
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (end < 0) return none;
  const inner = lines.slice(1, end);
  const values = valuesOf(inner) ?? valuesOf(inner.map(withQuotes));
  if (values === undefined) return none;
  const length = lines.slice(0, end + 1).reduce((sum, line) => sum + line.length + 1, 0);
  return { values, body: source.slice(length) };
}

/** undefined = the lines are not the YAML of an object. */
function valuesOf(lines: readonly string[]): FrontMatter['values'] | undefined {
  try {
    const value = load(lines.join('\n'), READING);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // this schema knows texts, lists and objects alone
    return isObject ? (value as FrontMatter['values']) : undefined;
  } catch {
    return undefined;
  }
}

/** `title: Next: the guide`, which many write and some generators read, in quotes. */
function withQuotes(line: string): string {
  const colon = line.indexOf(': ');
  const [key, text] = [line.slice(0, colon), line.slice(colon + 2).trim()];
  const isPlain = /^[A-Za-z_][\w-]{0,100}$/.test(key) && /^[^\s"'[\]{}|>&*!%@`#,?-]/.test(text);
  return isPlain && text.includes(': ') ? `${key}: ${JSON.stringify(text)}` : line;
}
