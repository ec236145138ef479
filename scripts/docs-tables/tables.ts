import {
  type JsonObject,
  LIMITS,
  RESULT_FIELDS,
  type ResultField,
  ROUTES,
  ROW_ERRORS,
  type Route,
  RUN_ERRORS,
  TIER_ADDS,
  TIERS,
  TYPED_ERRORS,
  WARNINGS,
} from '@trawl/contract';
import {
  FETCH_PROVIDERS,
  needsCredential,
  type OpenSource,
  type Pace,
  PRICES,
  PROVIDERS,
  type Provider,
  SEARCH_PROVIDERS,
  type SearchProvider,
  type Supply,
  TOPIC_RANKING,
} from '@trawl/providers';
import { createMetrics } from '@trawl/telemetry';
import { pageFamilyRows } from '../../packages/reader/src/diagnosis/page-families.ts';
import { fileVariable, secretNames } from '../../packages/server/src/config/names.ts';
import { SETTINGS } from '../../packages/server/src/config/settings.ts';

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
export const code = (text: string | number): string => `\`${text}\``;
export const codes = (names: readonly string[]): string => names.map(code).join(', ');

function supplyText(supply: Supply): string {
  if (supply.kind === 'supplied') return 'yes';
  return supply.kind === 'never' ? 'no' : 'on condition';
}

function countText({ count }: SearchProvider): string {
  if (count.control === 'native') return `${code(count.parameter)}, at most ${count.max}`;
  return count.control === 'trim' ? 'rows are cut' : `one page of ${count.max}, rows are cut`;
}

const TRAINING_TEXTS: Readonly<Record<string, string>> = {
  no: 'no',
  opt_out: 'yes, unless the account switches it off',
  yes: 'yes',
  unknown: 'unknown',
};

/** What a vendor does with what is sent, as rows of the facts of its page. */
export const dataUseRows = ({ dataUse }: Pick<Provider, 'dataUse'>): readonly string[][] => [
  ['trains models on what is sent', TRAINING_TEXTS[dataUse.training] ?? dataUse.training],
  ['retention', dataUse.retention],
  ['region', dataUse.region],
  [
    `customer data, checked ${dataUse.checked}`,
    [dataUse.note, dataUse.source].filter(Boolean).join(' '),
  ],
];

/** `once in 2 s, 1 at a time, 90 a day` */
function paceText({ everyMs, inFlight, most }: Pace): string {
  const rate =
    everyMs < 1_000 ? `${Math.round(1_000 / everyMs)} a second` : `once in ${everyMs / 1_000} s`;
  const spans: Readonly<Record<number, string>> = { 3600: 'an hour', 86400: 'a day' };
  const span = most && `${most.calls} ${spans[most.seconds] ?? `in ${most.seconds} s`}`;
  return [rate, `${inFlight} at a time`, span].filter(Boolean).join(', ');
}

const keyPageText = ({ url, free }: NonNullable<SearchProvider['keyPage']>): string =>
  free === undefined ? url : `${url}; free of charge: ${free}`;

