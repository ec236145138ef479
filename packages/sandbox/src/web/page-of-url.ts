import { type Page, publishedOn } from '../content.ts';
import { PEOPLE, SITES, type Site, TITLES } from '../content-words.ts';
import { diceFor, digest } from '../seed.ts';

/** The page at an address of the fictional web; the title of a page that a search found is found again. */
export function pageOfUrl(url: URL): Page {
  const host = url.hostname.replace(/^www\./, '');
  const path = url.pathname.replace(/\/+$/, '');
  const id = digest('page at', host, path, url.search).slice(0, 12);
  const slug = url.searchParams.get('v') ?? path.slice(path.lastIndexOf('/') + 1);
  const { topic, title } = titleOfSlug(slug.replace(/\.[a-z]{2,5}$/, ''));
  const dice = diceFor('page at', id);
  return {
    id,
    topic,
    site: SITES.find((site) => site.host === host) ?? unnamedSite(host),
    url: url.href,
    title,
    author: dice.pick(PEOPLE).replace(/\s+/g, ' '),
    published: publishedOn(dice),
  };
}

function unnamedSite(host: string): Site {
  const name = capital(host.split('.')[0] ?? host);
  return { host, name, kind: 'article', folder: 'pages' };
}

/** Reads the words of a title back out of a slug, in the form that a title of this web has. */
function titleOfSlug(slug: string): { readonly topic: string; readonly title: string } {
  const words = slug.toLowerCase().replace(/-(\d|[0-9a-f]{5})$/, '');
  for (const { pattern, title } of SLUG_PATTERNS) {
    const found = pattern.exec(words)?.groups;
    if (!found) continue;
    const value = (name: string) => (found[name.toLowerCase()] ?? '').replaceAll('-', ' ');
    const filled = title.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      name === 'topic' ? value(name) : capitals(value(name), name),
    );
    return { topic: value('topic'), title: filled };
  }
  const topic = words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'everyday research';
  return { topic, title: capital(topic) };
}

function capitals(value: string, name: string): string {
  return name === 'place' ? value.split(' ').map(capital).join(' ') : capital(value);
}

/** Each title template as a pattern of the slug made from it. */
const SLUG_PATTERNS = TITLES.map((title) => {
  const slug = title
    .toLowerCase()
    .replace(/\{(\w+)\}/g, 'x$1x')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/x(topic|year|place)x/, '(?<$1>.+)')
    .replace(/x(year|place)x/, '(?<$1>.+)');
  return { pattern: new RegExp(`^${slug}$`), title };
});

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
