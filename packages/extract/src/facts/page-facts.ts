import type { JsonObject } from '@trawl/contract';
import { absoluteUrl } from '@trawl/contract/urls';
import { isoDate } from '@trawl/providers/dates';
import { cutLine, lineOf, type PageDocument } from '../dom/dom.ts';
import { addressIn, mainObject, namesIn, structuredOf } from './json-ld.ts';
import { allTags, firstTag, type MetaTags, metadataOf, readMetaTags } from './meta-tags.ts';
import { titleOf } from './title.ts';

/** The metadata of a page. */
export interface PageFacts {
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly publish_date: string | null;
  readonly language: string | null;
  readonly canonical_url: string;
  readonly favicon: string | null;
  readonly thumbnail: string | null;
  readonly metadata: JsonObject | null;
  readonly structured: JsonObject | null;
}

export interface PageAddress {
  /** The address that answered. */
  readonly url: string;
  /** The base for its relative links. */
  readonly baseUrl: string;
}

const DATE_TAGS = [
  'article:published_time',
  'og:published_time',
  'datepublished',
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.date',
  'dcterms.issued',
  'citation_publication_date',
  'citation_date',
  'publish-date',
  'publish_date',
  'pubdate',
  'publication_date',
  'parsely-pub-date',
  'sailthru.date',
  'article.published',
  'release_date',
];

/** @param objects the page's JSON-LD */
export function readFacts(
  document: PageDocument,
  objects: readonly JsonObject[],
  address: PageAddress,
  contentLanguage: string | null,
): PageFacts {
  const tags = readMetaTags(document);
  const main = mainObject(objects) ?? {};
  const absolute = (value: unknown) => absoluteUrl(value, address.baseUrl);
  return {
    title: titleOf(document, tags, main.headline),
    description: textOf(
      firstTag(tags, 'description', 'og:description', 'twitter:description') ?? main.description,
    ),
    author: authorOf(document, tags, main.author),
    publish_date: dateOf(document, tags, main),
    language: languageOf(document, tags, contentLanguage, main.inLanguage),
    canonical_url:
      absolute(document.findAll('link[rel~="canonical"]')[0]?.getAttribute('href')) ?? address.url,
    favicon: absolute(iconOf(document)),
    thumbnail: absolute(
      firstTag(
        tags,
        'og:image:secure_url',
        'og:image',
        'og:image:url',
        'twitter:image',
        'twitter:image:src',
        'image',
      ) ??
        addressIn(main.image ?? main.thumbnailUrl) ??
        document.findAll('link[rel="image_src"]')[0]?.getAttribute('href'),
    ),
    metadata: metadataOf(tags),
    structured: structuredOf(objects),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? lineOf(value) || null : null;
}

function authorOf(document: PageDocument, tags: MetaTags, declared: unknown): string | null {
  const element = document.findAll(
    '[rel~="author"], [itemprop="author"] [itemprop="name"], [itemprop="author"]',
  )[0];
  const names = [
    namesIn(declared),
    allTags(
      tags,
      'author',
      'article:author',
      'parsely-author',
      'sailthru.author',
      'dc.creator',
      'dcterms.creator',
      'citation_author',
      'byl',
    ).filter((name) => !/^https?:/i.test(name)),
    element ? [element.textContent] : [],
  ].find((found) => found.length > 0);
  const clean = names
    ?.map((name) => cutLine(name).replace(/^by[\s:]+/i, ''))
    .filter((name) => name !== '' && name.length <= 200);
  return clean && clean.length > 0 ? [...new Set(clean)].slice(0, 20).join(', ') : null;
}

function dateOf(document: PageDocument, tags: MetaTags, main: JsonObject): string | null {
  const times = [
    ...document.findAll(
      '[itemprop="datePublished"], time[pubdate], article time[datetime], main time[datetime], time[datetime]',
    ),
  ];
  const spelled = [
    main.datePublished,
    ...allTags(tags, ...DATE_TAGS),
    ...times
      .slice(0, 20)
      .map(
        (time) => time.getAttribute('datetime') ?? time.getAttribute('content') ?? time.textContent,
      ),
    main.uploadDate,
  ];
  for (const date of spelled) {
    const read = isoDate(typeof date === 'string' ? date.replaceAll('/', '-') : date);
    if (read) return read;
  }
  return null;
}

function languageOf(
  document: PageDocument,
  tags: MetaTags,
  header: string | null,
  declared: unknown,
): string | null {
  const named = [
    document.html?.getAttribute('lang') ?? document.html?.getAttribute('xml:lang'),
    firstTag(tags, 'content-language', 'language', 'dc.language'),
    header,
    firstTag(tags, 'og:locale'),
    typeof declared === 'string' ? declared : null,
  ];
  for (const name of named) {
    const first = name?.split(',', 1)[0]?.trim().replaceAll('_', '-');
    if (first && /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(first)) return first;
  }
  return null;
}

function iconOf(document: PageDocument): string | null {
  for (const rel of ['icon', 'apple-touch-icon', 'apple-touch-icon-precomposed']) {
    const href = document.findAll(`link[rel~="${rel}"][href]`)[0]?.getAttribute('href');
    if (href && !href.startsWith('data:')) return href;
  }
  return null;
}