function contactText({ contact, onlyIfNamed }: OpenSource): string {
  const named =
    onlyIfNamed === undefined
      ? ''
      : `the same; exists only if \`OPEN_SOURCES\` names it: ${onlyIfNamed}`;
  if (contact === undefined) return named || 'the same';
  if (contact.kind === 'needed') return 'not asked: it needs an e-mail address';
  return paceText(contact.paceWithout);
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
  'page-families': () =>
    table(
      ['Family', 'Such a row fails with', 'Needs', 'Pages'],
      pageFamilyRows().map((row) => [
        code(row.family),
        `${code(row.code)} (${row.reason})`,
        row.needsLabel ? 'a `label` too' : '',
        row.meaning,
      ]),
    ),
  'secret-settings': () =>
    codes(
      secretNames()
        .filter((name) => !name.endsWith('_API_KEYS'))
        .map(fileVariable),
    ),
  metrics: () =>
    table(
      ['Metric', 'Labels', 'Meaning'],
      createMetrics({ version: '' })
        .described()
        .filter(({ name }) => /^(?:trawl|http)_/.test(name))
        .map(({ name, labels, help }) => [code(name), codes(labels), help]),
    ),
  'provider-pages': () =>
    `${allSlugs()
      .map((slug) => `[${slug}](providers/${slug}.md)`)
      .join(', ')}.`,
  'provider-settings': () =>
    table(['Provider', 'Key', 'Base URL', 'Timeout (ms)'], allSlugs().map(settingsRow)),
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
  'open-sources': () =>
    table(
      ['Source', 'What it has', 'Allowance', 'Asked at most', 'Without `CONTACT`'],
      SEARCH_PROVIDERS.flatMap(({ slug, description, open }) =>
        open === undefined
          ? []
          : [
              [
                `[${slug}](providers/${slug}.md)`,
                description,
                open.allowance,
                paceText(open.pace),
                contactText(open),
              ],
            ],
      ),
    ),
  'free-keys': () =>
    table(
      ['Provider', 'Free of charge', 'Where a key is made'],
      SEARCH_PROVIDERS.toSorted(
        (a, b) => Number(b.keyPage?.free !== undefined) - Number(a.keyPage?.free !== undefined),
      ).flatMap(({ slug, keyPage, credentialVariables }) =>
        keyPage === undefined
          ? []
          : [
              [
                `[${slug}](providers/${slug}.md)`,
                keyPage.free ?? 'nothing known',
                `${keyPage.url}, for ${codes(credentialVariables)}`,
              ],
            ],
      ),
    ),
  'keyless-forms': () =>
    table(
      ['Provider', 'For', 'Allowance without a key', 'Asked at most'],
      PROVIDERS.flatMap(({ slug, search, fetch }) =>
        [
          ['searches', search?.keyless] as const,
          ['pages', fetch?.kind === 'vendor' ? fetch.keyless : undefined] as const,
        ].flatMap(([what, form]) =>
          form === undefined
            ? []
            : [[`[${slug}](providers/${slug}.md)`, what, form.allowance, paceText(form.pace)]],
        ),
      ),
    ),
  economy: () =>
    table(
      ['Provider', 'With `economy`', 'Ten results, at tier `max`'],
      SEARCH_PROVIDERS.flatMap((provider) => {
        const { slug, economy } = provider;
        if (economy === undefined) return [];
        const prices = [{}, economy.overrides].map((overrides) => maxPrice(provider, overrides));
        return [[code(slug), `${slug} ${economy.meaning}`, prices.join(' becomes ')]];
      }),
    ),
  'data-use': () =>
    table(
      ['Provider', 'Trains models on what is sent', 'Retention', 'Region', 'Checked'],
      PROVIDERS.map(({ slug, dataUse: { training, retention, region, source, checked } }) => [
        `[${slug}](providers/${slug}.md)`,
        TRAINING_TEXTS[training] ?? training,
        retention,
        region,
        source === null ? (checked ?? '') : `[${checked}](${source})`,
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
      Object.values<Route>(ROUTES).map(({ method, path, permission, alsoNeeds, summary }) => [
        method,
        code(path),
        permission === null
          ? 'none: no key needed'
          : [permission, alsoNeeds].flatMap((name) => (name ? [code(name)] : [])).join(' and '),
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
  'topic-ranking': () =>
    `Version ${code(TOPIC_RANKING.version)}:\n\n${Object.entries(TOPIC_RANKING.topics)
      .map(([topic, rows]) =>
        [
          `### ${code(topic)}`,
          table(
            ['', 'Provider', 'Why there'],
            rows.map(({ provider, reason, source }, index) => [
              String(index + 1),
              code(provider),
              `${reason} ([source](${source}))`,
            ]),
          ),
        ].join('\n\n'),
      )
      .join('\n\n')}`,
  prices: () =>
    `Version ${code(PRICES.version)}, in US dollars:\n\n${table(
      ['Provider', 'Item', 'Price'],
      Object.entries(PRICES.providers).flatMap(([slug, rates]) =>
        Object.entries(rates).map(([item, price]) => [code(slug), code(item), `$${price}`]),
      ),
    )}`,
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
        ['URLs per fetch', 'what `MAX_FETCH_URLS` says, 20 by default'],
        ['URL of a fetch', `${LIMITS.urlCharacters} characters`],
        [
          code('inline_max_chars'),
          `${LIMITS.inlineCharactersDefault} when absent, per page; longer pages are cut, and say so`,
        ],
        [
          'all rows of one fetch',
          `${LIMITS.fetchBytes} bytes; a page that finds no room left is a failed row, \`too_large\``,
        ],
        ['sessions per page', `1 to ${LIMITS.sessionsMax}, default ${LIMITS.sessionsDefault}`],
        [
          'interactions per page of a history or trajectory',
          `1 to ${LIMITS.historyMax}, all when not asked`,
        ],
        [
          'text of one history or trajectory answer',
          `${LIMITS.historyCharacters} characters, cut between interactions`,
        ],
        ['one usage report', `${LIMITS.usageDays} days, ${LIMITS.usageRows} rows`],
        ['results per feedback request', `1 to ${LIMITS.feedbackResults}`],
      ],
    ),
};

