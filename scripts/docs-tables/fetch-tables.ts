import { FETCH_TIER_ADDS, PAGE_FIELDS, TIERS } from '@trawl/contract';
import {
  type AnyFetchProvider,
  DEFAULT_FETCH_CHAIN,
  FETCH_PROVIDERS,
  type PageSupply,
  type PriceList,
} from '@trawl/providers';
import { code, codes, dataUseRows, keyText, table } from './tables.ts';

function supplyText({ kind }: PageSupply): string {
  switch (kind) {
    case 'supplied':
      return 'yes';
    case 'never':
      return 'no';
    case 'on_failure':
      return 'on failure';
    case 'on_condition':
      return 'on condition';
  }
}

function placeText({ slug, chain }: AnyFetchProvider): string {
  if (chain === 'pinned_only') return 'only when pinned';
  const position = DEFAULT_FETCH_CHAIN.indexOf(slug);
  return position < 0 ? 'not by default' : String(position + 1);
}

/** The generated parts of the docs on fetching, by the name in their markers. */
export const FETCH_TABLES: Readonly<Record<string, () => string>> = {
  'fetch-providers': () =>
    table(
      ['Provider', 'What it is', 'Place in the default chain', 'Formats', 'Page'],
      FETCH_PROVIDERS.map((provider) => [
        code(provider.slug),
        provider.description,
        placeText(provider),
        provider.contentFormats.join(', '),
        `[${provider.slug}](providers/${provider.slug}.md)`,
      ]),
    ),
  'fetch-provider-fields': () =>
    table(
      ['Field', ...FETCH_PROVIDERS.map(({ slug }) => code(slug))],
      PAGE_FIELDS.map((field) => [
        code(field),
        ...FETCH_PROVIDERS.map(({ capabilities }) => supplyText(capabilities[field])),
      ]),
    ),
  'fetch-tiers': () =>
    table(
      ['Tier', 'Adds'],
      TIERS.map((tier) => [code(tier), codes(FETCH_TIER_ADDS[tier])]),
    ),
};

/** The facts of one fetch provider's page. */
export function fetchFacts(provider: AnyFetchProvider): string {
  const conditions = PAGE_FIELDS.flatMap((field) => {
    const supply = provider.capabilities[field];
    return supply.kind === 'on_condition' ? [[code(field), supply.reason]] : [];
  });
  const fieldsOf = (kind: PageSupply['kind']) =>
    codes(PAGE_FIELDS.filter((field) => provider.capabilities[field].kind === kind)) || 'none';
  return [
    table(
      ['Fact', 'Value'],
      [
        ['place in the default chain', placeText(provider)],
        ['documentation', provider.docsUrl],
        ...(provider.kind === 'vendor'
          ? [
              ['base URL', provider.baseUrl ?? 'your own, must be set'],
              ['key', keyText(provider)],
            ]
          : [['key', 'none']]),
        ['formats', provider.contentFormats.join(', ')],
        ['timeout', `${provider.timeoutMs} ms`],
        ['pages at once', String(provider.concurrency)],
        ['supplies', fieldsOf('supplied')],
        ['only with a page that failed', fieldsOf('on_failure')],
        ['never supplies', fieldsOf('never')],
        ...dataUseRows(provider),
      ],
    ),
    ...(provider.kind === 'vendor' ? priceTable(provider.prices) : []),
    ...(conditions.length > 0 ? [table(['Field', 'When'], conditions)] : []),
  ].join('\n\n');
}

function priceTable({ asOf, usd }: PriceList): readonly string[] {
  const rates = Object.entries(usd).filter(([item]) => item.startsWith('fetch_'));
  if (rates.length === 0) return [];
  return [
    `List prices of ${asOf}, in US dollars:`,
    table(
      ['Item', 'Price'],
      rates.map(([item, price]) => [item.replace('fetch_', '').replaceAll('_', ' '), `$${price}`]),
    ),
  ];
}
