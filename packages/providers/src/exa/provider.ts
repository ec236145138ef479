/** https://exa.ai/docs/reference/search */
import { type JsonObject, type Warning, writeJson } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import {
  checked,
  type FilterRules,
  native,
  prefers,
  takes,
  unsupported,
} from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  onCondition,
  rowCapabilities,
  type SearchPlan,
  supplied,
  type Wanted,
} from '../declaration/search.ts';
import { remarks } from '../parsed/page.ts';
import { rowReader } from '../parsed/rows.ts';
import { object, objects } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import { limitedText, paragraphs, text, titleText } from '../values/text.ts';
import { exaFetch } from './fetch.ts';
import { exaUsage, readExaFailure } from './shared.ts';

/** Categories of entities refuse these filters. Only an override asks for them. */
const areEntities = ({ category }: JsonObject) => category === 'company' || category === 'people';
const undated = unsupported(
  'refuses dates where provider_overrides set category to company or people',
);

const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'includeDomains'),
  exclude_domains: native(
    'takes hosts in excludeDomains',
    ({ exclude_domains }, { overrides }) =>
      areEntities(overrides) ? null : { excludeDomains: exclude_domains },
    checked('refuses excludeDomains where provider_overrides set category to company or people'),
  ),
  published_after: native(
    'takes a time in startPublishedDate',
    ({ published_after }, { overrides }) =>
      areEntities(overrides) ? null : { startPublishedDate: `${published_after}T00:00:00.000Z` },
    undated,
  ),
  published_before: native(
    'takes a time in endPublishedDate',
    ({ published_before }, { overrides }) =>
      areEntities(overrides) ? null : { endPublishedDate: `${published_before}T23:59:59.999Z` },
    undated,
  ),
  country: prefers('prefers results for a user in the country in userLocation', ({ country }) => ({
    userLocation: country,
  })),
  language: unsupported('has no language filter'),
  safe_search: native(
    'filters unsafe content with moderation, in one degree',
    ({ safe_search }) => ({ moderation: safe_search !== 'off' }),
  ),
};

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  full_content: 'text',
  date: 'publishedDate',
  thumbnail: 'image',
  favicon: 'favicon',
  author: 'author',
  dropped: ['summary', 'highlights'],
  more: (row) => {
    const highlights = limitedText(paragraphs(row.highlights));
    return { summary: limitedText(row.summary) ?? highlights, excerpt: highlights };
  },
});

/**
 * Links and image links per row that `enrichments` buys; the vendor's default of 0 returns none.
 */
const EXTRAS = { links: 10, imageLinks: 10 };

const buysExcerpt = (wanted: Wanted) => wanted.tier !== 'extended';
/** An override of the text option wins. */
function buysText({ tier, fullContent, overrides }: Wanted): boolean {
  const contents = object(overrides.contents);
  if (Object.hasOwn(contents, 'text')) return Boolean(contents.text);
  return tier !== 'extended' || fullContent;
}

/** Its cheapest type refuses summaries and extras. */
const isLite = ({ overrides }: Wanted): boolean => overrides.type === 'lite';
const buysSummary = (wanted: Wanted): boolean => wanted.tier === 'max' && !isLite(wanted);

const gap = (message: string): Warning => ({ code: 'capability_gap', message });
/** What a search of type lite lacks in fields that have other values. */
const liteGaps = (wanted: Wanted): readonly Warning[] => [
  ...(wanted.tier === 'max'
    ? [gap('summary: exa writes none with type lite; it is the highlights')]
    : []),
  ...(wanted.fields.has('enrichments')
    ? [gap('enrichments: exa sends no links and image links with type lite')]
    : []),
];

/** The content options that the active fields need; without any, Exa returns metadata only. */
function contents(plan: SearchPlan): JsonObject {
  const { wanted, query } = plan;
  const wants = (field: Parameters<typeof wanted.fields.has>[0]) => wanted.fields.has(field);
  const bought: Record<string, unknown> = {};
  if (wants('full_content') && buysText(wanted)) bought.text = true;
  if (wants('summary') || wants('excerpt')) bought.highlights = true;
  if (buysSummary(wanted)) bought.summary = { query };
  if (wants('enrichments') && !isLite(wanted)) bought.extras = EXTRAS;
  return bought;
}

