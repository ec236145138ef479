import { absoluteUrl } from '@trawl/contract/urls';
import { isoDate } from '@trawl/providers/dates';
import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { cutLine, lineOf } from '../dom/dom.ts';
import type { FrontMatter, FrontValue } from './front-matter.ts';

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