/** The list price of ten results with everything that a tier may buy, in US dollars. */
function maxPrice({ price, prices }: SearchProvider, overrides: JsonObject): string {
  const fields = new Set(RESULT_FIELDS);
  const wanted = { tier: 'max', fields, fullContent: false, overrides } as const;
  return `$${Number(price({ query: '', count: 10, wanted }, prices.usd, null).usd.toFixed(6))}`;
}

const allSlugs = (): readonly string[] => [
  ...new Set([...SEARCH_PROVIDERS, ...FETCH_PROVIDERS].map(({ slug }) => slug)),
];

/** One provider's settings. For a provider that searches and fetches, they apply to both. */
function settingsRow(slug: string): readonly string[] {
  const search = SEARCH_PROVIDERS.find((provider) => provider.slug === slug);
  const fetch = FETCH_PROVIDERS.find((provider) => provider.slug === slug);
  const vendors = [search, fetch?.kind === 'vendor' ? fetch : undefined].filter(
    (provider) => provider !== undefined,
  );
  const name = slug.toUpperCase();
  const bases = [...new Set(vendors.map(({ baseUrl }) => baseUrl ?? 'must be set'))];
  const { baseUrlVariable, accountSetting } = search ?? {};
  const more = [
    ...(baseUrlVariable ? [`${code(baseUrlVariable)} for searches only`] : []),
    ...(accountSetting ? [`${code(accountSetting.variable)}: ${accountSetting.meaning}`] : []),
  ];
  const times = [
    search && `search ${search.timeoutMs}`,
    fetch && `fetch ${fetch.timeoutMs}`,
  ].filter((part) => part !== undefined);
  return [
    code(slug),
    codes(vendors[0]?.credentialVariables ?? []) || 'none',
    bases.length > 0
      ? [`${code(`${name}_BASE_URL`)} (${bases.join(', ')})`, ...more].join('; ')
      : 'none',
    `${code(`${name}_TIMEOUT_MS`)} (${times.join(', ')})`,
  ];
}

/** The facts of one provider's page. */
export function providerFacts(provider: SearchProvider): string {
  const { slug, capabilities, prices } = provider;
  return [
    table(
      ['Fact', 'Value'],
      [
        ['slug', code(slug)],
        ['documentation', provider.docsUrl ?? 'none'],
        ['base URL', provider.baseUrl ?? 'your own, must be set'],
        ['key', keyText(provider)],
        ...(provider.keyPage ? [['where a key is made', keyPageText(provider.keyPage)]] : []),
        ...(provider.keyless
          ? [['without a key', `${provider.keyless.allowance}; ${paceText(provider.keyless.pace)}`]]
          : []),
        ...(provider.open
          ? [
              ['allowance', provider.open.allowance],
              ['asked at most', paceText(provider.open.pace)],
              ['without `CONTACT`', contactText(provider.open)],
              ...(provider.keyed
                ? [['with a key', `${provider.keyed.allowance}; ${paceText(provider.keyed.pace)}`]]
                : []),
            ]
          : []),
        ['result count', countText(provider)],
        ['longest query', queryText(provider)],
        ['timeout', `${provider.timeoutMs} ms, retry included`],
        ['calls at once', String(provider.concurrency)],
        ['chosen by auto-routing', provider.autoRoutable ? 'yes' : 'only when named'],
        ...dataUseRows(provider),
      ],
    ),
    `List prices of ${prices.asOf}, in US dollars:`,
    table(
      ['Item', 'Price'],
      Object.entries(prices.usd)
        .filter(([item]) => !item.startsWith('fetch_'))
        .map(([item, price]) => [item.replaceAll('_', ' '), `$${price}`]),
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

export function keyText({
  authentication,
  credentialVariables,
}: Pick<SearchProvider, 'authentication' | 'credentialVariables'>): string {
  if (authentication.in === 'none') return 'none';
  const place = authentication.in === 'header' ? 'header' : 'query parameter';
  return `${codes(credentialVariables)}, sent as ${place} ${code(authentication.name)}${needsCredential(authentication) ? '' : '; works without one'}`;
}
