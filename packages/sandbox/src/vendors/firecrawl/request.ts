import {
  anyObject,
  bool,
  type Check,
  integer,
  listOf,
  members,
  objectOr,
  oneOf,
  type Problem,
  text,
  textLike,
} from '../../check.ts';
import { isObject, textAt } from '../../json.ts';
import { readTargetUrl } from '../../web/target-url.ts';

/** What may stand in `formats`: names of the plain ones, objects for those with options. */
const PLAIN_FORMATS = [
  'markdown',
  'summary',
  'html',
  'rawHtml',
  'links',
  'images',
  'screenshot',
  'branding',
  'audio',
  'video',
  'attributes',
  'changeTracking',
];

const screenshot = members({
  type: oneOf('screenshot'),
  fullPage: bool,
  quality: integer(1, 100),
  viewport: members({ width: integer(1, 10_000), height: integer(1, 10_000) }),
});
const json = members({ type: oneOf('json'), schema: anyObject, prompt: text(1, 10_000) });
const plain = members({ type: oneOf(...PLAIN_FORMATS) }, ['type']);

const formatObject: Check = (value, path) => {
  if (!isObject(value)) return anyObject(value, path);
  if (value.type === 'screenshot') return screenshot(value, path);
  if (value.type !== 'json') return plain(value, path);
  const problems = json(value, path);
  return problems.length === 0 && value.schema === undefined && value.prompt === undefined
    ? [{ path, message: `${path.join('.')} needs a schema or a prompt` }]
    : problems;
};

const pdfParser = members(
  {
    type: oneOf('pdf'),
    mode: oneOf('fast', 'auto', 'ocr'),
    maxPages: integer(1, 10_000),
    pages: anyObject,
    blocks: bool,
    pageMarkers: bool,
  },
  ['type'],
);

const milliseconds = integer(0, Number.MAX_SAFE_INTEGER);

/** Parameters: https://docs.firecrawl.dev/api-reference/endpoint/scrape */
const body = members(
  {
    url: text(1),
    formats: listOf(objectOr(oneOf(...PLAIN_FORMATS), formatObject)),
    onlyMainContent: bool,
    onlyCleanContent: bool,
    includeTags: listOf(text(1)),
    excludeTags: listOf(text(1)),
    headers: anyObject,
    maxAge: milliseconds,
    minAge: milliseconds,
    storeInCache: bool,
    timeout: integer(1_000, 300_000),
    waitFor: integer(0, 60_000),
    mobile: bool,
    skipTlsVerification: bool,
    parsers: listOf(objectOr(oneOf('pdf'), pdfParser)),
    actions: listOf(anyObject),
    location: members({
      country: textLike(/^[A-Z]{2}$/, 'two letters'),
      languages: listOf(text(2)),
    }),
    removeBase64Images: bool,
    blockAds: bool,
    proxy: oneOf('basic', 'enhanced', 'stealth', 'auto'),
    zeroDataRetention: bool,
    lockdown: bool,
    profile: anyObject,
    origin: text(1),
    integration: text(1),
  },
  ['url'],
);

/** Everything that is wrong with a body; unknown members are refused. */
export function problemsOf(value: unknown): readonly Problem[] {
  if (!isObject(value)) return [{ path: [], message: 'the body must be a JSON object' }];
  const problems = body(value, []);
  if (problems.length > 0) return problems;
  const url = textAt(value, 'url') ?? '';
  return readTargetUrl(url) ? [] : [{ path: ['url'], message: 'Invalid URL' }];
}
