import {
  LIMITS,
  RESULT_FIELDS,
  type ResultField,
  ROUTES,
  ROW_ERRORS,
  RUN_ERRORS,
  TIER_ADDS,
  TIERS,
  TYPED_ERRORS,
  WARNINGS,
} from '@trawl/contract';
import { PRICES, SEARCH_PROVIDERS, type SearchProvider, type Supply } from '@trawl/providers';
import { SETTINGS } from '../../packages/server/src/settings.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string | number): string => `\`${text}\``;
const codes = (names: readonly string[]): string => names.map(code).join(', ');

function supplyText(supply: Supply): string {
  if (supply.kind === 'supplied') return 'yes';
  return supply.kind === 'never' ? 'no' : 'on condition';
}

function countText({ count }: SearchProvider): string {
  if (count.control === 'native') return `${code(count.parameter)}, at most ${count.max}`;
  return count.control === 'trim' ? 'rows are cut' : `one page of ${count.max}, rows are cut`;
}

const queryText = ({ queryLimit: { characters, words } }: SearchProvider): string =>
  [characters && `${characters} characters`, words && `${words} words`]
    .filter(Boolean)
    .join(', ') || 'none known';

/** The generated parts of the docs, by the name in their markers. */
export const TABLES: Readonly<Record<string, () => string>> = {
  settings: () =>
    table(
      ['Variable', 'Default', 'Meaning'],
      Object.values(SETTINGS).map(({ name, shown, meaning }) => [code(name), shown, meaning]),
    ),
  'provider-settings': () =>
    table(
      ['Provider', 'Key', 'Base URL', 'Timeout (ms)'],
      SEARCH_PROVIDERS.map((provider) => {
        const name = provider.slug.toUpperCase();
        return [
          code(provider.slug),
          codes(provider.credentialVariables) || 'none',
          `${code(`${name}_BASE_URL`)} ${provider.baseUrl === null ? '(must be set)' : `(${provider.baseUrl})`}`,
          `${code(`${name}_TIMEOUT_MS`)} (${provider.timeoutMs})`,
        ];
      }),
    ),
  providers: () =>
    table(
      ['Provider', 'What it is', 'Count', 'Longest query', 'Page'],
      SEARCH_PROVIDERS.map((provider) => [
        code(provider.slug),
        provider.description,
        countText(provider),
        queryText(provider),
        `[${provider.slug}](providers/${provider.slug}.md)`,
      ]),
    ),
  'provider-fields': () =>
    table(
      ['Field', ...SEARCH_PROVIDERS.map(({ slug }) => code(slug))],
      RESULT_FIELDS.map((field) => [
        code(field),
        ...SEARCH_PROVIDERS.map(({ capabilities }) => supplyText(capabilities[field])),
      ]),
    ),
  tiers: () =>
    table(
      ['Tier', 'Adds'],
      TIERS.map((tier) => [code(tier), codes(TIER_ADDS[tier])]),
    ),
  routes: () =>
    table(
      ['Method', 'Path', 'Permission', 'Purpose'],
      Object.values(ROUTES).map(({ method, path, permission, summary }) => [
        method,
        code(path),
        permission === null ? 'none: no key needed' : code(permission),
        summary,
      ]),
    ),
  warnings: () =>
    table(
      ['Code', 'Meaning'],
      Object.entries(WARNINGS).map(([name, meaning]) => [code(name), meaning]),
    ),
  'run-errors': () =>
    table(
      ['Code', 'Retryable', 'What to do'],
      Object.entries(RUN_ERRORS).map(([name, { retryable, remedy }]) => [
        code(name),
        retryable ? 'yes' : 'no',
        remedy,
      ]),
    ),
  'typed-errors': () =>
    table(
      ['Code', 'Status'],
      Object.entries(TYPED_ERRORS).map(([name, status]) => [code(name), String(status)]),
    ),
  'row-errors': () =>
    table(
      ['Code', 'Meaning'],
      Object.entries(ROW_ERRORS).map(([name, meaning]) => [code(name), meaning]),
    ),
  limits: () =>
    table(
      ['Limit', 'Value'],
      [
        ['body of a request', `${LIMITS.bodyBytes} bytes`],
        ['nesting of JSON', `${LIMITS.nestingLevels} levels`],
        ['queries per batch', `1 to ${LIMITS.queriesPerBatch}`],
        [
          code('num_results'),
          `${LIMITS.resultsMin} to ${LIMITS.resultsMax}, default ${LIMITS.resultsDefault}`,
        ],
        ['volume: queries x results', String(LIMITS.volumeBudget)],
        [code('provider_overrides'), `${LIMITS.overridesBytes} bytes as compact JSON`],
        [code('user_id'), `${LIMITS.userIdCharacters} characters`],
        ['sessions per page', `1 to ${LIMITS.sessionsMax}, default ${LIMITS.sessionsDefault}`],
        [
          'interactions per page of a history or trajectory',
          `1 to ${LIMITS.historyMax}, all when not asked`,
        ],
        [
          'text of one history or trajectory answer',
          `${LIMITS.historyCharacters} characters, cut between interactions`,
        ],
      ],
    ),
};

/** The facts of one provider's page. */
export function providerFacts(provider: SearchProvider): string {
  const { slug, capabilities } = provider;
  const rates = PRICES.providers[slug] ?? {};
  return [
    table(
      ['Fact', 'Value'],
      [
        ['slug', code(slug)],
        ['documentation', provider.docsUrl],
        ['base URL', provider.baseUrl ?? 'your own, must be set'],
        ['key', keyText(provider)],
        ['result count', countText(provider)],
        ['longest query', queryText(provider)],
        ['timeout', `${provider.timeoutMs} ms, retry included`],
        ['calls at once', String(provider.concurrency)],
        ['chosen by auto-routing', provider.autoRoutable ? 'yes' : 'only when named'],
      ],
    ),
    `List prices of ${PRICES.version}, in US dollars:`,
    table(
      ['Item', 'Price'],
      Object.entries(rates).map(([item, price]) => [item.replaceAll('_', ' '), `$${price}`]),
    ),
    'Fields:',
    table(
      ['Field', 'Supplied', 'Why not, or when'],
      RESULT_FIELDS.map((field: ResultField) => {
        const supply = capabilities[field];
        return [
          code(field),
          supplyText(supply),
          supply.kind === 'supplied' ? '' : `${slug} ${supply.reason}`,
        ];
      }),
    ),
  ].join('\n\n');
}

function keyText({ authentication, credentialVariables }: SearchProvider): string {
  if (authentication.in === 'none') return 'none';
  const place = authentication.in === 'header' ? 'header' : 'query parameter';
  return `${codes(credentialVariables)}, sent as ${place} ${code(authentication.name)}`;
}