function answer(output: unknown) {
  const { content, grounding } = object(output);
  const written =
    text(content) ?? (Object.keys(object(content)).length > 0 ? writeJson(content) : null);
  if (written === null) return null;
  const citations = objects(grounding).flatMap((part) => objects(part.citations));
  return {
    text: written,
    citations: citations.map(({ url, title }) => ({ url: text(url), title: titleText(title) })),
  };
}

function price(plan: SearchPlan, rates: Rates) {
  const type = text(plan.wanted.overrides.type) ?? 'auto';
  const base = rates[`search_${type}`] ?? rates.search ?? 0;
  const above = Math.max(0, plan.count - 10) * (rates.result_above_10 ?? 0);
  const pages = buysSummary(plan.wanted) ? plan.count * (rates.summary_page ?? 0) : 0;
  return { usd: base + above + pages, kind: pages > 0 ? 'estimated' : 'known' } as const;
}

const exaSearch = defineSearch({
  description: 'Embedding-based web search with page text, highlights and summaries.',
  docsUrl: 'https://exa.ai/docs/reference/search',
  count: { control: 'native', parameter: 'numResults', max: 10 },
  capabilities: rowCapabilities({
    excerpt: onCondition(
      buysExcerpt,
      'returns highlights as excerpt only at tier max or when named in fields',
    ),
    full_content: onCondition(
      buysText,
      'returns page text only at tier max, when named in fields, or at tier extended with include_full_content',
    ),
    thumbnail: supplied,
    favicon: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    answer: onCondition(
      ({ overrides: block }) => Object.hasOwn(block, 'outputSchema'),
      'answers only when outputSchema is set through provider_overrides',
    ),
    entities: never('returns entities per row only, in enrichments'),
    verticals: never('returns only web results, no other result blocks'),
  }),
  filters,
  economy: {
    overrides: { type: 'lite' },
    meaning: 'uses type lite, without summaries of its own, links and image links',
  },
  multiplier: 'contents.subpages',
  timeoutMs: 30_000,
  // deep searches read and write for a minute; one that is cut off is paid all the same
  slowTimeoutMs: ({ overrides }) =>
    text(overrides.type)?.startsWith('deep') || Object.hasOwn(overrides, 'outputSchema')
      ? 90_000
      : null,
  concurrency: 32,
  price,
  request: (plan) => {
    const options = contents(plan);
    return {
      method: 'POST',
      path: '/search',
      body: {
        query: plan.query,
        type: 'auto',
        numResults: plan.count,
        ...(Object.keys(options).length > 0 ? { contents: options } : {}),
      },
    };
  },
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body, { wanted }) => ({
    rows: rowsIn(body.results),
    usage: exaUsage(body.costDollars),
    answer: answer(body.output),
    remarks: [
      ...(isLite(wanted) ? liteGaps(wanted) : []),
      ...remarks('exa', body.warnings),
      ...remarks('exa', body.notices),
    ],
  }),
  readFailure: readExaFailure,
});

export const exa = defineProvider({
  slug: 'exa',
  name: 'Exa',
  baseUrl: 'https://api.exa.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['EXA_API_KEY'],
  keyPage: { url: 'https://dashboard.exa.ai/api-keys' },
  prices: {
    asOf: '2026-11-21',
    usd: {
      search: 0.007,
      search_lite: 0.004,
      search_instant: 0.004,
      'search_deep-lite': 0.012,
      search_deep: 0.012,
      'search_deep-reasoning': 0.015,
      result_above_10: 0.001,
      summary_page: 0.001,
      fetch_page: 0.001,
      fetch_highlights: 0.001,
      fetch_summary: 0.001,
    },
  },
  dataUse: {
    training: 'yes',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://exa.ai/privacy-policy',
    checked: '2026-11-23',
    note: 'As two public reviews of September 2026 read the policy: query data improves products, with training and fine-tuning of models. The page itself could not be read for this check. Enterprise agreements offer zero retention.',
  },
  search: exaSearch,
  fetch: exaFetch,
});
