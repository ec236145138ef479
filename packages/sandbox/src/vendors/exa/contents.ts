import {
  anyObject,
  bool,
  type Check,
  integer,
  isoDate,
  listOf,
  members,
  objectOr,
  oneOf,
  text,
} from '../../check.ts';

const SECTIONS = ['header', 'navigation', 'banner', 'body', 'sidebar', 'footer', 'metadata'];
const amount = integer(0, 1_000);

/** Content options: https://exa.ai/docs/reference/get-contents */
export const CONTENT_OPTIONS: Readonly<Record<string, Check>> = {
  text: objectOr(
    bool,
    members({
      maxCharacters: integer(1, 10_000),
      includeHtmlTags: bool,
      verbosity: oneOf('compact', 'standard', 'full'),
      includeSections: listOf(oneOf(...SECTIONS)),
      excludeSections: listOf(oneOf(...SECTIONS)),
    }),
  ),
  highlights: objectOr(
    bool,
    members({
      query: text(1),
      maxCharacters: integer(1, 10_000),
      dynamic: bool,
      numSentences: integer(1, 100),
      highlightsPerUrl: integer(1, 100),
    }),
  ),
  summary: objectOr(bool, members({ query: text(), schema: anyObject })),
  extras: members({
    links: amount,
    imageLinks: amount,
    richLinks: amount,
    richImageLinks: amount,
    codeBlocks: amount,
  }),
  subpages: integer(0, 100),
  subpageTarget: (value, path) =>
    Array.isArray(value) ? listOf(text(1))(value, path) : text(1)(value, path),
  maxAgeHours: integer(-1, 720),
  livecrawlTimeout: integer(1, 90_000),
  livecrawl: oneOf('never', 'fallback', 'always', 'auto', 'preferred'),
  snapshotAsOf: isoDate,
  filterEmptyResults: bool,
  context: objectOr(bool, members({ maxCharacters: integer(1, 1_000_000) })),
};

export const contents = members(CONTENT_OPTIONS);
