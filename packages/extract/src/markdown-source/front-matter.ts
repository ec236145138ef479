import { isJsonObject } from '@trawl/contract/json-object';
import { absoluteUrl } from '@trawl/contract/urls';
import { isoDate } from '@trawl/providers/dates';
import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { cutLine, lineOf } from '../dom/dom.ts';

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
    // this schema knows texts, lists and objects alone
    return isJsonObject(value) ? (value as FrontMatter['values']) : undefined;
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

type Values = FrontMatter['values'];

/** The facts that front matter states, under the keys that site generators use. */
export function factsIn(values: Values, url: string): Partial<ParsedPage> {
  const first = (...keys: readonly string[]) =>
    keys.map((key) => own(values, key)).find((value) => value !== undefined && value !== '');
  const facts = {
    title: cutLine(textIn(first('title')) ?? '') || null,
    description: lineOf(textIn(first('description', 'summary', 'excerpt')) ?? '') || null,
    author: authorIn(first('author', 'authors', 'creator')),
    publish_date: isoDate(
      textIn(
        first(
          'date',
          'published',
          'publish_date',
          'publishDate',
          'published_at',
          'datePublished',
          'pubDate',
        ),
      )?.replaceAll('/', '-'),
    ),
    language: languageIn(textIn(first('lang', 'language', 'locale'))),
    canonical_url: absoluteUrl(textIn(first('canonical', 'canonical_url', 'canonicalUrl')), url),
    thumbnail: absoluteUrl(textIn(first('image', 'thumbnail', 'cover')), url),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

const own = (values: Values, key: string): FrontValue | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

const textIn = (value: FrontValue | undefined): string | null =>
  typeof value === 'string' ? value : null;

const AUTHORS_MAX = 20;

/** Names in a text, in a list of texts, or of objects that have a name. */
function authorIn(value: FrontValue | undefined): string | null {
  const list = Array.isArray(value) ? value : [value];
  const names = list.slice(0, AUTHORS_MAX).flatMap((one: FrontValue | undefined) => {
    const name = typeof one === 'object' && !Array.isArray(one) ? own(one as Values, 'name') : one;
    const line = cutLine(textIn(name) ?? '');
    return line === '' ? [] : [line];
  });
  return names.length > 0 ? [...new Set(names)].join(', ') : null;
}

function languageIn(name: string | null): string | null {
  const plain = name?.trim().replaceAll('_', '-') ?? '';
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(plain) ? plain : null;
}
